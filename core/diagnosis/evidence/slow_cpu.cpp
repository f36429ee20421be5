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

/// The operators of a rank by name, without those of few calls. Their self time has no runtime calls in it, which may
/// wait for the GPU. A median is not moved by a few calls during which the thread was not scheduled.
CallsByName operatorsOf(const RankContext& work) {
    std::vector<std::vector<DurationNs>> times(work.trace->strings.size());  // by name
    for (const HostThread& thread : work.threads.all()) {
        if (!thread.track.valid()) {
            continue;
        }
        const SliceTable& slices = work.trace->tracks[thread.track.value].slices;
        const std::vector<DurationNs> self_ns = selfTimes(slices);
        for (SliceIndex i = 0; i < slices.size(); ++i) {
            if (slices.category[i] == Category::CpuOp && slices.name[i].valid()) {
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

}  // namespace

bool haveSlowCpus(const RuleContext& context, const std::vector<RankPosition>& late) {
    const std::vector<RankPosition> others = othersOf(context.facts.stragglers, late);
    std::vector<CallsByName> of_others;
    std::ranges::transform(others, std::back_inserter(of_others),
                           [&context](RankPosition r) { return operatorsOf(context.work[r]); });
    return !others.empty() && std::ranges::all_of(late, [&](RankPosition rank) {
        return isSlower(operatorsOf(context.work[rank]), of_others);
    });
}

}  // namespace rankscope
