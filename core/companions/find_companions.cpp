// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/companions/find_companions.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <set>
#include <system_error>
#include <utility>

#include "core/ingest/files/archive.h"
#include "core/ingest/files/byte_stream.h"
#include "core/ingest/files/front_stream.h"
#include "core/ingest/files/input_file.h"
#include "core/ingest/flight_recorder/flight_recorder.h"
#include "core/ingest/pickle/read_pickle.h"
#include "core/ingest/snapshot/load_snapshot.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;

/// What a file is: a companion, or other output of a job.
struct Seen {
    std::optional<CompanionKind> kind;
    bool is_text = false;
};

Seen seenIn(const FileSource& file, bool is_named, std::size_t most_bytes) {
    constexpr std::size_t kFront = std::size_t{1} << 16;
    const Result<std::unique_ptr<ByteStream>> stream = openBytes(file);
    if (!stream.ok()) {
        return {};
    }
    FrontStream whole(*stream.value(), kFront, {});
    if (isFrontOfFlightDump(whole.front())) {
        return {CompanionKind::Dumps};
    }
    if (is_named ? beginsLikePickle(whole.front()) : isFrontOfSnapshot(whole.front())) {
        return {CompanionKind::Snapshots};
    }
    const TextKind text = textKindOf(whole, most_bytes);
    return {text == TextKind::Log ? std::optional(CompanionKind::Logs) : std::nullopt, text == TextKind::Text};
}

std::vector<std::string>& listOf(CompanionKind kind, CompanionFiles& files) {
    switch (kind) {
        case CompanionKind::Snapshots: return files.snapshots;
        case CompanionKind::Logs: return files.logs;
        case CompanionKind::Dumps: break;
    }
    return files.dumps;
}

bool isFile(const std::string& path) {
    std::error_code error;
    return fs::is_regular_file(path, error);
}

/// The files of one folder or archive that the user named.
class Inside {
  public:
    Inside(CompanionFiles& to, std::set<std::string>& no_traces) : to_(to), no_traces_(no_traces) {}

    /// Whether it is a companion.
    bool look(const FileSource& file) {
        const Seen seen = seenIn(file, false, kSearchedForNccl);
        if (seen.kind) {
            std::vector<std::string>& files = listOf(*seen.kind, to_);
            if (std::ranges::find(files, file.name()) == files.end()) {
                files.push_back(file.name());
            }
            no_traces_.insert(file.name());
            has_logs_ = has_logs_ || seen.kind == CompanionKind::Logs;
            any_ = true;
        } else if (seen.is_text) {
            texts_.push_back(file.name());
        }
        return seen.kind.has_value();
    }
    /// Takes other output of the job out too, if there are logs. Whether there are companions.
    [[nodiscard]] bool finish() {
        if (has_logs_) {
            no_traces_.insert(texts_.begin(), texts_.end());
        }
        return any_;
    }

  private:
    CompanionFiles& to_;
    std::set<std::string>& no_traces_;
    std::vector<std::string> texts_;
    bool has_logs_ = false;
    bool any_ = false;
};

/// Whether a file is a folder or archive itself, or in it, or below it.
bool isAt(const std::string& file, const std::string& place) {
    return file == place || (file.starts_with(place) && (place.ends_with('/') || file[place.size()] == '/'));
}

/// The members of archives at a place.
std::vector<FileSource> membersAt(const std::string& place, const Discovery& found) {
    std::vector<FileSource> members;
    std::ranges::copy_if(found.members, std::back_inserter(members),
                         [&place](const FileSource& file) { return isAt(file.path, place); });
    std::ranges::stable_sort(members, {}, &FileSource::name);
    return members;
}

}  // namespace

std::optional<CompanionKind> companionKindOf(const std::string& path, std::size_t most_bytes) {
    return isFile(path) && !isArchiveName(path) ? seenIn({path, {}}, true, most_bytes).kind : std::nullopt;
}

CompanionFiles takeNamedCompanions(std::vector<std::string>& paths) {
    CompanionFiles files;
    std::erase_if(paths, [&files](const std::string& path) {
        const std::optional<CompanionKind> kind = companionKindOf(path);
        if (kind) {
            listOf(*kind, files).push_back(path);
        }
        return kind.has_value();
    });
    return files;
}

void takeCompanionsInside(const std::vector<std::string>& paths, Discovery& found, CompanionFiles& to) {
    std::set<std::string> no_traces;
    std::set<std::string> places;  // with companions
    for (const std::string& path : paths) {
        std::error_code error;
        Inside inside(to, no_traces);
        for (const std::string& file : fs::is_directory(path, error) ? filesBelow(path) : std::vector<std::string>()) {
            if (!isArchiveName(file)) {
                (void)inside.look({file, {}});
            }
        }
        std::vector<FileSource> members = membersAt(path, found);
        for (const std::size_t at : shareTexts(members)) {
            if (inside.look(members[at])) {
                places.insert(members[at].path);
            }
        }
        if (inside.finish()) {
            places.insert(path);
        }
    }
    for (RunSource& run : found.runs) {
        std::erase_if(run.no_traces, [&no_traces](const Error& error) { return no_traces.contains(error.path); });
        if (run.typed.empty()) {
            std::erase_if(run.files, [&no_traces](const FileSource& file) { return no_traces.contains(file.name()); });
        }
    }
    std::erase_if(found.runs, [](const RunSource& run) { return run.files.empty(); });
    std::erase_if(found.refused, [&](const Error& error) {
        return no_traces.contains(error.path) ||
               (places.contains(error.path) && error.cause.starts_with(kContainsNoTrace));
    });
}

}  // namespace rankscope
