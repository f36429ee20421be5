// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/diagnosis/explanation_text.h"

#include <QObject>
#include <QStringList>
#include <algorithm>

#include "core/base/format.h"
#include "ui/panels/diagnosis/finding_words.h"
#include "ui/panels/shared/rich_text.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"
#include "ui/widgets/stacked_bar.h"

namespace rankscope::ui {
namespace {

/// The style of a cell whose number stays on one line: Qt breaks inside words if a column is too narrow.
constexpr const char* kOneLine = "white-space: pre";
constexpr int kLongestPart = 64;  // letters: two lines in the narrow panel of a small window
constexpr std::size_t kPartsShown = 60;
constexpr std::size_t kEvidenceShown = 100;
constexpr std::size_t kEvidenceFirst = 3;  // shown evidence of a finding; the rest is folded
constexpr std::size_t kEvidenceOfPart = 3;
constexpr qsizetype kWholeWord = 24;  // letters: a word of this length fits on a line of a narrow panel

const QString kFold = QStringLiteral("fold:");
const QString kFoldPlaces = QStringLiteral("fold:places");
const QString kFoldFull = QStringLiteral("fold:full");
const QString kFoldConfidence = QStringLiteral("fold:confidence");
const QString kFoldDetail = QStringLiteral("fold:detail:");

QString escaped(std::string_view utf8) {
    return text(utf8).toHtmlEscaped();
}

/// A name that may be broken at the end of its words, not within one: after "::", "_", "/", "." and similar. Words of
/// up to `whole` letters are kept whole.
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

/// sliceAnchor() with long names broken at the ends of their words.
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

/// The parts of the finding in its representative step, each with its longest slice as a link.
QString exampleHtml(const AnalysedRun& run, std::uint32_t at, const Finding& finding, const Theme& theme) {
    if (!finding.example) {
        return {};
    }
    const FindingExample& example = *finding.example;
    const QString where = QObject::tr("%1, step %2: %3 in all")
                              .arg(rankName(*run.run, example.rank))
                              .arg(example.step)
                              .arg(duration(example.total_ns));
    QString html = QStringLiteral("<p style=\"margin-bottom: 2px\">%1</p>").arg(dim(where.toHtmlEscaped(), theme));
    html += QStringLiteral("<table cellspacing=\"0\" width=\"100%\" style=\"margin-bottom: 8px\">");
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

/// A link that folds and unfolds, with its sign.
QString foldLink(const QString& link, bool unfolded, const QString& title) {
    const QString sign = unfolded ? QStringLiteral("▾") : QStringLiteral("▸");
    return QStringLiteral("<a href=\"%1\">%2 %3</a>").arg(link, sign, title);
}

QString remediesHtml(const Finding& finding, const UnfoldedParts& unfolded, const Theme& theme) {
    if (finding.remedies.empty()) {
        return {};
    }
    QString html = QStringLiteral("<h4>%1</h4>").arg(QObject::tr("What to change"));
    for (std::size_t i = 0; i < finding.remedies.size(); ++i) {
        const Remedy& remedy = finding.remedies[i];
        const bool open = unfolded.details.contains(i);
        html += QStringLiteral("<p>%1").arg(escaped(remedy.action));
        if (!remedy.detail.empty()) {
            html +=
                QStringLiteral("&nbsp; ") + foldLink(kFoldDetail + QString::number(i), open, QObject::tr("details"));
            html += open ? QStringLiteral("<br>") + dim(escaped(remedy.detail), theme) : QString();
        }
        html += QStringLiteral("</p>");
    }
    return html;
}

QString placesHtml(const AnalysedRun& run, const Finding& finding, bool all, const Theme& theme) {
    QString html;
    const std::size_t count = finding.evidence.size();
    const std::size_t shown = std::min(count, all ? kEvidenceShown : kEvidenceFirst);
    for (std::size_t i = 0; i < shown; ++i) {
        html += evidenceRow(run, finding.evidence[i], i, theme);
    }
    if (count > kEvidenceFirst) {
        const QString title =
            all ? QObject::tr("fewer places")
                : plural(QObject::tr("%n more place(s)", nullptr, static_cast<int>(count - kEvidenceFirst)),
                         count - kEvidenceFirst);
        html += QStringLiteral("<p>%1").arg(foldLink(kFoldPlaces, all, title));
        html += shown < count && all
                    ? QStringLiteral("&nbsp; ") + dim(QObject::tr("and %1 more").arg(count - shown), theme)
                    : QString();
        html += QStringLiteral("</p>");
    }
    return html;
}

/// The parts of the finding, its places, the ranks that wait, and, folded, all numbers.
QString evidenceHtml(const AnalysedRun& run, std::uint32_t at, const Finding& finding, const UnfoldedParts& unfolded,
                     const Theme& theme) {
    QString html = exampleHtml(run, at, finding, theme) + placesHtml(run, finding, unfolded.places, theme);
    const QString paying = ranksName(*run.run, finding.paying_ranks);
    if (!paying.isEmpty()) {
        html += QStringLiteral("<p>%1</p>")
                    .arg(dim(QObject::tr("Ranks that wait: %1.").arg(paying).toHtmlEscaped(), theme));
    }
    if (!finding.why.empty()) {
        html += QStringLiteral("<p>%1").arg(foldLink(kFoldFull, unfolded.full, QObject::tr("In full")));
        html += (unfolded.full ? QStringLiteral("<br>") + escaped(finding.why) : QString()) + QStringLiteral("</p>");
    }
    return html.isEmpty() ? html : QStringLiteral("<h4>%1</h4>").arg(QObject::tr("Evidence")) + html;
}

QString doubtHtml(const Finding& finding, bool unfolded) {
    const QString title =
        QObject::tr("Why %1", "of a confidence: why high confidence").arg(confidenceText(finding.confidence));
    QString html = QStringLiteral("<h4>%1</h4>").arg(foldLink(kFoldConfidence, unfolded, title));
    for (const std::string& sentence : unfolded ? finding.why_confidence : std::vector<std::string>()) {
        html += QStringLiteral("<p>%1</p>").arg(escaped(sentence));
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

bool isFold(const QString& link) {
    return link.startsWith(kFold);
}

bool refold(UnfoldedParts& parts, const QString& link) {
    bool* const part = link == kFoldPlaces       ? &parts.places
                       : link == kFoldFull       ? &parts.full
                       : link == kFoldConfidence ? &parts.confidence
                                                 : nullptr;
    if (part != nullptr) {
        *part = !*part;
    } else if (link.startsWith(kFoldDetail)) {
        const std::size_t remedy = link.mid(kFoldDetail.size()).toULongLong();
        if (parts.details.erase(remedy) == 0) {
            parts.details.insert(remedy);
        }
    }
    return isFold(link);
}

QString findingHtml(const AnalysedRun& run, std::uint32_t at, const Finding& finding, const UnfoldedParts& unfolded,
                    const Theme& theme) {
    QString html = QStringLiteral("<p>%1</p>").arg(escaped(finding.summary));
    if (const QString saving = savingText(run, finding); !saving.isEmpty()) {
        const QString sentence = QObject::tr("Fixing it %1.", "of a finding: that saves so much").arg(saving);
        html += QStringLiteral("<p>%1</p>").arg(sentence.toHtmlEscaped());
    }
    QStringList about;
    if (const QString base = baseText(run); finding.saving_ns > 0 && !base.isEmpty()) {
        about << QObject::tr("Basis: %1.", "28 of 29 steps priced").arg(base);
    }
    if (finding.blocked_ns > 0) {
        about << QObject::tr("It blocks %1 per step.").arg(unbroken(duration(finding.blocked_ns)));
    }
    if (!about.isEmpty()) {
        html += QStringLiteral("<p>%1</p>").arg(dim(about.join(QLatin1Char(' ')).toHtmlEscaped(), theme));
    }
    return html + evidenceHtml(run, at, finding, unfolded, theme) + remediesHtml(finding, unfolded, theme) +
           doubtHtml(finding, unfolded.confidence);
}

QString gapHtml(const AnalysedRun& run, const GapSelection& at, const Gap& gap, const Theme& theme) {
    QString html = QStringLiteral("<p>%1</p>")
                       .arg(QObject::tr("The GPU was idle for %1. Causes, in order of time:")
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
        return html + QStringLiteral("<p>%1</p>").arg(QObject::tr("No GPU work follows in the trace."));
    }
    html += QStringLiteral("<p>%1<br>%2</p>")
                .arg(breakableAnchor(run, {at.run, at.rank, gap.releasing}),
                     dim(QObject::tr("the first GPU work after it"), theme));
    html += gap.launch.valid()
                ? QStringLiteral("<p>%1<br>%2</p>")
                      .arg(breakableAnchor(run, {at.run, at.rank, gap.launch}),
                           dim(QObject::tr("the CPU call that launched it"), theme))
                : QStringLiteral("<p>%1</p>").arg(dim(QObject::tr("Its launch is not in the trace."), theme));
    return html;
}

}  // namespace rankscope::ui
