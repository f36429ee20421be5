// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/whatif/forecast_text.h"

#include <QObject>
#include <QStringList>
#include <string_view>

#include "ui/panels/shared/words.h"
#include "ui/panels/whatif/tornado_chart.h"
#include "ui/theme/core_text.h"

namespace rankscope::ui {
namespace {

QString boundWords(ForecastBound bound) {
    switch (bound) {
        case ForecastBound::Compute: return QObject::tr("then bound by compute");
        case ForecastBound::Communication: return QObject::tr("then bound by communication");
        case ForecastBound::Copies: return QObject::tr("then bound by copies");
        case ForecastBound::Idle: break;
    }
    return QObject::tr("then the GPU is idle most of the time");
}

QString foldLink(const QString& to, const QString& words, bool unfolded, const Theme& theme) {
    const QString sign = unfolded ? QStringLiteral("▾") : QStringLiteral("▸");
    return labelLink(QStringLiteral("fold:") + to,
                     QStringLiteral("%1 %2").arg(words, sign).replace(QLatin1Char(' '), QChar::Nbsp), theme);
}

/// "link:x2: The fitted latency stays."
QString lineHtml(const QString& what, const QString& words, const Theme& theme) {
    return QStringLiteral("<br>%1&nbsp; %2").arg(dim(what.toHtmlEscaped(), theme), printed(words).toHtmlEscaped());
}

/// A sentence about each change; those without one have none.
QString sentencesHtml(const Forecast& forecast, std::string_view WhatIfKind::*sentence, const Theme& theme) {
    QString html;
    for (const WhatIfChange& change : forecast.changes) {
        if (const std::string_view words = change.kind->*sentence; !words.empty()) {
            html += lineHtml(text(change.text), coreText(words), theme);
        }
    }
    return html;
}

QString costsHtml(const Forecast& forecast, const Theme& theme) {
    QString html;
    for (const ChangeCost& cost : forecast.costs) {
        html += lineHtml(
            text(cost.change),
            QObject::tr("%1 per step (%2 to %3)", "what a change costs")
                .arg(duration(cost.added.likely_ns), duration(cost.added.low_ns), duration(cost.added.high_ns)),
            theme);
    }
    for (const std::string& note : forecast.notes) {
        html += lineHtml({}, coreText(note), theme);
    }
    return html;
}

}  // namespace

QString forecastTitle(const Forecast& forecast) {
    const QString today = duration(forecast.step_ns);
    return forecast.changes.empty() ? QObject::tr("%1 per step", "a time").arg(today)
                                    : QObject::tr("%1 → %2 per step", "a time today, its forecast")
                                          .arg(today, duration(forecast.forecast_ns));
}

QString forecastAbout(const Forecast& forecast) {
    if (forecast.changes.empty()) {
        return QObject::tr("no change is on");
    }
    const QStringList about = {
        savedWords(singleChange({}, {}, forecast)),
        QObject::tr("90 %: %1 to %2", "a range").arg(duration(forecast.low_ns), duration(forecast.high_ns)),
        boundWords(forecast.nextBound())};
    return about.join(QStringLiteral("  ·  "));
}

QString forecastDetailsHtml(const Forecast& forecast, const std::set<ForecastDetail>& unfolded, const Theme& theme) {
    struct Part {
        ForecastDetail detail;
        QString title;
        QString html;
    };
    const std::vector<Part> parts = {
        {ForecastDetail::Assumes, QObject::tr("Assumed"), sentencesHtml(forecast, &WhatIfKind::assumes, theme)},
        {ForecastDetail::LeavesOut, QObject::tr("Left out"), sentencesHtml(forecast, &WhatIfKind::leaves_out, theme)},
        {ForecastDetail::Costs, QObject::tr("Costs and notes"), costsHtml(forecast, theme)}};
    QStringList links;
    QString below;
    for (const Part& part : parts) {
        if (!part.html.isEmpty()) {
            const bool open = unfolded.contains(part.detail);
            links << foldLink(QString::number(static_cast<int>(part.detail)), part.title, open, theme);
            below += open ? QStringLiteral("<br><b>%1</b>").arg(part.title.toHtmlEscaped()) + part.html : QString();
        }
    }
    return links.join(QStringLiteral("&nbsp;&nbsp;&nbsp; ")) + below;
}

QString refusedHtml(const std::vector<RefusedOffer>& refused, bool unfolded, const Theme& theme) {
    if (refused.empty()) {
        return {};
    }
    QString html = foldLink(QStringLiteral("refused"),
                            QObject::tr("Changes that this run cannot tell: %1").arg(refused.size()), unfolded, theme);
    for (const RefusedOffer& change : refused) {
        html += unfolded ? lineHtml(change.title, change.reason, theme) : QString();
    }
    return html;
}

}  // namespace rankscope::ui
