// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/pipeline/launched_work.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "core/analysis/pipeline/forward_of_backward.h"
#include "core/analysis/steps/phase_marks.h"
#include "core/analysis/steps/step_bounds.h"

namespace rankscope {
namespace {

/// When each group of consecutive forwards began: after other work, or after a send or receive.
std::vector<TimeNs> startsOfForwards(const std::vector<LaunchedWork>& launched) {
    std::vector<TimeNs> starts;
    const LaunchedWork* last = nullptr;
    for (const LaunchedWork& one : launched) {
        if (one.kind == PassKind::Forward && (last == nullptr || last->place() != one.place())) {
            starts.push_back(one.call_ns);
        }
        last = &one;
    }
    return starts;
}

/// Fills in the forward of each piece of backward, as far as that is recorded.
void tellForwards(const ForwardOfBackward& causes, std::vector<LaunchedWork>& launched) {
    const std::vector<TimeNs> starts = startsOfForwards(launched);
    for (LaunchedWork& one : launched) {
        const auto end_ns = one.kind == PassKind::Backward ? causes.endOfCause(one.event->launch) : std::nullopt;
        if (end_ns) {
            one.forward = std::ranges::upper_bound(starts, *end_ns) - starts.begin();
        }
    }
}

std::optional<PassKind> kindOf(Phase phase) {
    switch (phase) {
        case Phase::Backward: return PassKind::Backward;
        case Phase::Optimizer:
        case Phase::Data: return std::nullopt;
        default: return PassKind::Forward;
    }
}

/// Computation, and communication that a stage needs to continue: the copy of a batch, before the first receive, is not
/// a pass.
std::vector<LaunchedWork> launchesOf(const RankContext& work, const std::vector<TimeNs>& exchanges,
                                     const std::vector<SliceRef>& inner) {
    const PassParts parts(work.device, inner);
    const PhaseMarks marks = findPhaseMarks(work);
    std::vector<std::size_t> hints(marks.ranges.size(), 0);
    std::vector<LaunchedWork> launched;
    for (const DeviceEvent& event : work.device.events) {
        const auto step = slotOf(work.marks.marks, event.launched_ns).step();
        const PassPart part = parts.of(event);
        if (!event.launch.valid() || (event.work != WorkClass::Compute && part != PassPart::Inner) || !step) {
            continue;
        }
        const std::uint32_t track = event.launch.track.value;
        const Phase phase = phaseAt(marks.ranges[track], event.call.start_ns, hints[track]);
        const auto before = std::ranges::upper_bound(exchanges, event.call.start_ns) - exchanges.begin();
        launched.push_back({event.call.start_ns, &event, part, kindOf(phase), *step, static_cast<std::size_t>(before),
                            0, std::nullopt});
    }
    std::ranges::stable_sort(launched, {}, &LaunchedWork::call_ns);
    return launched;
}

/// Whether a node around a launch adds a gradient to an existing one: no flow ends at such a node.
bool accumulates(const RankTrace& rank, SliceRef launch) {
    const SliceTable& slices = rank.track(launch).slices;
    for (SliceIndex i = launch.slice; i != kNoSlice; i = slices.parent[i]) {
        if (slices.name[i].valid() &&
            rank.strings.view(slices.name[i]).find("AccumulateGrad") != std::string_view::npos) {
            return true;
        }
    }
    return false;
}

/// Finds gradients of weights.
class WeightFinder {
  public:
    WeightFinder(const RankTrace& rank, const ForwardOfBackward& causes, std::vector<LaunchedWork>& launched)
        : rank_(&rank), causes_(&causes), launched_(&launched) {}

    void find() {
        for (std::size_t first = 0; first < launched_->size();) {
            std::size_t end = first;
            while (end < launched_->size() && at(end).place() == at(first).place()) {
                ++end;
            }
            if (at(first).kind) {
                findIn(first, end);
            }
            first = end;
        }
        divide();
    }

  private:
    struct Stretch {
        std::size_t first = 0;
        std::size_t end = 0;
    };

    [[nodiscard]] LaunchedWork& at(std::size_t i) const { return (*launched_)[i]; }

    /// Nothing if the flows do not show it.
    [[nodiscard]] std::optional<bool> isTied(const LaunchedWork& one) const {
        if (one.part == PassPart::Inner || accumulates(*rank_, one.event->launch)) {
            return std::nullopt;
        }
        return one.kind == PassKind::Forward ? causes_->causes(one.event->launch) : one.forward.has_value();
    }

    /// Finds the stretches of untied work between two sends or receives.
    void findIn(std::size_t first, std::size_t end) {
        constexpr std::size_t kLeast = 10;
        std::size_t begun = end;  // end: no stretch is open
        for (std::size_t i = first; i <= end; ++i) {
            const std::optional<bool> tied = i < end ? isTied(at(i)) : std::optional(true);
            if (tied && !*tied) {
                begun = std::min(begun, i);
            } else if (tied && begun < end) {
                if (kLeast * (i - begun) >= end - first) {
                    stretches_.push_back({begun, i});
                }
                begun = end;
            }
        }
    }

    /// The length of most of them, the shortest of several. There is at least one, and none is empty.
    [[nodiscard]] std::size_t typicalLength() const {
        std::map<std::size_t, std::size_t> counts;
        for (const Stretch& stretch : stretches_) {
            ++counts[stretch.end - stretch.first];
        }
        const auto most = std::ranges::max_element(counts, {}, [](const auto& count) { return count.second; });
        return most->first;
    }

    /// Divides consecutive ones, without a send or receive between them, into gradients of the typical length; the rest
    /// is something else, such as the norm of all gradients.
    void divide() {
        if (stretches_.empty()) {
            return;
        }
        const std::size_t usual = typicalLength();
        std::size_t turn = 0;
        for (const Stretch& stretch : stretches_) {
            const std::size_t end = stretch.first + (stretch.end - stretch.first) / usual * usual;
            for (std::size_t i = stretch.first; i < end; ++i) {
                turn += (i - stretch.first) % usual == 0 ? 1U : 0U;
                at(i).kind = PassKind::WeightGradient;
                at(i).turn = turn;
            }
        }
    }

    const RankTrace* rank_;
    const ForwardOfBackward* causes_;
    std::vector<LaunchedWork>* launched_;
    std::vector<Stretch> stretches_;
};

}  // namespace

std::vector<LaunchedWork> launchedWork(const RankContext& work, const std::vector<TimeNs>& exchanges,
                                       const std::vector<SliceRef>& inner, bool weights) {
    std::vector<LaunchedWork> launched = launchesOf(work, exchanges, inner);
    const ForwardOfBackward causes(*work.trace, work.marks.thread);
    tellForwards(causes, launched);
    if (weights && causes.tells()) {
        WeightFinder(*work.trace, causes, launched).find();
        tellForwards(causes, launched);  // work that had looked like separate forwards
    }
    return launched;
}

}  // namespace rankscope
