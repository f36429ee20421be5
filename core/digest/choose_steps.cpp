// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/digest/choose_steps.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "core/base/statistics.h"

namespace rankscope {
namespace {

std::uint64_t slicesOf(const std::vector<DigestedRank>& ranks) {
    std::uint64_t slices = 0;
    for (const DigestedRank& rank : ranks) {
        slices += rank.slices;
    }
    return slices;
}

/// Memory that does not depend on the choice of steps: of each rank, and of those being unpacked.
std::uint64_t fixedBytes(const std::vector<DigestedRank>& ranks, std::size_t threads) {
    const auto most = std::ranges::max_element(ranks, {}, &DigestedRank::slices);
    const std::uint64_t unpacked = most == ranks.end() ? 0 : most->slices;
    return ranks.size() * (kBytesOfARank + ranks.size() * kBytesOfAMember) +
           std::min(threads, ranks.size()) * unpacked * kBytesWhileUnpacked;
}

TabledStep tellStep(const StepTable& table, std::size_t step) {
    TabledStep told;
    told.number = table.steps[step];
    std::vector<DurationNs> complete;
    std::vector<DurationNs> all;
    for (std::size_t r = 0; r < table.ranks.size(); ++r) {
        if (const StepTableCell& cell = table.at(r, step); cell.known) {
            all.push_back(cell.length_ns);
            if (cell.complete) {
                complete.push_back(cell.length_ns);
            }
        }
    }
    told.ranks = all.size();
    told.complete = complete.size();
    told.median_ns = lowerMedian(complete.empty() ? std::move(all) : complete);
    for (std::size_t r = 0; r < table.ranks.size(); ++r) {
        const StepTableCell& cell = table.at(r, step);
        const bool counts = cell.known && (cell.complete || complete.empty());
        if (counts && cell.length_ns > told.longest_ns) {
            told.longest_ns = cell.length_ns;
            told.longest_rank = table.ranks[r];
        }
    }
    return told;
}

/// Marks the long steps, never the first one, and returns the usual length.
DurationNs judgeSteps(std::vector<TabledStep>& steps) {
    std::vector<DurationNs> medians;
    for (std::size_t i = 1; i < steps.size(); ++i) {
        medians.push_back(steps[i].median_ns);
    }
    const std::vector<bool> is_long = findOutliers(medians);
    for (std::size_t i = 1; i < steps.size(); ++i) {
        steps[i].is_long = is_long[i - 1];
    }
    return medians.empty() && !steps.empty() ? steps.front().median_ns : lowerMedian(std::move(medians));
}

/// Whether, and how, a rank took longer by itself in some steps than in others. The step that opens the run is not
/// used: it warms up.
std::optional<TabledRank> tellRank(const StepTable& table, std::size_t rank) {
    std::vector<DurationNs> own;
    std::vector<std::int64_t> numbers;
    for (std::size_t s = 1; s < table.steps.size(); ++s) {
        if (const StepTableCell& cell = table.at(rank, s); cell.known && cell.complete) {
            own.push_back(cell.own());
            numbers.push_back(table.steps[s]);
        }
    }
    const std::vector<bool> is_long = findOutliers(own);
    TabledRank told;
    told.rank = table.ranks[rank];
    told.typical_ns = lowerMedian(own);
    for (std::size_t i = 0; i < own.size(); ++i) {
        if (!is_long[i]) {
            continue;
        }
        told.first_long = told.long_steps == 0 ? numbers[i] : told.first_long;
        told.last_long = numbers[i];
        ++told.long_steps;
        told.excess_ns += own[i] - told.typical_ns;
        if (own[i] > told.worst_ns) {
            told.worst_ns = own[i];
            told.worst_step = numbers[i];
        }
    }
    return told.long_steps > 0 ? std::optional(told) : std::nullopt;
}

void tellRanks(const StepTable& table, ChosenSteps& chosen) {
    for (std::size_t r = 0; r < table.ranks.size(); ++r) {
        if (const std::optional<TabledRank> told = tellRank(table, r)) {
            chosen.long_ranks.push_back(*told);
        }
    }
    chosen.long_rank_count = chosen.long_ranks.size();
    std::ranges::stable_sort(chosen.long_ranks, std::ranges::greater(), &TabledRank::excess_ns);
    chosen.long_ranks.resize(std::min(chosen.long_ranks.size(), ChosenSteps::kMostLongRanks));
}

/// How badly some consecutive steps represent all; the smallest is the best.
struct Fit {
    std::size_t opens = 0;    ///< whether the step that opens the run is among them
    std::size_t misses = 0;   ///< whether the longest step is not among them, although there is room for it
    std::size_t holes = 0;    ///< missing numbers
    std::size_t lacking = 0;  ///< ranks without the step or with an incomplete one, summed over the steps
    DurationNs apart_ns = 0;  ///< distances from the usual step, without the longest step if it is wanted
    friend auto operator<=>(const Fit&, const Fit&) = default;
};

Fit fitOf(const ChosenSteps& told, std::size_t begin, std::size_t count, std::optional<std::size_t> longest) {
    Fit fit;
    fit.opens = begin == 0 ? 1 : 0;
    fit.misses = longest && (*longest < begin || *longest >= begin + count) ? 1 : 0;
    const std::int64_t numbers = told.steps[begin + count - 1].number - told.steps[begin].number + 1;
    fit.holes = static_cast<std::size_t>(numbers) - count;
    for (std::size_t s = begin; s < begin + count; ++s) {
        fit.lacking += told.ranks - told.steps[s].complete;
        fit.apart_ns += s == longest ? 0 : std::abs(told.steps[s].median_ns - told.median_ns);
    }
    return fit;
}

void choose(ChosenSteps& told, std::size_t count) {
    const auto worst = std::ranges::max_element(
        told.steps, {}, [](const TabledStep& step) { return std::tuple(step.is_long, step.median_ns); });
    std::optional<std::size_t> longest;
    if (count >= kRoomForTheLongest && worst->is_long) {
        longest = static_cast<std::size_t>(worst - told.steps.begin());
    }
    std::size_t best = 0;
    Fit best_fit = fitOf(told, 0, count, longest);
    for (std::size_t begin = 1; begin + count <= told.steps.size(); ++begin) {
        if (const Fit fit = fitOf(told, begin, count, longest); fit < best_fit) {
            best = begin;
            best_fit = fit;
        }
    }
    told.first = told.steps[best].number;
    told.last = told.steps[best + count - 1].number;
}

std::size_t ranksWithout(const StepTable& table, const ChosenSteps& chosen) {
    std::size_t without = 0;
    for (std::size_t r = 0; r < table.ranks.size(); ++r) {
        bool has_one = false;
        for (std::size_t s = 0; s < table.steps.size(); ++s) {
            has_one = has_one || (chosen.reads(table.steps[s]) && table.at(r, s).known);
        }
        without += has_one ? 0 : 1;
    }
    return without;
}

}  // namespace

std::uint64_t bytesToRead(const std::vector<DigestedRank>& ranks, std::size_t threads) {
    return fixedBytes(ranks, threads) + slicesOf(ranks) * kBytesOfASlice;
}

std::optional<ChosenSteps> chooseSteps(const StepTable& table, const std::vector<DigestedRank>& ranks,
                                       std::size_t threads, std::uint64_t budget_bytes) {
    if (table.steps.empty() || table.ranks.empty()) {
        return std::nullopt;
    }
    const std::uint64_t fixed = fixedBytes(ranks, threads);
    const std::uint64_t of_step = std::max<std::uint64_t>(1, slicesOf(ranks) * kBytesOfASlice / table.steps.size());
    const std::uint64_t fit = budget_bytes > fixed ? (budget_bytes - fixed) / of_step : 0;
    const std::uint64_t room = std::min<std::uint64_t>(fit, table.steps.size() - 1);  // all of them do not fit
    if (room == 0) {
        return std::nullopt;
    }
    ChosenSteps told;
    told.budget_bytes = budget_bytes;
    told.all_bytes = bytesToRead(ranks, threads);
    told.ranks = table.ranks.size();
    for (std::size_t s = 0; s < table.steps.size(); ++s) {
        told.steps.push_back(tellStep(table, s));
    }
    told.median_ns = judgeSteps(told.steps);
    choose(told, room);
    told.read_bytes = fixed + room * of_step;
    told.without = ranksWithout(table, told);
    tellRanks(table, told);
    return told;
}

}  // namespace rankscope
