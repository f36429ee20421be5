// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/compare_text.h"

#include <QObject>
#include <QStringList>
#include <algorithm>

#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"

namespace rankscope::ui {
namespace {

/// "forward and backward of A"
QString missingOf(const std::vector<Phase>& phases, const QString& side) {
    QStringList names;
    for (const Phase phase : phases) {
        names.append(coreText(phaseName(phase)));
    }
    const QString all = names.size() == 2 ? QObject::tr("%1 and %2", "phases").arg(names[0], names[1])
                                          : names.join(QStringLiteral(", "));
    return QObject::tr("%1 of %2", "phases, a run").arg(all, side);
}

/// "forward of A, backward of B"; empty where nothing is missing.
QString missingWords(const StepPhases& phases) {
    if (phases.missing_in_a == phases.missing_in_b && !phases.missing_in_a.empty()) {
        return missingOf(phases.missing_in_a, QObject::tr("both"));
    }
    QStringList words;
    for (const bool of_b : {false, true}) {
        const std::vector<Phase>& missing = of_b ? phases.missing_in_b : phases.missing_in_a;
        if (!missing.empty()) {
            words.append(missingOf(missing, of_b ? QObject::tr("B") : QObject::tr("A")));
        }
    }
    return words.join(QStringLiteral(", "));
}

QString withIndices(const QString& words, const ComparedRuns& runs, std::size_t step) {
    const StepPair& pair = runs.steps[step];
    return words.arg(runs.a->facts.steps[pair.a].index).arg(runs.b->facts.steps[pair.b].index);
}

}  // namespace

QString stepLine(const ComparedRuns& runs, std::size_t step) {
    return withIndices(QObject::tr("Step %1 of A against step %2 of B."), runs, step);
}

QString phaseLine(const ComparedRuns& runs, std::size_t step, std::optional<Phase> phase) {
    const StepPhases& phases = runs.phases[step];
    if (phases.pairs.empty()) {
        return stepLine(runs, step) + QLatin1Char(' ') + QObject::tr("Phases unknown.");
    }
    const QString at = phase ? coreText(phaseName(*phase)) : QObject::tr("between phases");
    const QString line = withIndices(QObject::tr("Step %1 of A against step %2 of B: %3."), runs, step).arg(at);
    const QString missing = missingWords(phases);
    return missing.isEmpty() ? line : line + QLatin1Char(' ') + QObject::tr("Unknown: %1.").arg(missing);
}

QString phasesUntold(const StepPhases& phases) {
    QStringList reasons;
    for (const Phase phase : {Phase::Forward, Phase::Backward, Phase::Optimizer}) {
        const auto lacks = [phase](const std::vector<Phase>& missing) {
            return std::ranges::find(missing, phase) != missing.end();
        };
        if (lacks(phases.missing_in_a) || lacks(phases.missing_in_b)) {
            reasons.append(coreText(phaseUnknownReason(phase)));
        }
    }
    return reasons.join(QLatin1Char('\n'));
}

}  // namespace rankscope::ui
