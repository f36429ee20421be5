// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/explanation_text.h"

#include <QObject>
#include <QStringList>
#include <algorithm>

#include "core/base/format.h"
#include "ui/panels/rich_text.h"
#include "ui/panels/stacked_bar.h"
#include "ui/panels/words.h"
#include "ui/theme/core_text.h"

namespace rankscope::ui {
namespace {

/// The style of a cell whose number stays on one line: Qt breaks within words where a column is too narrow for them.
constexpr const char* kOneLine = "white-space: pre";
constexpr int kLongestPart = 64;  // letters: two lines, where the panel is as narrow as in a small window
constexpr std::size_t kPartsShown = 60;
constexpr std::size_t kEvidenceShown = 100;
constexpr std::size_t kEvidenceOfPart = 3;
constexpr qsizetype kWholeWord = 24;  // letters: so long a word has room in a line of a narrow panel

QString escaped(std::string_view utf8) {
    return text(utf8).toHtmlEscaped();
}

/// A name that may be broken where its words end, and so not within one: behind "::", "_", "/", "." and their like.
/// Words of up to `whole` letters stay as they are.
QString breakable(const QString& name, qsizetype whole = 0) {
    static const QString ends_of_words = QStringLiteral("_.:#/(");
    QStringList words = name.split(QLatin1Char(' '));
    for (QString& word : words) {
        QString broken;
        for (qsizetype i = 0; i < word.size(); ++i) {
            broken += word[i];
            const bool ends = ends_of_words.contains(word[i]) && i + 1 < word.size() && word[i + 1] != word[i];
            const bool in_number = ends && word[i] == QLatin1Char('.') && word[i + 1].isDigit();
            if (ends && !in_number) {
                broken += QChar(RichText::kMayBreak);
            }
        }
        word = word.size() > whole ? broken : word;
    }
    return words.join(QLatin1Char(' '));
}

/// sliceAnchor() whose long names are broken where their words end.
QString breakableAnchor(const AnalysedRun& run, const SliceSelection& slice, int longest = kLongestName) {
    return exists(run, slice.rank, slice.slice)
               ? QStringLiteral("<a href=\"%1\">%2</a>")
                     .arg(sliceLink(slice),
                          breakable(nameInLine(run.run->ranks[slice.rank]->name(slice.slice), longest), kWholeWord)
                              .toHtmlEscaped())
               : sliceAnchor(run, slice, longest);
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
        about.append(coreText(evidence.note).toHtmlEscaped());
    }
    return QStringLiteral("<p><a href=\"evidence:%1\">%2</a><br>%3</p>")
        .arg(index)
        .arg(breakable(name, kWholeWord).toHtmlEscaped(), dim(about.join(QStringLiteral("  ·  ")), theme));
}

/// What the finding is made of in the step that stands for all, each with its longest slice as a link.
QString exampleHtml(const AnalysedRun& run, std::uint32_t at, const Finding& finding, const Theme& theme) {
    if (!finding.example) {
        return {};
    }
    const FindingExample& example = *finding.example;
    const QString where = QObject::tr("%1, step %2: %3 in all")
                              .arg(rankName(*run.run, example.rank))
                              .arg(example.step)
                              .arg(duration(example.total_ns));
    QString html = QStringLiteral("<h4>%1</h4><p>%2</p>")
                       .arg(QObject::tr("What it is made of"), dim(where.toHtmlEscaped(), theme));
    html += QStringLiteral("<table cellspacing=\"0\" width=\"100%\">");
    for (const FindingPart& part : example.parts) {
        const QString what = breakable(nameInLine(coreText(part.what).toStdString(), kLongestPart)).toHtmlEscaped();
        const bool there = part.slice.valid() && exists(run, example.rank, part.slice);
        const QString link = sliceLink({at, example.rank, part.slice});
        const double share = static_cast<double>(part.time_ns) / static_cast<double>(example.total_ns);
        html += QStringLiteral(
                    "<tr><td width=\"62%\">%1</td><td width=\"21%\" align=\"right\" style=\"%4\">%2</td>"
                    "<td width=\"17%\" align=\"right\" style=\"%4\">%3</td></tr>")
                    .arg(there ? QStringLiteral("<a href=\"%1\">%2</a>").arg(link, what) : dim(what, theme),
                         unbroken(duration(part.time_ns)), dim(unbroken(text(formatPercent(share))), theme),
                         QLatin1String(kOneLine));
    }
    return html + QStringLiteral("</table>");
}

QString remediesHtml(const Finding& finding, const Theme& theme) {
    if (finding.remedies.empty()) {
        return {};
    }
    QString html = QStringLiteral("<h4>%1</h4>").arg(QObject::tr("What to change"));
    for (const Remedy& remedy : finding.remedies) {
        html += QStringLiteral("<p><b>%1</b>").arg(escaped(remedy.action));
        if (!remedy.detail.empty()) {
            html += QStringLiteral("<br>") + dim(escaped(remedy.detail), theme);
        }
        html += QStringLiteral("</p>");
    }
    return html;
}

QString evidenceHtml(const AnalysedRun& run, const Finding& finding, const Theme& theme) {
    if (finding.evidence.empty()) {
        return {};
    }
    QString html = QStringLiteral("<h4>%1</h4>").arg(QObject::tr("Evidence"));
    const std::size_t shown = std::min(finding.evidence.size(), kEvidenceShown);
    for (std::size_t i = 0; i < shown; ++i) {
        html += evidenceRow(run, finding.evidence[i], i, theme);
    }
    if (shown < finding.evidence.size()) {
        html += QStringLiteral("<p>%1</p>")
                    .arg(dim(QObject::tr("and %1 more").arg(finding.evidence.size() - shown), theme));
    }
    return html;
}

/// A heading that folds and unfolds what stands below it.
QString foldedHtml(const char* link, const QString& title, bool unfolded, const std::vector<std::string>& paragraphs) {
    const QString sign = unfolded ? QStringLiteral("▾") : QStringLiteral("▸");
    QString html = QStringLiteral("<h4><a href=\"%1\">%2 %3</a></h4>").arg(QLatin1String(link), sign, title);
    for (const std::string& paragraph : unfolded ? paragraphs : std::vector<std::string>()) {
        html += QStringLiteral("<p>%1</p>").arg(escaped(paragraph));
    }
    return html;
}

QString partRow(const AnalysedRun& run, const GapSelection& at, const GapPart& part, const Theme& theme) {
    QStringList proofs;
    for (const SliceRef slice : part.evidence) {
        if (static_cast<std::size_t>(proofs.size()) == kEvidenceOfPart) {
            proofs.append(dim(QObject::tr("and %1 more").arg(part.evidence.size() - kEvidenceOfPart), theme));
            break;
        }
        proofs.append(breakableAnchor(run, {at.run, at.rank, slice}, 48));
    }
    QString what = QStringLiteral("<b>%1</b>").arg(coreText(causeTitle(part.cause)).toHtmlEscaped());
    const bool names_itself = std::ranges::any_of(part.evidence, [&](SliceRef slice) {
        return exists(run, at.rank, slice) && run.run->ranks[at.rank]->name(slice) == part.label;
    });
    if (!part.label.empty() && !names_itself) {
        what += QStringLiteral("<br>") + breakable(text(part.label), kWholeWord).toHtmlEscaped();
    }
    if (!proofs.isEmpty()) {
        what += QStringLiteral("<br>") + proofs.join(dim(QStringLiteral("  ·  "), theme));
    }
    return QStringLiteral(
               "<tr><td width=\"5%\"><span style=\"color:%1\">■</span></td><td width=\"72%\">%2</td>"
               "<td width=\"23%\" align=\"right\" style=\"%4\">%3</td></tr>")
        .arg(causeColour(part.cause, theme).name(), what, unbroken(duration(part.span.length())),
             QLatin1String(kOneLine));
}

}  // namespace

QString findingHtml(const AnalysedRun& run, std::uint32_t at, const Finding& finding, const UnfoldedParts& unfolded,
                    const Theme& theme) {
    QString html = QStringLiteral("<p>%1</p>").arg(escaped(finding.summary));
    if (const QString saving = savingText(run, finding); !saving.isEmpty()) {
        const QString sentence = QObject::tr("It %1.", "of a finding: it saves so much").arg(saving);
        html += QStringLiteral("<p>%1</p>").arg(sentence.toHtmlEscaped());
    }
    if (const QString base = baseText(run); finding.saving_ns > 0 && !base.isEmpty()) {
        const QString steps = QObject::tr("The %1 step is %2.", "a median step: of which steps")
                                  .arg(coreText(stepBasisName(run.facts.basis)), base);
        html += QStringLiteral("<p>%1</p>").arg(dim(steps.toHtmlEscaped(), theme));
    }
    html += exampleHtml(run, at, finding, theme);
    html += remediesHtml(finding, theme);
    const QString paying = ranksName(*run.run, finding.paying_ranks);
    if (!paying.isEmpty()) {
        html += QStringLiteral("<p>%1</p>")
                    .arg(dim(QObject::tr("Who waits for it: %1.").arg(paying).toHtmlEscaped(), theme));
    }
    html += evidenceHtml(run, finding, theme);
    html += foldedHtml(
        kFoldConfidence,
        QObject::tr("Why %1", "of a confidence: why high confidence").arg(confidenceText(finding.confidence)),
        unfolded.confidence, finding.why_confidence);
    html += foldedHtml(kFoldFull, QObject::tr("In full"), unfolded.full, {finding.why});
    return html;
}

QString gapHtml(const AnalysedRun& run, const GapSelection& at, const Gap& gap, const Theme& theme) {
    QString html =
        QStringLiteral("<p>%1</p>")
            .arg(QObject::tr("Nothing ran on the device for %1. These are the causes, in the order in which they came:")
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
                .arg(breakableAnchor(run, {at.run, at.rank, gap.releasing}),
                     dim(QObject::tr("the first device work after it"), theme));
    html += gap.launch.valid()
                ? QStringLiteral("<p>%1<br>%2</p>")
                      .arg(breakableAnchor(run, {at.run, at.rank, gap.launch}),
                           dim(QObject::tr("the host call that launched it"), theme))
                : QStringLiteral("<p>%1</p>").arg(dim(QObject::tr("Its launch is not in the trace."), theme));
    return html;
}

}  // namespace rankscope::ui
