// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/memory/memory_advice.h"

#include <algorithm>

namespace rankscope {
namespace {

/// From this share on, stuck free memory is worth a remedy: allocators of any kind leave less.
constexpr double kMuchFragmented = 0.1;

}  // namespace

std::string_view memoryRemedy(MemoryPart part) {
    switch (part) {
        case MemoryPart::Activations:
            return "Activations take most. Recompute them in the backward (torch.utils.checkpoint.checkpoint(..., "
                   "use_reentrant=False)), use smaller micro-batches and accumulate gradients, or use sequence "
                   "parallelism. (docs.pytorch.org/docs/stable/checkpoint.html; Korthikanti et al. 2022, "
                   "arXiv:2205.05198)";
        case MemoryPart::OptimizerState:
            return "Optimizer state takes most. Shard it (ZeroRedundancyOptimizer, fully_shard, DeepSpeed ZeRO stage "
                   "1), move it to the CPU (CPUOffloadPolicy, DeepSpeed's offload_optimizer), or keep it in 8 bits. "
                   "(Rajbhandari et al. 2020, arXiv:1910.02054)";
        case MemoryPart::Gradients:
            return "Gradients take most. Set gradient_as_bucket_view=True on DistributedDataParallel (one copy less), "
                   "use zero_grad(set_to_none=True), or shard them (fully_shard, ZeRO stage 2). (docs.pytorch.org, "
                   "DistributedDataParallel; arXiv:1910.02054)";
        case MemoryPart::Parameters:
            return "Parameters take most. Shard them (fully_shard, ZeRO stage 3, tensor or pipeline parallelism), or "
                   "keep them in bfloat16. (arXiv:1910.02054)";
        case MemoryPart::Held:
            return "Memory held throughout takes most: parameters, and optimizer state and gradients that stay. Shard "
                   "them (fully_shard, ZeRO), or move the optimizer state to the CPU. (arXiv:1910.02054)";
        case MemoryPart::Temporary:
            return "Temporary memory takes most. Fuse what makes it (torch.compile, a fused loss or attention), or "
                   "work in chunks, for example on the logits of a large vocabulary.";
        case MemoryPart::Unknown: return {};
    }
    return {};
}

MemoryPart dominantPart(const MemoryParts& parts) {
    const auto most = std::ranges::max_element(parts.bytes);
    const auto part = static_cast<MemoryPart>(most - parts.bytes.begin());
    return 3 * *most >= parts.total() && *most > 0 ? part : MemoryPart::Unknown;
}

std::string_view fragmentationRemedy() {
    return "Memory is fragmented. Set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True, so that segments grow instead "
           "of new ones being added. Keep sizes alike from step to step (pad batches to few lengths). "
           "(docs.pytorch.org/docs/stable/notes/cuda.html, Optimizing memory usage)";
}

std::vector<std::string> snapshotAdvice(const SnapshotFacts& facts) {
    std::vector<std::string> out;
    for (const DeviceSnapshot& device : facts.devices) {
        const MemoryPart part = dominantPart(device.peak ? device.peak->parts : device.parts);
        const bool stuck = device.history.out_of_memory > 0 && device.split >= device.history.largest_failed;
        if (!facts.expandable_segments && (stuck || device.fragmentation() >= kMuchFragmented)) {
            out.emplace_back(fragmentationRemedy());
        }
        if (const std::string_view remedy = memoryRemedy(part); !remedy.empty()) {
            out.emplace_back(remedy);
        }
    }
    std::ranges::sort(out);
    const auto repeated = std::ranges::unique(out);
    out.erase(repeated.begin(), repeated.end());
    return out;
}

}  // namespace rankscope
