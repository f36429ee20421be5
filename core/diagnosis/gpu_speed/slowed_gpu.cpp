// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/gpu_speed/slowed_gpu.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>

#include "core/base/statistics.h"

namespace rankscope {
namespace {

constexpr std::size_t kLeastSteps = 6;
/// The last steps must be above the first by this many times the usual difference between consecutive steps.
constexpr double kAboveNoise = 3;
/// A smaller slowdown of kernels is not worth a finding: no step would lose 1 %.
constexpr double kLeastFactor = 1.01;

/// A rank is compared with at most this many peers: their median is exact enough.
constexpr std::size_t kMostPeers = 16;

double medianFactor(const std::vector<StepPace>& paces) {
    std::vector<double> factors;
    for (const StepPace& pace : paces) {
        factors.push_back(pace.factor);
    }
    return midMedian(std::move(factors));
}

/// The complete steps of one recorded window.
struct WindowSteps {
    std::vector<RankStepPosition> steps;
    std::vector<const StepKernels*> kernels;  ///< parallel to `steps`
};

std::vector<WindowSteps> windowsOf(const RankFacts& rank, const std::vector<StepKernels>& kernels) {
    std::map<std::uint32_t, WindowSteps> windows;
    for (RankStepPosition s{0}; s < rank.steps.size(); ++s) {
        if (rank.steps[s].complete && !kernels[s].empty()) {
            windows[rank.steps[s].window].steps.push_back(s);
            windows[rank.steps[s].window].kernels.push_back(&kernels[s]);
        }
    }
    std::vector<WindowSteps> all;
    std::ranges::transform(windows, std::back_inserter(all), [](auto& entry) { return std::move(entry.second); });
    return all;
}

/// The median difference between the pace of a step and that of the next.
double noiseOf(const std::vector<StepPace>& paces) {
    std::vector<double> changes;
    for (std::size_t i = 1; i < paces.size(); ++i) {
        changes.push_back(std::abs(paces[i].factor - paces[i - 1].factor));
    }
    return midMedian(std::move(changes));
}

/// Whether each step of the last third is slower than each of the first third, beyond random differences.
bool becomesSlower(const std::vector<StepPace>& paces, std::size_t third) {
    const auto factor = [](const StepPace& pace) { return pace.factor; };
    const std::vector<StepPace> first(paces.begin(), paces.begin() + static_cast<std::ptrdiff_t>(third));
    const std::vector<StepPace> last(paces.end() - static_cast<std::ptrdiff_t>(third), paces.end());
    const double most_before = std::ranges::max(first, {}, factor).factor;
    const double least_after = std::ranges::min(last, {}, factor).factor;
    const double rise = medianFactor(last) - medianFactor(first);
    return least_after > most_before && rise >= kAboveNoise * noiseOf(paces) && medianFactor(last) >= kLeastFactor;
}

/// Adds the steps of a window to those of a GPU that becomes slower, if they show a slowdown.
void addWindow(const WindowSteps& window, SlowedGpu& gpu) {
    const std::size_t third = window.steps.size() / 3;
    if (window.steps.size() < kLeastSteps) {
        return;
    }
    const StepKernels cool = medianKernels(std::span(window.kernels).first(third));
    std::vector<StepPace> paces;
    std::vector<KernelPace> compared;
    for (std::size_t i = 0; i < window.steps.size(); ++i) {
        const KernelPace pace = paceOf(*window.kernels[i], cool);
        if (pace.comparable()) {
            paces.push_back({window.steps[i], pace.factor});
            compared.push_back(pace);
        }
    }
    const std::size_t kept = paces.size() / 3;
    if (paces.size() < kLeastSteps || 4 * paces.size() < 3 * window.steps.size() || !becomesSlower(paces, kept)) {
        return;
    }
    double most_before = 0;
    for (std::size_t i = 0; i < kept; ++i) {
        most_before = std::max(most_before, paces[i].factor);
    }
    std::vector<StepPace> slow;
    std::size_t widespread = 0;
    for (std::size_t i = kept; i < paces.size(); ++i) {
        if (paces[i].factor > most_before) {
            slow.push_back(paces[i]);
            widespread += 2 * compared[i].widespread >= 1 ? 1U : 0U;
        }
    }
    if (2 * widespread <= slow.size()) {
        return;
    }
    std::ranges::copy(paces, std::back_inserter(gpu.paces));
    std::ranges::copy(slow, std::back_inserter(gpu.slow));
    std::ranges::copy(std::span(window.steps).first(third), std::back_inserter(gpu.first_steps));
}

/// A quick test on sums, which needs no names: whether any step after the first ones of its window computes longer than
/// the median of those.
bool mayBecomeSlower(const RankFacts& rank, const std::vector<ReplayEvent>& events) {
    std::vector<DurationNs> compute_ns(rank.steps.size());
    for (const ReplayEvent& event : events) {
        if (const auto step = event.slot.step(); step && !event.communication) {
            compute_ns[*step] += event.span.length();
        }
    }
    std::map<std::uint32_t, std::vector<DurationNs>> windows;
    for (RankStepPosition s{0}; s < rank.steps.size(); ++s) {
        if (rank.steps[s].complete && compute_ns[s] > 0) {
            windows[rank.steps[s].window].push_back(compute_ns[s]);
        }
    }
    return std::ranges::any_of(windows, [](const auto& entry) {
        const std::vector<DurationNs>& all = entry.second;
        const auto third = static_cast<std::ptrdiff_t>(all.size() / 3);
        return all.size() >= kLeastSteps && lowerMedian(std::vector(all.end() - third, all.end())) >
                                                lowerMedian(std::vector(all.begin(), all.begin() + third));
    });
}

}  // namespace

std::optional<SlowedGpu> slowedGpu(const RuleContext& context, RankPosition rank) {
    const RankFacts& facts = context.facts.ranks[rank];
    if (facts.device < 0 || !mayBecomeSlower(facts, context.pricer.model().ranks[rank].events)) {
        return std::nullopt;
    }
    const std::vector<StepKernels> kernels = kernelsOfSteps(context, rank);
    SlowedGpu gpu;
    gpu.rank = rank;
    for (const WindowSteps& window : windowsOf(facts, kernels)) {
        addWindow(window, gpu);
    }
    if (gpu.slow.empty()) {
        return std::nullopt;
    }
    gpu.factor = medianFactor(gpu.slow);
    return gpu;
}

std::vector<SlowedGpu> slowedGpus(const RuleContext& context) {
    std::vector<SlowedGpu> slowed;
    for (RankPosition r{0}; r < context.facts.ranks.size(); ++r) {
        if (std::optional<SlowedGpu> gpu = slowedGpu(context, r)) {
            slowed.push_back(*std::move(gpu));
        }
    }
    return slowed;
}

std::optional<double> slowerThanPeers(const RuleContext& context, RankPosition rank,
                                      const std::vector<RunStepPosition>& steps) {
    const StragglerFacts& facts = context.facts.stragglers;
    if (rank >= facts.peers_of.size() || facts.peers_of[rank] == StragglerFacts::kNoPeers) {
        return std::nullopt;
    }
    std::map<RankPosition, std::vector<StepKernels>> kernels;
    kernels.emplace(rank, kernelsOfSteps(context, rank));
    for (const RankPosition r : facts.peers[facts.peers_of[rank]]) {
        if (kernels.size() <= kMostPeers) {
            kernels.try_emplace(r, r == rank ? std::vector<StepKernels>() : kernelsOfSteps(context, r));
        }
    }
    std::vector<double> factors;
    std::size_t widespread = 0;
    for (const RunStepPosition position : steps) {
        const RunStep& step = context.facts.steps[position];
        std::vector<const StepKernels*> others;
        for (const auto& [r, of_rank] : kernels) {
            if (const std::optional<RankStepPosition> own = step.of(r); own && r != rank) {
                others.push_back(&of_rank[*own]);
            }
        }
        const std::optional<RankStepPosition> own = step.of(rank);
        const KernelPace pace = own ? paceOf(kernels.at(rank)[*own], medianKernels(others)) : KernelPace();
        if (pace.comparable()) {
            factors.push_back(pace.factor);
            widespread += pace.factor >= kLeastFactor && 2 * pace.widespread >= 1 ? 1U : 0U;
        }
    }
    const bool told = 2 * factors.size() > steps.size() && 2 * widespread > factors.size();
    return told ? std::optional(midMedian(std::move(factors))) : std::nullopt;
}

}  // namespace rankscope
