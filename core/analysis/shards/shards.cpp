// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/shards/shards.h"

#include <algorithm>

namespace rankscope {

std::string_view shardOperationName(ShardOperation operation) {
    return operation == ShardOperation::Gather ? "gather" : "scatter";
}

std::string_view shardFrameworkName(ShardFramework framework) {
    switch (framework) {
        case ShardFramework::Unknown: return "unknown";
        case ShardFramework::Fsdp1: return "fsdp1";
        case ShardFramework::Fsdp2: return "fsdp2";
        case ShardFramework::DeepSpeed: return "deepspeed";
    }
    return {};
}

std::string_view shardCauseName(ShardCause cause) {
    switch (cause) {
        case ShardCause::HostLate: return "host-late";
        case ShardCause::NoPrefetch: return "no-prefetch";
        case ShardCause::Limited: return "limited";
        case ShardCause::FirstUnit: return "first-unit";
        case ShardCause::LastUnit: return "last-unit";
        case ShardCause::TooLarge: return "too-large";
        case ShardCause::BehindAnother: return "behind-another";
        case ShardCause::SlowerRank: return "slower-rank";
        case ShardCause::Unknown: return "unknown";
    }
    return {};
}

std::string_view shardCauseText(ShardCause cause) {
    switch (cause) {
        case ShardCause::HostLate: return "the CPU was late";
        case ShardCause::NoPrefetch: return "nothing was launched ahead";
        case ShardCause::Limited: return "limit_all_gathers blocked the CPU";
        case ShardCause::FirstUnit: return "the first unit";
        case ShardCause::LastUnit: return "the last unit";
        case ShardCause::TooLarge: return "longer than what could hide it";
        case ShardCause::BehindAnother: return "behind another collective";
        case ShardCause::SlowerRank: return "a rank still computed";
        case ShardCause::Unknown: return "cannot tell";
    }
    return {};
}

const ShardCollective* ShardFacts::of(CollectivePosition collective) const {
    const auto at = std::ranges::lower_bound(collectives, collective, {}, &ShardCollective::collective);
    return at != collectives.end() && at->collective == collective ? &*at : nullptr;
}

}  // namespace rankscope
