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
    RankPosition partner;  ///< the last to arrive
};

/// The pipelines of a run, with their ranks only: one for each set of ranks in groups of this role, with two ranks or
/// more whose numbers are known.
[[nodiscard]] std::vector<Pipeline> pipelinesOf(const Run& run, const ParallelismFacts& facts);

/// What the communication of one rank says about its pipeline.
struct RankExchanges {
    std::set<std::int32_t> peers;  ///< senders and receivers as recorded in their args, including itself
    std::vector<TimeNs> called;    ///< when its sends and receives began on the host, ascending
    /// Kernels of its tensor, sequence and expert groups, sorted: a stage needs them to continue.
    std::vector<SliceRef> inner;
    /// When its device works: computation, copies, and transfers of other communication, without waits for others if
    /// these can be separated.
    IntervalSet work;
    /// The part of `work` that is only communication with an unknown share of waiting.
    IntervalSet unsplit = {};
    std::vector<PartnerWait> waits = {};  ///< in its sends and receives, by start
};

/// Whether the first rank of a pipeline of three or more sends to the last, or receives from it, as with interleaved
/// stages: by the args of the first rank's sends and receives, which number ranks either as the job or as the group
/// does.
[[nodiscard]] bool wrapsAround(const std::vector<RankNumber>& ranks, const RankExchanges& of_first);

/// For a rank with these parts in the collectives of `facts`. Sends and receives belong to the pipeline unless their
/// group has another role.
[[nodiscard]] RankExchanges exchangesOf(const RunFacts& facts, RankPosition rank, const std::vector<OwnPart>& parts,
                                        const RankTrace& trace);

}  // namespace rankscope
