// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "core/analysis/efficiency/number_type.h"
#include "core/analysis/efficiency/operator_call.h"
#include "core/trace/product_operators.h"

namespace rankscope {

/// The work of a product, from the shapes of its arguments. See docs/definitions/efficiency.md.
struct ProductWork {
    double flops = 0;  ///< floating-point operations; a multiplication and an addition are two
    /// Each input read once and each output written once; kUntoldBytes per number if `type` is nothing.
    double bytes = 0;
    std::optional<NumberType> type;  ///< type of its inputs; nothing if it was not recorded
};

/// The assumed width, in bytes, of numbers whose type was not recorded.
inline constexpr std::int64_t kUntoldBytes = 4;

/// What is known about a convolution besides its own arguments.
struct ConvolutionHints {
    std::span<const std::int64_t> output;  ///< its output's sizes; empty if unknown
    std::span<const std::int64_t> weight;  ///< its weight's sizes, for Product::ConvolutionWeight
};

/// The work of one call. Nothing if its arguments do not show it or do not fit the product: shapes that do not fit, or
/// a convolution whose stride was not recorded and whose output is not in `hints`.
[[nodiscard]] std::optional<ProductWork> workOf(Product product, const OperatorCall& call,
                                                const ConvolutionHints& hints = {});

/// How much more work an attention's backward has than its forward: five products instead of two.
inline constexpr double kAttentionBackward = 2.5;
/// The same for a linear layer: two products instead of one.
inline constexpr double kLinearBackward = 2;

}  // namespace rankscope
