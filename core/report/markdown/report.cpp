// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/cannot_tell.h"
#include "core/report/reports.h"

#include <fmt/format.h>
#include <algorithm>

#include "core/base/format.h"
#include "core/report/html/elements.h"
#include "core/report/markdown/check.h"
#include "core/report/markdown/communication.h"
#include "core/report/markdown/memory.h"
#include "core/report/model/chosen_steps.h"
#include "core/report/model/cut_table.h"
#include "core/report/model/summary.h"
#include "core/report/model/version.h"
#include "core/report/model/vocabulary.h"

namespace rankscope {
namespace {

using namespace report;

constexpr std::size_t kEvidenceShown = 5;
constexpr std::size_t kKernelsShown = 10;
constexpr std::size_t kLateRanksShown = 8;
constexpr std::size_t kGroupsShown = 12;
constexpr std::size_t kPlacesShown = 16;
constexpr std::size_t kUnitsShown = 12;

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

/// A part that the reader unfolds. GitHub reads Markdown in it again after an empty line; `summary` is plain text.
std::string foldedMarkdown(std::string_view summary, std::string_view markdown) {
    return "<details>\n<summary>" + htmlText(summary) + "</summary>\n\n" + std::string(markdown) + "</details>\n\n";
}

/// What a finding costs, why, what to do, and its evidence.
std::string findingBody(const AnalysedRun& run, const Finding& finding) {
    std::string out =
        "`" + std::string(findingName(finding.id)) + "`: " + markdownText(findingPrice(run, finding)) + ".\n\n";
    out += markdownText(finding.summary) + "\n\n" + markdownText(finding.why) + "\n\n";
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

std::string findingMarkdown(const AnalysedRun& run, const Finding& finding, std::size_t number) {
    return foldedMarkdown(fmt::format("{}. {}: why, and what to do", number, finding.title), findingBody(run, finding));
}

/// What a reader must see without unfolding anything: a line a finding.
Table findingLines(const AnalysedRun& run) {
    Table table;
    table.header = {"finding", "severity", "confidence", "where", "saves a step", "of the step", "blocks a step"};
    table.left_columns = 4;
    for (const Finding& finding : run.diagnosis.findings) {
        const std::string range = savingRangeText(run, finding);
        table.rows.push_back(
            {finding.title, std::string(severityName(finding.severity)),
             std::string(confidenceName(finding.confidence)), rankList(*run.run, finding.ranks),
             finding.saving_ns <= 0 ? "no price"
                                    : (finding.at_most ? "at most " : "") + formatDuration(finding.saving_ns) +
                                          (range.empty() ? "" : ", " + range),
             finding.saving_ns <= 0 ? "-" : formatPercent(finding.share), formatDuration(finding.blocked_ns)});
    }
    return table;
}

std::string findingsMarkdown(const AnalysedRun& run) {
    if (run.diagnosis.findings.empty()) {
        return markdownText(noFindings(run)) + "\n\n";
    }
    std::string out = tableMarkdown(findingLines(run)) + "\n";
    if (const auto& remedies = run.diagnosis.findings.front().remedies; !remedies.empty()) {
        out += "To start with: **" + markdownText(remedies.front().action) + "**\n\n";
    }
    std::size_t number = 0;
    for (const Finding& finding : run.diagnosis.findings) {
        out += findingMarkdown(run, finding, ++number);
    }
    return out;
}

std::string timeMarkdown(const AnalysedRun& run) {
    const Table partition = partitionTable(run);
    if (partition.rows.empty()) {
        return {};
    }
    return foldedMarkdown("Where the time of a step goes",
                          tableMarkdown(partition) + "\nWhat the device is idle for:\n\n" +
                              tableMarkdown(causeTable(run)) + "\n" + markdownText(mediansNote(run)) + "\n\n");
}

std::string parallelismMarkdown(const AnalysedRun& run) {
    if (run.facts.parallelism.groups.empty()) {
        return {};
    }
    std::string out = markdownBullets(gridLines(run)) +
                      cutMarkdown(cutTo(groupTable(run, kAllRows), kGroupsShown, "group")) +
                      markdownBullets(groupEvidence(run, kGroupsShown));
    if (const Table roles = roleTable(run, kAllRows); !roles.rows.empty()) {
        out += cutMarkdown(cutTo(roles, kPlacesShown, "rank")) + markdownText(rolesNote()) + "\n\n";
    }
    return foldedMarkdown("How the work is divided", out);
}

std::string pipelineMarkdown(const AnalysedRun& run) {
    if (run.facts.pipeline.pipelines.empty()) {
        return {};
    }
    std::string out = markdownBullets(pipelineLines(run, kGroupsShown));
    if (const Table table = pipelineTable(run, kAllRows); !table.rows.empty()) {
        out += cutMarkdown(cutTo(table, kPlacesShown, "rank")) + markdownText(pipelineNote()) + "\n\n";
    }
    return foldedMarkdown("Pipelines", out);
}

std::string shardsMarkdown(const AnalysedRun& run) {
    if (!run.facts.shards.any()) {
        return {};
    }
    return foldedMarkdown("Shards", markdownBullets(shardLines(run)) +
                                        cutMarkdown(cutTo(shardRankTable(run, kAllRows), kPlacesShown, "rank")) +
                                        cutMarkdown(cutTo(shardUnitTable(run, kAllRows), kUnitsShown, "row")) +
                                        markdownText(shardsNote()) + "\n\n");
}

std::string expertsMarkdown(const AnalysedRun& run) {
    if (!run.facts.experts.any()) {
        return {};
    }
    return foldedMarkdown("Experts", markdownBullets(expertLines(run)) +
                                         cutMarkdown(cutTo(expertTable(run, kAllRows), kPlacesShown, "rank")) +
                                         markdownText(dividedNote()) + "\n\n");
}

std::string tensorMarkdown(const AnalysedRun& run) {
    if (!run.facts.tensor.any()) {
        return {};
    }
    std::string out =
        markdownBullets(tensorLines(run)) + cutMarkdown(cutTo(tensorTable(run, kAllRows), kUnitsShown, "row"));
    if (const Table layers = tensorLayerTable(run, kAllRows); !layers.rows.empty()) {
        out += cutMarkdown(cutTo(layers, kUnitsShown, "layer"));
    }
    return foldedMarkdown("Tensors and sequences", out + markdownText(dividedNote()) + "\n\n");
}

std::string iterationsMarkdown(const AnalysedRun& run) {
    if (!run.facts.iterations.any()) {
        return {};
    }
    return foldedMarkdown("Iterations of the server", markdownBullets(iterationLines(run)) +
                                                          tableMarkdown(iterationTable(run)) + "\n" +
                                                          markdownText(iterationsNote()) + "\n\n");
}

std::string efficiencyMarkdown(const AnalysedRun& run) {
    std::string out = markdownBullets(efficiencyLines(run));
    if (run.facts.efficiency.any()) {
        out += tableMarkdown(missingShareTable(run)) + "\n" +
               cutMarkdown(cutTo(efficiencyTable(run, kAllRows), kPlacesShown, "rank")) +
               cutMarkdown(cutTo(productTable(run, kAllRows), kUnitsShown, "product")) +
               cutMarkdown(cutTo(uncountedTable(run, kAllRows), kUnitsShown, "kernel")) +
               markdownText(efficiencyNote()) + "\n\n";
    }
    return out.empty() ? out : foldedMarkdown("Efficiency", out);
}

std::string cannotTellMarkdown(const Diagnosis& diagnosis) {
    std::string out;
    for (const CannotTellTogether& item : cannotTellByReason(diagnosis.cannot_tell)) {
        std::string names;
        for (const FindingId id : item.ids) {
            names += (names.empty() ? "`" : ", `") + std::string(findingName(id)) + "`";
        }
        out += bullet(names + ": " + markdownText(item.reason + " " + item.record));
    }
    return out.empty() ? out : foldedMarkdown("What these traces cannot tell", out + "\n");
}

/// The outcome stands open, on a screen or less; the rest is folded.
std::string runMarkdown(const AnalysedRun& run, const Validation& validation) {
    std::string out = "# " + markdownText(run.run->name) + "\n\n" + markdownText(runSummary(run)) + ".\n\n";
    out += markdownBullets(chosenStepsLines(*run.run));
    out += "**Verdict:** " + markdownText(verdictLine(run.facts)) + "\n\n";
    if (const std::string coverage = coverageLine(run); !coverage.empty()) {
        out += markdownText(coverage) + "\n\n";
    }
    out += findingsMarkdown(run);
    out += foldedMarkdown("Health check: " + checkCounts(checkOf(run)), checkMarkdown(run));
    out += foldedMarkdown("Protocol", protocolMarkdown(run, validation));
    out += timeMarkdown(run);
    if (const Table phases = phaseTable(run); !phases.rows.empty()) {
        out += foldedMarkdown("Phases of a step", tableMarkdown(phases) + "\n");
    }
    out += iterationsMarkdown(run);
    out += parallelismMarkdown(run);
    out += pipelineMarkdown(run);
    out += shardsMarkdown(run) + expertsMarkdown(run) + tensorMarkdown(run) + efficiencyMarkdown(run);
    for (const MarkdownPart& part : communicationMarkdown(run)) {
        out += foldedMarkdown(part.title, part.content);
    }
    if (const std::string memory = memoryMarkdown(run); !memory.empty()) {
        out += foldedMarkdown("Memory", memory);
    }
    if (const Table late = latenessTable(run, kAllRows); !late.rows.empty()) {
        out += foldedMarkdown("Who comes late", cutMarkdown(cutTo(late, kLateRanksShown, "rank")) +
                                                    markdownText(latenessNote()) + "\n\n");
    }
    if (const Table kernels = kernelTable(run, kAllRows); !kernels.rows.empty()) {
        out += foldedMarkdown("Device time by kernel", "Over the whole window and all ranks.\n\n" +
                                                           cutMarkdown(cutTo(kernels, kKernelsShown, "name", "--csv")));
    }
    for (const CheckList& list : checkListsOf(run)) {
        out += foldedMarkdown("Check list: " + std::string(checkListTitle(list.id)), checkListMarkdown(list));
    }
    out += cannotTellMarkdown(run.diagnosis);
    std::vector<std::string> health = healthLines(run);
    const std::vector<std::string> left_out = leftOutSteps(run);
    health.insert(health.end(), left_out.begin(), left_out.end());
    return health.empty() ? out : out + foldedMarkdown("Trace health", markdownBullets(health));
}

}  // namespace

std::string markdownFinding(const AnalysedRun& run, std::size_t finding) {
    const Finding& found = run.diagnosis.findings[finding];
    const std::string coverage = coverageLine(run);
    return "### " + markdownText(found.title) + "\n\n" + markdownText(run.run->name) + ": " +
           markdownText(runSummary(run)) + ".\n\n" + (coverage.empty() ? coverage : markdownText(coverage) + "\n\n") +
           findingBody(run, found);
}

std::string markdownReport(const ReportInput& input) {
    std::string out;
    for (const ComparedRuns& compared : input.comparisons) {
        out += markdownComparison(*input.runs[compared.a], *input.runs[compared.b], *compared.comparison);
    }
    for (std::size_t i = 0; input.comparisons.empty() && i < input.runs.size(); ++i) {
        out += runMarkdown(*input.runs[i], validationOf(input, i));
    }
    for (const ReportedSnapshot& snapshot : input.snapshots) {
        out += markdownSnapshot(snapshot);
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
