// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/analysis/efficiency/number_type.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// What the name of a kernel shows: libraries write the instructions that it uses into the name.
struct KernelKind {
    bool multiplies = false;           ///< it is a matrix product, a convolution or an attention
    std::optional<bool> tensor_cores;  ///< whether it runs on tensor or matrix cores; nothing if the name does not show
                                       ///< it
    bool tf32 = false;                 ///< it rounds float32 to TF32
    bool float8 = false;               ///< it multiplies 8-bit floats
    std::optional<NumberType> type;    ///< what it multiplies; nothing if the name does not show it, or has several
                                       ///< types
};

/// Reads the name of a kernel of cuBLAS, cuDNN, CUTLASS, flash-attention, rocBLAS, MIOpen or Composable Kernel.
[[nodiscard]] KernelKind kernelKindOf(std::string_view name);

/// The kinds of a rank's kernels, each name read once.
class KernelKinds {
  public:
    /// `trace` must outlive this object.
    explicit KernelKinds(const RankTrace& trace) : trace_(trace), kinds_(trace.strings.size()) {}
    [[nodiscard]] const KernelKind& of(SliceRef kernel);

  private:
    const RankTrace& trace_;
    std::vector<std::optional<KernelKind>> kinds_;  // by StringId
};

}  // namespace rankscope
