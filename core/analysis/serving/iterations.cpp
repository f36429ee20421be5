// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/serving/iterations.h"

#include <algorithm>
#include <array>

namespace rankscope {
namespace {

struct KernelName {
    std::string_view part;
    AttentionSign sign;
};

/// If a name contains several of these, the first one counts.
constexpr std::array<KernelName, 16> kKernels = {{
    {"paged_attention_v1_kernel", AttentionSign::Decode},  // vLLM
    {"paged_attention_v2_kernel", AttentionSign::Decode},
    {"paged_attention_ll4mi", AttentionSign::Decode},        // vLLM on ROCm
    {"BatchDecodeWithPagedKVCache", AttentionSign::Decode},  // FlashInfer
    {"SingleDecodeWithKVCache", AttentionSign::Decode},
    {"BatchPrefillWithRaggedKVCache", AttentionSign::Prefill},
    {"BatchPrefillWithPagedKVCache", AttentionSign::Either},  // on tensor cores it is used for decodes too
    {"flash_fwd_splitkv_mla", AttentionSign::Decode},         // FlashMLA
    {"flash_fwd_splitkv", AttentionSign::Either},             // FlashAttention over a paged cache
    {"flash_fwd_kernel", AttentionSign::Either},
    {"_fwd_grouped_kernel_stage1", AttentionSign::Decode},  // decode attention in Triton: sglang, vLLM
    {"_fwd_kernel_stage1", AttentionSign::Decode},
    {"deep_ep::internode_ll::", AttentionSign::Decode},   // DeepEP's low latency: made for decoding
    {"kernel_unified_attention", AttentionSign::Either},  // vLLM in Triton
    {"FlashAttnFwdSm90", AttentionSign::Either},          // FlashAttention 3
    {"fmhaSm1", AttentionSign::Either},                   // TensorRT-LLM: decided below
}};

}  // namespace

AttentionSign attentionSignOf(std::string_view kernel) {
    const auto at = std::ranges::find_if(
        kKernels, [&](const KernelName& name) { return kernel.find(name.part) != std::string_view::npos; });
    if (at == kKernels.end()) {
        return AttentionSign::None;
    }
    if (at->part == "fmhaSm1") {
        if (kernel.ends_with("Context")) {
            return AttentionSign::Prefill;
        }
        return kernel.find("ForGen") != std::string_view::npos ? AttentionSign::Decode : AttentionSign::Either;
    }
    return at->sign;
}

std::string_view iterationTitle(std::optional<IterationKind> kind) {
    return kind ? iterationKindName(*kind) : "cannot tell";
}

std::optional<double> IterationSums::tokensPerSecond() const {
    if (!prompt_tokens || !new_tokens || total_ns <= 0) {
        return std::nullopt;
    }
    constexpr double kSecond = 1e9;
    return static_cast<double>(*prompt_tokens + *new_tokens) * kSecond / static_cast<double>(total_ns);
}

const IterationSums* IterationFacts::of(std::optional<IterationKind> kind) const {
    const auto at =
        std::ranges::find(kinds, indexOf(kind), [](const IterationSums& sums) { return indexOf(sums.kind); });
    return at == kinds.end() ? nullptr : &*at;
}

const IterationSums* IterationFacts::priced() const {
    const auto at = std::ranges::find_if(kinds, &IterationSums::priced);
    return at == kinds.end() ? nullptr : &*at;
}

}  // namespace rankscope
