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
#include "core/ingest/assembly/folders_of_run.h"
#include "core/ingest/files/archive.h"
#include "core/ingest/files/byte_stream.h"
#include "core/ingest/files/input_file.h"
#include "core/ingest/files/read_heads.h"
#include "core/ingest/files/run_names.h"
#include "core/ingest/load.h"
#include "core/ingest/perfetto/packet_cutter.h"

namespace rankscope {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

namespace {

/// The name of a file without the endings of traces and archives.
std::string stem(const fs::path& path) {
    std::string name = path.filename().string();
    for (const std::string_view ending : {kDigestEnding, ".gz"sv, ".zst"sv, ".tgz"sv, ".tar"sv, ".zip"sv, ".json"sv,
                                          ".pt.trace"sv, ".sqlite"sv, ".pftrace"sv, ".perfetto-trace"sv}) {
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
constexpr std::array<std::string_view, 6> kTraceEndings = {".json", ".json.gz", ".json.zst",
                                                           ".gz",   ".sqlite",  ".sqlite.zst"};

bool isTraceName(const std::string& name) {
    return !isArchiveName(name) &&
           (perfetto::isNamedSo(name) ||
            std::ranges::any_of(kTraceEndings, [&](std::string_view ending) { return name.ends_with(ending); }));
}

/// Whether systems add files of that name to archives automatically: __MACOSX/, "._rank0.json".
bool isHiddenMember(const std::string& name) {
    return name.starts_with("__MACOSX/") || fs::path(name).filename().string().starts_with('.');
}

FileSource sourceOf(const fs::path& path) {
    std::error_code error;
    const std::uintmax_t bytes = fs::file_size(path, error);
    return {path.string(), "", error ? 0 : static_cast<std::uint64_t>(bytes)};
}

FileSource sourceOf(const std::string& archive, const ArchiveMember& member) {
    return {archive, member.name, member.packed_bytes, std::make_shared<const ArchiveMember>(member)};
}

void sortFiles(std::vector<FileSource>& files) {
    std::ranges::sort(files, [](const FileSource& a, const FileSource& b) {
        return a.path == b.path ? naturalLess(a.member, b.member) : naturalLess(a.path, b.path);
    });
}

/// Adds a file to those of a run, or to `refused` if it is not a regular file: a pipe or a device in a folder.
void addFile(const fs::path& path, RunSource& run, Discovery& found) {
    const std::string why = whyNoFile(path.string());
    if (why.empty()) {
        run.files.push_back(sourceOf(path));
    } else {
        found.refused.push_back({path.string(), std::nullopt, why});
    }
}

/// The members of an archive that are traces, the newest of each name. An archive that was added to may have several of
/// one name: the last one counts, as when unpacking, and the others are refused.
std::map<std::string, const ArchiveMember*> traceMembers(const std::string& path, const ArchiveDirectory& archive,
                                                         Discovery& found) {
    std::map<std::string, const ArchiveMember*> traces;
    std::set<std::string> repeated;
    for (const ArchiveMember& member : archive.members) {
        if (isHiddenMember(member.name) || isArchiveName(member.name)) {
            continue;
        }
        found.members.push_back(sourceOf(path, member));
        if (isTraceName(member.name)) {
            const ArchiveMember*& known = traces[member.name];
            if (known != nullptr && repeated.insert(member.name).second) {
                found.refused.push_back({path + ":" + member.name, std::nullopt,
                                         "is in the archive more than once; only the last one is read"});
            }
            known = &member;
        }
    }
    return traces;
}

/// A text that no member of an archive is a trace, and what to do with its content.
std::string whyNoTraces(const ArchiveDirectory& archive) {
    const auto has = [&archive](const auto& is) {
        return std::ranges::any_of(archive.members, [&](const ArchiveMember& member) { return is(member.name); });
    };
    return std::string(kContainsNoTrace) + ", .json.gz, .json.zst or .pftrace file" +
           (has(&isArchiveName) ? "; unpack the archives in it first" : "");
}

/// The runs of an archive: its members, one run for each folder inside it that contains traces.
void addArchive(const fs::path& path, Discovery& found) {
    const Result<ArchiveDirectory> archive = readArchiveDirectory(path.string());
    if (!archive.ok()) {
        found.refused.push_back(archive.error());
        return;
    }
    std::map<std::string, RunSource> by_folder;
    for (const auto& [name, member] : traceMembers(path.string(), archive.value(), found)) {
        const fs::path folder = fs::path(name).lexically_normal().parent_path();
        RunSource& run = by_folder[folder.string()];
        run.name = folder.empty() ? stem(path) : folder.filename().string();
        run.files.push_back(sourceOf(path.string(), *member));
    }
    if (!archive.value().damage.empty()) {
        found.refused.push_back({path.string(), std::nullopt, archive.value().damage});
    } else if (by_folder.empty()) {
        found.refused.push_back({path.string(), std::nullopt, whyNoTraces(archive.value())});
    }
    for (auto& [folder, run] : by_folder) {
        sortFiles(run.files);
        found.runs.push_back(std::move(run));
    }
}

/// The entries of a folder, in natural order. Unreadable ones are refused.
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
        } else if (isArchiveName(name)) {
            addArchive(path, found);
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

/// Folders that are read together.
RunSource joined(std::vector<RunSource>& folders, const FoldersTogether& together, std::set<std::string>& taken) {
    RunSource run = std::move(folders[together.folders.front()]);
    if (together.folders.size() == 1) {
        return run;
    }
    for (std::size_t i = 1; i < together.folders.size(); ++i) {
        std::ranges::move(folders[together.folders[i]].files, std::back_inserter(run.files));
    }
    sortFiles(run.files);
    run.together = together.why;
    std::string name = nameAroundFolders(run.files);
    name = taken.insert(name).second ? name : nameAroundFolders(run.files, name);
    run.name = name.empty() ? run.name : name;
    return run;
}

/// Joins folders that a run may be spread over: nodes, ranks. Folders of JSON that is not a trace are not runs, unless
/// there is nothing else. This reads the start of each file; for a single folder nothing is read.
std::vector<RunSource> joinFolders(std::vector<RunSource> found) {
    if (found.size() < 2) {
        return found;
    }
    std::vector<FolderHead> heads = readHeads(found);
    std::vector<RunSource> folders;
    std::vector<FolderClaims> claims;
    std::vector<Error> no_traces;
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (heads[i].no_traces.size() == heads[i].files) {
            std::ranges::move(heads[i].no_traces, std::back_inserter(no_traces));
        } else {
            folders.push_back(std::move(found[i]));
            claims.push_back(std::move(heads[i].ranks));
        }
    }
    if (folders.empty()) {
        return found;
    }
    std::vector<RunSource> runs;
    std::set<std::string> taken;
    for (const FoldersTogether& together : foldersTogether(claims)) {
        runs.push_back(joined(folders, together, taken));
    }
    std::ranges::move(no_traces, std::back_inserter(runs.front().no_traces));
    return runs;
}

bool isOfDigests(const RunSource& run) {
    return std::ranges::all_of(run.files, [](const FileSource& file) { return file.path.ends_with(kDigestEnding); });
}

/// The traces of the runs below a folder, by path, and by name and size to find moved ones.
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
    /// The run that the trace of a digest belongs to; nothing if there is none, or more than one.
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

/// What the digests of a run are of.
struct DigestsOf {
    std::optional<std::size_t>
        run;                ///< the run of all traces that are there; nothing if they are of several, or of none
    bool has_more = false;  ///< some of their traces are not there
};

DigestsOf runOfDigests(const RunSource& run, const TracesFound& traces) {
    DigestsOf of;
    for (const FileSource& file : run.files) {
        const Result<std::vector<DigestSource>> sources = readSources(file.path);
        if (!sources.ok()) {
            return {};
        }
        for (const DigestSource& source : sources.value()) {
            const std::optional<std::size_t> one = traces.runOf(source);
            if (one && of.run.value_or(*one) != *one) {
                return {};
            }
            of.run = one ? one : of.run;
            of.has_more = of.has_more || !one;
        }
    }
    return of;
}

/// Adds the files of `digests`. If they are of more traces than are there, the run is of both folders.
void addDigests(RunSource&& digests, bool has_more, RunSource& run) {
    std::ranges::move(digests.files, std::back_inserter(run.files));
    sortFiles(run.files);
    const std::string name = has_more ? nameAroundFolders(run.files) : std::string();
    run.name = name.empty() ? run.name : name;
    run.together = has_more && run.together.empty() ? "digests of the same traces are in both" : run.together;
}

/// Joins digests in their own folder with traces below the same folder, if some of them were made from these: they are
/// not a second run. The contents of the files decide whether the other digests are of the same run.
void joinDigestsWithTraces(std::vector<RunSource>& runs) {
    if (std::ranges::all_of(runs, isOfDigests) || std::ranges::none_of(runs, isOfDigests)) {
        return;
    }
    const TracesFound traces(runs);
    std::vector<bool> gone(runs.size());
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const DigestsOf of = isOfDigests(runs[i]) ? runOfDigests(runs[i], traces) : DigestsOf();
        if (of.run) {
            addDigests(std::move(runs[i]), of.has_more, runs[*of.run]);
            gone[i] = true;
        }
    }
    std::vector<RunSource> left;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (!gone[i]) {
            left.push_back(std::move(runs[i]));
        }
    }
    runs = std::move(left);
}

/// Files that were named themselves, as one source: their content shows whether they are one run.
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

/// Reports that must be exported first.
std::vector<Error> nsightReportsBelow(const std::string& folder) {
    std::vector<Error> reports;
    for (const std::string& file : filesBelow(folder)) {
        if (isNsightReportName(file)) {
            reports.push_back({file, std::nullopt, std::string(kNsightReport)});
        }
    }
    return reports;
}

bool containsPickles(const fs::path& folder) {
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        if (at->path().extension() == ".pickle" || at->path().extension() == ".pkl") {
            return true;
        }
    }
    return false;
}

/// Finds the traces at one path that the user named: a source for each folder in it, or one more of the loose files.
void findAt(const std::string& text, Discovery& found, RunSource& loose) {
    const fs::path path(text);
    std::error_code error;
    if (!fs::exists(path, error)) {
        found.refused.push_back({text, std::nullopt, "does not exist"});
    } else if (fs::is_directory(path, error)) {
        addFolder(path, found);
        if (found.runs.empty()) {
            std::ranges::move(nsightReportsBelow(text), std::back_inserter(found.refused));
        }
        if (found.runs.empty() && found.refused.empty()) {
            const std::string hint = containsPickles(path) ? "; `rankscope-cli hang` reads flight recorder dumps" : "";
            found.refused.push_back({text, std::nullopt,
                                     std::string(kContainsNoTrace) +
                                         ", .json.gz, .json.zst, .pftrace, .sqlite, .zip, .tar or .digest file" +
                                         hint});
        }
    } else if (isArchiveName(text)) {
        addArchive(path, found);
    } else if (text.ends_with(kSessionEnding)) {
        found.refused.push_back({text, std::nullopt, "is a session of the window, not a trace; open it there, alone"});
    } else {
        const std::size_t files = loose.files.size();
        addFile(path, loose, found);
        if (loose.files.size() > files) {
            loose.files.back().is_named = true;
        }
    }
}

}  // namespace

Discovery discoverRuns(const std::vector<std::string>& paths) {
    Discovery found;
    RunSource loose;
    std::size_t place_of_loose = 0;  // the first of them gives their position among folders and archives
    for (const std::string& path : paths) {
        Discovery here;
        findAt(path, here, loose);
        std::ranges::move(here.refused, std::back_inserter(found.refused));
        std::ranges::move(here.members, std::back_inserter(found.members));
        std::vector<RunSource> runs = joinFolders(std::move(here.runs));
        joinDigestsWithTraces(runs);
        if (!runs.empty()) {
            std::ranges::move(nsightReportsBelow(path), std::back_inserter(runs.front().no_traces));
        }
        std::ranges::move(runs, std::back_inserter(found.runs));
        place_of_loose = loose.files.empty() ? found.runs.size() : place_of_loose;
    }
    if (!loose.files.empty()) {
        found.runs.insert(found.runs.begin() + static_cast<std::ptrdiff_t>(place_of_loose),
                          typedSource(std::move(loose.files)));
    }
    return found;
}

Discovery discoverRun(const std::string& name, const std::vector<std::string>& paths) {
    Discovery found;
    RunSource all{name, {}, true};
    for (const std::string& path : paths) {
        Discovery here;
        findAt(path, here, all);
        std::ranges::move(here.refused, std::back_inserter(found.refused));
        std::ranges::move(here.members, std::back_inserter(found.members));
        if (!here.runs.empty()) {
            std::ranges::move(nsightReportsBelow(path), std::back_inserter(all.no_traces));
        }
        for (RunSource& part : here.runs) {
            std::ranges::move(part.files, std::back_inserter(all.files));
        }
    }
    if (!all.files.empty()) {
        sortFiles(all.files);
        found.runs.push_back(std::move(all));
    }
    return found;
}

}  // namespace rankscope
