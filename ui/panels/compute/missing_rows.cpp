// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/compute/missing_rows.h"

#include <utility>

#include "core/report/tables/run_tables.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/swatches.h"

namespace rankscope::ui {
namespace {

QColor colourOf(TimePart part, const Theme& theme) {
    switch (part) {
        case TimePart::Useful: return theme.accent;
        case TimePart::Recomputed:
        case TimePart::ComputeBound:
        case TimePart::MemoryBound:
        case TimePart::Unrated:
        case TimePart::Uncounted: return colourOf(Swatch::Compute, theme);
        case TimePart::Communication: return colourOf(Swatch::Communication, theme);
        case TimePart::Waiting: return colourOf(Swatch::Waiting, theme);
        case TimePart::Copies: return colourOf(Swatch::Copy, theme);
        default: return colourOf(Swatch::Idle, theme);
    }
}

/// If the peak is unknown, the rows start from the time of a step.
std::string titleOf(const MissingRow& row, bool rated) {
    switch (row.kind) {
        case MissingRow::Kind::Peak: return rated ? "GPU peak" : "The whole step";
        case MissingRow::Kind::Achieved: return "Achieved: MFU";
        case MissingRow::Kind::Missing: break;
    }
    if (row.part->part == TimePart::Communication) {  // shorter than in the reports, and still unique if it is cut
        return "Exposed comm, " + std::string(row.part->role ? roleName(*row.part->role) : "role unknown");
    }
    return report::missingPartTitle(*row.part);
}

}  // namespace

std::vector<MissingRow> missingRows(const report::MissingShare& share) {
    std::vector<MissingRow> rows;
    if (share.time_ns <= 0) {
        return rows;
    }
    rows.push_back({MissingRow::Kind::Peak, {}, 0, share.time_ns});
    DurationNs at_ns = share.time_ns;
    std::optional<report::MissingPart> useful;
    std::optional<report::MissingPart> recomputed;
    const auto take = [&](const report::MissingPart& part) {
        rows.push_back({MissingRow::Kind::Missing, part, at_ns, at_ns - part.ns});
        at_ns -= part.ns;
    };
    for (const report::MissingPart& part : share.parts) {
        if (part.part == TimePart::Useful) {
            useful = part;
        } else if (part.part == TimePart::Recomputed) {
            recomputed = part;
        } else {
            take(part);
        }
    }
    if (recomputed) {
        take(*recomputed);  // the part before it is HFU
    }
    rows.push_back({MissingRow::Kind::Achieved, useful, 0, at_ns});
    return rows;
}

report::DataTable missingTable(const report::MissingShare& share, bool rated) {
    using report::Cell;
    using report::Unit;
    report::DataTable table{"missing_share",
                            {{"title", "Part", Unit::Text},
                             {"share", rated ? "Of peak" : "Of step", Unit::Share},
                             {"mean_ns", "Mean", Unit::Duration},
                             {"way", "Way down", Unit::Text}},
                            {}};
    for (const MissingRow& row : missingRows(share)) {
        const DurationNs ns = row.kind == MissingRow::Kind::Missing ? row.part->ns : row.to_ns;
        const bool told = row.kind != MissingRow::Kind::Achieved || rated;
        table.rows.push_back({titleOf(row, rated), told ? report::cellOf(report::shareOf(ns, share.time_ns)) : Cell(),
                              told ? report::cellOf(report::meanOfAStep(ns, share.steps)) : Cell(), std::string()});
    }
    return table;
}

std::vector<WaterfallBar> missingBars(const std::vector<MissingRow>& rows, const Theme& theme) {
    std::vector<WaterfallBar> bars;
    for (const MissingRow& row : rows) {
        const bool whole = row.kind != MissingRow::Kind::Missing;
        const QColor colour = row.kind == MissingRow::Kind::Peak       ? theme.text_dim
                              : row.kind == MissingRow::Kind::Achieved ? theme.accent
                                                                       : colourOf(row.part->part, theme);
        bars.push_back({row.from_ns, row.to_ns, whole, colour});
    }
    return bars;
}

QString leadsTo(const AnalysedRun& run, const MissingRow& row) {
    if (!row.part) {
        return {};
    }
    const QString what = coreText(report::missingPartTitle(*row.part)) + QLatin1Char('\n');
    if (row.part->finding) {
        return what + QObject::tr("Finding: %1").arg(text(run.diagnosis.findings[*row.part->finding].title));
    }
    const EfficiencyPlace& place = row.part->longest;
    if (!place.slice.valid()) {
        return {};
    }
    return what + QObject::tr("Longest: %1 on %2, %3")
                      .arg(nameInLine(run.run->ranks[place.rank]->name(place.slice)), rankName(*run.run, place.rank),
                           duration(place.ns));
}

QVariant MissingModel::data(const QModelIndex& index, int role) const {
    const QString target = index.isValid() ? targets_.value(static_cast<qsizetype>(sourceRow(index.row()))) : QString();
    if (role == Qt::ToolTipRole && !target.isEmpty()) {
        return plainTip(target);
    }
    if (role == Qt::ForegroundRole && index.isValid() && index.column() == 0 && !target.isEmpty()) {
        return theme().accent;
    }
    return DataTableModel::data(index, role);
}

}  // namespace rankscope::ui
