// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/collectives/segment_times.h"
#include "core/analysis/tables/operators.h"
#include "core/base/statistics.h"
#include "core/diagnosis/evidence/baseline_work.h"

namespace rankscope {
namespace {

/// The health check calls a rank slow from this ratio on (kSlowRank in core/report/check/check_limits.h).
constexpr double kSlowerCode = 1.1;
/// Fewer calls of a name say little about how long one takes.
constexpr std::size_t kLeastCalls = 8;
constexpr std::size_t kMostCompared = 16;

/// The calls of one name on the host threads of a rank.
struct CallsOfName {
    std::size_t count = 0;
    DurationNs median_ns = 0;  ///< of their self times
};
using CallsByName = std::map<std::string_view, CallsOfName>;

/// The steps of the run whose calls are compared; all time if empty.
using ComparedSteps = std::vector<RunStepPosition>;

ComparedSteps comparedSteps(const RuleContext& context, const std::vector<LateStep>& late) {
    ComparedSteps steps;
    if (2 * late.size() <= judgedSteps(context).size()) {
        std::ranges::transform(late, std::back_inserter(steps), &LateStep::step);
    }
    return steps;
}

/// The marks of these steps on the CPU of a rank.
IntervalSet marksOf(const RuleContext& context, RankPosition rank, const ComparedSteps& steps) {
    std::vector<TimeSpan> marks;
    for (const RunStepPosition step : steps) {
        if (const RankStep* const own = context.facts.stepOf(context.facts.steps[step], rank)) {
            marks.push_back(own->host);
        }
    }
    return IntervalSet::unionOf(std::move(marks));
}

/// The operators of a rank by name in these steps, without those of few calls. Their self time has no runtime calls in
/// it, which may wait for the GPU. A median is not moved by a few calls during which the thread was not scheduled.
CallsByName operatorsOf(const RuleContext& context, RankPosition rank, const ComparedSteps& steps) {
    const RankContext& work = context.work[rank];
    const IntervalSet marks = marksOf(context, rank, steps);
    std::vector<std::vector<DurationNs>> times(work.trace->strings.size());  // by name
    for (const HostThread& thread : work.threads.all()) {
        if (!thread.track.valid()) {
            continue;
        }
        const SliceTable& slices = work.trace->tracks[thread.track.value].slices;
        const std::vector<DurationNs> self_ns = selfTimes(slices);
        for (SliceIndex i = 0; i < slices.size(); ++i) {
            const bool compared = steps.empty() || marks.contains(slices.start_ns[i]);
            if (slices.category[i] == Category::CpuOp && slices.name[i].valid() && compared) {
                times[slices.name[i].value].push_back(self_ns[i]);
            }
        }
    }
    CallsByName calls;
    for (std::uint32_t name = 0; name < times.size(); ++name) {
        if (const std::size_t count = times[name].size(); count >= kLeastCalls) {
            calls[work.trace->strings.view(StringId(name))] = {count, lowerMedian(std::move(times[name]))};
        }
    }
    return calls;
}

/// Peers that are not late, not more than kMostCompared of them.
std::vector<RankPosition> othersOf(const StragglerFacts& facts, const std::vector<RankPosition>& late) {
    std::vector<RankPosition> others;
    for (const RankPosition r : facts.peers[facts.peers_of[late.front()]]) {
        if (others.size() < kMostCompared && std::ranges::find(late, r) == late.end()) {
            others.push_back(r);
        }
    }
    return others;
}

/// Whether most operator time of `others`, in the median of these, is in names that take longer on a rank.
bool isSlower(const CallsByName& own, const std::vector<CallsByName>& others) {
    double all_ns = 0;
    double slower_ns = 0;
    for (const auto& [name, calls] : own) {
        std::vector<DurationNs> medians;
        for (const CallsByName& other : others) {
            const auto at = other.find(name);
            if (at != other.end()) {
                medians.push_back(at->second.median_ns);
            }
        }
        if (medians.size() != others.size()) {
            continue;
        }
        const DurationNs median_ns = lowerMedian(std::move(medians));
        const double weight_ns = static_cast<double>(calls.count) * static_cast<double>(median_ns);
        all_ns += weight_ns;
        slower_ns +=
            static_cast<double>(calls.median_ns) >= kSlowerCode * static_cast<double>(median_ns) ? weight_ns : 0;
    }
    return all_ns > 0 && 2 * slower_ns >= all_ns;
}

/// The operators of the peers that are not late.
std::vector<CallsByName> operatorsOfOthers(const RuleContext& context, const std::vector<RankPosition>& late,
                                           const ComparedSteps& steps) {
    std::vector<CallsByName> others;
    for (const RankPosition rank : othersOf(context.facts.stragglers, late)) {
        others.push_back(operatorsOf(context, rank, steps));
    }
    return others;
}

}  // namespace

bool haveSlowCpus(const RuleContext& context, const std::vector<LateStep>& late) {
    const ComparedSteps steps = comparedSteps(context, late);
    const std::vector<CallsByName> others = operatorsOfOthers(context, late.front().ranks, steps);
    return !others.empty() && std::ranges::all_of(late.front().ranks, [&](RankPosition rank) {
        return isSlower(operatorsOf(context, rank, steps), others);
    });
}

std::vector<RankPosition> withOtherSlowCpus(const RuleContext& context, const std::vector<LateStep>& late) {
    const ComparedSteps steps = comparedSteps(context, late);
    const std::vector<RankPosition>& ranks = late.front().ranks;
    const std::vector<CallsByName> others = operatorsOfOthers(context, ranks, steps);
    const StragglerFacts& facts = context.facts.stragglers;
    const std::vector<RankPosition>& peers = facts.peers[facts.peers_of[ranks.front()]];
    std::vector<RankPosition> slow = ranks;
    for (const RankPosition rank : peers) {
        if (std::ranges::find(ranks, rank) == ranks.end() && isSlower(operatorsOf(context, rank, steps), others)) {
            slow.push_back(rank);
        }
    }
    return 2 * slow.size() < peers.size() ? slow : ranks;
}

}  // namespace rankscope
