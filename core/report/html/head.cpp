// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <algorithm>

#include "core/base/format.h"
#include "core/report/html/elements.h"
#include "core/report/html/sections.h"
#include "core/report/model/chosen_steps.h"
#include "core/report/model/step_medians.h"
#include "core/report/model/summary.h"

namespace rankscope::report {
namespace {

/// One figure with what it is, and what to know with it.
std::string figure(std::string_view what, std::string_view value, std::string_view beside) {
    return element("div", "",
                   element("dt", "", htmlText(what)) +
                       element("dd", "", element("b", "", htmlText(value)) + element("span", "", htmlText(beside)))) +
           "\n";
}

std::string stepFigure(const RunFacts& facts) {
    const auto steady =
        std::ranges::count_if(facts.steps, [](const RunStep& step) { return step.complete && !step.outlier; });
    return figure(facts.basis == StepBasis::Mean ? "Mean step" : "Median step",
                  facts.pricedStep() > 0 ? formatDuration(facts.pricedStep()) : "–",
                  fmt::format("over {} of {} steps", steady, facts.steps.size()));
}

/// The devices that the ranks worked on, each name once.
std::string deviceNames(const AnalysedRun& run) {
    std::vector<std::string> names;
    for (RankPosition position{0}; position < run.run->ranks.size(); ++position) {
        for (const DeviceProperties& device : run.run->ranks[position]->devices) {
            if (device.id == run.facts.ranks[position].device && std::ranges::find(names, device.name) == names.end()) {
                names.push_back(device.name);
            }
        }
    }
    std::string out;
    for (const std::string& name : names) {
        out += (out.empty() ? "" : ", ") + name;
    }
    return out;
}

std::string rankFigure(const AnalysedRun& run) {
    const std::size_t there = run.run->ranks.size();
    const std::size_t missing = run.run->missing();
    const std::string value = missing > 0 ? fmt::format("{} of {}", there, there + missing) : std::to_string(there);
    return figure("Ranks", value, deviceNames(run));
}

/// From the least to the most busy device.
std::string busyFigure(const RunFacts& facts) {
    std::vector<double> shares;
    for (RankPosition rank{0}; rank < facts.ranks.size(); ++rank) {
        if (const auto medians = pricedMedians(facts, rank); medians && medians->utilisation) {
            shares.push_back(*medians->utilisation);
        }
    }
    if (shares.empty()) {
        return figure("Device busy", "–", "no device work in a step");
    }
    const auto [least, most] = std::ranges::minmax(shares);
    const std::string low = formatPercent(least);
    const std::string high = formatPercent(most);
    return figure("Device busy", low == high ? low : low.substr(0, low.find(' ')) + " to " + high,
                  shares.size() == 1 ? fmt::format("{} over its steps", stepBasisName(facts.basis))
                                     : fmt::format("{}s of the ranks", stepBasisName(facts.basis)));
}

std::string findingFigure(const Diagnosis& diagnosis) {
    std::string severities;
    for (const Severity severity : {Severity::High, Severity::Medium, Severity::Low}) {
        if (const auto count = std::ranges::count(diagnosis.findings, severity, &Finding::severity); count > 0) {
            severities += fmt::format("{}{} {}", severities.empty() ? "" : ", ", count, severityName(severity));
        }
    }
    return figure("Findings", std::to_string(diagnosis.findings.size()), severities);
}

}  // namespace

std::string runHeadHtml(const AnalysedRun& run) {
    const std::string coverage = coverageLine(run);
    std::string chosen;
    for (const std::string& line : chosenStepsLines(*run.run)) {
        chosen += element("li", "", htmlText(line)) + "\n";
    }
    return element("h1", "", htmlText(run.run->name)) + "\n" + paragraph(runSummary(run) + ".", "lead") +
           (chosen.empty() ? chosen : element("ul", " class=\"chosen-steps\"", "\n" + chosen) + "\n") +
           paragraph("Verdict: " + verdictLine(run.facts), "verdict") +
           (coverage.empty() ? coverage : paragraph(coverage, "coverage")) +
           element(
               "dl", " class=\"figures\"",
               "\n" + stepFigure(run.facts) + rankFigure(run) + busyFigure(run.facts) + findingFigure(run.diagnosis)) +
           "\n";
}

}  // namespace rankscope::report
