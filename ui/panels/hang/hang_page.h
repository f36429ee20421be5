// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/companions/companions.h"
#include "core/report/linked_traces.h"
#include "ui/panels/shared/open_runs.h"
#include "ui/panels/shared/table_choice.h"
#include "ui/theme/theme.h"
#include "ui/timeline/selection/selection.h"

namespace rankscope::ui {

/// Culprits with the same reason: a sentence, and what to look at.
struct CulpritText {
    QString sentence;
    QString remedy;
};

/// The last call of a rank, and the Python lines that made it, innermost first.
struct LastCall {
    QString title;
    QStringList frames;
    std::optional<SliceSelection> slice;  ///< of it in an open run, if that is proven
    QString in_trace;                     ///< where that is
};

/// What is shown of dumps. Independent of the theme.
struct HangPage {
    QString title;   ///< "Flight recorder, 16 of 16 ranks, NCCL 2.27.3"
    QString answer;  ///< the culprits, in one or two sentences
    QString since;   ///< since when the first rank waits; empty: unknown
    std::vector<CulpritText> culprits;
    QStringList doubts;               ///< what the dumps do not show
    QStringList traces;               ///< what became of the open runs, a sentence each
    std::vector<LastCall> last;       ///< by row of the first table
    std::vector<TitledTable> tables;  ///< culprits, who waits for whom, mismatches, files
};

/// Links the open runs that are analysed with dumps. Both must outlive the result.
[[nodiscard]] std::vector<RunWithDumps> linkedRuns(const ReadDumps& dumps, const OpenRuns& runs);
/// The page of some dumps, linked with the open runs. O(ranks that wait x ranks that they wait for, and calls).
[[nodiscard]] HangPage hangPage(const ReadDumps& dumps, const OpenRuns& runs);
/// The link of hangHtml() to the slice of the last call.
inline constexpr const char* kLastCallLink = "last-call";
/// Its sentences for RichText, with the last call of the culprit in this row of the first table.
[[nodiscard]] QString hangHtml(const HangPage& page, std::size_t culprit, const Theme& theme);

}  // namespace rankscope::ui
