// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/reports.h"

#include <fmt/format.h>

#include "core/report/blocks/parts.h"
#include "core/report/html/elements.h"
#include "core/report/html/printer.h"
#include "core/report/html/sections.h"
#include "core/report/palette.h"
#include "core/report/version.h"
#include "core/report/words/summary.h"
#include "resources/report_css.h"
#include "resources/report_js.h"

namespace rankscope {
namespace {

using namespace report;

/// The browser must not load anything either.
constexpr const char* kHead = R"(<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
)";

/// Hatching for the parts of a chart that mean waiting, and for what a finding blocks.
constexpr const char* kPatterns = R"svg(<svg width="0" height="0" class="patterns" aria-hidden="true"><defs>
<pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
<rect width="2.5" height="6"/></pattern></defs></svg>
)svg";

std::string runPrefix(std::size_t run) {
    return fmt::format("run{}-", run + 1);
}

/// A run of a report, with the validation of its protocol.
struct ReportedRun {
    const AnalysedRun& run;
    Validation validation;
    std::string prefix;  ///< prefix of the ids of its parts
};

Section protocolSection(const ReportedRun& reported) {
    return sectionOf("protocol", protocolPart(reported.run, reported.validation, Format::Html));
}

/// The verdict with its rule and all its numbers, and the steps that it is based on.
Section verdictSection(const AnalysedRun& run) {
    const std::string coverage = coverageLine(run);
    return {"verdict", "The verdict in full",
            paragraph(runSummary(run) + ".") + paragraph(verdictLine(run.facts)) +
                (coverage.empty() ? coverage : paragraph(coverage))};
}

std::vector<Section> sectionsOf(const ReportedRun& reported) {
    const AnalysedRun& run = reported.run;
    return {findingsSection(run, reported.prefix),
            checkSection(run),
            protocolSection(reported),
            verdictSection(run),
            timeSection(run),
            stepsSection(run),
            phasesSection(run),
            parallelismSection(run),
            pipelineSection(run),
            shardsSection(run),
            sectionOf("experts", expertsPart(run)),
            sectionOf("tensor", tensorPart(run)),
            sectionOf("iterations", iterationsPart(run)),
            sectionOf("efficiency", efficiencyPart(run, Format::Html)),
            collectivesSection(run),
            communicationSection(run),
            bucketsSection(run),
            sectionOf("rank-statistics", rankStatisticsPart(run)),
            stragglersSection(run),
            kernelsSection(run),
            memorySection(run),
            checkListsSection(run),
            sectionOf("cannot-tell", untoldPart(run)),
            clocksSection(run),
            healthSection(run)};
}

/// The parts of the health check.
std::vector<Section> checkSectionsOf(const ReportedRun& reported) {
    return {checkSection(reported.run), protocolSection(reported), checkListsSection(reported.run),
            findingsSection(reported.run, reported.prefix)};
}

/// What the first screen leads to.
std::vector<Section> cardsOf(const ReportedRun& reported) {
    return {findingsSection(reported.run, reported.prefix), checkSection(reported.run),
            sectionOf("cannot-tell", untoldPart(reported.run)), healthSection(reported.run)};
}

std::string link(const std::string& id, const std::string& title) {
    return element("a", attribute("href", "#" + id), htmlText(title)) + "\n";
}

using Sections = std::vector<Section> (*)(const ReportedRun&);

std::string runHtml(const ReportedRun& reported, Sections sections_of) {
    const std::string& prefix = reported.prefix;
    std::string parts;
    for (const Section& section : sections_of(reported)) {
        parts += sectionHtml(section, prefix);
    }
    return element("article", attribute("id", prefix + "top") + " class=\"run\"",
                   "\n" + element("header", "", "\n" + runHeadHtml(reported.run, prefix)) + "\n" + parts) +
           "\n";
}

std::string notReadHtml(const std::vector<Error>& errors) {
    std::vector<std::string> lines;
    for (const Error& error : errors) {
        lines.push_back(error.text());
    }
    return sectionHtml({"not-read", "Not read", bulletList(lines)}, "", true);
}

std::string titleOf(const ReportInput& input) {
    std::string names;
    for (const AnalysedRun* run : input.runs) {
        names += (names.empty() ? "" : ", ") + run->run->name;
    }
    return names.empty() ? "Rankscope report" : names + " · Rankscope report";
}

/// With several runs, a line to jump to each.
std::string topLine(const ReportInput& input) {
    std::string links;
    for (std::size_t i = 0; input.runs.size() > 1 && i < input.runs.size(); ++i) {
        links += link(runPrefix(i) + "top", input.runs[i]->run->name);
    }
    return element("div", " class=\"top\"", element("strong", "", "Rankscope") + " report\n" + links) + "\n";
}

/// What changed; if there are several comparisons, first one line each.
std::string comparisonsHtml(const ReportInput& input) {
    std::vector<ComparedPlace> places;
    for (std::size_t i = 0; i < input.comparisons.size(); ++i) {
        const ComparedRuns& compared = input.comparisons[i];
        places.push_back({{*input.runs[compared.a], *input.runs[compared.b], *compared.comparison},
                          fmt::format("comparison{}-", i + 1),
                          runPrefix(compared.a),
                          runPrefix(compared.b)});
    }
    std::string out = comparisonRowsHtml(places);
    for (const ComparedPlace& place : places) {
        out += comparisonHtml(place);
    }
    return out;
}

/// The content of a page about each run, and whether that is folded below what changed between them.
struct Page {
    Sections sections_of;
    bool folds_compared = false;
    bool defines = true;  ///< what its words mean, at the end
};

std::string pageHtml(const ReportInput& input, const Page& page) {
    std::string body = kPatterns + topLine(input);
    std::string runs = comparisonsHtml(input);
    for (std::size_t i = 0; i < input.runs.size(); ++i) {
        const AnalysedRun& run = *input.runs[i];
        const std::string html = runHtml({run, validationOf(input, i), runPrefix(i)}, page.sections_of);
        runs += page.folds_compared && !input.comparisons.empty()
                    ? sectionHtml({"report", "Report of " + run.run->name, html}, runPrefix(i))
                    : html;
    }
    std::size_t logs = 0;
    for (std::size_t i = 0; i < input.snapshots.size(); ++i) {
        runs += sectionHtml(snapshotSection(input.snapshots[i], fmt::format("memory-snapshot{}", i + 1)), "");
    }
    for (const RunWithLogs& of : runsWithLogs(input)) {
        runs += sectionHtml(sectionOf(fmt::format("nccl-logs{}", ++logs), logsPart(of)), "");
    }
    body += element("main", "",
                    "\n" + runs + notReadHtml(input.unreadable) +
                        (page.defines ? sectionHtml(definitionsSection(), "") : std::string()));
    body += "\n" + element("footer", "",
                           fmt::format("Rankscope {}, definitions version {}", htmlText(toolVersion()), kDefinitions));
    body += "\n" + element("script", "", "\n" + std::string(resources::report_js)) + "\n";
    const std::string head = kHead + element("title", "", htmlText(titleOf(input))) + "\n" +
                             element("style", "", "\n" + paletteCss() + std::string(resources::report_css));
    return "<!DOCTYPE html>\n" +
           element("html", " lang=\"en\"",
                   "\n" + element("head", "", "\n" + head + "\n") + "\n" + element("body", "", "\n" + body) + "\n") +
           "\n";
}

}  // namespace

std::string htmlReport(const ReportInput& input) {
    return pageHtml(input, {sectionsOf, true});
}

std::string htmlScreen(const ReportInput& input) {
    return pageHtml(input, {cardsOf, false, false});
}

std::string htmlCheck(const ReportInput& input) {
    return pageHtml(input, {checkSectionsOf});
}

}  // namespace rankscope
