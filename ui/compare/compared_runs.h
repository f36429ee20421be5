// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/compare/compare_runs.h"
#include "core/compare/pairing/phase_alignment.h"
#include "core/compare/pairing/step_alignment.h"
#include "core/report/tables/data_table.h"
#include "core/report/words/comparison_outline.h"

namespace rankscope::ui {

/// A run that is analysed, shared by all who show it.
using SharedRun = std::shared_ptr<const AnalysedRun>;

/// The two runs of a comparison. A is the baseline.
enum class Side : std::uint8_t { A, B };
/// The run that the one of `side` is compared with.
[[nodiscard]] constexpr Side otherOf(Side side) {
    return side == Side::A ? Side::B : Side::A;
}
/// Where panels count runs: A is the first.
[[nodiscard]] constexpr std::uint32_t indexOf(Side side) {
    return static_cast<std::uint32_t>(side);
}

/// The tables of the compare panel.
enum class ComparePage : std::uint8_t { Step, Findings, Kernels, Operators, Collectives, Ranks };
inline constexpr std::size_t kComparePages = 6;

/// The column of the ranks' table that has the number of B's rank, where ranks are paired by their places.
inline constexpr std::string_view kRankInB = "b_rank";

/// Two runs with what changed from one to the other. Made on a thread, and never changed afterwards; what it says
/// points into the runs, which it holds.
struct ComparedRuns {
    SharedRun a;  ///< of several recordings of a side the one that is shown
    SharedRun b;
    RunComparison comparison;
    report::ComparisonOutline outline;        ///< in the few lines that come first, in the language of the window
    std::vector<StepPair> steps;              ///< that stand against each other
    std::vector<StepPhases> phases;           ///< of `steps`
    std::optional<std::size_t> typical_step;  ///< of `steps`: the one to begin with
    /// By ComparePage. The rows are those of the comparison, in its order; those of Step are waterfallOf()'s.
    std::array<std::shared_ptr<const report::DataTable>, kComparePages> tables;

    /// The run on one side of the comparison; A is the baseline.
    [[nodiscard]] const AnalysedRun& run(Side side) const { return side == Side::A ? *a : *b; }
    /// Both runs with their comparison, as reports want them. It points into this object, which must outlive it.
    [[nodiscard]] report::ComparisonView view() const { return {*a, *b, comparison}; }
    /// The table of one page of the compare panel.
    [[nodiscard]] const std::shared_ptr<const report::DataTable>& table(ComparePage page) const {
        return tables[static_cast<std::size_t>(page)];
    }
};

/// Whether all of a run is read and analysed, so that it can be compared.
[[nodiscard]] bool isAnalysed(const AnalysedRun& run);

/// Compares the recordings of two sides, analysed and at least one each, A the baseline, and makes the tables of what
/// changed between those that are shown. Reads no file. Takes as long as the comparison itself: call it on a thread.
[[nodiscard]] std::shared_ptr<const ComparedRuns> compared(const std::vector<SharedRun>& a,
                                                           const std::vector<SharedRun>& b);

}  // namespace rankscope::ui
