// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>

#include "core/base/natural_order.h"
#include "core/digest/digest_file.h"
#include "core/ingest/files/input_file.h"
#include "core/ingest/files/zip_archive.h"
#include "core/ingest/load.h"

namespace rankscope {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

namespace {

/// What a file is called without the endings of traces and archives.
std::string stem(const fs::path& path) {
    std::string name = path.filename().string();
    for (const std::string_view ending : {kDigestEnding, ".gz"sv, ".zst"sv, ".zip"sv, ".json"sv, ".pt.trace"sv}) {
        if (name.ends_with(ending) && name.size() > ending.size()) {
            name.erase(name.size() - ending.size());
        }
    }
    return name;
}

}  // namespace

std::string FileSource::label() const {
    const std::string file = std::filesystem::path(path).filename().string();
    return member.empty() ? file : file + ":" + member;
}

std::string FileSource::name() const {
    return member.empty() ? path : path + ":" + member;
}

std::string FileSource::title() const {
    return stem(member.empty() ? path : member);
}

namespace {

constexpr std::string_view kSessionEnding = ".rankscope";
constexpr std::array<std::string_view, 4> kTraceEndings = {".json", ".json.gz", ".json.zst", ".gz"};

bool isTraceName(const std::string& name) {
    return std::ranges::any_of(kTraceEndings, [&](std::string_view ending) { return name.ends_with(ending); });
}

bool isZipName(const std::string& name) {
    return name.ends_with(".zip");
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

/// Adds a file to those of a run, or what it is to `refused` where it is no file: a pipe or a device in a folder.
void addFile(const fs::path& path, RunSource& run, Discovery& found) {
    const std::string why = whyNoFile(path.string());
    if (why.empty()) {
        run.files.push_back(sourceOf(path));
    } else {
        found.refused.push_back({path.string(), std::nullopt, why});
    }
}

/// The members of a zip that are traces, the newest of each name. An archive that was added to may have several of one
/// name: the last one counts, as when it is unpacked, and the others are refused.
std::map<std::string, const ZipMember*> traceMembers(const std::string& path, const ZipDirectory& zip,
                                                     Discovery& found) {
    std::map<std::string, const ZipMember*> traces;
    std::set<std::string> repeated;
    for (const ZipMember& member : zip.members) {
        if (isTraceName(member.name) && !member.name.starts_with("__MACOSX/")) {
            const ZipMember*& known = traces[member.name];
            if (known != nullptr && repeated.insert(member.name).second) {
                found.refused.push_back({path + ":" + member.name, std::nullopt,
                                         "is in the archive more than once; only the last one is read"});
            }
            known = &member;
        }
    }
    return traces;
}

/// The runs of a zip: its members, a run for each folder inside it that holds traces.
void addZip(const fs::path& path, Discovery& found) {
    const Result<ZipDirectory> zip = readZipDirectory(path.string());
    if (!zip.ok()) {
        found.refused.push_back(zip.error());
        return;
    }
    std::map<std::string, RunSource> by_folder;
    for (const auto& [name, member] : traceMembers(path.string(), zip.value(), found)) {
        const fs::path folder = fs::path(name).parent_path();
        RunSource& run = by_folder[folder.string()];
        run.name = folder.empty() ? stem(path) : folder.filename().string();
        run.files.push_back({path.string(), name, member->packed_bytes, std::make_shared<const ZipMember>(*member)});
    }
    if (zip.value().rebuilt) {
        found.refused.push_back(
            {path.string(), std::nullopt,
             "is cut off or damaged: its directory is missing, and only the files before it are read"});
    } else if (by_folder.empty()) {
        const bool has_snapshot = std::ranges::any_of(
            zip.value().members, [](const ZipMember& member) { return member.name.ends_with(".pickle"); });
        found.refused.push_back(
            {path.string(), std::nullopt,
             has_snapshot ? "contains no .json, .json.gz or .json.zst file; unpack a memory snapshot (.pickle) first"
                          : "contains no .json, .json.gz or .json.zst file"});
    }
    for (auto& [folder, run] : by_folder) {
        sortFiles(run.files);
        found.runs.push_back(std::move(run));
    }
}

/// What stands in a folder, in the order that people sort names. What cannot be read of it is refused.
std::vector<fs::path> entriesOf(const fs::path& folder, Discovery& found) {
    std::vector<fs::path> entries;
    std::error_code error;
    fs::directory_iterator at(folder, error);
    while (!error && at != fs::directory_iterator()) {
        entries.push_back(at->path());
        at.increment(error);
    }
    if (error) {
        found.refused.push_back({folder.string(), std::nullopt, "the folder cannot be read: " + error.message()});
    }
    std::ranges::sort(entries,
                      [](const fs::path& a, const fs::path& b) { return naturalLess(a.string(), b.string()); });
    return entries;
}

/// The runs at and below a folder: each folder with trace files directly in it is one.
void addFolder(const fs::path& folder, Discovery& found) {
    std::error_code error;
    RunSource here;
    const fs::path clean = fs::absolute(folder, error).lexically_normal();
    here.name = clean.has_filename() ? clean.filename().string() : clean.parent_path().filename().string();
    std::vector<fs::path> folders;
    for (const fs::path& path : entriesOf(folder, found)) {
        const std::string name = path.filename().string();
        if (name.starts_with('.')) {
            continue;
        }
        if (fs::is_directory(path, error) && !fs::is_symlink(path, error)) {
            folders.push_back(path);
        } else if (isTraceName(name) || name.ends_with(kDigestEnding)) {
            addFile(path, here, found);
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

bool isOfDigests(const RunSource& run) {
    return std::ranges::all_of(run.files, [](const FileSource& file) { return file.path.ends_with(kDigestEnding); });
}

/// The traces of the runs below a folder, by where they lie, and by what tells one that was moved: name and size.
class TracesFound {
  public:
    explicit TracesFound(const std::vector<RunSource>& runs) {
        for (std::size_t run = 0; run < runs.size(); ++run) {
            for (const FileSource& file : runs[run].files) {
                if (!file.path.ends_with(kDigestEnding)) {
                    by_place_[placeOf(file.path, file.member)] = run;
                    const auto [at, is_new] = by_name_.try_emplace(nameOf(file.path, file.member, file.bytes), run);
                    at->second = is_new || at->second == run ? std::optional(run) : std::nullopt;
                }
            }
        }
    }
    /// The run that the trace of a digest is of; nothing where it is of none, or of one of several.
    [[nodiscard]] std::optional<std::size_t> runOf(const DigestSource& trace) const {
        if (const auto here = by_place_.find(placeOf(trace.path, trace.member)); here != by_place_.end()) {
            return here->second;
        }
        const auto moved = by_name_.find(nameOf(trace.path, trace.member, trace.bytes));
        return moved == by_name_.end() ? std::nullopt : moved->second;
    }

  private:
    static std::string placeOf(const fs::path& path, const std::string& member) {
        std::error_code error;
        const fs::path whole = fs::weakly_canonical(path, error);
        return (error ? path : whole).string() + '\0' + member;
    }
    static std::string nameOf(const fs::path& path, const std::string& member, std::uint64_t bytes) {
        return path.filename().string() + '\0' + member + '\0' + std::to_string(bytes);
    }

    std::map<std::string, std::size_t> by_place_;
    std::map<std::string, std::optional<std::size_t>> by_name_;
};

/// The run that all digests of `run` are of.
std::optional<std::size_t> runOfDigests(const RunSource& run, const TracesFound& traces) {
    std::optional<std::size_t> of;
    for (const FileSource& file : run.files) {
        const Result<std::vector<DigestSource>> sources = readSources(file.path);
        for (const DigestSource& source : sources.ok() ? sources.value() : std::vector<DigestSource>()) {
            const std::optional<std::size_t> one = traces.runOf(source);
            if (!one || of.value_or(*one) != *one) {
                return std::nullopt;
            }
            of = one;
        }
        if (!sources.ok()) {
            return std::nullopt;
        }
    }
    return of;
}

/// Puts digests that are in a folder of their own with the traces that they were made of, where both lie below the same
/// folder: they are no second run.
void joinDigestsWithTraces(std::vector<RunSource>& runs) {
    if (std::ranges::all_of(runs, isOfDigests) || std::ranges::none_of(runs, isOfDigests)) {
        return;
    }
    const TracesFound traces(runs);
    std::vector<bool> gone(runs.size());
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (const auto of = isOfDigests(runs[i]) ? runOfDigests(runs[i], traces) : std::nullopt) {
            std::ranges::move(runs[i].files, std::back_inserter(runs[*of].files));
            gone[i] = true;
        }
    }
    std::vector<RunSource> left;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (!gone[i]) {
            sortFiles(runs[i].files);
            left.push_back(std::move(runs[i]));
        }
    }
    runs = std::move(left);
}

/// The runs below one folder that the user named.
std::vector<RunSource> runsBelow(const fs::path& folder, std::vector<Error>& refused) {
    Discovery found;
    addFolder(folder, found);
    refused.insert(refused.end(), found.refused.begin(), found.refused.end());
    joinDigestsWithTraces(found.runs);
    return std::move(found.runs);
}

/// Files that were named themselves, as one source: what is read of them tells whether they are one run.
RunSource typedSource(std::vector<FileSource> files) {
    RunSource source;
    const fs::path first(files.front().path);
    std::error_code error;
    const std::string folder = fs::absolute(first, error).parent_path().filename().string();
    source.name = files.size() == 1 || folder.empty() ? stem(first) : folder;
    std::map<std::string, std::size_t> places;
    for (const FileSource& file : files) {
        places.try_emplace(file.path, places.size());
    }
    sortFiles(files);
    std::ranges::transform(files, std::back_inserter(source.typed),
                           [&places](const FileSource& file) { return places.at(file.path); });
    source.files = std::move(files);
    return source;
}

}  // namespace

Discovery discoverRuns(const std::vector<std::string>& paths) {
    Discovery found;
    RunSource loose;
    std::size_t place_of_loose = 0;  // the first of them says where they stand among folders and archives
    for (const std::string& text : paths) {
        const fs::path path(text);
        std::error_code error;
        if (!fs::exists(path, error)) {
            found.refused.push_back({text, std::nullopt, "does not exist"});
        } else if (fs::is_directory(path, error)) {
            const std::size_t before = found.runs.size() + found.refused.size();
            std::ranges::move(runsBelow(path, found.refused), std::back_inserter(found.runs));
            if (found.runs.size() + found.refused.size() == before) {
                found.refused.push_back(
                    {text, std::nullopt, "contains no .json, .json.gz, .json.zst, .zip or .digest file"});
            }
        } else if (isZipName(text)) {
            addZip(path, found);
        } else if (text.ends_with(kSessionEnding)) {
            found.refused.push_back(
                {text, std::nullopt, "is a session of the window, not a trace; open it there, alone"});
        } else {
            place_of_loose = loose.files.empty() ? found.runs.size() : place_of_loose;
            addFile(path, loose, found);
        }
    }
    if (!loose.files.empty()) {
        found.runs.insert(found.runs.begin() + static_cast<std::ptrdiff_t>(place_of_loose),
                          typedSource(std::move(loose.files)));
    }
    return found;
}

Discovery discoverRun(const std::string& name, const std::vector<std::string>& paths) {
    Discovery found = discoverRuns(paths);
    RunSource all{name, {}, true};
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
