// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <variant>

#include "core/compare/compare_runs.h"
#include "core/compare/pairing/counterparts.h"
#include "core/compare/straggler_comparison.h"

namespace rankscope {

/// A place in a run that can be shown; std::monostate is none.
using Location = std::variant<std::monostate, SliceLocation, GapLocation, LateLocation>;

/// Where to see one line of a comparison in both runs. If a run has no such place, `missing` says why.
struct LocationPair {
    Location a;
    Location b;
    std::string missing;
};

/// The communication of a rank that covers most of `span`, on its file clock; nothing if there is none.
[[nodiscard]] Location communicationIn(const AnalysedRun& run, RankPosition rank, const TimeSpan& span);

/// Finds an example in both runs for each line of a comparison: the longest of its kind in A's complete, steady-state
/// steps that are paired with such a step of B, and its counterpart in B. If there is no counterpart, the longest in B
/// is used, except for gaps. What only B has is searched from B. Linear in the slices of a run. Not thread-safe.
class Locations {
  public:
    /// The runs must outlive this.
    Locations(const AnalysedRun& a, const AnalysedRun& b) : a_(a), b_(b), to_b_(a, b), to_a_(b, a) {}

    /// For a part of the mean step: the mark of the step for compute, the collective for waits, the gap for idle time.
    [[nodiscard]] LocationPair ofPart(const BreakdownRow& row);
    [[nodiscard]] LocationPair ofFinding(const FindingPair& pair);  ///< its first evidence, or the gap that it proves;
                                                                    ///< for a straggler the place where it was late
    /// A kernel or copy where `work` is a class, else an operator.
    [[nodiscard]] LocationPair ofName(std::string_view name, WorkClass work);
    [[nodiscard]] LocationPair ofCollective(const CollectivePair& pair);
    [[nodiscard]] LocationPair ofRank(const RankPair& pair);  ///< the mark of the step nearest to the rank's median

    /// The counterpart in B of `place` in A. For a late rank: the same rank, late for the same collective.
    [[nodiscard]] LocationPair fromA(const Location& place);
    /// The counterpart in A of `place` in B.
    [[nodiscard]] LocationPair fromB(const Location& place);

    /// The counterparts in B of A's ranks, steps and slices, computed on demand and cached.
    [[nodiscard]] Counterparts& toB() { return to_b_; }
    /// The counterparts in A of B's ranks, steps and slices, computed on demand and cached.
    [[nodiscard]] Counterparts& toA() { return to_a_; }

  private:
    /// A's example and its counterpart, else B's own example. If A has none, from B's side.
    template <class Example>
    LocationPair both(const Example& example);

    const AnalysedRun& a_;
    const AnalysedRun& b_;
    Counterparts to_b_;
    Counterparts to_a_;
};

}  // namespace rankscope
