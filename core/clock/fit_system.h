// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/clock/match_ends.h"
#include "core/clock/match_table.h"
#include "core/clock/normal_equations.h"

namespace rankscope {

/// Which unknown of the equations a domain's offset and drift are, and the lag of who arrived last.
struct Unknowns {
    std::vector<std::optional<std::size_t>> offset;  ///< by domain; none for a reference
    std::vector<std::optional<std::size_t>> drift;   ///< by domain; none if the drift is left at 0
    std::size_t lag = 0;                             ///< the last of them

    /// The number of unknowns of the equations: all offsets, all drifts and the lag.
    [[nodiscard]] std::size_t count() const { return lag + 1; }
};

/// The time axis of drifts: -1 to 1 over the matched span.
struct TimeAxis {
    TimeNs middle_ns = 0;
    double half_ns = 1;

    /// An instant of the run's clock on this axis: -1 at the start of the matched span, 0 in its middle, 1 at its end,
    /// and further out beyond.
    [[nodiscard]] double at(TimeNs run_ns) const { return static_cast<double>(run_ns - middle_ns) / half_ns; }
};

/// What is left of the kept members' ends, and how many numbers that is.
struct Misfit {
    double squares = 0;  ///< ns^2
    double freedom = 0;  ///< kept ends less the ends of their matches, which are fitted too
};

/// The equations of the corrections to offsets and drifts (both in ns, drifts at the end of the axis) and of the lag.
/// Each match's own end is eliminated beforehand, so the size does not depend on how many there are.
[[nodiscard]] NormalEquations fitSystem(const MatchTable& table, const MatchEnds& ends, const Unknowns& unknowns,
                                        const TimeAxis& axis);

/// The misfit of a solution of these equations.
[[nodiscard]] Misfit misfitOf(const MatchTable& table, const MatchEnds& ends, const Unknowns& unknowns,
                              const TimeAxis& axis, const std::vector<double>& solution);

}  // namespace rankscope
