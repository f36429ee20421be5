// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/whatif/change.h"
#include "core/whatif/played_pipelines.h"
#include "core/whatif/refusal.h"

namespace rankscope {
namespace {

constexpr std::array<std::pair<std::string_view, Schedule>, 4> kSchedules = {{{"gpipe", Schedule::GPipe},
                                                                              {"1f1b", Schedule::OneFOneB},
                                                                              {"interleaved", Schedule::Interleaved},
                                                                              {"zero-bubble", Schedule::ZeroBubble}}};

/// The effect of a plan. Only all plans of a forecast together show whether they can be played, so this checks only
/// that the pipelines of today can be.
Result<WhatIfEffect> effectOfPlan(const RuleContext& context, const PipelinePlan& plan) {
    if (const std::optional<Error> refused = cannotPlay(context, {.even = true})) {
        return *refused;
    }
    WhatIfEffect effect;
    effect.pipeline = plan;
    return effect;
}

}  // namespace

Result<WhatIfEffect> otherMicroBatches(const RuleContext& context, const WhatIfValues& values) {
    constexpr std::int64_t kMostMicroBatches = 4096;
    if (values.count > kMostMicroBatches) {
        return cannotTell("A step has at most 4,096 micro-batches here.");
    }
    return effectOfPlan(context, {.micro_batches = static_cast<std::int32_t>(values.count)});
}

Result<WhatIfEffect> otherSchedule(const RuleContext& context, const WhatIfValues& values) {
    const auto found = std::ranges::find(kSchedules, values.name, &std::pair<std::string_view, Schedule>::first);
    if (found == kSchedules.end()) {
        std::vector<std::string> names;
        std::ranges::transform(kSchedules, std::back_inserter(names),
                               [](const auto& schedule) { return std::string(schedule.first); });
        return cannotTell("\"" + values.name + "\" is no schedule here; use gpipe, 1f1b, interleaved or zero-bubble" +
                          nearestOrStop(values.name, names));
    }
    const auto& pipelines = context.facts.pipeline.pipelines;
    if (std::ranges::any_of(pipelines, [&](const Pipeline& one) { return one.schedule == found->second; })) {
        return cannotTell("A pipeline runs by that schedule already.");
    }
    return effectOfPlan(context, {.schedule = found->second});
}

Result<WhatIfEffect> evenStages(const RuleContext& context, const WhatIfValues& /*values*/) {
    return effectOfPlan(context, {.even = true});
}

}  // namespace rankscope
