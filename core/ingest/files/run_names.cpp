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

/// The folder that a file lies in, in its archive where it stands in one.
std::string folderAround(const FileSource& file) {
    std::error_code error;
    const fs::path whole = fs::absolute(file.path, error).lexically_normal();
    return (file.member.empty() ? whole : whole / file.member).parent_path().string();
}

/// The folders around what a run is named after, the nearest one first.
std::vector<std::string> foldersAround(const RunSource& run) {
    std::string around;
    for (const FileSource& file : run.files) {
        const std::string folder = folderAround(file);
        if (folder.ends_with("/" + run.name)) {
            around = folder.substr(0, folder.size() - run.name.size() - 1);
            break;
        }
    }
    if (around.empty() && !run.files.empty()) {  // it is named after a file
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

/// A run, where it lies, and what it is called with some of the folders around it.
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

/// Whether another run is called so that is not the same one.
bool isTaken(const std::string& name, const RunSource& run, const std::vector<const RunSource*>& kept) {
    return std::ranges::any_of(kept, [&](const RunSource* other) {
        if (other->name != name) {
            return false;
        }
        const std::set<std::string> files = namedFiles(run);
        const std::set<std::string> others = namedFiles(*other);
        return std::ranges::none_of(files, [&](const std::string& file) { return others.contains(file); });
    });
}

/// Whether so many folders tell runs apart that are called the same, from one another and from those that keep their
/// names.
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

}  // namespace rankscope
