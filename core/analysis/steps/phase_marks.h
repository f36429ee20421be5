// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/analysis/rank_context.h"
#include "core/analysis/steps/phases.h"
#include "core/trace/run.h"

namespace rankscope {

/// A span of time in which a host thread was in one phase.
struct PhaseRange {
    TimeSpan span;
    Phase phase = Phase::Other;
};

/// The phases that the host threads of a rank were in.
struct PhaseMarks {
    std::vector<std::vector<PhaseRange>> ranges;  ///< by track: forward, backward, optimizer, data; disjoint, by start
    std::vector<TimeSpan> communication;          ///< spans of operators of collectives on all threads, in any order
};

/// Finds phases by names: DDP's and FSDP's forward, the nodes of autograd, `Optimizer.step#`, the DataLoader's
/// `__next__`, ranges that users named after a phase, and modules and backward calls of recorded Python stacks. Of
/// nested ones the innermost decides; but a forward inside a backward is a recomputation and stays backward, and a
/// module counts only if nothing else says more. Nodes of autograd are joined to one backward while the main thread
/// starts no operator between them.
[[nodiscard]] PhaseMarks findPhaseMarks(const RankContext& work);

/// Whether operators, ranges or Python functions were recorded, apart from those of collectives. Without them, as with
/// activities=[CUDA], a phase that nothing shows may still have run. Reads slices up to the first such one.
[[nodiscard]] bool recordsOperators(const RankTrace& rank);
/// The same of any rank of a run.
[[nodiscard]] bool recordsOperators(const Run& run);

/// The phase of a named range, by the words in its name: "forward", "## backward ##", "loss.backward",
/// "optimizer_step", "load_batch", Megatron's "forward-compute", "loss". Nothing for other names, and for sends,
/// receives and reductions around a phase ("forward-recv").
[[nodiscard]] std::optional<Phase> phaseOfRange(std::string_view name);

/// The phase of a range of a pipeline's schedule, by its letter: DeepSeek's "MLP(F)", "ATTN(B)", "MLP(W)", and
/// "PP:0F3", "1W2" (stage, letter, micro-batch) of torch.distributed.pipelining. The gradient of the weights is
/// backward. Nothing for other names, and if a forward and a backward run together.
[[nodiscard]] std::optional<Phase> phaseOfSchedule(std::string_view name);

/// The phase at an instant, in the ranges of one thread; Other between them. `hint` is the index of the last answer:
/// nearby instants cost almost nothing.
[[nodiscard]] Phase phaseAt(const std::vector<PhaseRange>& ranges, TimeNs at_ns, std::size_t& hint);

/// The stretches of each step of a rank, as RankFacts::steps, in order of launch: from the first start to the last end
/// of device work that was launched in forward, backward, optimizer or data, until work of another phase is launched.
/// Communication and work between phases are in no stretch. On a rank without a device, stretches are of the host
/// threads' segment time. Linear in device work and marks, except for sorting the work of each step.
[[nodiscard]] std::vector<std::vector<PhaseSpan>> phaseSpans(const RankContext& work, const ExplainedRank& facts,
                                                             const PhaseMarks& marks);

}  // namespace rankscope
