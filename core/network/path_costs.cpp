// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>
#include <set>

#include "core/analysis/collectives/exposed_communication.h"
#include "core/analysis/parallelism/role_times.h"
#include "core/analysis/steps/run_steps.h"
#include "core/network/ranks_of_logs.h"

namespace rankscope::network {
namespace {

/// The exposed transfers of each rank, by process group.
class ExposedTransfers {
  public:
    ExposedTransfers(const Run& run, const RunFacts& facts) : facts_(facts), by_rank_(run.ranks.size()) {
        const std::vector<std::vector<OwnPart>> parts = partsOfRanks(facts.collectives, run.ranks.size());
        for (RankPosition rank{0}; rank < run.ranks.size(); ++rank) {
            for (const auto& [collective, spans] :
                 exposedByCollective(facts.ranks[rank], facts.collectives, parts[rank], *run.ranks[rank])) {
                const IntervalSet transfer = spans.intersect(facts.ranks[rank].exposed_transfer);
                std::vector<TimeSpan>& all = by_rank_[rank][facts.collectives.collectives[collective].group];
                all.insert(all.end(), transfer.spans().begin(), transfer.spans().end());
            }
        }
    }

    /// Per step: of the rank with most in it.
    [[nodiscard]] DurationNs perStep(const std::set<std::uint32_t>& groups) const {
        std::vector<IntervalSet> sets;
        for (const auto& of_groups : by_rank_) {
            std::vector<TimeSpan> spans;
            for (const auto& [group, own] : of_groups) {
                if (groups.contains(group)) {
                    spans.insert(spans.end(), own.begin(), own.end());
                }
            }
            sets.push_back(IntervalSet::unionOf(std::move(spans)));
        }
        std::vector<DurationNs> steps;
        for (const RunStep& step : facts_.steps) {
            DurationNs most_ns = 0;
            for (RankPosition rank{0}; rank < sets.size(); ++rank) {
                const RankStep* const own = facts_.stepOf(step, rank);
                most_ns = own == nullptr ? most_ns : std::max(most_ns, sets[rank].lengthIn(own->span));
            }
            if (isSteady(step)) {
                steps.push_back(most_ns);
            }
        }
        return typicalOf(facts_.basis, std::move(steps));
    }

  private:
    const RunFacts& facts_;
    std::vector<std::map<std::uint32_t, std::vector<TimeSpan>>> by_rank_;
};

}  // namespace

std::vector<PathCost> pathCosts(const Network& network, const Run& run, const RunFacts& facts,
                                const std::vector<GroupJoin>& groups) {
    std::vector<PathCost> out;
    if (facts.pricedStep() <= 0 || std::ranges::none_of(groups, &GroupJoin::isKnown)) {
        return out;
    }
    const ExposedTransfers transfers(run, facts);
    for (std::size_t job = 0; job < network.jobs.size(); ++job) {
        for (std::size_t i = 0; i < network.jobs[job].findings.size(); ++i) {
            const Finding& finding = network.jobs[job].findings[i];
            std::set<std::uint32_t> taking;
            std::set<std::size_t> open(finding.communicators.begin(), finding.communicators.end());
            for (const GroupJoin& join : groups) {
                if (join.isKnown() && join.job == job &&
                    std::ranges::binary_search(finding.communicators, join.communicator)) {
                    taking.insert(join.group);
                    open.erase(join.communicator);
                }
            }
            if (!taking.empty()) {
                out.push_back(
                    {job, i, transfers.perStep(taking), taking.size(), finding.is_in_others || !open.empty()});
            }
        }
    }
    return out;
}

}  // namespace rankscope::network
