// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/gpu_speed/slowed_gpu.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <span>
#include <utility>

#include "core/base/statistics.h"

namespace rankscope {
namespace {

constexpr std::size_t kLeastSteps = 6;
/// How far the last steps have to be above the first, against what steps differ by from one to the next.
constexpr double kAboveNoise = 3;
/// Kernels that take longer by less are no reason for a finding: no step would lose 1 %.
constexpr double kLeastFactor = 1.01;

/// Against more peers than this a rank is not held: the median of these says enough.
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
    std::vector<const StepKernels*> kernels;  ///< as `steps`
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

/// What a step's pace differs by from that of the next, in the median.
double noiseOf(const std::vector<StepPace>& paces) {
    std::vector<double> changes;
    for (std::size_t i = 1; i < paces.size(); ++i) {
        changes.push_back(std::abs(paces[i].factor - paces[i - 1].factor));
    }
    return midMedian(std::move(changes));
}

/// Steps in a row among the paces of a window: from `first` to the one before `last`.
struct SlowRun {
    std::size_t first = 0;
    std::size_t last = 0;
};

/// The paces of a window, for sums and extremes of steps in a row.
class PaceList {
  public:
    explicit PaceList(const std::vector<StepPace>& paces) : paces_(paces), sums_(1), behind_(paces.size() + 1) {
        for (const StepPace& pace : paces_) {
            sums_.push_back(sums_.back() + pace.factor);
        }
        for (std::size_t i = paces_.size(); i > 0; --i) {
            behind_[i - 1] = std::max(behind_[i], paces_[i - 1].factor);
        }
    }

    /// The steps in a row that lose most and are slower than each other step, by more than chance; nothing if none are.
    [[nodiscard]] std::optional<SlowRun> slowest() const {
        std::optional<SlowRun> slowest;
        double most = 0;
        double most_before = paces_[0].factor;
        const double noise = noiseOf(paces_);
        for (std::size_t first = kLeastBefore; first + kLeastSlow <= paces_.size(); ++first) {
            most_before = std::max(most_before, paces_[first - 1].factor);
            double least = std::numeric_limits<double>::max();
            for (std::size_t last = first; last < paces_.size(); ++last) {
                least = std::min(least, paces_[last].factor);
                if (least <= most_before) {
                    break;
                }
                const SlowRun run{first, last + 1};
                const double others = meanBeside(run);
                const double rise = meanOf(run) - others;
                const double gain = rise * static_cast<double>(run.last - run.first);
                const bool is_clear = least > behind_[run.last] && least - others >= kLeastOfRise * rise &&
                                      rise >= kAboveNoise * noise && isLong(run);
                if (is_clear && gain > most) {
                    most = gain;
                    slowest = run;
                }
            }
        }
        return slowest;
    }

  private:
    static constexpr std::size_t kLeastBefore = 2;  ///< a window that begins slowly warms up
    static constexpr std::size_t kLeastSlow = 3;
    /// Steps that are slower by less than this part of the mean are as the others.
    static constexpr double kLeastOfRise = 0.25;

    [[nodiscard]] bool isLong(const SlowRun& run) const {
        const std::size_t slow = run.last - run.first;
        return slow >= kLeastSlow && paces_.size() - slow >= kLeastSlow;
    }
    [[nodiscard]] double meanOf(const SlowRun& run) const {
        return (sums_[run.last] - sums_[run.first]) / static_cast<double>(run.last - run.first);
    }
    /// The mean pace of all other steps; of none 0.
    [[nodiscard]] double meanBeside(const SlowRun& run) const {
        const std::size_t others = paces_.size() - (run.last - run.first);
        const double sum = sums_.back() - (sums_[run.last] - sums_[run.first]);
        return others > 0 ? sum / static_cast<double>(others) : 0;
    }

    const std::vector<StepPace>& paces_;
    std::vector<double> sums_;    ///< of all up to each
    std::vector<double> behind_;  ///< the greatest from each on
};

/// Paces of a window with how widespread a slow-down each is; empty if too few steps do the same work.
struct WindowPaces {
    std::vector<StepPace> paces;
    std::vector<bool> widespread;
};

WindowPaces pacesOf(const WindowSteps& window) {
    WindowPaces all;
    const StepKernels first = medianKernels(std::span(window.kernels).first(window.steps.size() / 3));
    for (std::size_t i = 0; i < window.steps.size(); ++i) {
        const KernelPace pace = paceOf(*window.kernels[i], first);
        if (pace.comparable()) {
            all.paces.push_back({window.steps[i], pace.factor});
            all.widespread.push_back(2 * pace.widespread >= 1);
        }
    }
    const bool enough = all.paces.size() >= kLeastSteps && 4 * all.paces.size() >= 3 * window.steps.size();
    return enough ? all : WindowPaces();
}

/// Adds a window's steps to those of a GPU that slows down, if they show that.
void addWindow(const WindowSteps& window, SlowedGpu& gpu) {
    const WindowPaces all = window.steps.size() < kLeastSteps ? WindowPaces() : pacesOf(window);
    if (all.paces.empty()) {
        return;
    }
    const std::optional<SlowRun> run = PaceList(all.paces).slowest();
    if (!run) {
        return;
    }
    const auto begin = all.widespread.begin();
    const auto widespread = std::count(begin + static_cast<std::ptrdiff_t>(run->first),
                                       begin + static_cast<std::ptrdiff_t>(run->last), true);
    const std::span first = std::span(all.paces).first(std::min(run->first, all.paces.size() / 3));
    const double at_first = medianFactor({first.begin(), first.end()});
    std::vector<StepPace> slow(all.paces.begin() + static_cast<std::ptrdiff_t>(run->first),
                               all.paces.begin() + static_cast<std::ptrdiff_t>(run->last));
    for (StepPace& pace : slow) {
        pace.factor /= at_first;
    }
    if (std::cmp_less_equal(2 * widespread, slow.size()) || medianFactor(slow) < kLeastFactor) {
        return;
    }
    std::ranges::copy(all.paces, std::back_inserter(gpu.paces));
    std::ranges::move(slow, std::back_inserter(gpu.slow));
    std::ranges::transform(first, std::back_inserter(gpu.first_steps), &StepPace::step);
}

/// A look at the sums alone, which needs no name: whether any three steps in a row, behind the first two of their
/// window, compute longer than the first third does in the median.
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
        if (all.size() < kLeastSteps) {
            return false;
        }
        const DurationNs first_third_ns =
            lowerMedian(std::vector(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 3)));
        std::size_t slower = 0;
        return std::any_of(all.begin() + 2, all.end(), [&](DurationNs ns) {
            slower = ns > first_third_ns ? slower + 1 : 0;
            return slower == 3;
        });
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

RunChange coolChange(const RuleContext& context, const std::vector<SlowedGpu>& gpus) {
    const auto factors = std::make_shared<std::vector<std::vector<double>>>(context.facts.ranks.size());
    for (const SlowedGpu& gpu : gpus) {
        std::vector<double>& of_steps = (*factors)[gpu.rank];
        of_steps.assign(context.facts.ranks[gpu.rank].steps.size(), 1.0);
        for (const StepPace& slow : gpu.slow) {
            of_steps[slow.step] = slow.factor;
        }
    }
    RunChange change;
    change.in_mean = true;
    change.of_rank = [&context, factors](RankPosition rank) {
        ReplayChange of_rank;
        if ((*factors)[rank].empty()) {
            return of_rank;
        }
        const RankTrace& trace = *context.work[rank].trace;
        of_rank.length = [&of_steps = (*factors)[rank], factors, &trace](const ReplayEvent& event) {
            const std::optional<RankStepPosition> step = event.slot.step();
            const bool is_slow =
                step && !event.communication && of_steps[*step] > 1 && trace.category(event.ref) == Category::Kernel;
            return is_slow ? static_cast<DurationNs>(static_cast<double>(event.span.length()) / of_steps[*step])
                           : event.span.length();
        };
        return of_rank;
    };
    for (RunStepPosition s{0}; s < context.facts.steps.size(); ++s) {
        const RunStep& step = context.facts.steps[s];
        const bool is_slow = std::ranges::any_of(gpus, [&](const SlowedGpu& gpu) {
            const std::optional<RankStepPosition> own = step.of(gpu.rank);
            return own && std::ranges::find(gpu.slow, *own, &StepPace::step) != gpu.slow.end();
        });
        if (is_slow && step.outlier && step.complete && !context.pricer.counts(step)) {
            change.as_others.push_back(s);
        }
    }
    return change;
}

}  // namespace rankscope
