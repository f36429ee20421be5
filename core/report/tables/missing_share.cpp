// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/missing_share.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <utility>

#include "core/analysis/efficiency/rank_efficiency.h"
#include "core/report/tables/run_tables.h"

namespace rankscope::report {
namespace {

using PartKey = std::pair<TimePart, std::optional<Role>>;

/// The findings about a part of the time; those about communication only if they fit the role of its group.
std::vector<FindingId> findingsAbout(const PartKey& key) {
    switch (key.first) {
        case TimePart::ComputeBound: return {FindingId::NoTensorCores, FindingId::LowPrecisionUnused};
        case TimePart::Communication: break;
        case TimePart::Waiting:
            return {FindingId::StragglerRank, FindingId::MovingStraggler, FindingId::StageImbalance,
                    FindingId::PipelineBubble, FindingId::ExpertImbalance};
        case TimePart::Copies: return {FindingId::UnpinnedMemcpy};
        case TimePart::Input: return {FindingId::DataloaderStall};
        case TimePart::Launches: return {FindingId::LaunchBound};
        case TimePart::HostWaits: return {FindingId::HostSync, FindingId::AllocatorStall, FindingId::UnpinnedMemcpy};
        case TimePart::HostStalls: return {FindingId::HostStall};
        case TimePart::HostCode: return {FindingId::HostCode};
        case TimePart::OtherIdle:
            return {FindingId::UnexplainedIdle, FindingId::DeviceShared, FindingId::LateAnswer, FindingId::WarmUp};
        default: return {};
    }
    std::vector<FindingId> about = {FindingId::ExposedCommunication, FindingId::SlowCollective};
    if (key.second == Role::Data) {
        about.push_back(FindingId::BucketSize);
    } else if (key.second == Role::Shard) {
        about.push_back(FindingId::ShardGatherLate);
    } else if (key.second == Role::Tensor || key.second == Role::Sequence) {
        about.push_back(FindingId::TensorCommunication);
    }
    return about;
}

bool concerns(const Finding& finding, std::optional<RankPosition> rank) {
    const auto holds = [rank](const std::vector<RankPosition>& ranks) {
        return std::ranges::find(ranks, *rank) != ranks.end();
    };
    return !rank || holds(finding.ranks) || holds(finding.paying_ranks);
}

/// The first such finding; findings are sorted.
std::optional<std::size_t> findingAbout(const AnalysedRun& run, const PartKey& key, std::optional<RankPosition> rank) {
    const std::vector<FindingId> about = findingsAbout(key);
    const std::vector<Finding>& findings = run.diagnosis.findings;
    const auto at = std::ranges::find_if(findings, [&](const Finding& finding) {
        return std::ranges::find(about, finding.id) != about.end() && concerns(finding, rank);
    });
    return at != findings.end() ? std::optional(static_cast<std::size_t>(at - findings.begin())) : std::nullopt;
}

/// The part that a ledger entry belongs to.
PartKey keyOf(const LedgerEntry& entry, const ParallelismFacts& roles) {
    switch (entry.owner) {
        case Owner::ExposedTransfer:
        case Owner::ExposedCommunication: return {TimePart::Communication, roles.roleOfGroup(entry.group)};
        case Owner::ExposedCopy: return {TimePart::Copies, {}};
        case Owner::Blocked: break;
    }
    return {entry.cause == Cause::OtherRank ? TimePart::Waiting : timePartOf(entry.cause), {}};
}

/// The longest slice of each part.
class LongestPlaces {
  public:
    LongestPlaces(const AnalysedRun& run, std::optional<RankPosition> rank) : run_(run), rank_(rank) {
        addProducts();
        for (const UncountedKernel& kernel : run.facts.efficiency.tablesOf(rank).uncounted) {
            offer({TimePart::Uncounted, {}}, static_cast<double>(kernel.time_ns), kernel.longest);
        }
        addLedger();
    }

    [[nodiscard]] EfficiencyPlace of(const PartKey& key) const {
        const auto at = best_.find(key);
        return at == best_.end() ? EfficiencyPlace{} : at->second.place;
    }

  private:
    struct Best {
        double weight = 0;
        EfficiencyPlace place;
    };

    void offer(const PartKey& key, double weight, const EfficiencyPlace& place) {
        if (!place.slice.valid() || weight <= 0) {
            return;
        }
        if (Best& best = best_[key]; weight > best.weight) {
            best = {weight, place};
        }
    }

    void addProducts() {
        for (const ProductRow& row : run_.facts.efficiency.tablesOf(rank_).products) {
            const TimePart below = !row.bound()                         ? TimePart::Unrated
                                   : *row.bound() == RoofBound::Compute ? TimePart::ComputeBound
                                                                        : TimePart::MemoryBound;
            offer({below, {}}, static_cast<double>(row.time_ns) - row.peak_ns, row.longest);
            offer({row.recomputed ? TimePart::Recomputed : TimePart::Useful, {}}, row.peak_ns, row.longest);
        }
    }

    /// Adds the longest ledger entry of the counted steps.
    void addLedger() {
        for (const LedgerEntry& entry : run_.facts.ledger) {
            if (rank_ && entry.rank != *rank_) {
                continue;
            }
            const RankStep& step = run_.facts.ranks[entry.rank].steps[entry.step];
            const bool counts = step.complete && !step.outlier;
            constexpr double kRather = 1e-6;  // a step that does not count only as a last resort
            offer(keyOf(entry, run_.facts.parallelism), static_cast<double>(entry.ns) * (counts ? 1 : kRather),
                  {entry.rank, entry.evidence.empty() ? step.mark : entry.evidence.front(), entry.ns});
        }
    }

    const AnalysedRun& run_;
    std::optional<RankPosition> rank_;
    std::map<PartKey, Best> best_;
};

}  // namespace

std::optional<double> MissingShare::shareOf(const MissingPart& part) const {
    return report::shareOf(part.ns, time_ns);
}

DurationNs MissingShare::meanOf(const MissingPart& part) const {
    return meanOfAStep(part.ns, steps).value_or(0);
}

MissingShare missingShare(const AnalysedRun& run, std::optional<RankPosition> rank) {
    const EfficiencyFacts& facts = run.facts.efficiency;
    MissingShare out;
    PartTimes times;
    for (RankPosition position{0}; position < facts.ranks.size(); ++position) {
        if (!rank || position == *rank) {
            times += facts.ranks[position].counted.parts;
            out.time_ns += facts.ranks[position].counted.time_ns;
            out.steps += facts.ranks[position].counted_steps;
        }
    }
    const LongestPlaces longest(run, rank);
    const auto add = [&](const PartKey& key, DurationNs ns) {
        if (ns != 0) {
            out.parts.push_back({key.first, key.second, ns, findingAbout(run, key, rank), longest.of(key)});
        }
    };
    for (std::size_t i = 0; i < kTimeParts; ++i) {
        const auto part = static_cast<TimePart>(i);
        if (part != TimePart::Communication) {
            add({part, {}}, times[part]);
            continue;
        }
        for (std::size_t r = 0; r <= kRoleCount; ++r) {
            const auto role = r < kRoleCount ? std::optional(static_cast<Role>(r)) : std::nullopt;
            add({part, role}, times.communication[role]);
        }
    }
    return out;
}

UntoldFlops untoldFlops(const EfficiencyFacts& facts, std::optional<RankPosition> rank) {
    UntoldFlops untold;
    for (RankPosition position{0}; position < facts.ranks.size(); ++position) {
        untold.operators += !rank || position == *rank ? facts.ranks[position].untold : 0;
    }
    for (const UncountedKernel& kernel : facts.tablesOf(rank).uncounted) {
        untold.kernels_ns += kernel.multiplies ? kernel.time_ns : 0;
    }
    return untold;
}

std::string missingPartTitle(const MissingPart& part) {
    if (part.part != TimePart::Communication) {
        return std::string(timePartTitle(part.part));
    }
    return fmt::format("{}, {}", timePartTitle(part.part), part.role ? roleName(*part.role) : "role unknown");
}

}  // namespace rankscope::report
