// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/time.h"
#include "core/companions/companions.h"
#include "core/diagnosis/frame/analysed_run.h"
#include "core/report/tables/data_table.h"

namespace rankscope::ui {

/// Where a row of the reports' tables happened, as far as it shows that.
struct FactPlace {
    std::optional<RankPosition> rank;
    TimeSpan span;                         ///< on the axis of the timeline; empty if the row has no time
    std::optional<RankStepPosition> step;  ///< a step of the rank
};

/// A table of the reports, as the window shows it, with the place of each of its rows.
struct FactTable {
    report::DataTable table;
    std::vector<FactPlace> places;  ///< one per row
};

/// Offers the tables of the reports that a run can have, and those of the logs and dumps that are open; keeps the
/// choice if it is among them.
void offerFacts(QComboBox& box, const AnalysedRun* run, const JobCompanions& companions = {});
/// Makes the table at an index of report::runTableList(), or behind these of report::companionTables(), without the
/// columns that say nothing here: the run, the ranks' positions if all of them have numbers, and columns that are empty
/// or zero in all rows.
[[nodiscard]] FactTable makeFacts(const AnalysedRun& run, std::size_t which, const JobCompanions& companions = {});

}  // namespace rankscope::ui
