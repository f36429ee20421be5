// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/compare_text.h"

#include <QObject>
#include <algorithm>

#include "core/base/format.h"
#include "ui/compare/compare_words.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"

namespace rankscope::ui {
namespace {

constexpr std::size_t kNamesShown = 12;

QString escaped(std::string_view utf8) {
    return text(utf8).toHtmlEscaped();
}

QString paragraph(const QString& html) {
    return QStringLiteral("<p>%1</p>").arg(html);
}

/// "World size", of "world-size".
QString titleOf(Aspect aspect) {
    std::string title = aspectWords(aspect);
    title.front() = static_cast<char>(title.front() - 'a' + 'A');
    return coreText(title);
}

QString orDash(const std::string& words) {
    return words.empty() ? QStringLiteral("–") : escaped(words);
}

QString differsHtml(const ConfigDifference& one, const Theme& theme) {
    const bool prevents = one.impact == Impact::Prevents;
    const QString words =
        QObject::tr("<span style=\"color:%1\">%2</span> %3: A %4, B %5", "a colour, a sign, what differs, in A, in B")
            .arg((prevents ? theme.error : theme.gap).name(), prevents ? QStringLiteral("✕") : QStringLiteral("!"),
                 titleOf(one.aspect), orDash(one.a), orDash(one.b));
    return paragraph(words + QStringLiteral("<br>") + dim(coreText(one.what).toHtmlEscaped(), theme));
}

QString anchor(const ComparedRuns& runs, Side side, RankPosition rank, SliceRef slice) {
    return sliceAnchor(runs.run(side), {static_cast<std::uint32_t>(side), rank, slice});
}

const Gap& gapOf(const AnalysedRun& run, const GapLocation& at) {
    return run.facts.ranks[at.rank].steps[at.step].gaps[at.gap];
}

/// How long it is; nothing of nothing.
std::optional<DurationNs> lengthOf(const AnalysedRun& run, const Location& place) {
    if (const auto* slice = std::get_if<SliceLocation>(&place)) {
        return run.run->ranks[slice->rank]->span(slice->slice).length();
    }
    if (const auto* gap = std::get_if<GapLocation>(&place)) {
        return gapOf(run, *gap).span.length();
    }
    return {};
}

QString placeRow(const ComparedRuns& runs, Side side, const Location& place, const Theme& theme) {
    const AnalysedRun& run = runs.run(side);
    if (const auto* slice = std::get_if<SliceLocation>(&place)) {
        const QString where = dim(rankName(*run.run, slice->rank).toHtmlEscaped(), theme);
        return tableRow(nameOf(side), anchor(runs, side, slice->rank, slice->slice) + QStringLiteral("<br>") + where,
                        duration(*lengthOf(run, place)));
    }
    if (const auto* at = std::get_if<GapLocation>(&place)) {
        CauseTimes causes;
        for (const GapPart& part : gapOf(run, *at).parts) {
            causes[part.cause] += part.span.length();
        }
        const RankStep& step = run.facts.ranks[at->rank].steps[at->step];
        const QString where = QObject::tr("%1, step %2").arg(rankName(*run.run, at->rank)).arg(step.index);
        return tableRow(nameOf(side),
                        QObject::tr("The GPU is idle: %1").arg(causesText(causes)) + QStringLiteral("<br>") +
                            dim(where.toHtmlEscaped(), theme),
                        duration(*lengthOf(run, place)));
    }
    return {};
}

QString insteadHtml(const ComparedRuns& runs, const FoundPair& pair, const Theme& theme) {
    const GapCounterpart& instead = *pair.instead;
    const Side other = otherOf(pair.from);
    if (!instead.missing.empty()) {
        return paragraph(dim(coreText(instead.missing).toHtmlEscaped(), theme));
    }
    const QString before = anchor(runs, other, instead.rank, instead.before);
    const QString after = anchor(runs, other, instead.rank, instead.after);
    QString html = QStringLiteral("<h4>%1</h4>").arg(QObject::tr("What %1 does there").arg(nameOf(other)));
    html += paragraph(
        QObject::tr("%3 takes %4 here: from the end of %1 to the start of %2.")
            .arg(before, after, nameOf(other), QStringLiteral("<b>%1</b>").arg(duration(instead.span.length()))));
    const QString parts = partsHtml(instead.parts, theme);
    html += parts.isEmpty() ? QString() : paragraph(parts);
    QString rows;
    for (std::size_t i = 0; i < std::min(instead.work.size(), kNamesShown); ++i) {
        const WorkShare& share = instead.work[i];
        rows += tableRow(QStringLiteral("%1×").arg(share.calls), nameInLine(share.name).toHtmlEscaped(),
                         duration(share.ns));
    }
    if (!rows.isEmpty()) {
        html += QStringLiteral("<table cellspacing=\"0\" width=\"100%\">%1</table>").arg(rows);
    }
    if (instead.work.size() > kNamesShown) {
        html += paragraph(dim(QObject::tr("and %1 more names").arg(instead.work.size() - kNamesShown), theme));
    }
    return html;
}

QString wordsOf(const report::DataTable& table, std::uint32_t row, std::size_t column) {
    const report::Unit unit = table.columns[column].unit;
    const QString words = text(report::cellText(table.rows[row][column], unit)).simplified();
    return report::isNumeric(unit) ? withMinus(words) : words;
}

/// Whose line this is, of ranks: of one number in both runs, or of two where they are paired by place.
QString ranksTitle(const report::DataTable& table, std::uint32_t row) {
    const QString number = wordsOf(table, row, 0);
    const auto of_b = std::ranges::find(table.columns, kRankInB, &report::Column::key);
    if (of_b == table.columns.end()) {
        return QObject::tr("Rank %1").arg(number);
    }
    const auto column = static_cast<std::size_t>(of_b - table.columns.begin());
    const auto missing = [&](std::size_t of) { return std::holds_alternative<std::monostate>(table.rows[row][of]); };
    const QString other = wordsOf(table, row, column);
    return missing(column) ? QObject::tr("Rank %1 of A").arg(number)
           : missing(0)    ? QObject::tr("Rank %1 of B").arg(other)
                           : QObject::tr("Rank %1 of A, rank %2 of B").arg(number, other);
}

}  // namespace

QString verdictHtml(const ComparedRuns& runs, const Theme& theme) {
    const report::ComparisonView view = runs.view();
    QString html;
    if (!runs.comparison.differs.empty()) {
        html += QStringLiteral("<h4>%1</h4>").arg(QObject::tr("What else differs"));
        for (const ConfigDifference& one : runs.comparison.differs) {
            html += differsHtml(one, theme);
        }
    }
    const QString verdict = printed(coreText(comparisonVerdict(runs.comparison)));
    const qsizetype head = std::max<qsizetype>(0, verdict.indexOf(QLatin1Char(':')));
    html += QStringLiteral("<h4>%1</h4>").arg(QObject::tr("Verdict"));
    html += paragraph(
        QStringLiteral("<b>%1</b>%2").arg(verdict.left(head).toHtmlEscaped(), verdict.mid(head).toHtmlEscaped()));
    for (const auto& lines :
         {report::recordingLines(view), report::throughputLines(view), report::whatChangesGave(view)}) {
        for (const std::string& line : lines) {
            html += paragraph(printed(coreText(line)).toHtmlEscaped());
        }
    }
    for (const auto& lines : {report::pairingLines(view), report::leftOutLines(view), report::judgedBy(view)}) {
        for (const std::string& line : lines) {
            html += paragraph(dim(printed(coreText(line)).toHtmlEscaped(), theme));
        }
    }
    return html;
}

QString lineHtml(const ComparedRuns& runs, ComparePage page, std::uint32_t row, const Theme& theme) {
    const report::DataTable& table = *runs.table(page);
    const QString title = page == ComparePage::Ranks ? ranksTitle(table, row) : wordsOf(table, row, 0);
    QString html = QStringLiteral("<h3>%1</h3>").arg(title.toHtmlEscaped());
    if (page == ComparePage::Findings) {
        const FindingPair& pair = runs.comparison.findings[row];
        for (const Side side : {Side::A, Side::B}) {
            if (const auto& finding = side == Side::A ? pair.a : pair.b) {
                const std::string& why = runs.run(side).diagnosis.findings[*finding].why;
                html += paragraph(QStringLiteral("<b>%1</b>: ").arg(nameOf(side)) + dim(escaped(why), theme));
            }
        }
    }
    return html;
}

QString pairHtml(const ComparedRuns& runs, const FoundPair& pair, const Theme& theme) {
    if (pair.own) {
        return lateHtml(runs, pair, theme);
    }
    const QString rows = placeRow(runs, Side::A, pair.places.a, theme) + placeRow(runs, Side::B, pair.places.b, theme);
    const auto a = lengthOf(*runs.a, pair.places.a);
    const auto b = lengthOf(*runs.b, pair.places.b);
    QString html;
    if (!rows.isEmpty()) {
        const QString difference =
            a && b ? tableRow({}, dim(QObject::tr("B − A"), theme), withMinus(text(report::signedDuration(*b - *a))))
                   : QString();
        html += QStringLiteral("<table cellspacing=\"0\" width=\"100%\">%1%2</table>").arg(rows, difference);
    }
    if (!pair.places.missing.empty()) {
        const QString where = rows.isEmpty() ? QString() : nameOf(otherOf(pair.from)) + QStringLiteral(": ");
        html += paragraph(where + coreText(pair.places.missing).toHtmlEscaped());
    }
    if (pair.instead) {
        html += insteadHtml(runs, pair, theme);
    }
    return html;
}

}  // namespace rankscope::ui
