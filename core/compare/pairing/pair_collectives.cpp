// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/pairing/pair_collectives.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "core/analysis/steps/run_steps.h"
#include "core/base/statistics.h"
#include "core/compare/step_samples.h"

namespace rankscope {
namespace {

using Sort = std::tuple<CollectiveKind, std::int32_t, std::optional<std::int64_t>>;

/// Measurements of one sort of collective.
struct Measured {
    std::size_t count = 0;
    std::vector<std::pair<DurationNs, std::optional<double>>> transfers;  ///< with the bus bandwidth of each transfer
    DurationNs wait_ns = 0;
    std::size_t waits = 0;

    void add(const Collective& collective) {
        ++count;
        if (collective.transfer_ns) {
            transfers.emplace_back(*collective.transfer_ns, collective.bus_gb_per_s);
        }
        for (const CollectiveMember& member : collective.members) {
            wait_ns += member.wait_ns.value_or(0);
            waits += member.wait_ns ? 1U : 0U;
        }
    }

    [[nodiscard]] CollectiveTimes times(std::size_t steps) const {
        CollectiveTimes out;
        out.count = count;
        out.step_count = static_cast<double>(count) / static_cast<double>(std::max<std::size_t>(steps, 1));
        if (!transfers.empty()) {
            std::tie(out.transfer_ns, out.bus_gb_per_s) = lowerMedian(transfers);
        }
        if (waits > 0) {
            out.wait_ns = wait_ns / static_cast<DurationNs>(waits);
        }
        return out;
    }
};

std::map<Sort, CollectiveTimes> timesOf(const AnalysedRun& run) {
    std::vector<SteadySpans> steady;
    for (RankPosition r{0}; r < run.run->ranks.size(); ++r) {
        steady.emplace_back(run.facts, r);
    }
    std::map<Sort, Measured> measured;
    for (const Collective& collective : run.facts.collectives.collectives) {
        const CollectiveMember& first = collective.members.front();
        if (steady[first.rank].find(first.span.start_ns)) {
            const std::int32_t size = run.facts.collectives.groups[collective.group].size;
            measured[{collective.kind, size, collective.bytes}].add(collective);
        }
    }
    const auto steps = static_cast<std::size_t>(std::ranges::count_if(run.facts.steps, isSteady));
    std::map<Sort, CollectiveTimes> out;
    for (const auto& [sort, one] : measured) {
        out[sort] = one.times(steps);
    }
    return out;
}

}  // namespace

std::vector<CollectivePair> pairCollectives(const AnalysedRun& a, const AnalysedRun& b) {
    std::map<Sort, CollectivePair> pairs;
    for (const auto& [sort, times] : timesOf(a)) {
        pairs[sort].a = times;
    }
    for (const auto& [sort, times] : timesOf(b)) {
        pairs[sort].b = times;
    }
    std::vector<CollectivePair> out;
    for (auto& [sort, pair] : pairs) {
        std::tie(pair.kind, pair.group_size, pair.bytes) = sort;
        out.push_back(pair);
    }
    return out;
}

}  // namespace rankscope
