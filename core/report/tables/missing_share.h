// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/efficiency/efficiency.h"
#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope::report {

/// A part of what became of the device's time, and what to look at for it.
struct MissingPart {
    TimePart part = TimePart::Useful;
    std::optional<Role> role;  ///< of TimePart::Communication: of the group; nothing if unknown
    DurationNs ns = 0;         ///< over all steps that count; below zero where kernels were quicker than the peak
    /// The most expensive finding that is about it, on that rank where one was asked for: a place in
    /// Diagnosis::findings.
    std::optional<std::size_t> finding;
    /// What took most of it: a product, a kernel, a transfer, or what the device waited for. If nothing was recorded
    /// there it is the mark of the step, and an invalid slice if that is not marked either. On the given rank.
    EfficiencyPlace longest;
};

/// What became of the time of one device, or of all: the way from the peak to what was achieved.
struct MissingShare {
    std::vector<MissingPart> parts;  ///< those that are not nothing, in the order of TimePart; add up to time_ns
    DurationNs time_ns = 0;          ///< of the steps that count
    std::size_t steps = 0;           ///< steps of a rank that these are

    /// Of the time of the device, 0 to 1; nothing without time.
    [[nodiscard]] std::optional<double> shareOf(const MissingPart& part) const;
    /// In a step of a rank, on average.
    [[nodiscard]] DurationNs meanOf(const MissingPart& part) const;
};

/// The time of `rank`, or of all ranks. O(ledger + findings + products).
[[nodiscard]] MissingShare missingShare(const AnalysedRun& run, std::optional<RankPosition> rank = std::nullopt);

/// What is not known of a run's FLOPs.
struct UntoldFlops {
    std::size_t operators = 0;  ///< that multiply, but whose inputs do not show their work
    DurationNs kernels_ns = 0;  ///< kernels whose names say that they multiply, without an operator that says how much
};
/// Of one rank; nothing: of all.
[[nodiscard]] UntoldFlops untoldFlops(const EfficiencyFacts& facts, std::optional<RankPosition> rank = std::nullopt);
/// A share of the computing time from which it is said that FLOPs are missing.
inline constexpr double kMissingToldFrom = 0.01;

/// What a part is called: "Exposed communication, data".
[[nodiscard]] std::string missingPartTitle(const MissingPart& part);

}  // namespace rankscope::report
