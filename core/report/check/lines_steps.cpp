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

/// A step that stands out, as a place: the longest steady one, on the rank that was ready last.
CheckPlace longestStep(const RunFacts& facts) {
    const RunStep* longest = nullptr;
    for (const RunStep& step : facts.steps) {
        if (isSteady(step) && (longest == nullptr || step.duration_ns > longest->duration_ns)) {
            longest = &step;
        }
    }
    return longest == nullptr ? CheckPlace() : CheckPlace{longest->critical_rank, longest->index, {}, {}};
}

/// How many complete steps take much longer than the others, but for one that opens the window.
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
    constexpr std::size_t kQuarters = 4;  // of fewer no half lies between two quartiles
    const StepSpread spread = stepSpread(facts);
    const bool of_mean = facts.basis == StepBasis::Mean;  // which is then told already
    const auto [least, most] = std::ranges::minmax(steady);
    const std::optional<std::size_t> spikes = findingWith(context.run, {FindingId::StepSpikes});
    // Rare long steps that say nothing of the run are left out of the steady ones.
    const bool look = spikes.has_value() || std::ranges::count(findOutliers(steady), true) > 0;
    CheckLine line = makeLine(context, CheckArea::Steps, "steps", look ? CheckStatus::Look : CheckStatus::Ok,
                              {{"typical", std::string(stepBasisName(facts.basis))},
                               {"step", formatDuration(facts.pricedStep())},
                               {"steps", formatCounted(steady.size(), "step")},
                               {"mean", formatDuration(facts.mean_step_ns)},
                               {"least", formatDuration(least)},
                               {"most", formatDuration(most)},
                               {"long", formatCounted(longSteps(facts), "step")},
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

/// The rank whose own work is longest against its peers, with what that costs of the step.
struct SlowestRank {
    RankPosition rank;
    double over_median = 0;
    DurationNs more_ns = 0;  ///< than that median
    double costs = 0;        ///< the same, of the step
};

std::optional<SlowestRank> slowestRank(const CheckContext& context) {
    std::optional<SlowestRank> slowest;
    const auto step_ns = static_cast<double>(context.run.facts.pricedStep());
    for (const CheckRank& rank : context.ranks) {
        if (rank.over_median && rank.own_ns && step_ns > 0 && (!slowest || *rank.over_median > slowest->over_median)) {
            const auto own = static_cast<double>(*rank.own_ns);
            const double more = own - own / *rank.over_median;
            slowest = {rank.rank, *rank.over_median, std::llround(more), more / step_ns};
        }
    }
    return slowest;
}

/// The step in which a rank's own work is longest.
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

/// The 1.1 rule, on each rank's own work: the length of a step is the same on all ranks that wait for one another.
CheckLine ownWork(CheckContext& context) {
    const std::optional<SlowestRank> slowest = slowestRank(context);
    if (!slowest) {
        return isAlone(context) ? makeLine(context, CheckArea::Steps, "own-work", CheckStatus::Ok, {}, "alone")
                                : makeLine(context, CheckArea::Steps, "own-work", CheckStatus::CannotTell, {});
    }
    const auto is_slow = [&](const CheckRank& rank) {
        const auto own = static_cast<double>(rank.own_ns.value_or(0));
        const double over = rank.over_median.value_or(0);
        return over > kSlowRank &&
               own - own / over >= kCostsOfStep * static_cast<double>(context.run.facts.pricedStep());
    };
    std::size_t slow = 0;
    for (CheckRank& rank : context.ranks) {
        rank.look = is_slow(rank);
        slow += rank.look ? 1U : 0U;
    }
    const bool is_small = slow == 0 && slowest->over_median > kSlowRank;
    CheckLine line = makeLine(context, CheckArea::Steps, "own-work", slow > 0 ? CheckStatus::Look : CheckStatus::Ok,
                              {{"rank", rankText(context.run, slowest->rank)},
                               {"over", formatFactor(slowest->over_median, 2)},
                               {"limit", formatDecimal(kSlowRank, 1)},
                               {"own", formatDuration(context.ranks[slowest->rank].own_ns.value_or(0))},
                               {"more", formatDuration(slowest->more_ns)},
                               {"costs", formatPercent(slowest->costs)},
                               {"slow", formatCounted(slow, "rank")}},
                              is_small   ? "small"
                              : slow > 1 ? "several"
                                         : std::string_view());
    line.value = slowest->over_median;
    line.limit = kSlowRank;
    line.unit = Unit::Decimal;
    line.place = placeOfRank(context, slowest->rank);
    return line;
}

/// Among how many ranks, itself too, a rank's own work is judged: its peers, else all whose own work is known.
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
    const double own = static_cast<double>(oddest->own_ns.value_or(0));
    const double over = oddest->over_median.value_or(1);
    const double costs_ns = own - own / std::max(over, 1.0);
    const bool matters = costs_ns >= kCostsOfStep * static_cast<double>(context.run.facts.pricedStep());
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
