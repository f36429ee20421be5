// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

#include "core/analysis/efficiency/number_type.h"

namespace rankscope {

/// What the name of a kernel says of it: libraries write into it which instructions it is made of.
struct KernelKind {
    bool multiplies = false;           ///< it is a matrix product, a convolution or an attention
    std::optional<bool> tensor_cores;  ///< whether it runs on tensor or matrix cores; nothing where its name is silent
    bool tf32 = false;                 ///< it rounds float32 to TF32
    bool float8 = false;               ///< it multiplies 8-bit floats
};

/// Reads the name of a kernel of cuBLAS, cuDNN, CUTLASS, flash-attention, rocBLAS, MIOpen or Composable Kernel.
[[nodiscard]] KernelKind kernelKindOf(std::string_view name);

}  // namespace rankscope
