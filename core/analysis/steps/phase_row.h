// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/analysis/facts.h"
#include "core/analysis/steps/phase_marks.h"
#include "core/analysis/steps/phases.h"
#include "core/base/time.h"

namespace rankscope {

/// The phases of all host threads of a rank as one row: stretches of one phase each, by start and disjoint. If threads
/// are in different phases at once, the later one in the order data, forward, optimizer, backward wins: the thread that
/// calls a backward waits in it for the threads that run it. Stretches of one phase with no other phase between them
/// are joined, unless a step begins between them. O(n log n).
[[nodiscard]] std::vector<PhaseSpan> phaseRow(const PhaseMarks& marks, const std::vector<RankStep>& steps);

/// Searches such a row.
class PhaseOrder {
  public:
    explicit PhaseOrder(const std::vector<PhaseSpan>& row);

    /// The number of spans, and the one at `place` in the order of starts.
    [[nodiscard]] std::size_t size() const { return row_->size(); }
    [[nodiscard]] const PhaseSpan& operator[](std::size_t place) const { return (*row_)[place]; }
    /// The first stretch that ends after an instant: the one around it, or the next; size() if there is none. O(log n).
    [[nodiscard]] std::size_t at(TimeNs at_ns) const;
    /// The phase at an instant; Other between stretches. O(log n).
    [[nodiscard]] Phase phaseAt(TimeNs at_ns) const;
    /// The first stretch of this phase from `from` on; size() if there is none. Constant time.
    [[nodiscard]] std::size_t next(std::size_t from, Phase phase) const;

  private:
    const std::vector<PhaseSpan>* row_;
    std::vector<ByPhase<std::uint32_t>> next_;  // by stretch, and one more
};

}  // namespace rankscope
