// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/diagnosis/late_ranks.h"

#include <QObject>
#include <QStringList>
#include <algorithm>
#include <functional>

#include "core/analysis/steps/step_spread.h"
#include "core/base/format.h"
#include "core/diagnosis/prices/pricing.h"
#include "core/report/words/summary.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"

namespace rankscope::ui {
namespace {

DurationNs leastLateness(const RunFacts& facts) {
    return static_cast<DurationNs>(Pricer::kLeastShare * static_cast<double>(facts.pricedStep()));
}

/// The saving by the findings that name this rank, and not all ranks.
QString savingsOf(const AnalysedRun& run, RankPosition rank) {
    QStringList savings;
    for (const Finding& finding : run.diagnosis.findings) {
        const bool names = std::ranges::find(finding.ranks, rank) != finding.ranks.end();
        if (finding.saving_ns > 0 && names && finding.ranks.size() < run.run->ranks.size()) {
            const QString words = finding.ranks.size() > 1 ? QObject::tr("%1 (%2, with other ranks)")
                                                           : QObject::tr("%1 (%2)", "a time, a finding");
            savings.append(words.arg(unbroken(duration(finding.saving_ns)), text(finding.title)));
        }
    }
    return savings.isEmpty() ? QStringLiteral("–") : savings.join(QStringLiteral("; "));
}

}  // namespace

std::vector<LateRank> lateRanks(const RunFacts& facts) {
    std::vector<LateRank> ranks;
    const std::vector<DurationNs> medians = medianLateness(facts);
    if (medians.size() < 2) {
        return ranks;
    }
    const DurationNs least_ns = std::max(leastLateness(facts), std::ranges::max(medians) / 2 + 1);
    for (RankPosition r{0}; r < medians.size(); ++r) {
        ranks.push_back({r, medians[r], medians[r] >= least_ns});
    }
    std::ranges::stable_sort(ranks, std::greater<>(), &LateRank::late_ns);
    return ranks;
}

bool isSomebodyLate(const RunFacts& facts) {
    const DurationNs least_ns = std::max<DurationNs>(1, leastLateness(facts));
    return std::ranges::any_of(medianLateness(facts), [&](DurationNs ns) { return ns >= least_ns; });
}

QString lateRankText(const AnalysedRun& run, const LateRank& late) {
    const RankLateness& of = run.facts.stragglers.ranks[late.rank];
    const report::Table table = report::latenessTable(run, 1);
    QStringList lines = {QObject::tr("%1: %2 behind the first", "a rank, how late it is")
                             .arg(rankName(*run.run, late.rank), duration(late.late_ns))};
    const QStringList values = {duration(of.segment_ns),
                                text(formatPercent(of.over_mean)),
                                of.z_score ? withMinus(text(formatDecimal(*of.z_score, 2))) : QStringLiteral("–"),
                                QString::number(of.last_steps),
                                QObject::tr("%1 (%2)", "a time, its share")
                                    .arg(duration(of.saving_ns), text(formatPercent(of.throughput_lost))),
                                savingsOf(run, late.rank)};
    // The first column of the reports is the rank.
    for (qsizetype i = 0; i < values.size() && i + 1 < static_cast<qsizetype>(table.header.size()); ++i) {
        lines << QObject::tr("%1: %2", "a measure, its value")
                     .arg(coreText(table.header[static_cast<std::size_t>(i) + 1]), values[i]);
    }
    return lines.join(QLatin1Char('\n'));
}

}  // namespace rankscope::ui
