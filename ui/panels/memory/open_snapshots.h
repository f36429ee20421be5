// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/analysis/memory/snapshot_facts.h"
#include "core/trace/memory_snapshot.h"
#include "ui/panels/shared/open_runs.h"

namespace rankscope::ui {

/// A memory snapshot that is open, with its facts.
struct OpenSnapshot {
    MemorySnapshot snapshot;
    SnapshotFacts facts;
};

/// The snapshots that are open, in the order in which they were opened.
using OpenSnapshots = std::vector<std::shared_ptr<const OpenSnapshot>>;

/// A rank of an open run.
struct RankOfRun {
    std::uint32_t run = 0;
    RankPosition rank;
    friend bool operator==(const RankOfRun&, const RankOfRun&) = default;
};

/// The name of a snapshot's file.
[[nodiscard]] QString snapshotName(const OpenSnapshot& snapshot);
/// The rank whose memory a snapshot shows, by the number in its file name ("rank3.pickle"). If several open runs have
/// such a rank, takes the one with files below the snapshot's folder, or else below the parent folder. Nothing if no
/// rank, or more than one, matches.
[[nodiscard]] std::optional<RankOfRun> rankOfSnapshot(const OpenSnapshot& snapshot, const OpenRuns& runs);

}  // namespace rankscope::ui
