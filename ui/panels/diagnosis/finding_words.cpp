// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/diagnosis/finding_words.h"

#include <QObject>
#include <QStringList>

#include "core/base/format.h"
#include "core/report/words/summary.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"

namespace rankscope::ui {
namespace {

const QString kBetweenFacts = QStringLiteral("  ·  ");

}  // namespace

QString savingNumber(const Finding& finding) {
    if (finding.saving_ns <= 0) {
        return QObject::tr("no price");
    }
    const QString words = finding.at_most ? QObject::tr("up to %1 (%2)", "a time, its share")
                                          : QObject::tr("%1 (%2)", "a time, its share");
    return words.arg(unbroken(duration(finding.saving_ns)), unbroken(text(formatPercent(finding.share))));
}

QString savingRange(const AnalysedRun& run, const Finding& finding) {
    if (finding.saving_ns <= 0 || !isToldAsRange(finding, run.facts.pricedStep())) {
        return {};
    }
    const QString high = duration(finding.range->high_ns);
    if (finding.range->low_ns <= 0) {
        return QObject::tr("95 %: 0 to %1", "what a finding saves").arg(unbroken(high));
    }
    const QString low = duration(finding.range->low_ns);
    const qsizetype unit = low.lastIndexOf(QLatin1Char(' '));
    const bool same = unit >= 0 && high.endsWith(low.mid(unit));
    return QObject::tr("95 %: %1 to %2", "what a finding saves")
        .arg(unbroken(same ? low.left(unit) : low), unbroken(high));
}

QString savingText(const AnalysedRun& run, const Finding& finding) {
    if (finding.saving_ns <= 0) {
        return {};  // it is about the traces, not about time
    }
    const DurationNs step = run.facts.pricedStep();
    const QString saving = unbroken(duration(finding.saving_ns));
    if (step <= 0) {
        return QObject::tr("saves %1 per step").arg(saving);
    }
    const QString range = savingRange(run, finding);
    const QString words = !range.isEmpty()  ? QObject::tr("saves about %1 of %2 per step: %3")
                          : finding.at_most ? QObject::tr("saves up to %1 of %2 per step (%3)")
                                            : QObject::tr("saves %1 of %2 per step (%3)");
    const QString saves = words.arg(saving, unbroken(duration(step)), unbroken(text(formatPercent(finding.share))));
    return range.isEmpty() ? saves : QObject::tr("%1 (%2)", "what a finding saves, its range").arg(saves, range);
}

QString placeAndChange(const AnalysedRun& run, const Finding& finding) {
    const bool only_one = run.run->ranks.size() == 1;
    QStringList parts = {only_one ? QString() : ranksName(*run.run, finding.ranks)};
    if (!finding.remedies.empty()) {
        parts << text(finding.remedies.front().brief);
    }
    parts << unbroken(savingRange(run, finding));
    parts.removeAll(QString());
    return parts.join(kBetweenFacts);
}

QString blockedAndConfidence(const AnalysedRun& run, const Finding& finding) {
    QStringList parts;
    if (finding.blocked_ns > 0) {
        parts << QObject::tr("blocks %1").arg(unbroken(duration(finding.blocked_ns)));
    }
    if (finding.coverage.steps > 0 && finding.coverage != run.diagnosis.prices) {
        parts << QObject::tr("of %1").arg(coreText(report::coverageText(*run.run, finding.coverage)));
    }
    parts << confidenceText(finding.confidence);
    return parts.join(kBetweenFacts);
}

QString severityText(Severity severity) {
    switch (severity) {
        case Severity::High: return QObject::tr("high severity");
        case Severity::Medium: return QObject::tr("medium severity");
        case Severity::Low: return QObject::tr("low severity");
    }
    return {};
}

QColor severityColour(Severity severity, const Theme& theme) {
    switch (severity) {
        case Severity::High: return theme.severity_high;
        case Severity::Medium: return theme.severity_medium;
        case Severity::Low: return theme.severity_low;
    }
    return theme.severity_low;
}

}  // namespace rankscope::ui
