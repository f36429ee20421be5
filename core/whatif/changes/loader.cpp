// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/diagnosis/prices/price_remedy.h"
#include "core/whatif/change.h"
#include "core/whatif/refusal.h"

namespace rankscope {
namespace {

/// The batches of one rank: how long the training process makes each, and how long it works before it asks for the
/// next.
struct Batches {
    std::vector<DurationNs> made_ns;
    std::vector<DurationNs> between_ns;
};

/// How long the training waits for each batch if `workers` make them. Batches go to workers in turn. A worker begins
/// one when it has made its last and when the training has taken the batch that many places before. The batches are
/// played several times in a row, and the last time counts: the first begins with no batch ready, as an epoch does.
std::vector<DurationNs> waitsWith(const Batches& batches, std::size_t workers) {
    constexpr std::size_t kPrefetch = 2;  // torch.utils.data.DataLoader's prefetch_factor
    constexpr std::size_t kRounds = 3;
    const std::size_t count = batches.made_ns.size();
    const std::size_t ahead = kPrefetch * workers;
    std::vector<TimeNs> free_ns(workers, 0);
    std::vector<TimeNs> taken_ns;
    std::vector<DurationNs> waits(count);
    TimeNs now_ns = 0;
    for (std::size_t k = 0; k < kRounds * count; ++k) {
        const TimeNs asked_ns = k >= ahead ? taken_ns[k - ahead] : 0;
        TimeNs& worker_ns = free_ns[k % workers];
        worker_ns = std::max(worker_ns, asked_ns) + batches.made_ns[k % count];
        const TimeNs got_ns = std::max(now_ns, worker_ns) + ReplayChange::kReadyBatchNs;
        waits[k % count] = got_ns - now_ns;
        taken_ns.push_back(got_ns);
        now_ns = got_ns + batches.between_ns[k % count];
    }
    return waits;
}

Batches batchesIn(const ReplayModel& model, const HostTimeWarp& host) {
    Batches batches;
    for (std::size_t i = 0; i < model.loaders.size(); ++i) {
        batches.made_ns.push_back(model.loaders[i].length());
        const bool last = i + 1 == model.loaders.size();
        batches.between_ns.push_back(last ? 0
                                          : host.at(model.loaders[i + 1].start_ns) - host.at(model.loaders[i].end_ns));
    }
    if (batches.between_ns.size() > 1) {
        batches.between_ns.back() = batches.between_ns[batches.between_ns.size() - 2];
    }
    return batches;
}

/// How long the training waits for each batch if batches arrive `factor` times as often as recorded. A batch that did
/// not wait was ready sooner than it is taken to be, so the waits are upper bounds.
std::vector<DurationNs> waitsAtTimesTheRate(const ReplayModel& model, const Batches& batches, double factor) {
    std::vector<DurationNs> waits;
    const TimeNs first_ns = model.loaders.front().end_ns;
    TimeNs now_ns = first_ns - model.loaders.front().length();
    for (std::size_t i = 0; i < model.loaders.size(); ++i) {
        const double since_ns = static_cast<double>(model.loaders[i].end_ns - first_ns) / factor;
        const TimeNs made_ns = first_ns + static_cast<DurationNs>(since_ns);
        const DurationNs least_ns = std::min(ReplayChange::kReadyBatchNs, model.loaders[i].length());
        waits.push_back(std::clamp(made_ns - now_ns, least_ns, model.loaders[i].length()));
        now_ns += waits.back() + batches.between_ns[i];
    }
    return waits;
}

std::optional<Error> noLoader(const RuleContext& context) {
    const auto& ranks = context.pricer.model().ranks;
    const bool any = std::ranges::any_of(ranks, [](const ReplayModel& rank) { return !rank.loaders.empty(); });
    return any ? std::nullopt : std::optional(cannotTell("No DataLoader was recorded in the training process."));
}

bool anyWorkers(const RuleContext& context) {
    return std::ranges::any_of(context.work, hasWorkers);
}

/// Refuses where workers have each batch ready today: more of them would only cost.
std::optional<Error> alreadyReady(const RuleContext& context) {
    const double least_ns = Pricer::kPrecision * static_cast<double>(context.facts.pricedStep());
    const bool ready = anyWorkers(context) &&
                       static_cast<double>(context.pricer.saving({}, onAllRanks({.ready_batches = true}))) <= least_ns;
    return ready ? std::optional(cannotTell("The workers have each batch ready today.")) : std::nullopt;
}

/// What workers cost the training process, as for the finding about the DataLoader.
std::function<AddedTime(const PlayedChange&)> costIn(const RuleContext& context) {
    return [&context](const PlayedChange& played) {
        Price price;
        price.replayed_ns = played.saved_ns;
        const RemedyCost cost =
            costOfWorkers(context, price, played.joint, {anyWorkers(context), hostTimeInLoaders(context)});
        return AddedTime{cost.low_ns, cost.likely_ns, cost.high_ns};
    };
}

/// The cost of workers, against batches that are ready: what they make later is not their cost.
std::function<AddedTime(const PlayedChange&)> costOfWorkersIn(const RuleContext& context) {
    return [cost = costIn(context), &context](const PlayedChange& /*played*/) {
        const RunChange ready = onAllRanks({.ready_batches = true});
        return cost({ready, context.pricer.saving({}, ready)});
    };
}

using ChangesOfRanks = std::vector<ReplayChange>;
using WaitsOfRank = std::function<std::vector<DurationNs>(const ReplayModel& rank, const Batches& batches)>;

/// Sets how long each rank waits for each batch, as `waits_of` says. How long the training works between two batches
/// depends on all changes, and on how long ranks wait for each other, and so on these waits: a few passes.
void settleWaits(const RuleContext& context, const WaitsOfRank& waits_of, const RunChange& joint,
                 ChangesOfRanks& changes) {
    constexpr int kPasses = 4;
    const RunReplayModel& model = context.pricer.model();
    for (int pass = 0; pass < kPasses; ++pass) {
        const std::vector<ReplayedRank> replayed = context.pricer.replayedWork(joint);
        for (RankPosition r{0}; r < replayed.size(); ++r) {
            const ReplayModel& rank = model.ranks[r];
            if (replayed[r].steps.empty() || rank.loaders.empty()) {
                continue;
            }
            const std::vector<DurationNs> waits = waits_of(rank, batchesIn(rank, replayed[r].host));
            ReplayChange change;
            for (std::size_t i = 0; i < waits.size(); ++i) {
                change.host.push_back({rank.loaders[i], std::min(waits[i], rank.loaders[i].length())});
            }
            changes[r] = std::move(change);
        }
    }
}

WhatIfEffect effectOfWaits(const RuleContext& context, WaitsOfRank waits_of) {
    const auto changes =
        std::make_shared<ChangesOfRanks>(context.pricer.model().ranks.size(), ReplayChange{.ready_batches = true});
    WhatIfEffect effect;
    effect.replay.of_rank = [changes](RankPosition rank) { return (*changes)[rank]; };
    // Workers that are too slow make some steps long and others short: no single step stands for them.
    effect.replay.in_mean = true;
    effect.settle = [&context, changes, waits_of = std::move(waits_of)](const RunChange& joint) {
        settleWaits(context, waits_of, joint, *changes);
    };
    effect.added = costOfWorkersIn(context);
    return effect;
}

}  // namespace

Result<WhatIfEffect> readyBatches(const RuleContext& context, const WhatIfValues& /*values*/) {
    if (const std::optional<Error> refused = noLoader(context)) {
        return *refused;
    }
    if (const std::optional<Error> refused = alreadyReady(context)) {
        return *refused;
    }
    WhatIfEffect effect;
    effect.replay = onAllRanks({.ready_batches = true});
    effect.added = costIn(context);
    return effect;
}

Result<WhatIfEffect> moreWorkers(const RuleContext& context, const WhatIfValues& values) {
    constexpr std::int64_t kMostWorkers = 1024;
    if (const std::optional<Error> refused = noLoader(context)) {
        return *refused;
    }
    if (anyWorkers(context)) {
        return cannotTell(
            "The DataLoader has workers already, and how long they take for a batch was not recorded. "
            "Use loader:workers=xF for F times as many, or loader:ready for the most that they can save.");
    }
    if (values.count > kMostWorkers) {
        return cannotTell("A DataLoader has at most 1,024 workers here.");
    }
    return effectOfWaits(
        context, [workers = static_cast<std::size_t>(values.count)](
                     const ReplayModel& /*rank*/, const Batches& batches) { return waitsWith(batches, workers); });
}

Result<WhatIfEffect> timesAsManyWorkers(const RuleContext& context, const WhatIfValues& values) {
    if (const std::optional<Error> refused = noLoader(context)) {
        return *refused;
    }
    if (!anyWorkers(context)) {
        return cannotTell("The DataLoader has no workers in this run. Use loader:workers=W.");
    }
    if (values.factor < 1) {
        return cannotTell(
            "With fewer workers batches would be late that are ready today, and how early they are was not recorded.");
    }
    if (const std::optional<Error> refused = alreadyReady(context)) {
        return *refused;
    }
    return effectOfWaits(context, [factor = values.factor](const ReplayModel& rank, const Batches& batches) {
        return waitsAtTimesTheRate(rank, batches, factor);
    });
}

}  // namespace rankscope
