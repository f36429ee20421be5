// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/compare/pairing/counterparts.h"
#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope {

/// A step of A and the corresponding step of B.
struct StepPair {
    RunStepPosition a;
    RunStepPosition b;
    TimeSpan a_span;  ///< from the first start to the last end on a rank; from the run's base, on its clock
    TimeSpan b_span;
};

/// The steps that both runs have, in order, as Counterparts::stepOf pairs those of the first rank that both recorded.
[[nodiscard]] std::vector<StepPair> pairRunSteps(const AnalysedRun& a, const AnalysedRun& b,
                                                 const Counterparts& counterparts);

/// The pair to begin with: of the complete, steady-state steps of both the one that is nearest to A's median, the last
/// one only where there is no other, since the end of the recording may stretch it; nothing if there is no pair at
/// all.
[[nodiscard]] std::optional<std::size_t> typicalPair(const AnalysedRun& a, const AnalysedRun& b,
                                                     const std::vector<StepPair>& pairs);

/// Carries a time of A to the time of B that corresponds to it, and back: where step n begins in A, step n begins in B,
/// and in between both go on in proportion. Before the first and behind the last pair both go on equally fast. Times
/// are from the runs' bases, on their clocks.
class StepAlignment {
  public:
    /// A time of A and the corresponding time of B.
    struct Knot {
        TimeNs a_ns = 0;
        TimeNs b_ns = 0;
    };

    /// Without pairs: the same time from either base.
    explicit StepAlignment(const std::vector<StepPair>& pairs = {});
    /// Through other times than the starts of steps, in order. What would run backwards gives way to what is before it.
    explicit StepAlignment(const std::vector<Knot>& knots);

    /// Makes two times correspond: the starts of a slice and of its counterpart. A pin takes the place of the one
    /// before; step starts that would then run backwards give way.
    void pin(TimeNs a_ns, TimeNs b_ns);
    void unpin();

    /// The time of B that corresponds to a time of A, both in nanoseconds from their run's base: linear between the
    /// starts of paired steps, rounded to the nearest nanosecond, and shifted without stretching before the first of
    /// them and behind the last. O(log n) in steps.
    [[nodiscard]] TimeNs toB(TimeNs a_ns) const;
    /// The time of A that corresponds to a time of B: the inverse of toB(), except for rounding. O(log n) in steps.
    [[nodiscard]] TimeNs toA(TimeNs b_ns) const;

  private:
    std::vector<Knot> steps_;  // strictly increasing in both
    std::vector<Knot> knots_;  // with the pin
};

}  // namespace rankscope
