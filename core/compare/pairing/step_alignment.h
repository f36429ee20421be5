// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/compare/pairing/counterparts.h"
#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope {

/// A step of A and its counterpart in B.
struct StepPair {
    RunStepPosition a;
    RunStepPosition b;
    TimeSpan a_span;  ///< from the first start to the last end on any rank; from the run's base, on its clock
    TimeSpan b_span;
};

/// The steps that both runs have, in order. Counterparts::stepOf pairs them on the first rank that both recorded.
[[nodiscard]] std::vector<StepPair> pairRunSteps(const AnalysedRun& a, const AnalysedRun& b,
                                                 const Counterparts& counterparts);

/// The pair to show first: complete and in the steady state in both runs, and nearest to A's median. The last step is
/// used only if there is no other, because the end of the recording may stretch it. Nothing without pairs.
[[nodiscard]] std::optional<std::size_t> typicalPair(const AnalysedRun& a, const AnalysedRun& b,
                                                     const std::vector<StepPair>& pairs);

/// Converts times of A to the corresponding times of B, and back. The starts of paired steps correspond, and times in
/// between are in proportion. Before the first pair and after the last one, both runs advance equally fast. Times are
/// from each run's base, on its clock.
class StepAlignment {
  public:
    /// A time of A and the corresponding time of B.
    struct Knot {
        TimeNs a_ns = 0;
        TimeNs b_ns = 0;
    };

    /// Without pairs: the same time from each base.
    explicit StepAlignment(const std::vector<StepPair>& pairs = {});
    /// From any corresponding times, in order. A knot that would make time run backwards is left out.
    explicit StepAlignment(const std::vector<Knot>& knots);

    /// Makes two times correspond: the starts of a slice and of its counterpart. A new pin replaces the previous one.
    /// Step starts that would then run backwards are left out.
    void pin(TimeNs a_ns, TimeNs b_ns);
    void unpin();

    /// The time of B that corresponds to a time of A, both in nanoseconds from their run's base. It is linear between
    /// the starts of paired steps, rounded to the nearest nanosecond. Before the first pair and after the last one it
    /// is shifted only. O(log n) in steps.
    [[nodiscard]] TimeNs toB(TimeNs a_ns) const;
    /// The inverse of toB(), except for rounding. O(log n) in steps.
    [[nodiscard]] TimeNs toA(TimeNs b_ns) const;

  private:
    std::vector<Knot> steps_;  // strictly increasing in both
    std::vector<Knot> knots_;  // with the pin
};

}  // namespace rankscope
