// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/compute/efficiency_words.h"

#include <QObject>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "core/base/format.h"
#include "core/report/tables/missing_share.h"
#include "core/report/tables/run_tables.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"

namespace rankscope::ui {
namespace {

const QString kMiddleDot = QStringLiteral("  ·  ");

/// What the sums of one rank or of all ranks cover.
struct Scope {
    const StepEfficiency* sum = nullptr;
    bool rated = false;  ///< the peaks of all multiplied types are known
    std::size_t steps = 0;
    std::size_t ranks = 0;
};

Scope scopeOf(const EfficiencyFacts& facts, std::optional<RankPosition> rank) {
    if (rank && *rank < facts.ranks.size()) {
        const RankEfficiency& one = facts.ranks[*rank];
        return {&one.counted, one.rated, one.counted_steps, 1};
    }
    Scope all{&facts.total, facts.peaks_known, 0, 0};
    for (const RankEfficiency& one : facts.ranks) {
        all.steps = std::max(all.steps, one.counted_steps);
        all.ranks += one.counted_steps > 0 ? 1 : 0;
    }
    return all;
}

/// The peak for all products, all types together: their FLOPs over the time that they would take at their peaks.
double peakOf(const StepEfficiency& sum) {
    constexpr double kTeraPerNs = 1e3;  // 1e12 a second are 1e3 a nanosecond
    const double ns = sum.useful_ns + sum.recomputed_ns;
    return ns > 0 ? (sum.model_flops + sum.recomputed_flops) / ns / kTeraPerNs : 0;
}

QString titleOf(const Scope& scope) {
    const StepEfficiency& sum = *scope.sum;
    QStringList parts;
    const QString achieved = teraflops(sum.tflops().value_or(0));
    if (!scope.rated) {
        return QObject::tr("%1 TFLOP/s, peak unknown").arg(achieved);
    }
    parts << QObject::tr("MFU %1").arg(percent(sum.mfu().value_or(0)));
    if (sum.recomputed_flops > 0) {
        parts << QObject::tr("HFU %1").arg(percent(sum.hfu().value_or(0)));
    }
    parts << QObject::tr("%1 of %2 TFLOP/s").arg(achieved, teraflops(peakOf(sum)));
    return parts.join(kMiddleDot);
}

QString aboutOf(const Scope& scope) {
    const StepEfficiency& sum = *scope.sum;
    QStringList parts;
    if (const std::optional<double> share = sum.countedShare()) {
        parts << QObject::tr("counted operators take %1 of compute").arg(percent(*share));
    }
    if (sum.tensor_ns + sum.plain_ns > 0) {
        parts << QObject::tr("%1 of that on tensor cores")
                     .arg(percent(report::shareOf(sum.tensor_ns, sum.counted_ns).value_or(0)));
    }
    const QString steps =
        plural(QObject::tr("%1 step(s)", nullptr, static_cast<int>(scope.steps)), scope.steps).arg(count(scope.steps));
    parts << steps;
    return parts.join(kMiddleDot);
}

/// The unknown peaks of the types that are multiplied.
QString unknownPeak(const EfficiencyFacts& facts, std::optional<RankPosition> of) {
    for (RankPosition rank{0}; rank < facts.ranks.size(); ++rank) {
        const RankEfficiency& one = facts.ranks[rank];
        const bool counts = one.counted.model_flops + one.counted.recomputed_flops > 0;
        if (counts && !one.rated && (!of || *of == rank)) {
            return one.device.empty() ? QObject::tr("The trace does not name its GPU, so its peak is unknown.")
                                      : QObject::tr("The peak of %1 is unknown.").arg(nameInLine(one.device));
        }
    }
    return {};
}

/// Says that the numbers of the title are lower bounds.
QString lowerBound(const Scope& scope) {
    if (!scope.rated) {
        return QObject::tr("Matrix kernels with unknown FLOPs take %1 of compute, so TFLOP/s is a lower bound.");
    }
    return scope.sum->recomputed_flops > 0
               ? QObject::tr("Matrix kernels with unknown FLOPs take %1 of compute, so MFU and HFU are lower bounds.")
               : QObject::tr("Matrix kernels with unknown FLOPs take %1 of compute, so MFU is a lower bound.");
}

QStringList missing(const EfficiencyFacts& facts, std::optional<RankPosition> rank, const Scope& scope) {
    const StepEfficiency& sum = *scope.sum;
    QStringList notes;
    const report::UntoldFlops untold = report::untoldFlops(facts, rank);
    const double share = report::shareOf(untold.kernels_ns, sum.compute_ns).value_or(0);
    if (share >= report::kMissingToldFrom) {
        notes << lowerBound(scope).arg(percent(std::min(1.0, share)));
    }
    if (untold.operators > 0) {
        notes << plural(QObject::tr("The inputs of %1 operator(s) do not give FLOPs.", nullptr,
                                    static_cast<int>(untold.operators)),
                        untold.operators)
                     .arg(count(untold.operators));
    }
    return notes;
}

/// The title for values that the user entered.
QString enteredTitle(const EnteredEfficiency& entered) {
    return entered.mfu ? QObject::tr("MFU %1 from entered FLOPs").arg(percent(*entered.mfu))
                       : QObject::tr("FLOPs entered, peak unknown");
}

QString typeAndShare(NumberType type, const std::optional<double>& of_peak) {
    return of_peak ? QObject::tr("%1, %2 of its peak").arg(text(numberTypeName(type)), percent(*of_peak))
                   : text(numberTypeName(type));
}

QString achievedWords(const std::optional<double>& tflops, const std::optional<double>& intensity) {
    const QString achieved = QObject::tr("%1 TFLOP/s").arg(tflops ? teraflops(*tflops) : QStringLiteral("-"));
    return intensity ? QObject::tr("%1 at %2 FLOPs/byte").arg(achieved, teraflops(*intensity)) : achieved;
}

QString timesWords(std::size_t calls, DurationNs time_ns) {
    return plural(QObject::tr("%1 in %2 call(s)", nullptr, static_cast<int>(calls)), calls)
        .arg(duration(time_ns), count(calls));
}

}  // namespace

QString teraflops(double tflops) {
    constexpr int kDigits = 3;
    constexpr double kWhole = 100;
    constexpr double kWrittenOut = 1e-4;  // below this a power of ten would be written
    constexpr double kLeast = 1e-9;
    if (tflops < kWrittenOut && tflops >= kLeast) {
        return QString::number(tflops, 'f', kDigits - 1 - static_cast<int>(std::floor(std::log10(tflops))));
    }
    return tflops >= kWhole ? text(formatCount(static_cast<std::uint64_t>(std::llround(tflops))))
                            : QString::number(tflops, 'g', kDigits);
}

QString roofTitle(NumberType type, double tflops) {
    return QObject::tr("%1: %2 TFLOP/s").arg(text(numberTypeName(type)), teraflops(tflops));
}

EfficiencyHead efficiencyHead(const AnalysedRun& run, std::optional<RankPosition> rank) {
    const EfficiencyFacts& facts = run.facts.efficiency;
    EfficiencyHead head;
    QStringList notes;
    if (facts.no_flops || !facts.any()) {
        const NoFlops why = facts.no_flops.value_or(NoFlops::NoLaunch);
        head.title = QObject::tr("MFU unknown");
        notes << whyNothingIsCounted(why);
        head.can_be_entered = why != NoFlops::NoDevice;
    } else {
        const Scope scope = scopeOf(facts, rank);
        const bool some = scope.sum->model_flops + scope.sum->recomputed_flops > 0;
        head.title = some ? titleOf(scope) : QObject::tr("No matrix operator is counted on this rank");
        head.about = aboutOf(scope);
        if (!scope.rated) {
            notes << unknownPeak(facts, rank);
            head.can_be_entered = true;
        }
        notes << missing(facts, rank, scope);
    }
    if (facts.entered) {
        head.title =
            facts.no_flops ? enteredTitle(*facts.entered) : head.title + kMiddleDot + enteredTitle(*facts.entered);
        head.can_be_entered = head.can_be_entered || !facts.entered->mfu || facts.entered->one_sample;
        notes << (facts.entered->one_sample ? QObject::tr("The entered FLOPs are of 1 sample: enter the batch.")
                                            : QString());
    }
    notes.removeAll(QString());
    head.notes = notes.join(QLatin1Char(' '));
    return head;
}

QString whyNothingIsCounted(NoFlops why) {
    switch (why) {
        case NoFlops::NoDevice: return QObject::tr("No GPU work was recorded. Record with ProfilerActivity.CUDA.");
        case NoFlops::NoShapes:
            return QObject::tr(
                "Matrix operators ran, but their input shapes were not recorded. Record with record_shapes=True, or "
                "enter the work of the job.");
        case NoFlops::Untold:
            return QObject::tr(
                "Matrix operators launched GPU work, but their recorded inputs do not give FLOPs. Record with "
                "record_shapes=True and with_flops=True in PyTorch 2.1 or later, or enter the work of the job.");
        case NoFlops::NoLaunch: break;
    }
    return QObject::tr(
        "No matrix operator launched GPU work: CUDA graphs, compiled code and operators of other libraries hide them. "
        "Record the job without these, or enter its work.");
}

QString productWords(const ProductRow& row) {
    QStringList lines{nameInLine(row.name)};
    if (!row.shapes.empty()) {
        lines << nameInLine(report::sizesText(row.shapes));
    }
    lines << typeAndShare(row.type, row.ofPeak());
    lines << achievedWords(row.tflops(), row.intensity());
    if (row.bound()) {
        lines << (*row.bound() == RoofBound::Compute ? QObject::tr("compute-bound") : QObject::tr("memory-bound"));
    }
    if (row.recomputed) {
        lines << QObject::tr("recomputed in backward");
    }
    lines << timesWords(row.calls, row.time_ns);
    return lines.join(QLatin1Char('\n'));
}

QString kernelWords(const ProductKernel& row, const DevicePeak* peak) {
    const std::optional<double> tflops = row.tflops();
    std::optional<double> of_peak;
    if (peak != nullptr && peak->tflops[row.type] && tflops) {
        of_peak = *tflops / peak->tflops[row.type].value();
    }
    QStringList lines{nameInLine(row.name), typeAndShare(row.type, of_peak)};
    lines << achievedWords(tflops, row.intensity());
    lines << timesWords(row.calls, row.time_ns);
    return lines.join(QLatin1Char('\n'));
}

}  // namespace rankscope::ui
