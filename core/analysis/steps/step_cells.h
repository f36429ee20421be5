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

/// One measure of all steps of all ranks, with what is usual: a map in which a slow rank stands out.
struct StepCells {
    /// What is usual among the steps that are held against one another.
    struct Typical {
        DurationNs median_ns = 0;  ///< median over complete steps that are no outliers
        /// From median_ns to where heat is 1: to the greatest of those steps, but never less than a tenth of their
        /// median step, so that chance stays cool.
        DurationNs scale_ns = 1;
    };

    std::vector<std::vector<std::optional<DurationNs>>> ns;  ///< [rank as Run::ranks][as RankFacts::steps]
    Typical typical;                                         ///< of the steps of the kind that prices are of
    /// Of the iterations of a server that are of other kinds, each held against its own: by indexOf() of the kind.
    std::map<std::size_t, Typical> of_others;
    /// As ns, where there are such: the kind of a step that is of another kind than prices.
    std::vector<std::vector<std::optional<std::size_t>>> other_kind;

    /// Whether there is anything to show.
    [[nodiscard]] bool any() const;
    /// What a cell that exists is held against.
    [[nodiscard]] const Typical& typicalOf(RankPosition rank, std::size_t step) const;
    /// How far above the usual a cell is: 0 at or below it, 1 at the scale and above; nothing if nothing is known.
    [[nodiscard]] std::optional<double> heat(RankPosition rank, std::size_t step) const;
};

/// Tabulates one measure over all steps of all ranks of a run, with the medians and scales for colouring it as a heat
/// map. A cell is empty if the measure is not known: no partition without device work, no lateness without matched
/// collectives. Linear in ranks times steps.
[[nodiscard]] StepCells stepCells(const RunFacts& facts, StepMeasure measure);

}  // namespace rankscope
