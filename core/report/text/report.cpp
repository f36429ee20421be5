// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/cannot_tell.h"
#include "core/report/reports.h"

#include <fmt/format.h>
#include <algorithm>
#include <filesystem>

#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/report/model/chosen_steps.h"
#include "core/report/model/summary.h"
#include "core/report/model/vocabulary.h"
#include "core/report/text/check.h"
#include "core/report/text/communication.h"
#include "core/report/text/lines.h"
#include "core/report/text/memory.h"

namespace rankscope {
namespace {

using namespace report;

constexpr std::size_t kDeep = 5;
/// More places are in the JSON; these are enough to look at by hand.
constexpr std::size_t kEvidenceShown = 3;
constexpr std::size_t kLateRanksShown = 8;
constexpr std::size_t kGroupsShown = 12;
constexpr std::size_t kPlacesShown = 16;
constexpr std::size_t kUnitsShown = 12;
constexpr std::size_t kProductsShown = 8;

std::string section(std::string_view title) {
    return "\n" + std::string(title) + "\n";
}

std::string evidenceText(const AnalysedRun& run, const Evidence& evidence) {
    std::string out = evidencePlace(run, evidence);
    if (!evidence.note.empty()) {
        out += ": " + evidence.note;
    }
    if (!evidence.slice.valid()) {
        return out;
    }
    const RankTrace& rank = *run.run->ranks[evidence.rank];
    const EventSource source = rank.track(evidence.slice).slices.source[evidence.slice.slice];
    out = "\"" + std::string(rank.name(evidence.slice)) + "\": " + out;
    if (source.file() < rank.files.size()) {
        // The rank tells the folder; the JSON has the whole path.
        out += fmt::format(" ({}, byte {})",
                           std::filesystem::path(fileLabel(rank.files[source.file()])).filename().string(),
                           source.offset());
    }
    return out;
}

std::string labelled(std::string_view label, std::string_view text) {
    const std::size_t indent = kDeep + label.size() + 1;
    return std::string(kDeep, ' ') + std::string(label) + " " + wrapped(text, indent, kLineWidth) + "\n";
}

/// `place_of_rest` says where the evidence is that has no room.
std::string findingText(const AnalysedRun& run, const Finding& finding, std::size_t number,
                        std::string_view place_of_rest) {
    const std::string head = fmt::format("{}. ", number);
    std::string out =
        std::string(kDeep - std::min(kDeep, head.size()), ' ') + head +
        wrapped(fmt::format("{}  [{}, {}]", finding.title, severityName(finding.severity), findingName(finding.id)),
                kDeep, kLineWidth) +
        "\n";
    out += line(findingPrice(run, finding), kDeep);
    out += line(finding.summary, kDeep);
    out += line(finding.why, kDeep);
    for (const Remedy& remedy : finding.remedies) {
        out += labelled("Do: ", remedy.action + (remedy.detail.empty() ? "" : " " + remedy.detail));
    }
    const std::size_t shown = std::min(kEvidenceShown, finding.evidence.size());
    for (std::size_t i = 0; i < shown; ++i) {
        out += labelled("See:", evidenceText(run, finding.evidence[i]));
    }
    if (shown < finding.evidence.size()) {
        out += line("and " + formatCounted(finding.evidence.size() - shown, "more place") + std::string(place_of_rest),
                    kDeep);
    }
    return out;
}

std::string parallelismText(const AnalysedRun& run) {
    if (run.facts.parallelism.groups.empty()) {
        return {};
    }
    std::string out = section("How the work is divided") + lines(gridLines(run));
    out += tableLines(cutTo(groupTable(run, kAllRows), kGroupsShown, "group"));
    out += lines(groupEvidence(run, kGroupsShown));
    if (const Table roles = roleTable(run, kAllRows); !roles.rows.empty()) {
        out += tableLines(cutTo(roles, kPlacesShown, "rank")) + line(rolesNote());
    }
    return out;
}

std::string pipelineText(const AnalysedRun& run) {
    if (run.facts.pipeline.pipelines.empty()) {
        return {};
    }
    std::string out = section("Pipelines") + lines(pipelineLines(run, kGroupsShown));
    if (const Table table = pipelineTable(run, kAllRows); !table.rows.empty()) {
        out += tableLines(cutTo(table, kPlacesShown, "rank")) + line(pipelineNote());
    }
    return out;
}

std::string shardsText(const AnalysedRun& run) {
    if (!run.facts.shards.any()) {
        return {};
    }
    return section("Shards") + lines(shardLines(run)) +
           tableLines(cutTo(shardRankTable(run, kAllRows), kPlacesShown, "rank")) +
           tableLines(cutTo(shardUnitTable(run, kAllRows), kUnitsShown, "row")) + line(shardsNote());
}

std::string expertsText(const AnalysedRun& run) {
    if (!run.facts.experts.any()) {
        return {};
    }
    return section("Experts") + lines(expertLines(run)) +
           tableLines(cutTo(expertTable(run, kAllRows), kPlacesShown, "rank")) + line(dividedNote());
}

std::string tensorText(const AnalysedRun& run) {
    if (!run.facts.tensor.any()) {
        return {};
    }
    std::string out = section("Tensors and sequences") + lines(tensorLines(run)) +
                      tableLines(cutTo(tensorTable(run, kAllRows), kUnitsShown, "row"));
    if (const Table layers = tensorLayerTable(run, kAllRows); !layers.rows.empty()) {
        out += tableLines(cutTo(layers, kUnitsShown, "layer"));
    }
    return out + line(dividedNote());
}

std::string iterationsText(const AnalysedRun& run) {
    if (!run.facts.iterations.any()) {
        return {};
    }
    return section("Iterations of the server") + lines(iterationLines(run)) + tableText(iterationTable(run), kIndent) +
           line(iterationsNote());
}

std::string efficiencyText(const AnalysedRun& run) {
    const std::vector<std::string> said = efficiencyLines(run);
    if (said.empty()) {
        return {};
    }
    std::string out = section("Efficiency") + lines(said);
    if (!run.facts.efficiency.any()) {
        return out;
    }
    out += tableText(missingShareTable(run), kIndent) +
           tableLines(cutTo(efficiencyTable(run, kAllRows), kPlacesShown, "rank"));
    return out + tableLines(cutTo(productTable(run, kAllRows), kProductsShown, "product")) + line(efficiencyNote());
}

}  // namespace

std::string textFinding(const AnalysedRun& run, std::size_t finding) {
    const std::string coverage = coverageLine(run);
    return printable(run.run->name) + ": " + runSummary(run) + "\n" + (coverage.empty() ? coverage : line(coverage)) +
           findingText(run, run.diagnosis.findings[finding], finding + 1, {});
}

std::string textReport(const AnalysedRun& run) {
    std::string out = printable(run.run->name) + ": " + runSummary(run) + "\n";
    out += lines(chosenStepsLines(*run.run));
    out += line(verdictLine(run.facts));
    if (const std::string coverage = coverageLine(run); !coverage.empty()) {
        out += line(coverage);
    }
    out += lines(leftOutSteps(run));
    out += checkText(run);

    out += section("Findings");
    std::size_t number = 0;
    for (const Finding& finding : run.diagnosis.findings) {
        out += findingText(run, finding, ++number, ", in --json");
    }
    if (number == 0) {
        out += line(noFindings(run));
    }

    const Table partition = partitionTable(run);
    if (partition.rows.empty()) {
        out += section("Where the time of a step goes");
        out += line("No rank has device work in a step.");
    } else {
        out += section("Where the time of a step goes");
        out += tableText(partition, kIndent);
        out += section("What the device is idle for");
        out += tableText(causeTable(run), kIndent);
        out += line(mediansNote(run));
    }
    if (const Table phases = phaseTable(run); !phases.rows.empty()) {
        out += section("Phases of a step") + tableText(phases, kIndent);
    }
    out += iterationsText(run);
    out += parallelismText(run);
    out += pipelineText(run);
    out += shardsText(run) + expertsText(run) + tensorText(run);
    out += efficiencyText(run);
    out += communicationText(run) + bucketsText(run) + rankStatisticsSection(run);
    out += memoryText(run);
    if (const Table late = latenessTable(run, kAllRows); !late.rows.empty()) {
        out += section("Who comes late") + tableLines(cutTo(late, kLateRanksShown, "rank")) + line(latenessNote());
    }

    if (!run.diagnosis.cannot_tell.empty()) {
        out += section("What these traces cannot tell");
        for (const CannotTellTogether& item : cannotTellByReason(run.diagnosis.cannot_tell)) {
            out += line(item.names() + ": " + item.reason + (item.record.empty() ? "" : " " + item.record));
        }
    }
    if (const auto health = healthLines(run); !health.empty()) {
        out += section("Trace health") + lines(health);
    }
    return out;
}

}  // namespace rankscope
