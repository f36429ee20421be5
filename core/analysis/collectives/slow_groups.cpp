// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collectives/slow_groups.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/statistics.h"

namespace rankscope {
namespace {

constexpr std::size_t kFewest = 5;
constexpr double kSlowGroupTimes = 1.5;
constexpr double kFarSigmas = 3.0 * kDeviationsPerMad;

/// Groups that do the same among other ranks. Several groups may have the same ranks.
struct Sisters {
    std::vector<std::vector<std::uint32_t>> groups;  ///< by set of ranks
};

/// What all of them do.
using Doing = std::tuple<CollectiveKind, std::string_view, std::int64_t>;
/// What each set of ranks did of that.
using DoneBySets = std::vector<std::vector<Collective*>>;

std::vector<Sisters> sistersIn(const std::vector<CollectiveGroup>& groups) {
    std::map<std::pair<std::string_view, std::size_t>, std::map<std::vector<RankNumber>, std::vector<std::uint32_t>>>
        classes;
    for (std::uint32_t g = 0; g < groups.size(); ++g) {
        if (groups[g].ranks.size() > 1) {
            classes[{groups[g].description, groups[g].ranks.size()}][groups[g].ranks].push_back(g);
        }
    }
    std::vector<Sisters> all;
    for (const auto& [key, sets] : classes) {
        std::set<RankNumber> ranks;
        for (const auto& [members, of] : sets) {
            ranks.insert(members.begin(), members.end());
        }
        if (sets.size() < 2 || ranks.size() < sets.size() * key.second) {
            continue;  // a rank in two of them shows that they have different purposes
        }
        Sisters& sisters = all.emplace_back();
        for (const auto& [members, of] : sets) {
            sisters.groups.push_back(of);
        }
    }
    return all;
}

/// Whether the recorded sizes are what each rank moves.
bool isComparable(const Collective& collective) {
    const bool even = collective.kind == CollectiveKind::AllReduce || collective.kind == CollectiveKind::AllGather ||
                      collective.kind == CollectiveKind::ReduceScatter;
    return even && collective.bytes && *collective.bytes > 0 && collective.transfer_ns && *collective.transfer_ns > 0;
}

/// A median and the deviation of its values.
struct Typical {
    double median_ns = 0;
    double deviation_ns = 0;
};

Typical typicalOf(const std::vector<Collective*>& collectives) {
    std::vector<double> times(collectives.size());
    std::ranges::transform(collectives, times.begin(),
                           [](const Collective* one) { return static_cast<double>(*one->transfer_ns); });
    const double median_ns = lowerMedian(times);
    for (double& time : times) {
        time = std::abs(time - median_ns);
    }
    return {median_ns, lowerMedian(std::move(times))};
}

/// The collectives of one set of ranks, compared with the others.
struct Compared {
    double bytes = 0;
    double time_ns = 0;
    double typical_ns = 0;
    std::size_t sisters = 0;
    std::vector<std::pair<Collective*, DurationNs>> baselines;

    void add(const std::vector<Collective*>& own, double typical, bool is_far) {
        for (Collective* const collective : own) {
            const auto transfer_ns = static_cast<double>(*collective->transfer_ns);
            bytes += static_cast<double>(*collective->bytes);
            time_ns += transfer_ns;
            typical_ns += is_far ? std::min(typical, transfer_ns) : transfer_ns;
            if (is_far && typical < transfer_ns) {
                baselines.emplace_back(collective, static_cast<DurationNs>(std::llround(typical)));
            }
        }
    }
    [[nodiscard]] bool isSlow() const { return time_ns > kSlowGroupTimes * typical_ns; }
};

void compare(const DoneBySets& done, std::vector<Compared>& sets) {
    std::vector<std::pair<std::size_t, Typical>> typical;
    for (std::size_t s = 0; s < done.size(); ++s) {
        if (done[s].size() >= kFewest) {
            typical.emplace_back(s, typicalOf(done[s]));
        }
    }
    for (const auto& [own, of_own] : typical) {
        std::vector<double> others;
        double deviation_ns = of_own.deviation_ns;
        for (const auto& [other, of_other] : typical) {
            if (other != own) {
                others.push_back(of_other.median_ns);
                deviation_ns = std::max(deviation_ns, of_other.deviation_ns);
            }
        }
        if (!others.empty()) {
            sets[own].sisters = std::max(sets[own].sisters, others.size());
            const double median_ns = lowerMedian(std::move(others));
            sets[own].add(done[own], median_ns, of_own.median_ns > median_ns + kFarSigmas * deviation_ns);
        }
    }
}

void judge(const Sisters& sisters, const std::vector<std::vector<Collective*>>& of_groups, CollectiveFacts& facts) {
    std::map<Doing, DoneBySets> doing;
    for (std::size_t s = 0; s < sisters.groups.size(); ++s) {
        for (const std::uint32_t group : sisters.groups[s]) {
            for (Collective* const one : of_groups[group]) {
                DoneBySets& done = doing[{one->kind, one->dtype, *one->bytes}];
                done.resize(sisters.groups.size());
                done[s].push_back(one);
            }
        }
    }
    std::vector<Compared> sets(sisters.groups.size());
    for (const auto& [what, done] : doing) {
        compare(done, sets);
    }
    for (std::size_t s = 0; s < sets.size(); ++s) {
        if (!sets[s].isSlow()) {
            continue;
        }
        for (const auto& [collective, baseline_ns] : sets[s].baselines) {
            collective->baseline_transfer_ns = baseline_ns;
        }
        for (const std::uint32_t group : sisters.groups[s]) {
            facts.slow_groups.push_back({group, sets[s].sisters, sets[s].bytes / sets[s].time_ns,
                                         sets[s].bytes / std::max(sets[s].typical_ns, 1.0)});
        }
    }
}

}  // namespace

void findSlowGroups(CollectiveFacts& facts) {
    const std::vector<Sisters> all = sistersIn(facts.groups);
    if (all.empty()) {
        return;
    }
    std::vector<std::vector<Collective*>> of_groups(facts.groups.size());
    for (Collective& collective : facts.collectives) {
        if (isComparable(collective)) {
            of_groups[collective.group].push_back(&collective);
        }
    }
    for (const Sisters& sisters : all) {
        judge(sisters, of_groups, facts);
    }
    std::ranges::sort(facts.slow_groups, {}, &SlowGroup::group);
}

}  // namespace rankscope
