// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/explanation_text.h"

#include <QObject>
#include <QStringList>
#include <algorithm>

#include "ui/panels/stacked_bar.h"
#include "ui/panels/words.h"

namespace rankscope::ui {
namespace {

constexpr std::size_t kPartsShown = 60;
constexpr std::size_t kEvidenceShown = 100;
constexpr std::size_t kEvidenceOfPart = 3;

QString escaped(std::string_view utf8) {
    return text(utf8).toHtmlEscaped();
}

QString evidenceRow(const AnalysedRun& run, const Evidence& evidence, std::size_t index, const Theme& theme) {
    const bool there = exists(run, evidence.rank, evidence.slice);
    QString name = QObject::tr("not in the trace");
    QString length;
    if (there) {
        const RankTrace& rank = *run.run->ranks[evidence.rank];
        name = nameInLine(rank.name(evidence.slice));
        length = duration(rank.span(evidence.slice).length());
    }
    const QString where = QObject::tr("%1, step %2").arg(rankName(*run.run, evidence.rank)).arg(evidence.step);
    QStringList about{where.toHtmlEscaped()};
    if (!length.isEmpty()) {
        about.append(length);
    }
    if (!evidence.note.empty()) {
        about.append(escaped(evidence.note));
    }
    return QStringLiteral("<p><a href=\"evidence:%1\">%2</a><br>%3</p>")
        .arg(index)
        .arg(name.toHtmlEscaped(), dim(about.join(QStringLiteral("  ·  ")), theme));
}

QString partRow(const AnalysedRun& run, const GapSelection& at, const GapPart& part, const Theme& theme) {
    QStringList proofs;
    for (const SliceRef slice : part.evidence) {
        if (static_cast<std::size_t>(proofs.size()) == kEvidenceOfPart) {
            proofs.append(dim(QObject::tr("and %1 more").arg(part.evidence.size() - kEvidenceOfPart), theme));
            break;
        }
        proofs.append(sliceAnchor(run, {at.run, at.rank, slice}, 48));
    }
    QString what = QStringLiteral("<b>%1</b>").arg(escaped(causeTitle(part.cause)));
    const bool names_itself = std::ranges::any_of(part.evidence, [&](SliceRef slice) {
        return exists(run, at.rank, slice) && run.run->ranks[at.rank]->name(slice) == part.label;
    });
    if (!part.label.empty() && !names_itself) {
        what += QStringLiteral("<br>") + escaped(part.label);
    }
    if (!proofs.isEmpty()) {
        what += QStringLiteral("<br>") + proofs.join(dim(QStringLiteral("  ·  "), theme));
    }
    return QStringLiteral(
               "<tr><td width=\"5%\"><span style=\"color:%1\">■</span></td><td width=\"72%\">%2</td>"
               "<td width=\"23%\" align=\"right\">%3</td></tr>")
        .arg(causeColour(part.cause, theme).name(), what, duration(part.span.length()));
}

}  // namespace

QString findingHtml(const AnalysedRun& run, const Finding& finding, const Theme& theme) {
    QString html = QStringLiteral("<p>%1</p>").arg(escaped(finding.why));
    if (!finding.remedies.empty()) {
        html += QStringLiteral("<h4>%1</h4>").arg(QObject::tr("What to change"));
        for (const Remedy& remedy : finding.remedies) {
            html += QStringLiteral("<p><b>%1</b>").arg(escaped(remedy.action));
            if (!remedy.detail.empty()) {
                html += QStringLiteral("<br>") + dim(escaped(remedy.detail), theme);
            }
            html += QStringLiteral("</p>");
        }
    }
    const QString paying = ranksName(*run.run, finding.paying_ranks);
    if (!paying.isEmpty()) {
        html += QStringLiteral("<p>%1</p>")
                    .arg(dim(QObject::tr("Who waits for it: %1.").arg(paying).toHtmlEscaped(), theme));
    }
    if (!finding.evidence.empty()) {
        html += QStringLiteral("<h4>%1</h4>").arg(QObject::tr("Evidence"));
        const std::size_t shown = std::min(finding.evidence.size(), kEvidenceShown);
        for (std::size_t i = 0; i < shown; ++i) {
            html += evidenceRow(run, finding.evidence[i], i, theme);
        }
        if (shown < finding.evidence.size()) {
            html += QStringLiteral("<p>%1</p>")
                        .arg(dim(QObject::tr("and %1 more").arg(finding.evidence.size() - shown), theme));
        }
    }
    return html;
}

QString gapHtml(const AnalysedRun& run, const GapSelection& at, const Gap& gap, const Theme& theme) {
    QString html = QStringLiteral("<p>%1</p>")
                       .arg(QObject::tr("Nothing ran on the device for %1. These are the causes, in order of time:")
                                .arg(QStringLiteral("<b>%1</b>").arg(duration(gap.span.length()))));
    html += QStringLiteral("<table cellspacing=\"0\" width=\"100%\">");
    const std::size_t shown = std::min(gap.parts.size(), kPartsShown);
    for (std::size_t i = 0; i < shown; ++i) {
        html += partRow(run, at, gap.parts[i], theme);
    }
    html += QStringLiteral("</table>");
    if (shown < gap.parts.size()) {
        html += QStringLiteral("<p>%1</p>")
                    .arg(dim(QObject::tr("and %1 shorter or later parts").arg(gap.parts.size() - shown), theme));
    }
    html += QStringLiteral("<h4>%1</h4>").arg(QObject::tr("What ended it"));
    if (!gap.releasing.valid()) {
        return html + QStringLiteral("<p>%1</p>").arg(QObject::tr("No device work follows in the trace."));
    }
    html += QStringLiteral("<p>%1<br>%2</p>")
                .arg(sliceAnchor(run, {at.run, at.rank, gap.releasing}),
                     dim(QObject::tr("the first device work after it"), theme));
    html += gap.launch.valid()
                ? QStringLiteral("<p>%1<br>%2</p>")
                      .arg(sliceAnchor(run, {at.run, at.rank, gap.launch}),
                           dim(QObject::tr("the host call that launched it"), theme))
                : QStringLiteral("<p>%1</p>").arg(dim(QObject::tr("Its launch is not in the trace."), theme));
    return html;
}

}  // namespace rankscope::ui
