// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/prices/gradient_buckets.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "core/analysis/steps/run_steps.h"
#include "core/base/statistics.h"

namespace rankscope {
namespace {

constexpr std::int64_t kLargeBytes = std::int64_t{2} * 25 * 1024 * 1024;
constexpr double kMostHidden = 0.1;

}  // namespace

bool mayBeOfDdp(const RunFacts& facts, const Collective& collective, RankPosition rank) {
    const std::optional<Role> role = facts.parallelism.roleOfGroup(collective.group);
    return collective.kind == CollectiveKind::AllReduce && facts.ranks[rank].ddp.in_use &&
           (!role || role == Role::Data || role == Role::World);
}

GradientBuckets::GradientBuckets(const RuleContext& context) {
    DurationNs all_ns = 0;
    DurationNs large_ns = 0;
    DurationNs hidden_ns = 0;
    std::map<const RankStep*, std::pair<DurationNs, std::int64_t>> by_step;  // transfer and bytes
    for (const Collective& collective : context.facts.collectives.collectives) {
        for (const CollectiveMember& member : collective.members) {
            const RankFacts& rank = context.facts.ranks[member.rank];
            const bool told = rank.phases.told[Phase::Backward] && mayBeOfDdp(context.facts, collective, member.rank);
            if (!told || !collective.transfer_ns || !collective.bytes) {
                continue;
            }
            const RankStep* const step = stepAt(rank, member.span.end_ns - 1);
            if (step == nullptr || !step->complete || step->outlier) {
                continue;
            }
            const DurationNs ns = *collective.transfer_ns;
            sent_.push_back({&collective, member.rank, step});
            by_step[step].first += ns;
            by_step[step].second += *collective.bytes;
            all_ns += ns;
            large_ns += *collective.bytes > kLargeBytes ? ns : 0;
            hidden_ns += rank.compute.lengthIn({member.span.end_ns - ns, member.span.end_ns});
            name_ = collective.name;
        }
    }
    std::vector<DurationNs> transfers;
    std::vector<std::int64_t> bytes;
    for (const auto& [step, sums] : by_step) {
        transfers.push_back(sums.first);
        bytes.push_back(sums.second);
    }
    step_transfer_ns_ = lowerMedian(std::move(transfers));
    step_bytes_ = lowerMedian(std::move(bytes));
    too_large_ = 2 * large_ns > all_ns && static_cast<double>(hidden_ns) < kMostHidden * static_cast<double>(all_ns);
}

namespace {

/// The median over the steps that count for prices of `of_step`(transfers of the step on its critical rank, step).
template <class OfStep>
DurationNs medianOfSteps(const RuleContext& context, const GradientBuckets& buckets, const OfStep& of_step) {
    std::map<const RankStep*, std::vector<DurationNs>> transfers;
    for (const GradientBuckets::Sent& sent : buckets.sent()) {
        transfers[sent.step].push_back(*sent.collective->transfer_ns);
    }
    std::vector<DurationNs> of_steps;
    for (const RunStep* const step : context.pricer.steady()) {
        const RankStep& own = context.facts.ranks[step->critical_rank].steps[step->ofCriticalRank()];
        of_steps.push_back(of_step(transfers[&own], *step));
    }
    return lowerMedian(std::move(of_steps));
}

}  // namespace

DurationNs beyondBackward(const RuleContext& context, const GradientBuckets& buckets) {
    return medianOfSteps(context, buckets, [&](const std::vector<DurationNs>& transfers, const RunStep& step) {
        const RankFacts& facts = context.facts.ranks[step.critical_rank];
        const DurationNs backward_ns = facts.phases.steps[step.ofCriticalRank()][Phase::Backward].device_ns;
        const DurationNs sum_ns = std::accumulate(transfers.begin(), transfers.end(), DurationNs{0});
        return std::max<DurationNs>(0, sum_ns - backward_ns);
    });
}

DurationNs longestTransfer(const RuleContext& context, const GradientBuckets& buckets) {
    return medianOfSteps(context, buckets, [](const std::vector<DurationNs>& transfers, const RunStep& /*step*/) {
        return transfers.empty() ? DurationNs{0} : std::ranges::max(transfers);
    });
}

bool GradientBuckets::owns(const LedgerEntry& entry) const {
    return too_large_ && entry.owner == Owner::ExposedTransfer && !entry.slow_excess && entry.label == name_;
}

bool GradientBuckets::owns(const Collective& collective) const {
    return too_large_ && collective.name == name_;
}

}  // namespace rankscope
