// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/clock/match_ends.h"
#include "core/clock/match_table.h"
#include "core/clock/normal_equations.h"

namespace rankscope {

/// The index of each domain's offset and drift among the unknowns of the equations, and of the lag of the last arriver.
struct Unknowns {
    std::vector<std::optional<std::size_t>> offset;  ///< by domain; nothing for a reference
    std::vector<std::optional<std::size_t>> drift;   ///< by domain; nothing if the drift stays 0
    std::size_t lag = 0;                             ///< the index of the last unknown

    /// The number of unknowns of the equations: all offsets, all drifts and the lag.
    [[nodiscard]] std::size_t count() const { return lag + 1; }
};

/// The time axis of drifts: -1 to 1 over the matched span.
struct TimeAxis {
    TimeNs middle_ns = 0;
    double half_ns = 1;

    /// An instant of the run's clock on this axis: -1 at the start of the matched span, 0 in its middle, 1 at its end;
    /// below -1 or above 1 outside it.
    [[nodiscard]] double at(TimeNs run_ns) const { return static_cast<double>(run_ns - middle_ns) / half_ns; }
};

/// The residuals of the kept members' ends, and their degrees of freedom.
struct Misfit {
    double squares = 0;  ///< ns^2
    double freedom = 0;  ///< kept ends minus the ends of their matches, which are fitted too
};

/// The equations of the corrections to offsets and drifts (both in ns, drifts at the end of the axis) and of the lag.
/// Each match's own end is eliminated beforehand, so the size does not depend on the number of matches.
[[nodiscard]] NormalEquations fitSystem(const MatchTable& table, const MatchEnds& ends, const Unknowns& unknowns,
                                        const TimeAxis& axis);

/// The misfit of a solution of these equations.
[[nodiscard]] Misfit misfitOf(const MatchTable& table, const MatchEnds& ends, const Unknowns& unknowns,
                              const TimeAxis& axis, const std::vector<double>& solution);

}  // namespace rankscope
