// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/ingest/assembly/partial_trace.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// What was read for one rank of a file.
struct RankParts {
    std::optional<RankNumber> rank;  ///< if the file numbers its ranks
    RankOrigin rank_origin = RankOrigin::Unknown;
    std::vector<PartialTrace> parts;
};

/// The content of a file.
struct RanksOfFile {
    std::vector<RankParts> ranks;  ///< in order of their numbers, else in file order or by their names
    std::string told_by;           ///< "by ...", how several ranks were separated; empty for one rank
    std::string mixed;             ///< why several ranks of the file are one here; empty if they are not
};

/// Separates the ranks of a merged file, and gives each its own events. A file of the profiler has one host process,
/// and stays as it is: that costs a look at each track. In a merged one each origin (a pid) belongs to one rank, by the
/// first of these that shows two:
///
/// 1. `args.rank` of the events, as TraceFuse writes it;
/// 2. names of processes, and pids that are such names: "RANK 1 - GPU", "rank 3", "[Rank 2] python",
///    "[TP00-PP01] 4711";
/// 3. host processes, each with a tenth of the slices of the largest or more: the profiler records one. Device work
///    belongs to the process whose events are in the same stretch of the file, if that launched it; else to the one
///    process that launched it by correlation; else, if as many device pids as processes are left, to the one at the
///    same place in their order, as when all pids of a rank are moved by the same distance.
///
/// Correlations, flow ids and device indices are valid inside a rank only, and may be the same in several. Pids that a
/// merger has moved or named get their old name back if the file has it. Events that could not be read are counted for
/// the first rank. O(events) if there are several ranks.
[[nodiscard]] RanksOfFile tellRanksApart(std::vector<PartialTrace> parts);

/// The rank of an origin of the whole file.
inline constexpr std::int32_t kByPlace = -1;  ///< each of its events to the rank in whose stretch of the file it is
inline constexpr std::int32_t kFirstRank = 0;

/// Which events belong to which rank.
struct RankAssignment {
    std::size_t ranks = 0;
    std::vector<std::vector<std::int32_t>> of_origin;  ///< by part and origin: the rank, from 0, or kByPlace
    /// Byte offsets at which the stretch of a rank begins, with the rank, ascending; the first one begins at 0.
    std::vector<std::pair<std::uint64_t, std::int32_t>> stretches;
};

/// Gives each rank its events: one list of parts per rank. The parts are consumed.
[[nodiscard]] std::vector<std::vector<PartialTrace>> splitParts(std::vector<PartialTrace> parts,
                                                                const RankAssignment& assignment);

/// The rest of a pid after the name of a rank at its start: "4711" of "[TP00-PP01] 4711"; else the pid itself.
[[nodiscard]] std::string_view withoutRankName(std::string_view pid);

}  // namespace rankscope
