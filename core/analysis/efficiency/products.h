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

/// One call of an operator that multiplies on the device. Of operators inside one another one is counted: the outermost
/// whose work is known.
struct CountedProduct {
    SliceRef call;
    StringId shapes;  ///< OperatorInputs::shapes
    NumberType type = NumberType::Float32;
    double flops = 0;
    double bytes = 0;         ///< 0 if only `flops` was recorded
    bool recomputed = false;  ///< a forward that a backward does once more
    /// Durations of the kernels that multiply for it; of all its kernels where no name says which do.
    DurationNs multiplying_ns = 0;
    bool named = false;                ///< names of kernels say which of them multiply
    std::optional<bool> tensor_cores;  ///< whether these run on tensor cores; nothing if no name shows it
};

/// What the operators of one rank multiply on its device.
struct RankProducts {
    std::vector<CountedProduct> calls;  ///< by track and start
    /// As DeviceWork::events: the product that a kernel works on, a place in `calls`; kNone for all others.
    std::vector<std::uint32_t> of_events;
    std::size_t operators = 0;  ///< operators of such names with device work beneath them, in none of their like
    std::size_t untold = 0;     ///< of them those whose inputs do not show their work
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};
};

/// Finds the operators of a rank that multiply, their work, and the kernels of `device` that do it. O(operators that
/// multiply x depth + device work x log). `kinds` are those of the same trace.
[[nodiscard]] RankProducts findProducts(const RankTrace& trace, const DeviceWork& device, KernelKinds& kinds);

}  // namespace rankscope
