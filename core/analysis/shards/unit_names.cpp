// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/shards/unit_names.h"

namespace rankscope {
namespace {

// Ranges of torch/distributed/fsdp/_fully_shard/_fsdp_param_group.py and of torch/distributed/fsdp/_runtime_utils.py.
constexpr std::string_view kFsdp2 = "FSDP::";
constexpr std::string_view kFsdp1 = "FullyShardedDataParallel.";
constexpr std::string_view kPrefetchFor = "_prefetch for ";
constexpr std::string_view kPrefetch = "_prefetch";
constexpr std::string_view kCopyOut = "FSDP::all_gather_copy_out";
constexpr std::string_view kModule = "nn.Module: ";

/// "layers.0" in "FSDP::pre_forward (layers.0)".
std::optional<std::string_view> inBrackets(std::string_view range) {
    const std::size_t open = range.find(" (");
    if (open == std::string_view::npos || !range.ends_with(')')) {
        return std::nullopt;
    }
    return range.substr(open + 2, range.size() - open - 3);
}

}  // namespace

std::optional<std::string_view> unitOfRange(std::string_view range) {
    if (!range.starts_with(kFsdp2)) {
        return std::nullopt;
    }
    const std::size_t ahead = range.find(kPrefetchFor);
    return ahead == std::string_view::npos ? inBrackets(range)
                                           : std::optional(range.substr(ahead + kPrefetchFor.size()));
}

UnitNames unitNamesAround(const RankTrace& rank, SliceRef at) {
    UnitNames names;
    std::string_view module;
    const SliceTable& slices = rank.track(at).slices;
    for (SliceIndex i = at.slice; i != kNoSlice; i = slices.parent[i]) {
        const std::string_view name = slices.name[i].valid() ? rank.strings.view(slices.name[i]) : "";
        if (name.starts_with(kFsdp2)) {
            names.framework = ShardFramework::Fsdp2;
            names.prefetched = names.prefetched || name.find(kPrefetchFor) != std::string_view::npos;
            names.unit = names.unit.empty() ? unitOfRange(name).value_or("") : names.unit;
        } else if (name.starts_with(kFsdp1)) {
            names.framework = ShardFramework::Fsdp1;
            names.prefetched = names.prefetched || name.ends_with(kPrefetch);
        } else if (module.empty() && name.starts_with(kModule)) {
            module = name.substr(kModule.size());
        }
    }
    if (names.unit.empty() && !names.prefetched) {  // the module around it is the one that launches ahead for another
        names.unit = module;
    }
    return names;
}

bool namesDeepSpeed(const RankTrace& rank) {
    for (std::uint32_t i = 0; i < rank.strings.size(); ++i) {
        const std::string_view name = rank.strings.view(StringId(i));
        if (name.find("deepspeed/runtime") != std::string_view::npos ||
            name.find("PreBackwardFunctionForModule") != std::string_view::npos) {
            return true;
        }
    }
    return false;
}

bool isRateLimiter(std::string_view range) {
    return range == "FullyShardedDataParallel.rate_limiter";
}

std::optional<std::string_view> unitOfCopyOut(std::string_view range) {
    return range.starts_with(kCopyOut) ? inBrackets(range) : std::nullopt;
}

}  // namespace rankscope
