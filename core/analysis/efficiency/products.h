// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/device/device_work.h"
#include "core/analysis/efficiency/matrix_kernels.h"
#include "core/analysis/efficiency/number_type.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// One call of an operator that multiplies on the device. Of nested operators one is counted: the outermost whose work
/// is known.
struct CountedProduct {
    SliceRef call;
    StringId shapes;  ///< OperatorInputs::shapes
    NumberType type = NumberType::Float32;
    double flops = 0;
    double bytes = 0;         ///< 0 if only `flops` was recorded
    bool recomputed = false;  ///< a forward that a backward repeats
    /// Durations of its kernels that multiply; of all its kernels if no name shows which do.
    DurationNs multiplying_ns = 0;
    bool named = false;                ///< names show which kernels multiply
    std::optional<bool> tensor_cores;  ///< whether these run on tensor cores; nothing if no name shows it
};

/// What the operators of one rank multiply on its device.
struct RankProducts {
    std::vector<CountedProduct> calls;  ///< by track and start
    /// As DeviceWork::events: the product that a kernel works on, an index in `calls`; kNone for all others.
    std::vector<std::uint32_t> of_events;
    std::size_t operators = 0;  ///< operators that multiply, with device work beneath them, without those nested in
                                ///< others of the kind
    std::size_t untold = 0;     ///< of these, operators whose inputs do not show their work
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};
};

/// Finds the operators of a rank that multiply, their work, and the kernels of `device` that run it. O(operators that
/// multiply x depth + device work x log). `kinds` must be those of the same trace.
[[nodiscard]] RankProducts findProducts(const RankTrace& trace, const DeviceWork& device, KernelKinds& kinds);

}  // namespace rankscope
