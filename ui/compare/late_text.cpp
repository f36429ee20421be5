// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/compare_text.h"

#include <QObject>

#include "core/report/words/comparison_summary.h"
#include "ui/compare/compare_words.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"

namespace rankscope::ui {
namespace {

QString stretchRow(const ComparedRuns& runs, Side side, const StragglerSpan& stretch, const Theme& theme) {
    const QString rank = rankName(*runs.run(side).run, stretch.rank).toHtmlEscaped();
    const QString does =
        stretch.late ? QObject::tr("%1 delays the others").arg(rank) : QObject::tr("%1 delays no rank").arg(rank);
    const QString usual = duration(stretch.median_ns).replace(QLatin1Char(' '), QChar(QChar::Nbsp));
    const QString others = QObject::tr("segment time; median of the others: %1").arg(usual);
    return tableRow(nameOf(side), does + QStringLiteral("<br>") + dim(others, theme), duration(stretch.segment_ns));
}

}  // namespace

QString lateHtml(const ComparedRuns& runs, const FoundPair& pair, const Theme& theme) {
    const StragglerComparison& own = *pair.own;
    const Side other = otherOf(pair.from);
    const auto& of_a = pair.from == Side::A ? own.a : own.b;
    const auto& of_b = pair.from == Side::A ? own.b : own.a;
    QString rows;
    QString parts;
    for (const Side side : {Side::A, Side::B}) {
        if (const auto& stretch = side == Side::A ? of_a : of_b) {
            rows += stretchRow(runs, side, *stretch, theme);
            parts += QStringLiteral("<p><b>%1</b>: %2</p>").arg(nameOf(side), partsHtml(stretch->parts, theme));
        }
    }
    if (of_a && of_b) {
        rows += tableRow({}, dim(QObject::tr("B − A"), theme),
                         withMinus(text(report::signedDuration(of_b->segment_ns - of_a->segment_ns))));
    }
    QString html = QStringLiteral("<table cellspacing=\"0\" width=\"100%\">%1</table>").arg(rows);
    if (!own.missing.empty()) {
        html += QStringLiteral("<p>%1: %2</p>").arg(nameOf(other), coreText(own.missing).toHtmlEscaped());
    }
    return parts.isEmpty()
               ? html
               : html + QStringLiteral("<h4>%1</h4>").arg(QObject::tr("What its GPU does in that time")) + parts;
}

}  // namespace rankscope::ui
