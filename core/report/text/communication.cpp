// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/text/communication.h"

#include <cstddef>

#include "core/report/model/bucket_tables.h"
#include "core/report/model/communication.h"
#include "core/report/model/rank_statistics.h"
#include "core/report/text/lines.h"

namespace rankscope::report {
namespace {

constexpr std::size_t kTextFits = 8;
constexpr std::size_t kTextRanks = 16;

}  // namespace

std::string communicationText(const AnalysedRun& run) {
    std::string out;
    if (const Table fits = fitTable(run, kTextFits); !fits.rows.empty()) {
        out += "\nHow fast ranks communicate\n" + tableText(fits, kIndent) + line(fitNote()) +
               lines(fitLines(run, kTextFits));
    } else if (!run.facts.collectives.collectives.empty()) {
        out += "\nHow fast ranks communicate\n" + line(noFitText(run));
    }
    if (const Table overlap = overlapByRank(run, kTextRanks); !overlap.rows.empty()) {
        out +=
            "\nHow much communication is hidden\n" + tableText(overlap, kIndent) + line(overlapNote(run, kTextRanks));
    }
    return out;
}

std::string bucketsText(const AnalysedRun& run) {
    if (!run.diagnosis.buckets) {
        return {};
    }
    const std::string out = "\nGradient buckets\n" + lines(bucketLines(run));
    const Table caps = bucketCaps(run);
    return caps.rows.empty() ? out : out + tableText(caps, kIndent) + line(bucketNote());
}

std::string rankStatisticsSection(const AnalysedRun& run) {
    const Table table = rankStatisticsText(run);
    return table.rows.empty()
               ? std::string()
               : "\nStatistics over the ranks\n" + tableText(table, kIndent) + line(rankStatisticsNote());
}

}  // namespace rankscope::report
