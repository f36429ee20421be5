// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/base/format.h"
#include "core/diagnosis/prices/price_remedy.h"
#include "core/whatif/activations.h"
#include "core/whatif/change.h"
#include "core/whatif/event_phases.h"
#include "core/whatif/rank_spread.h"
#include "core/whatif/refusal.h"
#include "core/whatif/world_transfers.h"

namespace rankscope {
namespace {

constexpr std::int64_t kMostRanks = 100'000;

Result<WhatIfEffect> withRanks(const RuleContext& context, std::int64_t count) {
    if (count < 2 || count > kMostRanks) {
        return cannotTell("A data-parallel job has 2 to 100,000 ranks here, not " + std::to_string(count) + ".");
    }
    const std::size_t now = context.run.ranks.size();
    const auto then = static_cast<std::size_t>(count);
    if (now < 2) {
        return cannotTell("The run has one rank: nothing shows what it takes to join ranks.");
    }
    Result<WorldTransfers> transfers = worldTransfers(context, now, then);
    if (transfers.failed()) {
        return transfers.error();
    }
    WhatIfEffect effect;
    effect.notes = transfers.value().notes;
    effect.notes.push_back("Ranks differ by " + formatDuration(spreadOfRanks(context)) +
                           " in a step (standard deviation): the slowest of N is taken from a normal distribution.");
    const DurationNs hops_ns = transfers.value().hops_ns;
    effect.transfer = [ratio = std::make_shared<const std::vector<double>>(std::move(transfers.value().ratio))](
                          CollectivePosition collective, DurationNs transfer_ns) {
        return static_cast<DurationNs>(std::llround((*ratio)[collective] * static_cast<double>(transfer_ns)));
    };
    effect.added = [&context, now, then, hops_ns](const PlayedChange& /*played*/) {
        AddedTime added = slowestOf(context, now, then);
        added.low_ns -= hops_ns;
        return added;
    };
    if (context.facts.parallelism.grid.sizeOf(Role::Shard) > 1) {
        effect.length = optimizerOnShare(context, static_cast<double>(now) / static_cast<double>(then));
    }
    return effect;
}

/// Flags by name id: operators whose device work does not depend on the batch: they copy gradients and parameters.
std::vector<bool> ofParameters(const RankTrace& trace) {
    std::vector<bool> names(trace.strings.size());
    for (std::uint32_t i = 0; i < names.size(); ++i) {
        const std::string_view name = trace.strings.view(StringId(i));
        names[i] = name.find("AccumulateGrad") != std::string_view::npos || name.starts_with("FSDP::");
    }
    return names;
}

bool isInAny(const RankTrace& trace, SliceRef call, const std::vector<bool>& names) {
    if (!call.valid()) {
        return false;
    }
    const SliceTable& slices = trace.track(call).slices;
    for (SliceIndex at = call.slice; at != kNoSlice; at = slices.parent[at]) {
        if (slices.name[at].valid() && names[slices.name[at].value]) {
            return true;
        }
    }
    return false;
}

/// By rank and event of its model: whether its length depends on the batch.
std::vector<std::vector<bool>> workOfBatches(const RuleContext& context) {
    const EventPhases phases = eventPhases(context);
    std::vector<std::vector<bool>> of_batch;
    for (std::size_t r = 0; r < phases.size(); ++r) {
        const RankTrace& trace = *context.work[r].trace;
        const std::vector<ReplayEvent>& events = context.pricer.model().ranks[r].events;
        const std::vector<bool> names = ofParameters(trace);
        std::vector<bool>& of_rank = of_batch.emplace_back();
        for (std::size_t i = 0; i < events.size(); ++i) {
            of_rank.push_back(phases[r][i] != Phase::Optimizer && !events[i].communication &&
                              !isInAny(trace, trace.launches.launchOf(events[i].ref), names));
        }
    }
    return of_batch;
}

std::vector<std::string> notesOfBatch(const RuleContext& context, double factor) {
    std::vector<std::string> notes;
    const auto& ranks = context.facts.ranks;
    if (std::ranges::any_of(ranks, [](const RankFacts& rank) { return !rank.phases.told[Phase::Optimizer]; })) {
        notes.emplace_back("The run does not show which kernels are the optimizer's: they count as work of the batch.");
    }
    const auto& models = context.pricer.model().ranks;
    if (std::ranges::any_of(models, [](const ReplayModel& model) { return !model.loaders.empty(); }) &&
        std::ranges::none_of(context.work, hasWorkers)) {
        notes.emplace_back("The training process makes the batches itself. How long that takes then is not played.");
    }
    const auto then = static_cast<std::uint64_t>(factor * static_cast<double>(mostActivations(context).value_or(0)));
    if (std::optional<std::string> note = activationNote(context, "about " + formatBytes(then) + " then.")) {
        notes.push_back(*std::move(note));
    }
    return notes;
}

}  // namespace

Result<WhatIfEffect> otherWorld(const RuleContext& context, const WhatIfValues& values) {
    return withRanks(context, values.count);
}

Result<WhatIfEffect> otherHosts(const RuleContext& context, const WhatIfValues& values) {
    const Result<std::size_t> ranks = ranksOfHost(context);
    if (ranks.failed()) {
        return ranks.error();
    }
    return withRanks(context, values.count * static_cast<std::int64_t>(ranks.value()));
}

Result<WhatIfEffect> otherBatch(const RuleContext& context, const WhatIfValues& values) {
    const auto of_batch = std::make_shared<const std::vector<std::vector<bool>>>(workOfBatches(context));
    if (std::ranges::none_of(*of_batch, [](const auto& rank) { return std::ranges::find(rank, true) != rank.end(); })) {
        return cannotTell("No device work was recorded that depends on the batch.");
    }
    WhatIfEffect effect;
    effect.notes = notesOfBatch(context, values.factor);
    effect.length = [&ranks = context.pricer.model().ranks, of_batch,
                     floors = std::make_shared<const LaunchFloors>(launchFloors(context)),
                     factor = values.factor](RankPosition rank, const ReplayEvent& event, DurationNs length_ns) {
        return (*of_batch)[rank][indexOf(ranks[rank], event)] ? scaledBeyond((*floors)[rank], length_ns, factor)
                                                              : length_ns;
    };
    return effect;
}

}  // namespace rankscope
