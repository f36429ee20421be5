// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/markdown_report.h"

#include <algorithm>

#include "core/base/format.h"
#include "core/report/summary.h"
#include "core/report/version.h"
#include "core/report/vocabulary.h"

namespace rankscope {
namespace {

using namespace report;

constexpr std::size_t kEvidenceShown = 5;
constexpr std::size_t kKernelsShown = 10;

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
    return markdownCode(rank.name(evidence.slice)) + ", " + out;
}

std::string findingMarkdown(const AnalysedRun& run, const Finding& finding, std::size_t number) {
    std::string out = "### " + std::to_string(number) + ". " + markdownText(finding.title) + "\n\n";
    out += "`" + finding.id + "`, **" + std::string(severityName(finding.severity)) +
           "**: " + markdownText(findingPrice(run, finding)) + ".\n\n";
    out += markdownText(finding.why) + "\n\n";
    if (!finding.remedies.empty()) {
        out += "What to do:\n\n";
        for (const Remedy& remedy : finding.remedies) {
            out += bullet("**" + markdownText(remedy.action) + "** " + markdownText(remedy.detail));
        }
        out += "\n";
    }
    if (!finding.evidence.empty()) {
        out += "Evidence:\n\n";
        const std::size_t shown = std::min(kEvidenceShown, finding.evidence.size());
        for (std::size_t i = 0; i < shown; ++i) {
            out += bullet(evidenceMarkdown(run, finding.evidence[i]));
        }
        if (shown < finding.evidence.size()) {
            out += bullet("and " + std::to_string(finding.evidence.size() - shown) + " more places");
        }
        out += "\n";
    }
    return out;
}

Table findingsTable(const Diagnosis& diagnosis) {
    Table table;
    table.header = {"finding", "severity", "saves a step", "share of the step", "blocks a step", "confidence"};
    table.left_columns = 2;
    for (const Finding& finding : diagnosis.findings) {
        table.rows.push_back({finding.title, std::string(severityName(finding.severity)),
                              formatDuration(finding.saving_ns), formatPercent(finding.share),
                              formatDuration(finding.blocked_ns), std::string(confidenceName(finding.confidence))});
    }
    return table;
}

std::string findingsMarkdown(const AnalysedRun& run) {
    if (run.diagnosis.findings.empty()) {
        return markdownText(noFindings(run)) + "\n\n";
    }
    std::string out = tableMarkdown(findingsTable(run.diagnosis)) + "\n";
    std::size_t number = 0;
    for (const Finding& finding : run.diagnosis.findings) {
        out += findingMarkdown(run, finding, ++number);
    }
    return out;
}

std::string bulletsOf(const std::vector<std::string>& texts) {
    std::string out;
    for (const std::string& text : texts) {
        out += bullet(markdownText(text));
    }
    return out.empty() ? out : out + "\n";
}

std::string runMarkdown(const AnalysedRun& run) {
    std::string out = "# " + markdownText(run.run->name) + "\n\n" + markdownText(runSummary(run)) + ".\n\n";
    out += "**Verdict:** " + markdownText(verdictLine(run.facts.verdict)) + "\n\n";
    out += bulletsOf(leftOutSteps(run));
    out += "## Findings\n\n" + findingsMarkdown(run);
    if (const Table partition = partitionTable(run); !partition.rows.empty()) {
        out += "## Where the time of a step goes\n\n" + tableMarkdown(partition) + "\n";
        out += "What the device is idle for:\n\n" + tableMarkdown(causeTable(run)) + "\n";
        out += markdownText(mediansNote(run)) + "\n\n";
    }
    if (const Table phases = phaseTable(run); !phases.rows.empty()) {
        out += "## Phases of a step\n\n" + tableMarkdown(phases) + "\n";
    }
    if (const Table kernels = kernelTable(run, kKernelsShown); !kernels.rows.empty()) {
        out += "## Device time by kernel\n\nOver the whole window and all ranks.\n\n" + tableMarkdown(kernels) + "\n";
    }
    if (!run.diagnosis.cannot_tell.empty()) {
        out += "## What these traces cannot tell\n\n";
        for (const CannotTell& item : run.diagnosis.cannot_tell) {
            out += bullet("`" + item.id + "`: " + markdownText(item.reason + " " + item.record));
        }
        out += "\n";
    }
    if (const auto health = healthLines(run); !health.empty()) {
        out += "## Trace health\n\n" + bulletsOf(health);
    }
    return out;
}

}  // namespace

std::string markdownReport(const ReportInput& input) {
    std::string out;
    for (const AnalysedRun* run : input.runs) {
        out += runMarkdown(*run);
    }
    std::vector<std::string> unreadable;
    for (const Error& error : input.unreadable) {
        unreadable.push_back(error.text());
    }
    if (!unreadable.empty()) {
        out += "# Not read\n\n" + bulletsOf(unreadable);
    }
    return out + "Rankscope " + std::string(toolVersion()) + "\n";
}

}  // namespace rankscope
