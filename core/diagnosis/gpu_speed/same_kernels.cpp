// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/gpu_speed/same_kernels.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>

#include "core/base/statistics.h"

namespace rankscope {
namespace {

/// Two steps do the same work if kinds with the same number of kernels in both take this share of the kernel time.
constexpr double kSameWork = 0.75;
/// And they can be compared if the kernels that ran alone take this share of it.
constexpr double kLeastCompared = 0.1;
/// With only one or two kinds of kernels, more work in each would look the same.
constexpr std::size_t kLeastKinds = 3;

std::uint64_t hashed(std::uint64_t hash, std::string_view text) {
    constexpr std::uint64_t kPrime = 1'099'511'628'211U;  // FNV-1a
    for (const char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * kPrime;
    }
    return hash;
}

/// Distinguishes the kernels of one rank.
class KindOf {
  public:
    explicit KindOf(const RankTrace& trace) : trace_(trace), of_name_(trace.strings.size()) {}

    std::uint64_t operator()(SliceRef kernel) {
        const Track& track = trace_.track(kernel);
        std::uint64_t& of_name = of_name_[track.slices.name[kernel.slice].value];
        if (of_name == 0) {
            constexpr std::uint64_t kBasis = 14'695'981'039'346'656'037U;
            of_name = hashed(kBasis, trace_.name(kernel));
        }
        const SliceRef launch = trace_.launches.launchOf(kernel);
        const std::uint32_t* grid = track.grids.find(kernel.slice);
        if (grid == nullptr && launch.valid()) {
            grid = trace_.track(launch).grids.find(launch.slice);
        }
        const std::uint64_t kind = grid == nullptr ? of_name : of_name ^ (std::uint64_t{*grid} << kGridBits);
        return launch.valid() ? withInputs(kind, launch) : kind;
    }

  private:
    static constexpr unsigned kGridBits = 17;

    /// Includes the inputs of the innermost product around the launch, if any were recorded.
    [[nodiscard]] std::uint64_t withInputs(std::uint64_t kind, SliceRef launch) const {
        const Track& track = trace_.track(launch);
        for (SliceIndex i = launch.slice; track.inputs.size() > 0 && i != kNoSlice; i = track.slices.parent[i]) {
            if (const OperatorInputs* const inputs = track.inputs.find(i); inputs != nullptr) {
                return inputs->shapes.valid() ? hashed(kind, trace_.strings.view(inputs->shapes)) : kind;
            }
        }
        return kind;
    }

    const RankTrace& trace_;
    std::vector<std::uint64_t> of_name_;  // by name id; 0: not computed yet
};

/// By event: whether no other event overlaps with it by more than `slack_ns`.
std::vector<bool> runAlone(const std::vector<ReplayEvent>& events, DurationNs slack_ns) {
    std::vector<std::uint32_t> order(events.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, {}, [&](std::uint32_t i) { return events[i].span; });
    std::vector<bool> alone(events.size(), true);
    std::uint32_t latest = 0;  // of the events so far, the one that ends last
    for (std::size_t k = 1; k < order.size(); ++k) {
        const std::uint32_t before = k == 1 ? order[0] : latest;
        const std::uint32_t now = order[k];
        if (events[now].span.start_ns + slack_ns < events[before].span.end_ns) {
            alone[before] = alone[now] = false;
        }
        latest = events[now].span.end_ns >= events[before].span.end_ns ? now : before;
    }
    return alone;
}

/// Calls visit(first, last) for the kernels of each kind.
template <class Visit>
void forEachKind(const StepKernels& kernels, const Visit& visit) {
    for (auto first = kernels.begin(); first != kernels.end();) {
        const auto last =
            std::find_if(first, kernels.end(), [&](const StepKernel& k) { return k.kind != first->kind; });
        visit(first, last);
        first = last;
    }
}

std::span<const StepKernel> kindIn(const StepKernels& kernels, std::uint64_t kind) {
    const auto found = std::ranges::equal_range(kernels, kind, {}, &StepKernel::kind);
    return {found.begin(), found.end()};
}

/// Calls visit(kernel, reference) for the kernels of kinds that occur equally often in both, and returns the time of
/// the step's kernels of such kinds.
template <class Visit>
DurationNs forEachPair(const StepKernels& step, const StepKernels& reference, const Visit& visit) {
    DurationNs same_ns = 0;
    forEachKind(step, [&](auto first, auto last) {
        const auto there = kindIn(reference, first->kind);
        if (std::ssize(there) == last - first) {
            for (auto at = there.begin(); first != last; ++first, ++at) {
                same_ns += first->ns;
                visit(*first, *at);
            }
        }
    });
    return same_ns;
}

}  // namespace

std::vector<StepKernels> kernelsOfSteps(const RuleContext& context, RankPosition rank) {
    const RankTrace& trace = *context.work[rank].trace;
    const std::vector<ReplayEvent>& events = context.pricer.model().ranks[rank].events;
    const std::vector<bool> alone = runAlone(events, trace.health.time_slack_ns);
    std::vector<StepKernels> steps(context.facts.ranks[rank].steps.size());
    KindOf kind_of(trace);
    for (std::uint32_t i = 0; i < events.size(); ++i) {
        const ReplayEvent& event = events[i];
        const std::optional<RankStepPosition> step = event.slot.step();
        if (step && !event.communication && trace.category(event.ref) == Category::Kernel) {
            steps[*step].push_back({kind_of(event.ref), 0, i, event.span.length(), alone[i]});
        }
    }
    for (StepKernels& kernels : steps) {
        std::ranges::stable_sort(kernels, {}, &StepKernel::kind);
        for (std::size_t i = 1; i < kernels.size(); ++i) {
            kernels[i].ordinal = kernels[i].kind == kernels[i - 1].kind ? kernels[i - 1].ordinal + 1 : 0;
        }
    }
    return steps;
}

StepKernels medianKernels(std::span<const StepKernels* const> steps) {
    StepKernels medians;
    if (steps.empty()) {
        return medians;
    }
    forEachKind(*steps.front(), [&](auto first, auto last) {
        const auto has_as_many = [&](const StepKernels* step) {
            return std::ssize(kindIn(*step, first->kind)) == last - first;
        };
        for (auto kernel = first; kernel != last && std::ranges::all_of(steps, has_as_many); ++kernel) {
            std::vector<DurationNs> alone_ns;
            for (const StepKernels* const step : steps) {
                const StepKernel& own = kindIn(*step, kernel->kind)[kernel->ordinal];
                if (own.alone) {
                    alone_ns.push_back(own.ns);
                }
            }
            StepKernel median = *kernel;
            median.alone = 2 * alone_ns.size() >= steps.size();
            median.ns = lowerMedian(std::move(alone_ns));
            medians.push_back(median);
        }
    });
    return medians;
}

bool KernelPace::comparable() const {
    return same_work >= kSameWork && kinds >= kLeastKinds && before_ns > 0;
}

KernelPace paceOf(const StepKernels& step, const StepKernels& reference) {
    KernelPace pace;
    DurationNs all_ns = 0;
    for (const StepKernel& kernel : step) {
        all_ns += kernel.ns;
    }
    DurationNs now_ns = 0;
    std::uint64_t last_kind = 0;
    const DurationNs same_ns = forEachPair(step, reference, [&](const StepKernel& own, const StepKernel& there) {
        if (own.alone && there.alone && there.ns > 0) {
            pace.kinds += pace.before_ns == 0 || own.kind != last_kind ? 1U : 0U;
            last_kind = own.kind;
            now_ns += own.ns;
            pace.before_ns += there.ns;
        }
    });
    if (all_ns <= 0 || static_cast<double>(now_ns) < kLeastCompared * static_cast<double>(all_ns)) {
        return {};
    }
    pace.same_work = static_cast<double>(same_ns) / static_cast<double>(all_ns);
    pace.factor = static_cast<double>(now_ns) / static_cast<double>(pace.before_ns);
    DurationNs slower_ns = 0;
    const double least = 1 + (pace.factor - 1) / 2;
    forEachPair(step, reference, [&](const StepKernel& own, const StepKernel& there) {
        const bool compared = own.alone && there.alone && there.ns > 0;
        const bool slower = compared && static_cast<double>(own.ns) >= least * static_cast<double>(there.ns);
        slower_ns += slower ? there.ns : 0;
    });
    pace.widespread = static_cast<double>(slower_ns) / static_cast<double>(pace.before_ns);
    return pace;
}

}  // namespace rankscope
