// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/time.h"
#include "core/diagnosis/frame/analysed_run.h"
#include "core/report/tables/data_table.h"

namespace rankscope::ui {

/// Where a row of the reports' tables happened, as far as it says.
struct FactPlace {
    std::optional<RankPosition> rank;
    TimeSpan span;                         ///< on the axis of the timeline; empty where the row has no time
    std::optional<RankStepPosition> step;  ///< of the rank
};

/// A table of the reports, as the window shows it, and where each of its rows happened.
struct FactTable {
    report::DataTable table;
    std::vector<FactPlace> places;  ///< as its rows
};

/// Offers the tables of the reports that a run can have; the one that is chosen stays, where it is among them.
void offerFacts(QComboBox& box, const AnalysedRun* run);
/// Makes the table at a place in report::runTableList(), without the columns that say nothing here: the run, the ranks'
/// positions where all of them have numbers, and those in which no row has a value other than none and zero.
[[nodiscard]] FactTable makeFacts(const AnalysedRun& run, std::size_t which);

}  // namespace rankscope::ui
