// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/diagnosis/verdict_text.h"

#include <QFontMetrics>
#include <QObject>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "core/analysis/verdict_words.h"
#include "core/base/format.h"
#include "core/report/words/summary.h"
#include "ui/panels/diagnosis/late_ranks.h"
#include "ui/panels/shared/step_chart.h"
#include "ui/panels/shared/words.h"
#include "ui/panels/whatif/offered_changes.h"
#include "ui/theme/core_text.h"
#include "ui/theme/swatches.h"

namespace rankscope::ui {
namespace {

constexpr double kLeastShown = 0.005;  // a smaller share is less than a pixel of the bar
constexpr double kLeastNamed = 0.01;   // a smaller share is named only in the bar's tip
constexpr double kTitleSize = 1.25;    // size of the headline, as a multiple of the text

QString chartLink(StepChart chart, const QString& words, const Theme& theme) {
    return labelLink(QStringLiteral("chart:%1").arg(static_cast<int>(chart)), words, theme);
}

/// The words of a title and the text after it.
QString titleHtml(const QString& title, const QString& rest) {
    return QStringLiteral("<b>%1</b>&nbsp; %2").arg(title.toHtmlEscaped(), rest);
}

/// Compute first, then the causes of waiting, the largest first; none that the bar cannot show.
std::vector<NamedShare> shownShares(const Verdict& verdict) {
    std::vector<NamedShare> shown;
    if (verdict.shares) {
        const auto all = namedShares(*verdict.shares);
        std::ranges::copy_if(all, std::back_inserter(shown),
                             [](const NamedShare& s) { return s.share >= kLeastShown; });
        const auto waits = std::ranges::find_if(shown, [](const NamedShare& s) { return s.name != "compute"; });
        std::ranges::stable_sort(waits, shown.end(), std::ranges::greater(), &NamedShare::share);
    }
    return shown;
}

QColor colourOf(const NamedShare& share, const Theme& theme) {
    if (share.name == "compute") {
        return colourOf(Swatch::Compute, theme);
    }
    if (share.name == "communication") {
        return colourOf(Swatch::Communication, theme);
    }
    if (share.name == "unsplit") {
        return colourOf(Swatch::Unsplit, theme);
    }
    return causeColour(share.name == "input"     ? Cause::DataLoader
                       : share.name == "launch"  ? Cause::Launch
                       : share.name == "stall"   ? Cause::HostStall
                       : share.name == "rest"    ? Cause::Queued
                       : share.name == "warm_up" ? Cause::WarmUp
                                                 : Cause::Unrecorded,
                       theme);
}

QString wholePercent(double share) {
    return text(formatPercent(share));
}

/// A share in a word or two, as on a terminal; the bar shows its full name.
QString shortTitle(const NamedShare& share) {
    return share.name == "compute"         ? QObject::tr("compute")
           : share.name == "communication" ? QObject::tr("comm")
           : share.name == "input"         ? QObject::tr("input")
           : share.name == "launch"        ? QObject::tr("launch")
           : share.name == "stall"         ? QObject::tr("stalls")
           : share.name == "rest"          ? QObject::tr("queued")
           : share.name == "warm_up"       ? QObject::tr("warm-up")
           : share.name == "unsplit"       ? QObject::tr("comm or wait")
                                           : QObject::tr("unknown");
}

}  // namespace

QString verdictHeadHtml(const AnalysedRun& run, bool unfolded, const Theme& theme) {
    const Headline& headline = run.diagnosis.headline;
    const QString why = (unfolded ? QObject::tr("why ▾") : QObject::tr("why ▸")).replace(QLatin1Char(' '), QChar::Nbsp);
    return QStringLiteral("<b style=\"font-size:%1pt\">%2</b><br>%3&nbsp; %4")
        .arg(theme.ui_font.pointSizeF() * kTitleSize)
        .arg(coreText(headline.title).toUpper().toHtmlEscaped(), printed(coreText(headline.text)).toHtmlEscaped(),
             labelLink(QStringLiteral("fold:reason"), why, theme));
}

QString verdictReasonHtml(const AnalysedRun& run, const Theme& theme) {
    const Verdict& verdict = run.facts.verdict;
    QStringList sentences;
    if (verdict.bound && verdict.shares) {
        sentences << QObject::tr("Shares are of the step's critical path.");
        if (run.run->ranks.size() > 1) {
            sentences << QObject::tr(
                "Where a rank waits for another, what the other does counts instead. Shares are the mean over the "
                "paths "
                "of all ranks.");
        }
    }
    if (const std::string reason = verdictReason(verdict); reason != run.diagnosis.headline.text) {
        sentences << coreText(reason);
    }
    sentences << coreText(besidePathText(run.facts));
    sentences.removeAll(QString());
    QString html = sentences.join(QLatin1Char(' ')).toHtmlEscaped();
    if (const Coverage& coverage = verdict.coverage; coverage.steps > 0) {
        const QString of =
            QObject::tr("Based on %1", "a coverage").arg(coreText(report::coverageText(*run.run, coverage)));
        html = chartLink(StepChart::Lengths, of, theme) + (html.isEmpty() ? QString() : QStringLiteral("<br>")) + html;
    }
    return html;
}

std::vector<BarPart> verdictParts(const Verdict& verdict, const Theme& theme) {
    constexpr double kWhole = 1'000'000;  // a bar has whole numbers
    std::vector<BarPart> parts;
    for (const NamedShare& share : shownShares(verdict)) {
        parts.push_back(
            {static_cast<DurationNs>(std::llround(share.share * kWhole)), colourOf(share, theme),
             QObject::tr("%1 %2", "a part of a step, its share").arg(coreText(share.title), wholePercent(share.share)),
             share.name != "compute" && share.name != "communication"});
    }
    return parts;
}

QString verdictLegendHtml(const Verdict& verdict, int width, const Theme& theme) {
    const QFontMetrics metrics(theme.ui_font);
    QStringList parts;
    for (const NamedShare& share : shownShares(verdict)) {
        if (share.share < kLeastNamed) {
            continue;
        }
        const QString title = shortTitle(share);
        const bool fits =
            metrics.horizontalAdvance(QStringLiteral("■ %1 %2").arg(title, wholePercent(share.share))) < width;
        parts.append(QStringLiteral("<span style=\"color:%1\">■</span>&nbsp;%2&nbsp;%3")
                         .arg(colourOf(share, theme).name(), (fits ? unbroken(title) : title).toHtmlEscaped(),
                              chartLink(StepChart::Path, unbroken(wholePercent(share.share)), theme)));
    }
    return parts.join(QStringLiteral("&nbsp;&nbsp; "));
}

QString whatIfHtml(const AnalysedRun& run, const Theme& theme) {
    if (run.facts.pricedStep() <= 0 || run.facts.steps.empty()) {
        return {};
    }
    const auto link = [&theme](const std::string& change, const QString& words) {
        return labelLink(QStringLiteral("what-if:") + text(change), words, theme);
    };
    QStringList links;
    for (const OfferedChange& change : changesFor(run)) {
        links << link(change.typical(), change.typicalTitle());
    }
    links << link({}, unbroken(QObject::tr("other changes")));
    return titleHtml(QObject::tr("What if"), links.join(QStringLiteral(" · ")));
}

QString phasesTitleHtml(bool of_device, bool overlap, const Theme& theme) {
    const QString time = of_device ? QObject::tr("GPU time, median rank") : QObject::tr("CPU time, median rank");
    const QString of = overlap ? QObject::tr("%1 · they overlap", "a time of phases").arg(time) : time;
    return titleHtml(QObject::tr("Phases"), dim(of.toHtmlEscaped(), theme));
}

QString latenessTitleHtml(const AnalysedRun& run, const Theme& theme) {
    const bool somebody = isSomebodyLate(run.facts);
    const QString of = somebody ? QObject::tr("per step, behind the first") : QObject::tr("none by 1 % of a step");
    return titleHtml(QObject::tr("Late ranks"), dim(printed(of).toHtmlEscaped(), theme) + QStringLiteral("&nbsp; ") +
                                                    chartLink(StepChart::Lateness, QObject::tr("chart"), theme));
}

}  // namespace rankscope::ui
