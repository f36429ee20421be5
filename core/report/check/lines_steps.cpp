// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "core/analysis/steps/run_steps.h"
#include "core/analysis/steps/step_spread.h"
#include "core/base/format.h"
#include "core/base/format_factor.h"
#include "core/base/statistics.h"
#include "core/report/check/check_context.h"
#include "core/report/check/check_limits.h"

namespace rankscope::report {
namespace {

/// The most notable step, as a place: the longest steady one, on the rank that was ready last.
CheckPlace longestStep(const RunFacts& facts) {
    const RunStep* longest = nullptr;
    for (const RunStep& step : facts.steps) {
        if (isSteady(step) && (longest == nullptr || step.duration_ns > longest->duration_ns)) {
            longest = &step;
        }
    }
    return longest == nullptr ? CheckPlace() : CheckPlace{longest->critical_rank, longest->index, {}, {}};
}

/// How many complete steps take much longer than the others, except one that opens the window.
std::size_t longSteps(const RunFacts& facts) {
    std::vector<DurationNs> complete;
    for (std::size_t i = 1; i < facts.steps.size(); ++i) {
        if (facts.steps[i].complete) {
            complete.push_back(facts.steps[i].duration_ns);
        }
    }
    const std::vector<bool> is_long = findOutliers(complete);
    return static_cast<std::size_t>(std::ranges::count(is_long, true));
}

CheckLine stepTimes(const CheckContext& context) {
    const RunFacts& facts = context.run.facts;
    std::vector<DurationNs> steady;
    for (const RunStep& step : facts.steps) {
        if (isSteady(step)) {
            steady.push_back(step.duration_ns);
        }
    }
    if (steady.empty()) {
        return makeLine(context, CheckArea::Steps, "steps", CheckStatus::CannotTell, {});
    }
    constexpr std::size_t kQuarters = 4;  // quartiles need at least this many
    const StepSpread spread = stepSpread(facts);
    const bool of_mean = facts.basis == StepBasis::Mean;  // in this case it is stated already
    const auto [least, most] = std::ranges::minmax(steady);
    const std::optional<std::size_t> spikes = findingWith(context.run, {FindingId::StepSpikes});
    // Rare long steps that say nothing about the run are left out of the steady ones.
    const std::vector<bool> is_long = findOutliers(steady);
    const auto long_steady = static_cast<std::size_t>(std::ranges::count(is_long, true));
    const bool look = spikes.has_value() || long_steady > 0;
    CheckLine line = makeLine(context, CheckArea::Steps, "steps", look ? CheckStatus::Look : CheckStatus::Ok,
                              {{"typical", std::string(stepBasisName(facts.basis))},
                               {"step", formatDuration(facts.pricedStep())},
                               {"steps", formatCounted(steady.size(), "step")},
                               {"mean", formatDuration(facts.mean_step_ns)},
                               {"least", formatDuration(least)},
                               {"most", formatDuration(most)},
                               {"long", formatCounted(std::max(longSteps(facts), long_steady), "step")},
                               {"lower", formatDuration(spread.lower_quartile_ns)},
                               {"upper", formatDuration(spread.upper_quartile_ns)}},
                              look                        ? (of_mean ? "mean" : std::string_view())
                              : steady.size() == 1        ? "one"
                              : steady.size() < kQuarters ? (of_mean ? "few-mean" : "few")
                              : of_mean                   ? "mean"
                                                          : std::string_view());
    line.value = static_cast<double>(facts.pricedStep());
    line.unit = Unit::Duration;
    line.place = longestStep(facts);
    line.place.finding = spikes;
    return line;
}

/// By how much the own work of a rank with peers exceeds theirs; below zero if it is shorter.
DurationNs beyondPeers(const CheckRank& rank) {
    return rank.own_ns.value_or(0) - rank.others_ns;
}

/// The rank whose own work exceeds that of its peers most; nullptr if no rank has peers.
const CheckRank* slowestRank(const CheckContext& context) {
    const CheckRank* slowest = nullptr;
    for (const CheckRank& rank : context.ranks) {
        if (rank.own_ns && rank.others > 0 && (slowest == nullptr || beyondPeers(rank) > beyondPeers(*slowest))) {
            slowest = &rank;
        }
    }
    return context.run.facts.pricedStep() > 0 ? slowest : nullptr;
}

/// Whether that is over the limit, and costs enough of the step.
bool isSlow(const CheckContext& context, const CheckRank& rank) {
    return rank.own_ns && rank.others > 0 &&
           static_cast<double>(*rank.own_ns) > kSlowRank * static_cast<double>(rank.others_ns) &&
           static_cast<double>(beyondPeers(rank)) >= kCostsOfStep * static_cast<double>(context.run.facts.pricedStep());
}

/// What a rank is compared with: "its peers' median", or its only peer.
std::string othersText(const CheckContext& context, const CheckRank& rank) {
    if (rank.others > 1) {
        return context.words.fill("own-work.others-median", {});
    }
    const StragglerFacts& facts = context.run.facts.stragglers;
    const std::vector<RankPosition>& peers = facts.peers[facts.peers_of[rank.rank]];
    const auto other = std::ranges::find_if(
        peers, [&](RankPosition peer) { return peer != rank.rank && context.ranks[peer].own_ns.has_value(); });
    return context.words.fill("own-work.others-one", {{"other", rankText(context.run, *other)}});
}

/// The step with the rank's longest own work.
std::optional<std::int64_t> slowestStep(const RunFacts& facts, RankPosition rank) {
    const SegmentTime* slowest = nullptr;
    for (const SegmentTime& step : facts.stragglers.ranks[rank].steps) {
        if (isSteady(facts.steps[step.step]) && (slowest == nullptr || step.segment_ns > slowest->segment_ns)) {
            slowest = &step;
        }
    }
    return slowest == nullptr ? std::nullopt : std::optional(facts.steps[slowest->step].index);
}

CheckPlace placeOfRank(const CheckContext& context, RankPosition rank) {
    CheckPlace place;
    place.rank = rank;
    place.step = slowestStep(context.run.facts, rank);
    place.finding = findingWith(context.run, {FindingId::StragglerRank, FindingId::MovingStraggler});
    return place;
}

bool isAlone(const CheckContext& context) {
    return context.run.run->ranks.size() == 1 && !communicates(context.run) && !mayLackRanks(context.run);
}

/// The 1.1 rule, on each rank's own work: the length of a step is the same on all ranks that wait for each other.
CheckLine ownWork(CheckContext& context) {
    const CheckRank* const slowest = slowestRank(context);
    if (slowest == nullptr) {
        return isAlone(context) ? makeLine(context, CheckArea::Steps, "own-work", CheckStatus::Ok, {}, "alone")
                                : makeLine(context, CheckArea::Steps, "own-work", CheckStatus::CannotTell, {});
    }
    std::vector<RankPosition> slow;
    for (CheckRank& rank : context.ranks) {
        rank.look = isSlow(context, rank);
        if (rank.look) {
            slow.push_back(rank.rank);
        }
    }
    const bool has_ratio = slowest->over_median.has_value();
    const bool is_small = slow.empty() && slowest->over_median.value_or(0) > kSlowRank;
    std::string variant = slow.size() > 1 ? "several" : is_small ? "small" : "";
    if (!has_ratio) {
        variant += variant.empty() ? "tiny" : "-tiny";
    }
    const auto step_ns = static_cast<double>(context.run.facts.pricedStep());
    CheckLine line = makeLine(context, CheckArea::Steps, "own-work", slow.empty() ? CheckStatus::Ok : CheckStatus::Look,
                              {{"rank", rankText(context.run, slowest->rank)},
                               {"others", othersText(context, *slowest)},
                               {"over", has_ratio ? formatFactor(*slowest->over_median, 2) : std::string()},
                               {"limit", formatDecimal(kSlowRank, 1)},
                               {"own", formatDuration(*slowest->own_ns)},
                               {"more", formatDuration(beyondPeers(*slowest))},
                               {"costs", formatPercent(static_cast<double>(beyondPeers(*slowest)) / step_ns)},
                               {"slow", formatCounted(slow.size(), "rank")}},
                              variant);
    line.text += whyNotFound(context, slow);
    line.value = slowest->over_median;
    line.limit = kSlowRank;
    line.unit = Unit::Decimal;
    line.place = placeOfRank(context, slowest->rank);
    return line;
}

/// The number of ranks, including itself, among which a rank's own work is judged: its peers, else all ranks with known
/// own work.
std::size_t peersOf(const CheckContext& context, RankPosition rank) {
    const StragglerFacts& stragglers = context.run.facts.stragglers;
    if (rank < stragglers.peers_of.size() && stragglers.peers_of[rank] != StragglerFacts::kNoPeers) {
        return stragglers.peers[stragglers.peers_of[rank]].size();
    }
    return static_cast<std::size_t>(
        std::ranges::count_if(context.ranks, [](const CheckRank& one) { return one.z_score.has_value(); }));
}

CheckLine zScores(CheckContext& context) {
    const CheckRank* oddest = nullptr;
    for (const CheckRank& rank : context.ranks) {
        if (rank.z_score && (oddest == nullptr || *rank.z_score > *oddest->z_score)) {
            oddest = &rank;
        }
    }
    if (oddest == nullptr) {
        return isAlone(context) ? makeLine(context, CheckArea::Steps, "z-scores", CheckStatus::Ok, {}, "alone")
                                : makeLine(context, CheckArea::Steps, "z-scores", CheckStatus::CannotTell, {});
    }
    const std::size_t peers = peersOf(context, oddest->rank);
    const double most = std::sqrt(static_cast<double>(peers) - 1);
    const bool matters = oddest->others > 0 && static_cast<double>(beyondPeers(*oddest)) >=
                                                   kCostsOfStep * static_cast<double>(context.run.facts.pricedStep());
    const CheckStatus status = most < kOddRank                          ? CheckStatus::CannotTell
                               : *oddest->z_score > kOddRank && matters ? CheckStatus::Look
                                                                        : CheckStatus::Ok;
    CheckLine line = makeLine(context, CheckArea::Steps, "z-scores", status,
                              {{"rank", rankText(context.run, oddest->rank)},
                               {"z", formatDecimal(*oddest->z_score, 2)},
                               {"peers", formatCounted(peers, "rank")},
                               {"most", formatDecimal(most, 2)},
                               {"limit", formatDecimal(kOddRank, 0)}},
                              status == CheckStatus::CannotTell ? "few" : std::string_view());
    line.value = oddest->z_score;
    line.limit = kOddRank;
    line.unit = Unit::Decimal;
    line.place = placeOfRank(context, oddest->rank);
    if (status == CheckStatus::Look) {
        context.ranks[oddest->rank].look = true;
    }
    return line;
}

}  // namespace

std::vector<CheckLine> stepLines(CheckContext& context) {
    std::vector<CheckLine> lines = {stepTimes(context)};
    lines.push_back(ownWork(context));
    lines.push_back(zScores(context));
    return lines;
}

}  // namespace rankscope::report
