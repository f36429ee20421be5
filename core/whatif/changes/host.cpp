// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/diagnosis/evidence/fast_hosts.h"
#include "core/diagnosis/evidence/host_changes.h"
#include "core/diagnosis/evidence/long_steps.h"
#include "core/diagnosis/prices/price_remedy.h"
#include "core/whatif/change.h"
#include "core/whatif/refusal.h"

namespace rankscope {
namespace {

bool anyLaunch(const RuleContext& context) {
    return std::ranges::any_of(context.work, [](const RankContext& work) {
        return std::ranges::any_of(work.device.events, [](const DeviceEvent& event) { return event.launch.valid(); });
    });
}

std::optional<Error> noHost(const RuleContext& context) {
    return anyLaunch(context)
               ? std::nullopt
               : std::optional(cannotTell("No launch was recorded. Record ProfilerActivity.CPU as well."));
}

}  // namespace

Result<WhatIfEffect> fasterHost(const RuleContext& context, const WhatIfValues& values) {
    if (const std::optional<Error> refused = noHost(context)) {
        return *refused;
    }
    WhatIfEffect effect;
    if (values.factor < 1) {
        effect.replay = onAllRanks({.host_pace = 1 / values.factor});
        return effect;
    }
    effect.replay = onEachRank(context, [&context, factor = values.factor](RankPosition rank) {
        const ReplayModel& model = context.pricer.model().ranks[rank];
        ReplayChange change;
        for (const TimeSpan& window : context.facts.ranks[rank].windows.all()) {
            const auto work_ns = static_cast<double>(hostWorkIn(model, window));
            change.host.push_back({window, static_cast<DurationNs>(std::llround(work_ns / factor))});
        }
        return change;
    });
    return effect;
}

Result<WhatIfEffect> graphLaunches(const RuleContext& context, const WhatIfValues& /*values*/) {
    if (const std::optional<Error> refused = noHost(context)) {
        return *refused;
    }
    struct Launches {
        explicit Launches(const RuleContext& of) : late(of), fast(of, late) {}
        LateHost late;
        FastHosts fast;
    };
    const auto launches = std::make_shared<const Launches>(context);
    WhatIfEffect effect;
    effect.replay = onEachRank(context, [launches](RankPosition rank) { return launches->fast.changeOf(rank, {}); });
    effect.added = [kernels = medianKernels(context).count](const PlayedChange& played) {
        const RemedyCost cost = costOfGraphs(kernels, std::max<DurationNs>(0, played.saved_ns));
        return AddedTime{cost.low_ns, cost.likely_ns, cost.high_ns};
    };
    effect.at_most = true;
    return effect;
}

Result<WhatIfEffect> noSyncs(const RuleContext& context, const WhatIfValues& /*values*/) {
    const auto& ranks = context.pricer.model().ranks;
    const auto is_sync = [](const ReplayWait& wait) { return wait.cause == Cause::HostSync; };
    if (std::ranges::none_of(ranks,
                             [&](const ReplayModel& rank) { return std::ranges::any_of(rank.waits, is_sync); })) {
        return cannotTell("No call on the host waits for the GPU.");
    }
    WhatIfEffect effect;
    effect.replay = onAllRanks({.no_wait = is_sync});
    return effect;
}

Result<WhatIfEffect> noCollections(const RuleContext& context, const WhatIfValues& /*values*/) {
    const auto collections = std::make_shared<std::vector<std::vector<HostChange>>>();
    bool any = false;
    for (const RankContext& work : context.work) {
        collections->push_back(withoutSlices(work, [&work](StringId name, Category category) {
            return category == Category::PythonFunction && name.valid() && isCollection(work.trace->strings.view(name));
        }));
        any = any || !collections->back().empty();
    }
    if (!any) {
        return cannotTell("No garbage collection was recorded. Record with_stack=True to see Python's calls.");
    }
    WhatIfEffect effect;
    effect.replay.of_rank = [collections](RankPosition rank) { return ReplayChange{.host = (*collections)[rank]}; };
    return effect;
}

}  // namespace rankscope
