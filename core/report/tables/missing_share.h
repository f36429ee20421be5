// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/efficiency/efficiency.h"
#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope::report {

/// A part of the device's time, by use, and where to look for more.
struct MissingPart {
    TimePart part = TimePart::Useful;
    std::optional<Role> role;  ///< for TimePart::Communication: the role of its group; nothing if unknown
    DurationNs ns = 0;         ///< over all counted steps; below zero if kernels were faster than the peak
    /// The most expensive finding about it, on that rank if one was asked for: an index into Diagnosis::findings.
    std::optional<std::size_t> finding;
    /// Its largest contribution on the given rank: a product, a kernel, a transfer, or the reason why the device
    /// waited. If nothing was recorded there, the mark of the step; an invalid slice without a mark.
    EfficiencyPlace longest;
};

/// What became of the time of one device, or of all: the difference between the peak and what was achieved.
struct MissingShare {
    std::vector<MissingPart> parts;  ///< the parts that are not zero, in the order of TimePart; they add up to time_ns
    DurationNs time_ns = 0;          ///< time of the counted steps
    std::size_t steps = 0;           ///< the number of these steps, over all ranks

    /// As a share of the device's time, 0 to 1; nothing without time.
    [[nodiscard]] std::optional<double> shareOf(const MissingPart& part) const;
    /// Per step of a rank, on average.
    [[nodiscard]] DurationNs meanOf(const MissingPart& part) const;
};

/// The time of `rank`, or of all ranks. O(ledger + findings + products).
[[nodiscard]] MissingShare missingShare(const AnalysedRun& run, std::optional<RankPosition> rank = std::nullopt);

/// What is not known about a run's FLOPs.
struct UntoldFlops {
    std::size_t operators = 0;  ///< matrix operators whose inputs do not show their work
    DurationNs kernels_ns = 0;  ///< kernels whose names say that they multiply, without an operator that gives their
                                ///< FLOPs
};
/// The uncounted operators of one rank; without a rank, of all.
[[nodiscard]] UntoldFlops untoldFlops(const EfficiencyFacts& facts, std::optional<RankPosition> rank = std::nullopt);
/// From this share of the computing time on, a report says that FLOPs are missing.
inline constexpr double kMissingToldFrom = 0.01;

/// The title of a part: "Exposed communication, data".
[[nodiscard]] std::string missingPartTitle(const MissingPart& part);

}  // namespace rankscope::report
