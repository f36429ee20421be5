// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/product_operators.h"

#include <algorithm>
#include <array>

namespace rankscope {
namespace {

struct Named {
    std::string_view name;
    Product product;
};

/// After "aten::", sorted.
constexpr std::array kAten = {
    Named{"_addmm_activation", Product::Addmm},
    Named{"_convolution", Product::AnyConvolution},
    Named{"_efficient_attention_backward", Product::SequenceAttentionBackward},
    Named{"_efficient_attention_forward", Product::SequenceAttention},
    Named{"_flash_attention_backward", Product::SequenceAttentionBackward},
    Named{"_flash_attention_forward", Product::SequenceAttention},
    Named{"_grouped_mm", Product::GroupedMm},
    Named{"_int_mm", Product::Mm},
    Named{"_scaled_dot_product_cudnn_attention", Product::Attention},
    Named{"_scaled_dot_product_cudnn_attention_backward", Product::AttentionBackward},
    Named{"_scaled_dot_product_efficient_attention", Product::Attention},
    Named{"_scaled_dot_product_efficient_attention_backward", Product::AttentionBackward},
    Named{"_scaled_dot_product_flash_attention", Product::Attention},
    Named{"_scaled_dot_product_flash_attention_backward", Product::AttentionBackward},
    Named{"_scaled_dot_product_fused_attention_overrideable", Product::Attention},
    Named{"_scaled_dot_product_fused_attention_overrideable_backward", Product::AttentionBackward},
    Named{"_scaled_grouped_mm", Product::GroupedMm},
    Named{"_scaled_mm", Product::Mm},
    Named{"addbmm", Product::Baddbmm},
    Named{"addmm", Product::Addmm},
    Named{"addmm_", Product::Addmm},
    Named{"baddbmm", Product::Baddbmm},
    Named{"baddbmm_", Product::Baddbmm},
    Named{"bmm", Product::Bmm},
    Named{"conv1d", Product::Convolution},
    Named{"conv2d", Product::Convolution},
    Named{"conv3d", Product::Convolution},
    Named{"conv_transpose1d", Product::TransposedConvolution},
    Named{"conv_transpose2d", Product::TransposedConvolution},
    Named{"conv_transpose3d", Product::TransposedConvolution},
    Named{"convolution", Product::AnyConvolution},
    Named{"convolution_backward", Product::ConvolutionBackward},
    Named{"cudnn_convolution_backward", Product::ConvolutionParts},
    Named{"cudnn_convolution_backward_input", Product::ConvolutionInput},
    Named{"cudnn_convolution_backward_weight", Product::ConvolutionWeight},
    Named{"cudnn_convolution_relu", Product::Convolution},
    Named{"linear", Product::Linear},
    Named{"matmul", Product::Matmul},
    Named{"miopen_convolution_backward", Product::ConvolutionParts},
    Named{"miopen_convolution_backward_input", Product::ConvolutionInput},
    Named{"miopen_convolution_backward_weight", Product::ConvolutionWeight},
    Named{"miopen_convolution_relu", Product::Convolution},
    Named{"mm", Product::Mm},
    Named{"scaled_dot_product_attention", Product::Attention},
};

/// All others, sorted.
constexpr std::array kOthers = {
    Named{"FlashAttnFunc", Product::SequenceAttention},
    Named{"FlashAttnFuncBackward", Product::AttentionNodeBackward},
    Named{"FlashAttnVarlenFunc", Product::SequenceAttention},
    Named{"FlashAttnVarlenFuncBackward", Product::AttentionNodeBackward},
    Named{"_LayerNormLinear", Product::FusedLinear},
    Named{"_LayerNormLinearBackward", Product::FusedLinearBackward},
    Named{"_LayerNormMLP", Product::FusedMlp},
    Named{"_LayerNormMLPBackward", Product::FusedLinearBackward},
    Named{"_Linear", Product::FusedLinear},
    Named{"_LinearBackward", Product::FusedLinearBackward},
    Named{"flash_attn::_flash_attn_backward", Product::SequenceAttentionBackward},
    Named{"flash_attn::_flash_attn_forward", Product::SequenceAttention},
    Named{"flash_attn::_flash_attn_varlen_backward", Product::SequenceAttentionBackward},
    Named{"flash_attn::_flash_attn_varlen_forward", Product::SequenceAttention},
    Named{"torch_attn::_varlen_attn", Product::SequenceAttention},
    Named{"torch_attn::_varlen_attn_backward", Product::SequenceAttentionBackward},
    Named{"xformers::efficient_attention_backward_cutlass", Product::SequenceAttentionBackward},
    Named{"xformers::efficient_attention_forward_cutlass", Product::SequenceAttention},
    Named{"xformers_flash::flash_bwd", Product::SequenceAttentionBackward},
    Named{"xformers_flash::flash_fwd", Product::SequenceAttention},
};

static_assert(std::ranges::is_sorted(kAten, {}, &Named::name) && std::ranges::is_sorted(kOthers, {}, &Named::name));

Product find(const auto& table, std::string_view name) {
    const auto* const at = std::ranges::lower_bound(table, name, {}, &Named::name);
    return at != table.end() && at->name == name ? at->product : Product::None;
}

}  // namespace

Product productOf(std::string_view name) {
    constexpr std::string_view kPrefix = "aten::";
    // Called for every operator while a file is read: most are recognised by their first letters.
    if (name.starts_with(kPrefix)) {
        name.remove_prefix(kPrefix.size());
        constexpr std::string_view kFirst = "_abclms";
        return name.empty() || kFirst.find(name.front()) == std::string_view::npos ? Product::None : find(kAten, name);
    }
    constexpr std::string_view kFirst = "F_ftx";
    return name.empty() || kFirst.find(name.front()) == std::string_view::npos ? Product::None : find(kOthers, name);
}

}  // namespace rankscope
