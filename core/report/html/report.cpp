// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/reports.h"

#include <fmt/format.h>

#include "core/report/check/protocol.h"
#include "core/report/html/elements.h"
#include "core/report/html/sections.h"
#include "core/report/model/palette.h"
#include "core/report/model/version.h"
#include "resources/report_css.h"
#include "resources/report_js.h"

namespace rankscope {
namespace {

using namespace report;

/// The browser is told, too, that nothing may be loaded.
constexpr const char* kHead = R"(<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
)";

/// Lines over the parts of a chart that mean waiting, and over what a finding blocks.
constexpr const char* kPatterns = R"svg(<svg width="0" height="0" class="patterns" aria-hidden="true"><defs>
<pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
<rect width="2.5" height="6"/></pattern></defs></svg>
)svg";

/// A run of a report, with what is said of its protocol.
struct ReportedRun {
    const AnalysedRun& run;
    Validation validation;
};

std::vector<Section> sectionsOf(const ReportedRun& reported) {
    const AnalysedRun& run = reported.run;
    return {checkSection(run),       findingsSection(run),    protocolSection(run, reported.validation),
            timeSection(run),        stepsSection(run),       phasesSection(run),
            parallelismSection(run), pipelineSection(run),    shardsSection(run),
            expertsSection(run),     tensorSection(run),      iterationsSection(run),
            efficiencySection(run),  collectivesSection(run), communicationSection(run),
            bucketsSection(run),     rankStatisticsHtml(run), stragglersSection(run),
            kernelsSection(run),     memorySection(run),      checkListsSection(run),
            cannotTellSection(run),  clocksSection(run),      healthSection(run)};
}

/// The parts that the health check has.
std::vector<Section> checkSectionsOf(const ReportedRun& reported) {
    return {checkSection(reported.run), protocolSection(reported.run, reported.validation),
            checkListsSection(reported.run), findingsSection(reported.run)};
}

std::string sectionHtml(const Section& section, const std::string& prefix) {
    return element("section", attribute("id", prefix + section.key),
                   "\n" + element("h2", "", htmlText(section.title)) + "\n" + section.content) +
           "\n";
}

std::string link(const std::string& id, const std::string& title) {
    return element("a", attribute("href", "#" + id), htmlText(title)) + "\n";
}

using Sections = std::vector<Section> (*)(const ReportedRun&);

std::string runHtml(const ReportedRun& reported, Sections sections_of, const std::string& prefix) {
    std::string links;
    std::string parts;
    for (const Section& section : sections_of(reported)) {
        if (section.content.empty()) {
            continue;
        }
        links += link(prefix + section.key, section.title);
        parts += sectionHtml(section, prefix);
    }
    links += link("definitions", definitionsSection().title);
    return element("article", attribute("id", prefix + "top") + " class=\"run\"",
                   "\n" + element("header", "", "\n" + runHeadHtml(reported.run)) + "\n" +
                       element("nav", " aria-label=\"Parts of this report\"", "\n" + links) + "\n" + parts) +
           "\n";
}

std::string notReadHtml(const std::vector<Error>& errors) {
    std::vector<std::string> lines;
    for (const Error& error : errors) {
        lines.push_back(error.text());
    }
    return lines.empty() ? "" : sectionHtml({"not-read", "Not read", bulletList(lines)}, "");
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
        links += link(fmt::format("run{}-top", i + 1), input.runs[i]->run->name);
    }
    return element("div", " class=\"top\"", element("strong", "", "Rankscope") + " report\n" + links) + "\n";
}

std::string pageHtml(const ReportInput& input, Sections sections_of) {
    std::string body = kPatterns + topLine(input);
    std::string runs;
    for (std::size_t i = 0; i < input.comparisons.size(); ++i) {
        const ComparedRuns& compared = input.comparisons[i];
        runs += comparisonHtml({*input.runs[compared.a], *input.runs[compared.b], *compared.comparison},
                               fmt::format("comparison{}", i + 1));
    }
    for (std::size_t i = 0; i < input.runs.size(); ++i) {
        runs += runHtml({*input.runs[i], validationOf(input, i)}, sections_of, fmt::format("run{}-", i + 1));
    }
    for (std::size_t i = 0; i < input.snapshots.size(); ++i) {
        runs += sectionHtml(snapshotSection(input.snapshots[i], fmt::format("memory-snapshot{}", i + 1)), "");
    }
    body += element("main", "", "\n" + runs + notReadHtml(input.unreadable) + sectionHtml(definitionsSection(), ""));
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
    return pageHtml(input, sectionsOf);
}

std::string htmlCheck(const ReportInput& input) {
    return pageHtml(input, checkSectionsOf);
}

}  // namespace rankscope
