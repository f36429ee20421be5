// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <tuple>
#include <vector>

#include "core/analysis/pipeline/gathered_pass.h"
#include "core/analysis/pipeline/pipeline.h"
#include "core/analysis/rank_context.h"

namespace rankscope {

/// A piece of device work with the part of the host's time in which it was launched.
struct LaunchedWork {
    TimeNs call_ns = 0;
    const DeviceEvent* event = nullptr;
    PassPart part = PassPart::Work;
    std::optional<PassKind> kind;  ///< nothing for work of the optimizer and of the loader
    RankStepPosition step;
    std::size_t exchange = 0;               ///< the number of sends and receives called before it
    std::size_t turn = 0;                   ///< the index of its group of consecutive gradients of weights
    std::optional<std::ptrdiff_t> forward;  ///< for a backward: the number of forwards begun when its cause ran
    [[nodiscard]] auto place() const { return std::tuple(step, exchange, kind, turn); }
};

/// The computation of one rank in its steps, and the communication of `inner` (sorted), in the order of the calls, with
/// what flows show: the forward that a backward belongs to, and if `weights` is set, which work is the gradient of
/// weights alone. That is work that no flow connects to a forward, launched in one go, with a tenth or more of the work
/// between two sends or receives. PyTorch's pipelines run the nodes of a backward a second time for it, when the
/// profiler has already ended their flows; Megatron-LM computes it outside autograd. Gradients that are accumulated in
/// place are no sign of it. `work` must outlive the result. Linear in device work and flows, except for sorting.
[[nodiscard]] std::vector<LaunchedWork> launchedWork(const RankContext& work, const std::vector<TimeNs>& exchanges,
                                                     const std::vector<SliceRef>& inner, bool weights);

}  // namespace rankscope
