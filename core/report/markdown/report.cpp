// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/blocks/parts.h"

#include <fmt/format.h>
#include <algorithm>

#include "core/base/format.h"
#include "core/report/markdown/printer.h"
#include "core/report/tables/chosen_steps.h"
#include "core/report/version.h"
#include "core/report/words/comparison_outline.h"
#include "core/report/words/outline.h"
#include "core/report/words/snapshot_summary.h"
#include "core/report/words/summary.h"
#include "core/report/words/vocabulary.h"

namespace rankscope {
namespace {

using namespace report;

constexpr std::size_t kEvidenceShown = 5;

std::string bullet(const std::string& markdown) {
    return "- " + markdown + "\n";
}

std::string evidenceMarkdown(const AnalysedRun& run, const Evidence& evidence) {
    std::string out = markdownText(evidencePlace(run, evidence));
    if (!evidence.note.empty()) {
        out += ": " + markdownText(evidence.note);
    }
    if (!evidence.slice.valid()) {
        return out;
    }
    const RankTrace& rank = *run.run->ranks[evidence.rank];
    return markdownCode(shortName(rank.name(evidence.slice))) + ", " + out;
}

/// The price of a finding, why, what to do, and its evidence.
std::string findingBody(const AnalysedRun& run, const Finding& finding) {
    std::string out =
        "`" + std::string(findingName(finding.id)) + "`: " + paragraphMarkdown(findingPrice(run, finding) + ".");
    out += paragraphMarkdown(finding.summary) + paragraphMarkdown(finding.why);
    if (!finding.remedies.empty()) {
        out += "What to do:\n\n";
        for (const Remedy& remedy : finding.remedies) {
            out += bullet("**" + markdownText(remedy.action) + "** " + markdownText(remedy.detail));
        }
        out += "\n";
    }
    out += "Why the confidence is " + std::string(confidenceName(finding.confidence)) + ":\n\n" +
           markdownBullets(finding.why_confidence);
    if (!finding.evidence.empty()) {
        out += "Evidence:\n\n";
        const std::size_t shown = std::min(kEvidenceShown, finding.evidence.size());
        for (std::size_t i = 0; i < shown; ++i) {
            out += bullet(evidenceMarkdown(run, finding.evidence[i]));
        }
        if (shown < finding.evidence.size()) {
            out += bullet("and " + formatCounted(finding.evidence.size() - shown, "more place"));
        }
        out += "\n";
    }
    return out;
}

/// What a reader must see without unfolding anything: a line per finding.
Table findingLines(const RunOutline& outline) {
    Table table;
    table.header = {"#", "saves per step", "what", "where", "do"};
    table.left_columns = 5;
    for (const OutlineRow& row : outline.rows) {
        table.rows.push_back(
            {std::to_string(row.number),
             row.saves + (row.range.empty() ? "" : ", 95 %: " + row.range) + (row.is_quick ? ", quick win" : ""),
             row.what, row.where, row.change});
    }
    return table;
}

/// The same screen as on a terminal.
std::string outlineMarkdown(const RunOutline& outline) {
    std::string shares;
    for (const OutlineShare& share : outline.shares) {
        shares += fmt::format("{}{} {}", shares.empty() ? "" : ", ", share.title, formatPercent(share.share));
    }
    std::string out = "# " + paragraphMarkdown(outline.name) + paragraphMarkdown(outline.size + ".") + "**" +
                      markdownText(outline.headline.title) + ".** " + paragraphMarkdown(outline.headline.text);
    out += shares.empty() ? shares : paragraphMarkdown("The step: " + shares + ".");
    out += outline.rows.empty() ? paragraphMarkdown(outline.no_rows) : tableMarkdown(findingLines(outline)) + "\n";
    std::vector<std::string> rest;
    if (!outline.health.empty()) {
        rest.push_back("Files: " + outline.health.front());
    }
    if (!outline.unknown.empty()) {
        rest.push_back("Cannot tell: " + outline.unknown.front());
    }
    if (!outline.coverage.empty()) {
        rest.push_back("Prices: " + outline.coverage);
    }
    return out + markdownBullets(rest);
}

/// If several runs are compared with one: a line per run.
std::string comparisonsMarkdown(const ReportInput& input) {
    if (input.comparisons.size() < 2) {
        return {};
    }
    const auto titles = comparedRunTitles(input.runs[input.comparisons.front().a]->run->name);
    Table table{{titles.begin(), titles.end()}, {}, titles.size()};
    for (const ComparedRuns& compared : input.comparisons) {
        const ComparisonOutline outline =
            outlineOf({*input.runs[compared.a], *input.runs[compared.b], *compared.comparison}, 2);
        table.rows.push_back({outline.b, outline.b_step, outline.change, outline.reason});
    }
    return tableMarkdown(table) + "\n";
}

std::string findingsMarkdown(const AnalysedRun& run) {
    std::string out;
    std::size_t number = 0;
    for (const Finding& finding : run.diagnosis.findings) {
        out += foldedMarkdown(fmt::format("{}. {}: why, and what to do", ++number, finding.title),
                              findingBody(run, finding));
    }
    return out;
}

/// The outcome is not folded, on a screen or less; the rest is folded.
std::string runMarkdown(const AnalysedRun& run, const Validation& validation) {
    std::string out = outlineMarkdown(outlineOf(run)) + markdownBullets(chosenStepsLines(*run.run));
    out += findingsMarkdown(run);
    const Check check = checkOf(run);
    const std::string coverage = coverageLine(run);
    out += foldedMarkdown("The verdict in full", paragraphMarkdown(runSummary(run) + ".") +
                                                     paragraphMarkdown(verdictLine(run.facts)) +
                                                     (coverage.empty() ? coverage : paragraphMarkdown(coverage)));
    out += foldedMarkdown("Health check: " + checkCounts(check),
                          markdownOf(checkPart(run, check, Format::Markdown).blocks));
    out += foldedMarkdown(protocolPart(run, validation, Format::Markdown));
    for (const Part& part : runParts(run, Format::Markdown)) {
        out += foldedMarkdown(part);
    }
    return out;
}

}  // namespace

std::string markdownFinding(const AnalysedRun& run, std::size_t finding) {
    const Finding& found = run.diagnosis.findings[finding];
    const std::string coverage = coverageLine(run);
    return "### " + paragraphMarkdown(found.title) + markdownText(run.run->name) + ": " +
           paragraphMarkdown(runSummary(run) + ".") + (coverage.empty() ? coverage : paragraphMarkdown(coverage)) +
           findingBody(run, found);
}

std::string markdownSnapshot(const ReportedSnapshot& snapshot) {
    std::string out = "# " + paragraphMarkdown(snapshotTitle(snapshot)) + markdownBullets(snapshotLines(snapshot));
    for (const Part& part : partsOfSnapshot(snapshot)) {
        out += markdownOf(part.blocks);
    }
    return out;
}

std::string markdownReport(const ReportInput& input) {
    std::string out = comparisonsMarkdown(input);
    for (const ComparedRuns& compared : input.comparisons) {
        out += markdownComparison(*input.runs[compared.a], *input.runs[compared.b], *compared.comparison);
    }
    for (std::size_t i = 0; input.comparisons.empty() && i < input.runs.size(); ++i) {
        out += runMarkdown(*input.runs[i], validationOf(input, i));
    }
    for (const ReportedSnapshot& snapshot : input.snapshots) {
        out += markdownSnapshot(snapshot);
    }
    for (const RunWithLogs& of : runsWithLogs(input)) {
        const Part part = logsPart(of);
        out += "# " + paragraphMarkdown(part.title) + markdownOf(part.blocks);
    }
    std::vector<std::string> unreadable;
    for (const Error& error : input.unreadable) {
        unreadable.push_back(error.text());
    }
    if (!unreadable.empty()) {
        out += "# Not read\n\n" + markdownBullets(unreadable);
    }
    return out + "Rankscope " + std::string(toolVersion()) + "\n";
}

}  // namespace rankscope
