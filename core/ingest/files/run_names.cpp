// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/files/run_names.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <string>

namespace rankscope {
namespace {

namespace fs = std::filesystem;

/// The folder of a file, or its folder in its archive.
std::string folderAround(const FileSource& file) {
    std::error_code error;
    const fs::path whole = fs::absolute(file.path, error).lexically_normal();
    return (file.member.empty() ? whole : (whole / file.member).lexically_normal()).parent_path().string();
}

/// The folders around the item that gives a run its name, the nearest one first.
std::vector<std::string> foldersAround(const RunSource& run) {
    std::string around;
    for (const FileSource& file : run.files) {
        fs::path folder(folderAround(file));
        while (folder.has_relative_path() && folder.filename() != fs::path(run.name).filename()) {
            folder = folder.parent_path();
        }
        if (folder.string().ends_with("/" + run.name)) {
            around = folder.string().substr(0, folder.string().size() - run.name.size() - 1);
            break;
        }
    }
    if (around.empty() && !run.files.empty()) {  // it has the name of a file
        around = folderAround({run.files.front().path, "", 0});
    }
    std::vector<std::string> folders;
    for (fs::path at(around); at.has_relative_path(); at = at.parent_path()) {
        folders.push_back(at.filename().string());
    }
    return folders;
}

std::set<std::string> namedFiles(const RunSource& run) {
    std::set<std::string> files;
    for (const FileSource& file : run.files) {
        std::error_code error;
        files.insert(fs::absolute(file.path, error).lexically_normal().string() + '\0' + file.member);
    }
    return files;
}

/// A run, its place, and its name with some of the folders around it.
struct RunInFolders {
    RunSource* run = nullptr;
    std::vector<std::string> around;

    [[nodiscard]] std::string with(std::size_t folders) const {
        std::string name = run->name;
        for (std::size_t i = 0; i < std::min(folders, around.size()); ++i) {
            name.insert(0, 1, '/').insert(0, around[i]);
        }
        return name;
    }
};

/// Whether another, different run has this name, with folders in front of its name or without.
bool isTaken(const std::string& name, const RunSource& run, const std::vector<const RunSource*>& kept) {
    return std::ranges::any_of(kept, [&](const RunSource* other) {
        if (other->name != name && !other->name.ends_with("/" + name)) {
            return false;
        }
        const std::set<std::string> files = namedFiles(run);
        const std::set<std::string> others = namedFiles(*other);
        return std::ranges::none_of(files, [&](const std::string& file) { return others.contains(file); });
    });
}

/// Whether this many folders distinguish runs of one name, from one another and from those that keep their names.
bool areApart(const std::vector<RunInFolders>& same, std::size_t folders, const std::vector<const RunSource*>& kept) {
    std::map<std::string, const RunInFolders*> called;
    return std::ranges::all_of(same, [&](const RunInFolders& one) {
        const std::string name = one.with(folders);
        const RunInFolders* other = called.try_emplace(name, &one).first->second;
        return other->around == one.around && !isTaken(name, *one.run, kept);
    });
}

}  // namespace

void tellNamesApart(const std::vector<RunSource*>& runs, const std::vector<RunSource>& open) {
    std::vector<const RunSource*> kept;
    std::ranges::transform(open, std::back_inserter(kept), [](const RunSource& run) { return &run; });
    std::map<std::string, std::vector<RunInFolders>> called;
    for (RunSource* run : runs) {
        if (run->is_one_run) {
            kept.push_back(run);
        } else {
            called[run->name].push_back({run, {}});
        }
    }
    for (auto& [name, same] : called) {
        if (same.size() == 1 && !isTaken(name, *same.front().run, kept)) {
            continue;
        }
        std::size_t most = 0;
        for (RunInFolders& one : same) {
            one.around = foldersAround(*one.run);
            most = std::max(most, one.around.size());
        }
        std::size_t folders = 0;
        while (folders <= most && !areApart(same, folders, kept)) {
            ++folders;
        }
        for (const RunInFolders& one : folders <= most ? same : std::vector<RunInFolders>()) {
            one.run->name = one.with(folders);
        }
    }
}

std::string nameAroundFolders(const std::vector<FileSource>& files, const std::string& taken) {
    std::set<std::string> folders;
    std::ranges::transform(files, std::inserter(folders, folders.end()), folderAround);
    if (folders.empty()) {
        return {};
    }
    fs::path around(*folders.begin());
    std::string end = around.filename().string();
    for (const std::string& folder : folders) {
        const fs::path other(folder);
        const auto [differs, ignored] = std::ranges::mismatch(around, other);
        fs::path common;
        std::for_each(around.begin(), differs, [&common](const fs::path& part) { common /= part; });
        around = common;
        end = end == other.filename() ? end : std::string();
    }
    const std::string name = FileSource{around.string(), ""}.title();
    return folders.size() > 1 && name == taken ? end : name;
}

namespace {

/// A file as one in folders, also if these are in an archive.
FileSource asPlainFile(const FileSource& file) {
    return {file.member.empty() ? file.path : file.path + "/" + file.member, ""};
}

/// The common folder of all traces of a run or, for folders that are read together, the folder around them.
std::string commonFolder(const RunSource& source, const std::vector<FileOfRun>& run) {
    const std::string folder = folderAround(run.front().trace);
    const bool one =
        std::ranges::all_of(run, [&](const FileOfRun& file) { return folderAround(file.trace) == folder; });
    if (!one && source.together.empty()) {
        return {};
    }
    std::vector<FileSource> traces;
    std::ranges::transform(run, std::back_inserter(traces), &FileOfRun::trace);
    return nameAroundFolders(traces, source.name);
}

/// A run by its own item, without a name if it has none itself.
RunSource namedByItself(const RunSource& source, const std::vector<FileOfRun>& run, bool holds_whole_file) {
    RunSource named;
    const std::string folder = folderAround(source.files[run.front().file]);
    const bool by_folders =  // its folder's name says more than that of its only file
        !source.together.empty() && std::ranges::count(source.files, folder, folderAround) == 1;
    if (run.size() == 1 && !by_folders) {
        named = {run.front().named.title(), {asPlainFile(run.front().named)}};
    } else if (holds_whole_file && !by_folders) {
        const FileSource& file = source.files[run.front().file];
        named = {file.title(), {asPlainFile(file)}};
    } else if (const std::string common = commonFolder(source, run); !source.typed.empty() || common != source.name) {
        named = {common, {asPlainFile(run.front().trace)}};
    }
    return named;
}

}  // namespace

std::vector<std::string> namesOfRuns(const RunSource& source, const std::vector<std::vector<FileOfRun>>& runs) {
    std::map<std::size_t, std::size_t> runs_of_file;
    std::vector<std::set<std::size_t>> files_of_run;
    for (const std::vector<FileOfRun>& run : runs) {
        std::set<std::size_t>& files = files_of_run.emplace_back();
        std::ranges::transform(run, std::inserter(files, files.end()), &FileOfRun::file);
        std::ranges::for_each(files, [&](std::size_t file) { ++runs_of_file[file]; });
    }
    std::vector<RunSource> named;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const bool whole = files_of_run[i].size() == 1 && runs_of_file[*files_of_run[i].begin()] == 1;
        named.push_back(namedByItself(source, runs[i], whole));
    }
    std::vector<RunSource*> with_names;
    for (RunSource& run : named) {
        if (!run.name.empty()) {
            with_names.push_back(&run);
        }
    }
    tellNamesApart(with_names);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < named.size(); ++i) {
        const std::string& name = named[i].name.empty() ? source.name : named[i].name;
        const bool is_taken = std::ranges::find(names, name) != names.end();
        names.push_back(is_taken || (named[i].name.empty() && i > 0) ? name + " " + std::to_string(i + 1) : name);
    }
    return names;
}

}  // namespace rankscope
