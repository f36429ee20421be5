// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/blocks/parts.h"

#include <fmt/format.h>
#include <algorithm>
#include <filesystem>

#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/report/tables/chosen_steps.h"
#include "core/report/text/printer.h"
#include "core/report/words/snapshot_summary.h"
#include "core/report/words/summary.h"
#include "core/report/words/vocabulary.h"
#include "core/trace/row_source.h"
#include "core/whatif/change.h"

namespace rankscope {
namespace {

using namespace report;

constexpr std::size_t kDeep = 5;
/// More places are in the JSON; these are enough to look at by hand.
constexpr std::size_t kEvidenceShown = 3;

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
        // The rank identifies the folder; the JSON has the whole path.
        out += fmt::format(" ({}, {})", std::filesystem::path(fileLabel(rank.files[source.file()])).filename().string(),
                           sourceText(rank, source));
    }
    return out;
}

/// `place_of_rest` says where the rest of the evidence is.
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
    const std::string inner(kDeep, ' ');
    for (const Remedy& remedy : finding.remedies) {
        out += behind(inner + "Do:  ", remedy.action + (remedy.detail.empty() ? "" : " " + remedy.detail));
    }
    if (const std::string change = whatIfOf(finding, *run.run); !change.empty()) {
        out += behind(inner + "What if: ", "rankscope-cli what-if PATH --set " + change);
    }
    const std::size_t shown = std::min(kEvidenceShown, finding.evidence.size());
    for (std::size_t i = 0; i < shown; ++i) {
        out += behind(inner + "See: ", evidenceText(run, finding.evidence[i]));
    }
    if (shown < finding.evidence.size()) {
        out += line("and " + formatCounted(finding.evidence.size() - shown, "more place") + std::string(place_of_rest),
                    kDeep);
    }
    return out;
}

std::string findingsText(const AnalysedRun& run) {
    std::string out = section("Findings");
    std::size_t number = 0;
    for (const Finding& finding : run.diagnosis.findings) {
        out += findingText(run, finding, ++number, ", in --json-detail");
    }
    return number == 0 ? out + line(noFindings(run)) : out;
}

}  // namespace

std::string textFinding(const AnalysedRun& run, std::size_t finding) {
    const std::string coverage = coverageLine(run);
    return printable(run.run->name) + ": " + runSummary(run) + "\n" + (coverage.empty() ? coverage : line(coverage)) +
           findingText(run, run.diagnosis.findings[finding], finding + 1, {});
}

std::vector<std::string> sectionNames() {
    std::vector<std::string> names = {"findings", "check"};
    names.insert(names.end(), kRunParts.begin(), kRunParts.end());
    return names;
}

std::optional<std::string> textSection(const AnalysedRun& run, std::string_view name) {
    const std::string head = printable(run.run->name) + ": " + runSummary(run) + "\n";
    if (name == "findings") {
        return head + findingsText(run);
    }
    if (name == "check") {
        return head + textOf(checkPart(run, checkOf(run), Format::Text).blocks);
    }
    if (std::ranges::find(kRunParts, name) == kRunParts.end()) {
        return std::nullopt;
    }
    const std::vector<Part> parts = runParts(run, Format::Text);
    const auto part = std::ranges::find(parts, name, &Part::key);
    const bool is_empty = part == parts.end() || part->blocks.empty();
    return head + (is_empty ? line("These traces have nothing for this section.") : textOf(*part));
}

std::string textReport(const AnalysedRun& run) {
    std::string out = printable(run.run->name) + ": " + runSummary(run) + "\n";
    out += lines(chosenStepsLines(*run.run));
    out += line(run.diagnosis.headline.title + ": " + run.diagnosis.headline.text);
    out += line(verdictLine(run.facts));
    if (const std::string coverage = coverageLine(run); !coverage.empty()) {
        out += line(coverage);
    }
    out += lines(leftOutSteps(run));
    out += textOf(lookHerePart(checkOf(run)));
    return out + findingsText(run) + textOf(runParts(run, Format::Text));
}

std::string textSnapshot(const ReportedSnapshot& snapshot) {
    return printable(snapshotTitle(snapshot)) + "\n" + lines(snapshotLines(snapshot)) +
           textOf(partsOfSnapshot(snapshot));
}

}  // namespace rankscope
