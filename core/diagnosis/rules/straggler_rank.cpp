// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "core/analysis/collectives/segment_times.h"
#include "core/analysis/steps/run_steps.h"
#include "core/base/format.h"
#include "core/base/statistics.h"
#include "core/diagnosis/evidence/baseline_work.h"
#include "core/diagnosis/evidence/evidence.h"
#include "core/diagnosis/evidence/lateness.h"

namespace rankscope {
namespace straggler_rank {
namespace {

/// The smallest set of late ranks is chosen that saves at least this share of what the largest set saves.
constexpr double kMostOfSaving = 0.9;

/// The saving of each judged step without the lateness of `ranks`, which is not empty.
std::vector<DurationNs> savingsOf(const RuleContext& context, const std::vector<RankPosition>& ranks) {
    std::vector<DurationNs> savings;
    for (const RunStepPosition step : judgedSteps(context)) {
        savings.push_back(prefixSavings(context.facts.stragglers, step, ranks).back());
    }
    return savings;
}

/// The saving of the median judged step (the mean one if ranks may be late in some steps only) without the lateness of
/// the first rank of `ranking`, of the first two, and so on.
std::vector<DurationNs> typicalSavings(const RuleContext& context, const std::vector<RankPosition>& ranking,
                                       const LatenessLimits& limits) {
    std::vector<std::vector<DurationNs>> of_prefix(ranking.size());
    for (const RunStepPosition step : judgedSteps(context)) {
        const std::vector<DurationNs> savings = prefixSavings(context.facts.stragglers, step, ranking);
        for (std::size_t k = 0; k < savings.size(); ++k) {
            of_prefix[k].push_back(savings[k]);
        }
    }
    std::vector<DurationNs> typical;
    for (std::vector<DurationNs>& savings : of_prefix) {
        typical.push_back(typicalOf(limits.in_some_steps ? StepBasis::Mean : StepBasis::Median, std::move(savings)));
    }
    return typical;
}

/// The ranks that are slower than the median of their peers in enough judged steps, by enough for a finding.
std::vector<RankPosition> oftenLate(const RuleContext& context, const LatenessLimits& limits) {
    const std::vector<RankLateness>& ranks = context.facts.stragglers.ranks;
    std::vector<std::size_t> late(ranks.size());
    std::size_t judged = 0;
    for (std::size_t i = 0; i < ranks.front().steps.size(); ++i) {
        if (!isSteady(context.facts.steps[ranks.front().steps[i].step])) {
            continue;
        }
        ++judged;
        for (const std::vector<RankPosition>& peers : context.facts.stragglers.peers) {
            std::vector<DurationNs> own;
            for (const RankPosition rank : peers) {
                own.push_back(ranks[rank].steps[i].segment_ns);
            }
            const DurationNs median_ns = lowerMedian(std::move(own));
            for (const RankPosition rank : peers) {
                late[rank] += costsEnough(context, ranks[rank].steps[i].segment_ns - median_ns, limits.share) ? 1U : 0U;
            }
        }
    }
    std::vector<RankPosition> often;
    for (RankPosition r{0}; r < late.size(); ++r) {
        if (limits.isOften(late[r], judged)) {
            often.push_back(r);
        }
    }
    return often;
}

/// By rank: the excess of its segment time per step over the median of its peers.
std::vector<DurationNs> beyondPeers(const StragglerFacts& facts) {
    std::vector<DurationNs> beyond(facts.ranks.size());
    for (const std::vector<RankPosition>& peers : facts.peers) {
        std::vector<DurationNs> own;
        for (const RankPosition rank : peers) {
            own.push_back(facts.ranks[rank].segment_ns);
        }
        const DurationNs median_ns = lowerMedian(std::move(own));
        for (const RankPosition rank : peers) {
            beyond[rank] = facts.ranks[rank].segment_ns - median_ns;
        }
    }
    return beyond;
}

/// Most ranks cannot be later than the rest. Keeps fewer than half of the ranks in each set of peers, but at least one.
void keepMinorities(const StragglerFacts& facts, std::vector<RankPosition>& latest) {
    std::vector<std::size_t> kept(facts.peers.size());
    std::erase_if(latest, [&](RankPosition rank) {
        const std::uint32_t peers = facts.peers_of[rank];
        return kept[peers]++ >= std::max<std::size_t>(1, (facts.peers[peers].size() - 1) / 2);
    });
}

/// Whether other ranks are late in most of the steps in which `ranks` are not. Then nothing special about `ranks` makes
/// them late. `savings` are those of the judged steps without them.
bool takeTurns(const RuleContext& context, const std::vector<RankPosition>& ranks,
               const std::vector<DurationNs>& savings, double least_share) {
    const std::vector<RunStepPosition> judged = judgedSteps(context);
    std::size_t rest = 0;
    std::size_t of_others = 0;
    for (std::size_t i = 0; i < judged.size(); ++i) {
        if (!costsEnough(context, savings[i], least_share)) {
            ++rest;
            const auto others = savingOfEach(context.facts.stragglers, judged[i], ranks);
            of_others += costsEnough(context, std::ranges::max(others)) ? 1U : 0U;
        }
    }
    return static_cast<double>(judged.size() - rest) < kMostTurns * static_cast<double>(judged.size()) &&
           2 * of_others > rest;
}

void explain(const RuleContext& context, const LateRanks& late, const std::vector<RankPosition>& ranks,
             Finding& finding) {
    const Sentences& say = context.sentences;
    const RankLateness& worst = context.facts.stragglers.ranks[ranks.front()];
    const std::string who = rankNames(context, ranks);
    const bool one = ranks.size() == 1;
    const bool pair = context.facts.ranks.size() == 2;  // one other rank has no median
    const DurationNs step_ns = context.facts.pricedStep();
    finding.title = one ? say.fill("straggler-rank.title-one", {{"who", who}})
                        : say.fill("straggler-rank.title-several", {{"who", who}});
    finding.why = say.fill(one ? "straggler-rank.why-one" : "straggler-rank.why-several",
                           {{"who", who},
                            {"excess", formatDuration(late.cause.excess_ns)},
                            {"others", say.fill(pair ? "straggler-rank.other" : "straggler-rank.others", {})},
                            {"blocked", formatDuration(finding.blocked_ns)},
                            {"cause", lateCauseText(context, late.cause)},
                            {"new_step", formatDuration(step_ns - finding.saving_ns)},
                            {"step", formatDuration(step_ns)},
                            {"late", std::to_string(late.steps.size())},
                            {"judged", countText(late.savings.size(), "step")},
                            {"over_mean", formatPercent(worst.over_mean)}});
    if (late.cause.excess_ns >= 2 * late.cause.part_ns) {
        finding.why += say.fill("straggler-rank.again", {});
    }
    finding.why += lateGpuText(context, late.cause);
}

}  // namespace
}  // namespace straggler_rank

std::vector<RankPosition> steadyStragglers(const RuleContext& context, const LatenessLimits& limits) {
    using namespace straggler_rank;
    const std::vector<RankLateness>& ranks = context.facts.stragglers.ranks;
    if (ranks.size() < 2 || context.facts.pricedStep() <= 0) {
        return {};
    }
    std::vector<RankPosition> latest = oftenLate(context, limits);
    if (latest.empty()) {
        return {};
    }
    std::ranges::stable_sort(latest, std::greater<>(),
                             [&, beyond = beyondPeers(context.facts.stragglers)](RankPosition r) { return beyond[r]; });
    keepMinorities(context.facts.stragglers, latest);
    if (judgedSteps(context).size() < 2) {
        latest.resize(1);  // in a single step, some ranks are later than others by chance
    }
    const std::vector<DurationNs> savings = typicalSavings(context, latest, limits);
    const double least_ns = kMostOfSaving * static_cast<double>(std::ranges::max(savings));
    const auto enough =
        std::ranges::find_if(savings, [&](DurationNs saving_ns) { return static_cast<double>(saving_ns) >= least_ns; });
    if (!costsEnough(context, *enough, limits.share)) {
        return {};
    }
    latest.resize(static_cast<std::size_t>(enough - savings.begin()) + 1);
    const std::vector<DurationNs> steps = savingsOf(context, latest);
    const auto late =
        std::ranges::count_if(steps, [&](DurationNs ns) { return costsEnough(context, ns, limits.share); });
    const bool often = limits.isOften(static_cast<std::size_t>(late), steps.size());
    return often && !takeTurns(context, latest, steps, limits.share) ? latest : std::vector<RankPosition>{};
}

namespace straggler_rank {
namespace {

/// `ranks` as late by `least_share` of the step or more, with the reason.
LateRanks asLate(const RuleContext& context, const std::vector<RankPosition>& ranks, double least_share) {
    LateRanks late;
    late.id = FindingId::StragglerRank;
    late.savings = savingsOf(context, ranks);
    const std::vector<RunStepPosition> judged = judgedSteps(context);
    for (std::size_t i = 0; i < judged.size(); ++i) {
        if (costsEnough(context, late.savings[i], least_share)) {
            late.steps.push_back({judged[i], ranks});
        }
    }
    late.cause = causeOfLateness(context, late.steps);
    judgeLateGpu(context, late.steps, late.cause);
    late.explain = [&context, ranks](const LateRanks& of, Finding& finding) { explain(context, of, ranks, finding); };
    return late;
}

/// Ranks that are late in most steps, by a share of the step that chance does not reach. Less, or fewer steps, are
/// enough for a slow CPU: the same operators do not take longer by chance. Ranks with such CPUs are late together,
/// although only the slowest one is seen to be.
std::optional<LateRanks> lateRanks(const RuleContext& context) {
    std::vector<LatenessLimits> all_limits = {{}, {.share = Pricer::kLeastShare}};
    if (context.facts.basis == StepBasis::Mean) {
        all_limits.push_back({.in_some_steps = true});
        all_limits.push_back({.share = Pricer::kLeastShare, .in_some_steps = true});
    }
    for (std::size_t i = 0; i < all_limits.size(); ++i) {
        const LatenessLimits& limits = all_limits[i];
        const std::vector<RankPosition> ranks = steadyStragglers(context, limits);
        if (ranks.empty()) {
            continue;
        }
        LateRanks late = asLate(context, ranks, limits.share);
        if (late.cause.because == LateBecause::Host && haveSlowCpus(context, late.steps)) {
            const std::vector<RankPosition> all = withOtherSlowCpus(context, late.steps);
            return all.size() == ranks.size() ? late : asLate(context, all, limits.share);
        }
        if (i == 0) {
            return late;
        }
    }
    return std::nullopt;
}

}  // namespace
}  // namespace straggler_rank

std::optional<LateRanks> stragglerRanks(const RuleContext& context) {
    return straggler_rank::lateRanks(context);
}

}  // namespace rankscope
