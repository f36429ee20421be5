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

/// A piece of device work with the part of the host's time that it was launched in.
struct LaunchedWork {
    TimeNs call_ns = 0;
    const DeviceEvent* event = nullptr;
    PassPart part = PassPart::Work;
    std::optional<PassKind> kind;  ///< nothing for work of the optimizer and of the loader
    RankStepPosition step;
    std::size_t exchange = 0;               ///< how many sends and receives had been called
    std::size_t turn = 0;                   ///< counts gradients of weights that follow one another
    std::optional<std::ptrdiff_t> forward;  ///< of a backward: how many forwards had begun when what caused it ran
    [[nodiscard]] auto place() const { return std::tuple(step, exchange, kind, turn); }
};

/// The computation of one rank in its steps, and the communication of `inner` (sorted), in the order of the calls, with
/// what flows show of it: which forward a backward is of, and if `weights`, what is the gradient of weights alone. That
/// is work which no flow ties to a forward, launched in one go that is a tenth or more of what is between two sends
/// or receives: PyTorch's pipelines run the nodes of a backward once more for it, and the profiler has ended their
/// flows by then; Megatron-LM computes it outside of autograd. Gradients that are added up in place are no sign
/// of it. The pieces of work must outlive what is returned. Linear in device work and flows, but for sorting.
[[nodiscard]] std::vector<LaunchedWork> launchedWork(const RankContext& work, const std::vector<TimeNs>& exchanges,
                                                     const std::vector<SliceRef>& inner, bool weights);

}  // namespace rankscope
