// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace rankscope {

/// The product that an operator computes, and the order of its arguments: this decides how its floating-point
/// operations are counted (core/analysis/efficiency/flops.h).
enum class Product : std::uint8_t {
    None,                   ///< not counted
    Mm,                     ///< (a, b): mm
    Addmm,                  ///< (bias, a, b): addmm
    Bmm,                    ///< (a, b), a batch of them: bmm
    Baddbmm,                ///< (bias, a, b): baddbmm
    Matmul,                 ///< (a, b) of any dimensions, broadcast: matmul
    Linear,                 ///< (input, weight)
    GroupedMm,              ///< (a, b): each row of a with one of the matrices in b
    Convolution,            ///< (input, weight, bias, stride, padding, dilation): conv2d
    AnyConvolution,         ///< the same, then whether it is transposed: convolution
    TransposedConvolution,  ///< (input, weight)
    ConvolutionBackward,    ///< (gradient, input, weight, ..., which gradients are wanted): convolution_backward
    ConvolutionParts,       ///< (input, gradient, weight): contains the two below, and is not counted separately
    ConvolutionInput,       ///< (size, gradient, weight): the gradient of the input
    ConvolutionWeight,      ///< (size, gradient, input): the gradient of the weight, whose size an enclosing operator
                            ///< has
    Attention,              ///< (q, k, v), each batch x heads x sequence x width
    AttentionBackward,      ///< (gradient, q, k, v)
    /// (q, k, v), each batch x sequence x heads x width; or each tokens x heads x width of concatenated sequences, then
    /// their offsets in q and k and their greatest lengths.
    SequenceAttention,
    SequenceAttentionBackward,
    AttentionNodeBackward,  ///< backward of an attention; its forward has the sizes
    FusedLinear,            ///< TransformerEngine: a weight and an input somewhere among its arguments
    FusedMlp,               ///< TransformerEngine: two weights and an input
    FusedLinearBackward,    ///< backward of the two above; their forward has the sizes
};

/// The product for an operator of this name, in the spelling of PyTorch (`aten::`), flash-attn, xFormers and
/// TransformerEngine.
[[nodiscard]] Product productOf(std::string_view name);

}  // namespace rankscope
