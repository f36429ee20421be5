// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/evidence/rank_groups.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

#include "core/analysis/steps/run_steps.h"
#include "core/analysis/steps/step_cells.h"
#include "core/base/statistics.h"
#include "core/diagnosis/evidence/lateness.h"

namespace rankscope {
namespace {

constexpr std::size_t kLeastHidden = 2;

/// The parts of a rank's median step: compute, exposed communication, exposed copy, idle, lateness.
using Profile = std::array<DurationNs, 5>;

std::vector<std::optional<DurationNs>> medianLateness(const AnalysedRun& run) {
    const StepCells cells = stepCells(run.facts, StepMeasure::Lateness);
    std::vector<std::optional<DurationNs>> out;
    for (RankPosition r{0}; r < run.facts.ranks.size(); ++r) {
        const auto& steps = run.facts.ranks[r].steps;
        std::vector<DurationNs> late;
        for (std::size_t s = 0; s < steps.size(); ++s) {
            if (cells.ns[r][s] && steps[s].complete && !steps[s].outlier) {
                late.push_back(*cells.ns[r][s]);
            }
        }
        out.push_back(late.empty() ? std::nullopt : std::optional(lowerMedian(std::move(late))));
    }
    return out;
}

std::optional<Profile> profileOf(const RankFacts& rank, std::optional<DurationNs> lateness) {
    std::array<std::vector<DurationNs>, 4> parts;
    for (const RankStep& step : rank.steps) {
        if (step.complete && !step.outlier && step.partition) {
            const Partition& p = *step.partition;
            parts[0].push_back(p.compute_ns);
            parts[1].push_back(p.exposed_comm_ns);
            parts[2].push_back(p.exposed_copy_ns);
            parts[3].push_back(p.idle_ns);
        }
    }
    if (parts[0].empty()) {
        return {};
    }
    Profile profile{};
    std::ranges::transform(parts, profile.begin(),
                           [](std::vector<DurationNs>& of) { return lowerMedian(std::move(of)); });
    profile.back() = lateness.value_or(0);
    return profile;
}

/// The ranks that findings name, except findings that name every rank.
std::vector<bool> named(const AnalysedRun& run) {
    std::vector<bool> out(run.facts.ranks.size(), false);
    for (const Finding& finding : run.diagnosis.findings) {
        const bool all = finding.ranks.size() >= out.size();
        for (const RankPosition rank : finding.ranks) {
            out[rank] = out[rank] || !all;
        }
        for (const LateWindow& late : finding.late) {
            out[late.rank] = true;
        }
    }
    return out;
}

std::vector<std::optional<Profile>> profilesOf(const AnalysedRun& run) {
    const std::vector<bool> apart = named(run);
    const auto lateness = medianLateness(run);
    std::vector<std::optional<Profile>> out;
    for (RankPosition r{0}; r < run.facts.ranks.size(); ++r) {
        out.push_back(apart[r] ? std::nullopt : profileOf(run.facts.ranks[r], lateness[r]));
    }
    return out;
}

/// alike[a][b] for all pairs, also of a rank with itself.
std::vector<std::vector<bool>> pairsOf(const std::vector<std::optional<Profile>>& profiles, DurationNs least_ns) {
    const auto alike = [&](const Profile& a, const Profile& b) {
        return std::ranges::equal(a, b, [&](DurationNs x, DurationNs y) { return std::abs(x - y) < least_ns; });
    };
    std::vector<std::vector<bool>> out(profiles.size(), std::vector<bool>(profiles.size(), false));
    for (std::size_t a = 0; a < profiles.size(); ++a) {
        for (std::size_t b = 0; b < profiles.size(); ++b) {
            out[a][b] = profiles[a] && profiles[b] && alike(*profiles[a], *profiles[b]);
        }
    }
    return out;
}

}  // namespace

std::string_view rankOrderName(RankOrder order) {
    constexpr std::array<std::string_view, kRankOrderCount> kNames = {"number", "lateness", "cost"};
    return kNames[static_cast<std::size_t>(order)];
}

std::vector<RankPosition> orderedRanks(const AnalysedRun& run, RankOrder order) {
    std::vector<RankPosition> ranks(run.run->ranks.size());
    std::iota(ranks.begin(), ranks.end(), RankPosition());
    std::vector<DurationNs> weight(ranks.size(), 0);
    if (order == RankOrder::Lateness) {
        const auto lateness = medianLateness(run);
        for (RankPosition r{0}; r < lateness.size(); ++r) {
            weight[r] = lateness[r].value_or(0);
        }
    } else if (order == RankOrder::Cost) {
        for (const Finding& finding : run.diagnosis.findings) {
            for (const RankPosition rank : finding.ranks) {
                weight[rank] += finding.saving_ns;
            }
        }
    }
    std::ranges::stable_sort(ranks, std::ranges::greater(), [&](RankPosition r) { return weight[r]; });
    return ranks;
}

std::vector<AlikeRanks> alikeRanks(const AnalysedRun& run) {
    if (run.facts.ranks.size() != run.run->ranks.size()) {
        return {};  // still loading
    }
    const auto least_ns = static_cast<DurationNs>(kLeastLateness * static_cast<double>(run.facts.pricedStep()));
    std::vector<std::vector<bool>> alike = pairsOf(profilesOf(run), least_ns);
    std::vector<AlikeRanks> groups;
    while (true) {
        const auto like = [](const std::vector<bool>& row) { return std::ranges::count(row, true); };
        const auto most = std::ranges::max_element(alike, {}, like);
        if (most == alike.end() || like(*most) < static_cast<std::ptrdiff_t>(kLeastHidden + 1)) {
            return groups;
        }
        AlikeRanks group{RankPosition(most - alike.begin()), {}};
        const std::vector<bool> members = *most;
        for (RankPosition r{0}; r < members.size(); ++r) {
            if (members[r] && r != group.shown) {
                group.hidden.push_back(r);
            }
            for (RankPosition other{0}; members[r] && other < members.size(); ++other) {
                alike[r][other] = alike[other][r] = false;
            }
        }
        groups.push_back(std::move(group));
    }
}

}  // namespace rankscope
