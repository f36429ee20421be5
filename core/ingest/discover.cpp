// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <map>
#include <string_view>

#include "core/ingest/load.h"
#include "core/ingest/natural_order.h"
#include "core/ingest/zip_archive.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 4> kTraceEndings = {".json", ".json.gz", ".json.zst", ".gz"};

bool isTraceName(const std::string& name) {
    return std::ranges::any_of(kTraceEndings, [&](std::string_view ending) { return name.ends_with(ending); });
}

bool isZipName(const std::string& name) {
    return name.ends_with(".zip");
}

/// What a file is called without the endings of traces and archives.
std::string stem(const fs::path& path) {
    std::string name = path.filename().string();
    for (const std::string_view ending : {".gz", ".zst", ".zip", ".json", ".pt.trace"}) {
        if (name.ends_with(ending) && name.size() > ending.size()) {
            name.erase(name.size() - ending.size());
        }
    }
    return name;
}

FileSource sourceOf(const fs::path& path) {
    std::error_code error;
    const std::uintmax_t bytes = fs::file_size(path, error);
    return {path.string(), "", error ? 0 : static_cast<std::uint64_t>(bytes)};
}

void sortFiles(std::vector<FileSource>& files) {
    std::ranges::sort(files, [](const FileSource& a, const FileSource& b) {
        return a.path == b.path ? naturalLess(a.member, b.member) : naturalLess(a.path, b.path);
    });
}

/// The runs of a zip: its members, a run for each folder inside it that holds traces.
void addZip(const fs::path& path, Discovery& found) {
    const Result<std::vector<ZipMember>> members = listZip(path.string());
    if (!members.ok()) {
        found.refused.push_back(members.error());
        return;
    }
    std::map<std::string, RunSource> by_folder;
    for (const ZipMember& member : members.value()) {
        if (isTraceName(member.name) && !member.name.starts_with("__MACOSX/")) {
            const fs::path folder = fs::path(member.name).parent_path();
            RunSource& run = by_folder[folder.string()];
            run.name = folder.empty() ? stem(path) : folder.filename().string();
            run.files.push_back({path.string(), member.name, member.packed_bytes});
        }
    }
    if (by_folder.empty()) {
        found.refused.push_back({path.string(), std::nullopt, "holds no .json, .json.gz or .json.zst file"});
    }
    for (auto& [folder, run] : by_folder) {
        sortFiles(run.files);
        found.runs.push_back(std::move(run));
    }
}

/// The runs at and below a folder: each folder with trace files directly in it is one.
void addFolder(const fs::path& folder, Discovery& found) {
    std::error_code error;
    RunSource here;
    const fs::path clean = fs::absolute(folder, error).lexically_normal();
    here.name = clean.has_filename() ? clean.filename().string() : clean.parent_path().filename().string();
    std::vector<fs::path> entries;
    for (const auto& entry : fs::directory_iterator(folder, fs::directory_options::skip_permission_denied, error)) {
        entries.push_back(entry.path());
    }
    std::ranges::sort(entries,
                      [](const fs::path& a, const fs::path& b) { return naturalLess(a.string(), b.string()); });
    std::vector<fs::path> folders;
    for (const fs::path& path : entries) {
        const std::string name = path.filename().string();
        if (name.starts_with('.')) {
            continue;
        }
        if (fs::is_directory(path, error) && !fs::is_symlink(path, error)) {
            folders.push_back(path);
        } else if (isTraceName(name)) {
            here.files.push_back(sourceOf(path));
        } else if (isZipName(name)) {
            addZip(path, found);
        }
    }
    if (!here.files.empty()) {
        sortFiles(here.files);
        found.runs.push_back(std::move(here));
    }
    for (const fs::path& path : folders) {
        addFolder(path, found);
    }
}

}  // namespace

Discovery discoverRuns(const std::vector<std::string>& paths) {
    Discovery found;
    RunSource loose;  // files that were named themselves are one run
    for (const std::string& text : paths) {
        const fs::path path(text);
        std::error_code error;
        if (!fs::exists(path, error)) {
            found.refused.push_back({text, std::nullopt, "does not exist"});
        } else if (fs::is_directory(path, error)) {
            const std::size_t before = found.runs.size() + found.refused.size();
            addFolder(path, found);
            if (found.runs.size() + found.refused.size() == before) {
                found.refused.push_back({text, std::nullopt, "holds no .json, .json.gz, .json.zst or .zip file"});
            }
        } else if (isZipName(text)) {
            addZip(path, found);
        } else {
            loose.files.push_back(sourceOf(path));
        }
    }
    if (!loose.files.empty()) {
        const fs::path first(loose.files.front().path);
        const std::string folder = fs::absolute(first).parent_path().filename().string();
        loose.name = loose.files.size() == 1 || folder.empty() ? stem(first) : folder;
        sortFiles(loose.files);
        found.runs.push_back(std::move(loose));
    }
    return found;
}

Discovery discoverRun(const std::string& name, const std::vector<std::string>& paths) {
    Discovery found = discoverRuns(paths);
    RunSource all{name, {}};
    for (RunSource& part : found.runs) {
        std::ranges::move(part.files, std::back_inserter(all.files));
    }
    found.runs.clear();
    if (!all.files.empty()) {
        sortFiles(all.files);
        found.runs.push_back(std::move(all));
    }
    return found;
}

}  // namespace rankscope
