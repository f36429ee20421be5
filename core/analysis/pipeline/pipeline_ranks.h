// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "core/analysis/collectives/exposed_communication.h"
#include "core/analysis/facts.h"
#include "core/analysis/pipeline/pipeline.h"
#include "core/base/interval_set.h"
#include "core/trace/run.h"

namespace rankscope {

/// A wait of a rank in its own send or receive.
struct PartnerWait {
    TimeSpan span;         ///< on the rank's file clock
    RankPosition partner;  ///< who came last to it
};

/// The pipelines of a run with their ranks, and nothing else yet: one for each set of ranks that groups of this role
/// have, of two ranks or more whose numbers are known.
[[nodiscard]] std::vector<Pipeline> pipelinesOf(const Run& run, const ParallelismFacts& facts);

/// What the communication of one rank says of its pipeline.
struct RankExchanges {
    std::set<std::int32_t> peers;  ///< senders and receivers as their args have them, itself among them
    std::vector<TimeNs> called;    ///< when its sends and receives began on the host, ascending
    /// Kernels of its tensor, sequence and expert groups, sorted: a stage cannot go on without them.
    std::vector<SliceRef> inner;
    /// When its device works: computation, copies, and what other communication than that transfers, without waits for
    /// others as far as those can be determined.
    IntervalSet work;
    /// Of `work`: nothing but communication of which it cannot be determined how much is waiting.
    IntervalSet unsplit = {};
    std::vector<PartnerWait> waits = {};  ///< in its sends and receives, by start
};

/// Whether the first rank of a pipeline of three or more sends to the last, or receives from it, as interleaved stages
/// do: by the args of the first one's sends and receives, which number ranks as the job does or as the group does.
[[nodiscard]] bool wrapsAround(const std::vector<RankNumber>& ranks, const RankExchanges& of_first);

/// Of a rank with these parts in the collectives of `facts`. Sends and receives are of the pipeline unless their group
/// has another role.
[[nodiscard]] RankExchanges exchangesOf(const RunFacts& facts, RankPosition rank, const std::vector<OwnPart>& parts,
                                        const RankTrace& trace);

}  // namespace rankscope
