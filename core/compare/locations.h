// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <variant>

#include "core/compare/compare_runs.h"
#include "core/compare/pairing/counterparts.h"
#include "core/compare/straggler_comparison.h"

namespace rankscope {

/// Something of a run that can be shown; std::monostate is nothing.
using Location = std::variant<std::monostate, SliceLocation, GapLocation, LateLocation>;

/// Where a line of a comparison can be seen in both runs. Where one is nothing, `missing` says why, for people.
struct LocationPair {
    Location a;
    Location b;
    std::string missing;
};

/// The communication of a rank that fills most of a stretch of its file clock; nothing if there is none.
[[nodiscard]] Location communicationIn(const AnalysedRun& run, RankPosition rank, const TimeSpan& span);

/// Finds an example in both runs for each line of a comparison: the longest of its kind in A's complete, steady-state
/// steps that have such a step in B, and what corresponds to it in B, else (but not for gaps) the longest in B. What
/// only B has is searched the other way round. Linear in the slices of a run. Not thread-safe.
class Locations {
  public:
    /// The runs must outlive this.
    Locations(const AnalysedRun& a, const AnalysedRun& b) : a_(a), b_(b), to_b_(a, b), to_a_(b, a) {}

    /// A part of the mean step: of compute the step's mark, of waiting the collective, of idle time the gap.
    [[nodiscard]] LocationPair ofPart(const BreakdownRow& row);
    [[nodiscard]] LocationPair ofFinding(const FindingPair& pair);  ///< its first piece of evidence, or the gap that it
                                                                    ///< proves; of a straggler when it was late
    /// A kernel or copy where `work` is a class, else an operator.
    [[nodiscard]] LocationPair ofName(std::string_view name, WorkClass work);
    [[nodiscard]] LocationPair ofCollective(const CollectivePair& pair);
    [[nodiscard]] LocationPair ofRank(const RankPair& pair);  ///< the mark of the step nearest to its median

    /// What corresponds to `place` of A in B. To a late rank: that rank, late for the same collective.
    [[nodiscard]] LocationPair fromA(const Location& place);
    /// What corresponds to `place` of B in A.
    [[nodiscard]] LocationPair fromB(const Location& place);

    /// The counterparts in B of A's ranks, steps and slices. They are worked out as they are asked for, and kept.
    [[nodiscard]] Counterparts& toB() { return to_b_; }
    /// The counterparts in A of B's ranks, steps and slices. They are worked out as they are asked for, and kept.
    [[nodiscard]] Counterparts& toA() { return to_a_; }

  private:
    /// A's with its counterpart, else B's own; where A has none, the other way round.
    template <class Example>
    LocationPair both(const Example& example);

    const AnalysedRun& a_;
    const AnalysedRun& b_;
    Counterparts to_b_;
    Counterparts to_a_;
};

}  // namespace rankscope
