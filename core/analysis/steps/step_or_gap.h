// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/ids.h"
#include "core/base/time.h"

namespace rankscope {

/// The position of a host instant among steps: inside one, or in the gap before it. `Index` counts the steps. Ordered
/// by time: before step 0, inside step 0, before step 1, and so on.
template <class Index>
class BasicStepOrGap {
  public:
    /// In the gap before the first step.
    constexpr BasicStepOrGap() = default;

    /// Inside `step`, between the start and the end of its mark.
    [[nodiscard]] static constexpr BasicStepOrGap inside(Index step) { return BasicStepOrGap(step, true); }
    /// After the end of step - 1. `before(number of steps)` is after the last step.
    [[nodiscard]] static constexpr BasicStepOrGap before(Index step) { return BasicStepOrGap(step, false); }

    /// Whether it is inside a step; false for the time before, between and after the steps.
    [[nodiscard]] constexpr bool isInside() const { return inside_; }
    /// The step that contains it; nothing in a gap.
    [[nodiscard]] constexpr std::optional<Index> step() const { return inside_ ? std::optional(step_) : std::nullopt; }
    /// The step that contains it, or else the next one: the number of steps after the last one.
    [[nodiscard]] constexpr Index stepOrNext() const { return step_; }

    friend constexpr auto operator<=>(const BasicStepOrGap&, const BasicStepOrGap&) = default;

  private:
    constexpr BasicStepOrGap(Index step, bool inside) : step_(step), inside_(inside) {}

    // Compared in this order: the gap before a step is earlier than the step.
    Index step_{};
    bool inside_ = false;
};

/// A slot among the step marks of a rank, by their positions.
using StepOrGap = BasicStepOrGap<RankStepPosition>;
/// A slot among the steps of the job, by the step numbers that ranks share (StepMark::index).
using NumberedStepOrGap = BasicStepOrGap<std::int64_t>;

/// One time for each slot among `steps` steps, initially `none`.
class SlotTimes {
  public:
    SlotTimes(std::size_t steps, TimeNs none) : of_step_(steps + 1, {none, none}) {}

    [[nodiscard]] TimeNs& operator[](StepOrGap slot) {
        Times& times = of_step_[slot.stepOrNext()];
        return slot.isInside() ? times.inside_ns : times.before_ns;
    }
    [[nodiscard]] TimeNs operator[](StepOrGap slot) const {
        const Times& times = of_step_[slot.stepOrNext()];
        return slot.isInside() ? times.inside_ns : times.before_ns;
    }

  private:
    struct Times {
        TimeNs before_ns = 0;
        TimeNs inside_ns = 0;
    };

    std::vector<Times> of_step_;  // the last slot: after all steps
};

}  // namespace rankscope
