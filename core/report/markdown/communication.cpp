// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/markdown/communication.h"

#include <cstddef>

#include "core/report/model/bucket_tables.h"
#include "core/report/model/communication.h"
#include "core/report/model/rank_statistics.h"

namespace rankscope::report {
namespace {

constexpr std::size_t kMarkdownFits = 8;
constexpr std::size_t kMarkdownRanks = 16;

std::string linesMarkdown(const std::vector<std::string>& lines) {
    std::string out;
    for (const std::string& line : lines) {
        out += "- " + markdownText(line) + "\n";
    }
    return out + "\n";
}

std::string fitsMarkdown(const AnalysedRun& run, const Table& table) {
    return tableMarkdown(table) + "\n" + markdownText(fitNote()) + "\n\n" + linesMarkdown(fitLines(run, kMarkdownFits));
}

std::string withNote(const Table& table, const std::string& note) {
    return tableMarkdown(table) + "\n" + markdownText(note) + "\n\n";
}

}  // namespace

std::vector<MarkdownPart> communicationMarkdown(const AnalysedRun& run) {
    std::vector<MarkdownPart> parts;
    if (const Table fits = fitTable(run, kMarkdownFits); !fits.rows.empty()) {
        parts.push_back({"How fast ranks communicate", fitsMarkdown(run, fits)});
    } else if (!run.facts.collectives.collectives.empty()) {
        parts.push_back({"How fast ranks communicate", markdownText(noFitText(run)) + "\n\n"});
    }
    if (const Table overlap = overlapByRank(run, kMarkdownRanks); !overlap.rows.empty()) {
        parts.push_back({"How much communication is hidden", withNote(overlap, overlapNote(run, kMarkdownRanks))});
    }
    if (run.diagnosis.buckets) {
        const Table caps = bucketCaps(run);
        parts.push_back({"Gradient buckets",
                         linesMarkdown(bucketLines(run)) + (caps.rows.empty() ? "" : withNote(caps, bucketNote()))});
    }
    if (const Table statistics = rankStatisticsText(run); !statistics.rows.empty()) {
        parts.push_back({"Statistics over the ranks", withNote(statistics, rankStatisticsNote())});
    }
    return parts;
}

}  // namespace rankscope::report
