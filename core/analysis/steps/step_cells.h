// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "core/analysis/facts.h"

namespace rankscope {

/// What a cell of the (rank, step) map shows.
enum class StepMeasure : std::uint8_t {
    Lateness,              ///< SegmentTime::late_ns
    StepTime,              ///< length of RankStep::span
    ExposedCommunication,  ///< Partition::exposed_comm_ns
    Idle,                  ///< Partition::idle_ns
    Compute,               ///< Partition::compute_ns
};
inline constexpr std::size_t kStepMeasureCount = 5;
[[nodiscard]] std::string_view stepMeasureTitle(StepMeasure measure);  ///< for people: "Lateness"

/// One measure of all steps of all ranks, with its typical value: a map in which a slow rank stands out.
struct StepCells {
    /// The typical value of steps that are compared with each other.
    struct Typical {
        DurationNs median_ns = 0;  ///< over complete steps that are not outliers
        /// From median_ns to where heat is 1: to the largest of those steps, but at least a tenth of their median step,
        /// so that noise stays cold.
        DurationNs scale_ns = 1;
    };

    std::vector<std::vector<std::optional<DurationNs>>> ns;  ///< [rank as Run::ranks][as RankFacts::steps]
    Typical typical;                                         ///< typical values of the steps of the priced kind
    /// The same for other kinds of iterations of a server, each compared within its own kind: by indexOf() of the kind.
    std::map<std::size_t, Typical> of_others;
    /// As `ns`, if there are such steps: the kind of a step that is not of the priced kind.
    std::vector<std::vector<std::optional<std::size_t>>> other_kind;

    /// Whether there is anything to show.
    [[nodiscard]] bool any() const;
    /// The typical value that an existing cell is compared with.
    [[nodiscard]] const Typical& typicalOf(RankPosition rank, std::size_t step) const;
    /// How far a cell is above the typical value: 0 at or below it, 1 at the scale and above; nothing if nothing is
    /// known.
    [[nodiscard]] std::optional<double> heat(RankPosition rank, std::size_t step) const;
};

/// Tabulates one measure over all steps of all ranks of a run, with the medians and scales for a heat map. A cell is
/// empty if the measure is not known: no partition without device work, no lateness without matched collectives. Linear
/// in ranks times steps.
[[nodiscard]] StepCells stepCells(const RunFacts& facts, StepMeasure measure);

}  // namespace rankscope
