// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/check/check_context.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <string_view>

#include "core/analysis/gaps/host_names.h"
#include "core/analysis/steps/phase_marks.h"
#include "core/analysis/steps/run_steps.h"
#include "core/analysis/steps/step_spread.h"
#include "core/base/format.h"
#include "core/base/statistics.h"
#include "core/diagnosis/frame/advice.h"
#include "core/report/check/check_limits.h"
#include "core/report/tables/memory_summary.h"

namespace rankscope::report {
namespace {

/// The mean segment time of a rank over the complete, steady-state steps of the run.
std::optional<DurationNs> meanOwnWork(const RunFacts& facts, const RankLateness& rank) {
    std::vector<DurationNs> own;
    for (const SegmentTime& step : rank.steps) {
        if (isSteady(facts.steps[step.step])) {
            own.push_back(step.segment_ns);
        }
    }
    return own.empty() ? std::nullopt : std::optional(meanOf(own));
}

bool namesCollectives(const std::shared_ptr<const RankTrace>& rank) {
    for (StringId id{0}; id.value < rank->strings.size(); ++id.value) {
        const std::string_view name = rank->strings.view(id);
        if (namesCommunication(name) || name.starts_with("gloo:")) {
            return true;
        }
    }
    return false;
}

/// The median of all values except the one at `left_out`, as midMedian(); of two values or more, in ascending order.
DurationNs medianOfOthers(const std::vector<DurationNs>& sorted, std::size_t left_out) {
    const auto other = [&](std::size_t i) { return sorted[i < left_out ? i : i + 1]; };
    const std::size_t others = sorted.size() - 1;
    const DurationNs upper = other(others / 2);
    if (others % 2 == 1) {
        return upper;
    }
    const DurationNs lower = other(others / 2 - 1);
    return lower + (upper - lower) / 2;
}

/// Compares each rank with the median of its peers without itself: a slow rank must not be its own baseline, and of two
/// it would be half of it.
void compareOwnWork(const RunFacts& facts, std::vector<CheckRank>& ranks) {
    const double least_ns = kCostsOfStep * static_cast<double>(facts.pricedStep());
    for (const RankLateness& rank : facts.stragglers.ranks) {
        ranks[rank.rank].own_ns = meanOwnWork(facts, rank);
        ranks[rank.rank].z_score = rank.z_score;
    }
    for (const std::vector<RankPosition>& peers : facts.stragglers.peers) {
        std::vector<DurationNs> own;
        for (const RankPosition peer : peers) {
            if (ranks[peer].own_ns) {
                own.push_back(*ranks[peer].own_ns);
            }
        }
        if (own.size() < 2) {
            continue;
        }
        std::ranges::sort(own);
        for (const RankPosition peer : peers) {
            if (!ranks[peer].own_ns) {
                continue;
            }
            const auto at = static_cast<std::size_t>(std::ranges::lower_bound(own, *ranks[peer].own_ns) - own.begin());
            CheckRank& rank = ranks[peer];
            rank.others = own.size() - 1;
            rank.others_ns = medianOfOthers(own, at);
            if (rank.others_ns > 0 && static_cast<double>(rank.others_ns) >= least_ns) {
                rank.over_median = static_cast<double>(*rank.own_ns) / static_cast<double>(rank.others_ns);
            }
        }
    }
}

std::optional<double> memoryShare(const DeviceMemory& memory) {
    return memory.capacity_bytes > 0 ? std::optional(static_cast<double>(memory.peak.reserved_bytes) /
                                                     static_cast<double>(memory.capacity_bytes))
                                     : std::nullopt;
}

/// Nothing for a rank without counted products.
std::optional<double> mfuOf(const EfficiencyFacts& facts, RankPosition rank) {
    if (rank >= facts.ranks.size()) {
        return std::nullopt;
    }
    const RankEfficiency& of = facts.ranks[rank];
    const bool counted = of.counted.model_flops + of.counted.recomputed_flops > 0;
    return counted && of.rated ? of.counted.mfu() : std::nullopt;
}

}  // namespace

std::vector<CheckRank> checkRanks(const AnalysedRun& run) {
    std::vector<CheckRank> ranks(run.facts.ranks.size());
    for (RankPosition r{0}; r < ranks.size(); ++r) {
        CheckRank& row = ranks[r];
        const RankFacts& facts = run.facts.ranks[r];
        row.rank = r;
        for (const RankStep& step : facts.steps) {
            if (step.complete && !step.outlier) {
                row.indices.push_back(step.index);
                row.steps_ns.push_back(step.span.length());
            }
        }
        row.mean_ns = meanOf(row.steps_ns);
        row.mfu = mfuOf(run.facts.efficiency, r);
        const auto memory = std::ranges::find(facts.memory, facts.device, &DeviceMemory::device);
        row.memory_share = memory != facts.memory.end() ? memoryShare(*memory) : std::nullopt;
    }
    compareOwnWork(run.facts, ranks);
    return ranks;
}

Sentences wordsFor(const AnalysedRun& run, const Sentences& words) {
    return recorderOf(*run.run) == Recorder::NsightSystems ? words.preferring("-nsight") : words;
}

CheckContext contextOf(const AnalysedRun& run, const Sentences& words) {
    CheckContext context{run, wordsFor(run, words), {}, {}, checkRanks(run)};
    for (const RankFacts& rank : run.facts.ranks) {
        context.budgets.push_back(budgetOf(rank));
        context.budget += context.budgets.back();
    }
    return context;
}

CheckLine makeLine(const CheckContext& context, CheckArea area, std::string_view key, CheckStatus status,
                   Sentences::Values values, std::string_view variant) {
    const std::string id(key);
    CheckLine line;
    line.key = id;
    line.area = area;
    line.status = status;
    line.title = context.words.fill(id + ".title", {});
    std::string sentence = id + "." + std::string(checkStatusName(status));
    if (!variant.empty()) {
        sentence += "-" + std::string(variant);
    }
    line.text = context.words.fillFrom(sentence, values);
    if (status == CheckStatus::CannotTell) {
        line.record = context.words.fillFrom(ownKey(context.words, id + ".record", variant), values);
    }
    return line;
}

bool loaderIsUnrecorded(const CheckContext& context) {
    const RunFacts& facts = context.run.facts;
    return context.budget.steps > 0 && !recordsOperators(*context.run.run) &&
           std::ranges::none_of(facts.ranks, [](const RankFacts& rank) { return rank.phases.told[Phase::Data]; });
}

std::string_view whyNoPeak(const CheckContext& context) {
    return hasUntoldMemoryEvents(context.run) ? "no-totals" : "";
}

std::string ownKey(const Sentences& words, const std::string& key, std::string_view variant) {
    const std::string own = key + "-" + std::string(variant);
    return words.has(own) ? own : key;
}

std::optional<std::size_t> findingWith(const AnalysedRun& run, std::initializer_list<FindingId> ids) {
    const std::vector<Finding>& findings = run.diagnosis.findings;
    const auto at = std::ranges::find_if(
        findings, [&](const Finding& finding) { return std::ranges::find(ids, finding.id) != ids.end(); });
    return at != findings.end() ? std::optional(static_cast<std::size_t>(at - findings.begin())) : std::nullopt;
}

CheckPlace placeOfMost(const CheckContext& context, const std::function<DurationNs(const StepBudget&)>& part) {
    CheckPlace place;
    double most = 0;
    for (RankPosition r{0}; r < context.budgets.size(); ++r) {
        const double share = context.budgets[r].share(part(context.budgets[r])).value_or(0);
        if (share > most) {
            most = share;
            place.rank = r;
        }
    }
    if (place.rank) {
        const std::vector<RankStep>& steps = context.run.facts.ranks[*place.rank].steps;
        if (const std::optional<RankStepPosition> typical = typicalStep(steps)) {
            place.step = steps[*typical].index;
        } else if (!context.ranks[*place.rank].indices.empty()) {
            place.step = context.ranks[*place.rank].indices.front();
        }
    }
    return place;
}

std::string rankText(const AnalysedRun& run, RankPosition rank) {
    return rankLabel(*run.run->ranks[rank], rank);
}

std::string lengthText(const StepBudget& budget, DurationNs sum_ns) {
    return formatDuration(budget.ofStep(sum_ns)) + " (" + formatPercent(budget.share(sum_ns).value_or(0)) + ")";
}

bool communicates(const AnalysedRun& run) {
    return !run.facts.collectives.collectives.empty() || !run.facts.collectives.unmatched.empty() ||
           std::ranges::any_of(run.facts.ranks, [](const RankFacts& rank) { return !rank.communication.empty(); });
}

bool callsCollectives(const AnalysedRun& run) {
    return communicates(run) || std::ranges::any_of(run.run->ranks, namesCollectives);
}

bool mayLackRanks(const AnalysedRun& run) {
    const bool is_told =
        std::ranges::any_of(run.run->ranks, [](const auto& rank) { return rank->world_size.value_or(0) > 0; });
    return run.run->missing() > 0 || (!is_told && callsCollectives(run));
}

std::optional<double> FullestDevice::share() const {
    return memoryShare(*memory);
}

std::optional<FullestDevice> fullestDevice(const AnalysedRun& run) {
    std::optional<FullestDevice> fullest;
    for (RankPosition r{0}; r < run.facts.ranks.size(); ++r) {
        for (const DeviceMemory& memory : run.facts.ranks[r].memory) {
            const FullestDevice one{r, &memory};
            const double share = one.share().value_or(0);
            const double most = fullest ? fullest->share().value_or(0) : 0;
            if (!fullest || share > most ||
                (share == most && memory.peak.reserved_bytes > fullest->memory->peak.reserved_bytes)) {
                fullest = one;
            }
        }
    }
    return fullest;
}

}  // namespace rankscope::report
