// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "core/analysis/efficiency/number_type.h"
#include "core/analysis/efficiency/operator_call.h"
#include "core/trace/product_operators.h"

namespace rankscope {

/// What a product has to do, from the shapes of its arguments. See docs/definitions/efficiency.md.
struct ProductWork {
    double flops = 0;  ///< floating-point operations; a multiplication and an addition are two
    /// Each input read once and each output written once; with kUntoldBytes a number where `type` is nothing.
    double bytes = 0;
    std::optional<NumberType> type;  ///< of its inputs; nothing if it was not recorded
};

/// How wide numbers are taken to be whose type was not recorded.
inline constexpr std::int64_t kUntoldBytes = 4;

/// What is known from beside a convolution's own arguments.
struct ConvolutionHints {
    std::span<const std::int64_t> output;  ///< its output's sizes; none if they are not known
    std::span<const std::int64_t> weight;  ///< its weight's sizes, for Product::ConvolutionWeight
};

/// The work of one call. Nothing if its arguments do not say, or are none of such a product: shapes that do not
/// fit, a convolution whose stride was not recorded and whose output `hints` do not say.
[[nodiscard]] std::optional<ProductWork> workOf(Product product, const OperatorCall& call,
                                                const ConvolutionHints& hints = {});

/// How much more than an attention's forward its backward does: five products instead of two.
inline constexpr double kAttentionBackward = 2.5;
/// The same of a linear layer: two products instead of one.
inline constexpr double kLinearBackward = 2;

}  // namespace rankscope
