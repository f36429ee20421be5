// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/memory/open_snapshots.h"

#include <QFileInfo>
#include <algorithm>
#include <filesystem>
#include <iterator>

#include "core/ingest/kineto/identity.h"
#include "ui/panels/shared/words.h"

namespace rankscope::ui {
namespace {

namespace fs = std::filesystem;

/// The rank of a run with this number.
std::optional<RankPosition> rankWithNumber(const Run& run, RankNumber number) {
    for (RankPosition rank{0}; rank < run.ranks.size(); ++rank) {
        if (run.ranks[rank]->rank == number) {
            return rank;
        }
    }
    return std::nullopt;
}

/// Whether a file of the run is in a folder, or below it.
bool liesBelow(const Run& run, const fs::path& folder) {
    const std::string around = folder.string() + "/";
    return std::ranges::any_of(run.ranks, [&](const auto& rank) {
        return std::ranges::any_of(rank->files, [&](const TraceFile& file) {
            std::error_code ignored;
            return fs::absolute(file.path, ignored).lexically_normal().string().starts_with(around);
        });
    });
}

}  // namespace

QString snapshotName(const OpenSnapshot& snapshot) {
    return QFileInfo(text(snapshot.snapshot.path)).fileName();
}

std::optional<RankOfRun> rankOfSnapshot(const OpenSnapshot& snapshot, const OpenRuns& runs) {
    std::error_code ignored;
    const fs::path path = fs::absolute(snapshot.snapshot.path, ignored).lexically_normal();
    const std::optional<RankNumber> number = rankByName(path.filename().string());
    std::vector<RankOfRun> known;
    for (std::uint32_t run = 0; number && run < runs.size(); ++run) {
        if (const auto rank = rankWithNumber(*runs[run]->run, *number)) {
            known.push_back({run, *rank});
        }
    }
    for (fs::path folder = path.parent_path();
         known.size() > 1 && (folder == path.parent_path() || folder == path.parent_path().parent_path());
         folder = folder.parent_path()) {
        std::vector<RankOfRun> near;
        std::ranges::copy_if(known, std::back_inserter(near),
                             [&](const RankOfRun& of) { return liesBelow(*runs[of.run]->run, folder); });
        known = near.empty() ? known : near;
        if (folder == folder.parent_path()) {
            break;
        }
    }
    return known.size() == 1 ? std::optional(known.front()) : std::nullopt;
}

}  // namespace rankscope::ui
