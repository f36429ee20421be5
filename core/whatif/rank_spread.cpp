// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/whatif/rank_spread.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "core/base/statistics.h"

namespace rankscope {
namespace {

/// The mean of the largest of `count` draws from an exponential distribution, in standard deviations beyond its mean.
double largestExponential(std::size_t count) {
    double sum = 0;
    for (std::size_t i = 2; i <= count; ++i) {
        sum += 1 / static_cast<double>(i);
    }
    return sum;
}

}  // namespace

double largestOf(std::size_t count) {
    // The integral of x over the density of the largest, as the sums of its distribution above and below 0.
    constexpr double kFurthest = 9;
    constexpr int kParts = 1800;
    constexpr double kPart = kFurthest / kParts;
    double mean = 0;
    for (int i = 0; i < kParts; ++i) {
        const double x = (i + 0.5) * kPart;
        const double below = 0.5 * std::erfc(-x / std::sqrt(2.0));
        const auto power = static_cast<double>(count);
        mean += (1 - std::pow(below, power) - std::pow(1 - below, power)) * kPart;
    }
    return mean;
}

DurationNs spreadOfRanks(const RuleContext& context) {
    constexpr double kMedianDifference = 0.9539;  // of two draws, in standard deviations
    const RunFacts& facts = context.facts;
    std::vector<std::vector<DurationNs>> differences;  // by the place of a segment in its step
    for (const RunStep* const step : context.pricer.steady()) {
        const auto segments = facts.stragglers.segmentsOf(RunStepPosition(step - facts.steps.data()));
        differences.resize(std::max(differences.size(), segments.size()));
        for (std::size_t place = 0; place < segments.size(); ++place) {
            const std::vector<DurationNs>& ranks = segments[place].segment_ns;
            for (std::size_t a = 0; a < ranks.size(); ++a) {
                for (std::size_t b = 0; b < a; ++b) {
                    differences[place].push_back(std::abs(ranks[a] - ranks[b]));
                }
            }
        }
    }
    double spread_ns = 0;
    for (std::vector<DurationNs>& of_place : differences) {
        spread_ns += static_cast<double>(lowerMedian(std::move(of_place))) / kMedianDifference;
    }
    return static_cast<DurationNs>(spread_ns);
}

AddedTime slowestOf(const RuleContext& context, std::size_t now, std::size_t then) {
    const auto spread_ns = static_cast<double>(spreadOfRanks(context));
    const auto likely_ns = static_cast<DurationNs>(spread_ns * (largestOf(then) - largestOf(now)));
    const auto tail_ns = static_cast<DurationNs>(spread_ns * (largestExponential(then) - largestExponential(now)));
    return {std::min<DurationNs>({0, likely_ns, tail_ns}), likely_ns, std::max<DurationNs>({0, likely_ns, tail_ns})};
}

}  // namespace rankscope
