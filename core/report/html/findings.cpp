// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "core/base/format.h"
#include "core/report/html/charts.h"
#include "core/report/html/elements.h"
#include "core/report/html/sections.h"
#include "core/report/tables/run_tables.h"
#include "core/report/words/summary.h"

namespace rankscope::report {
namespace {

std::string price(std::string_view css_class, DurationNs ns, std::string_view words) {
    return element("div", attribute("class", css_class),
                   element("b", "", formatDuration(ns)) + element("span", "", htmlText(words)));
}

std::string pricesHtml(const AnalysedRun& run, const Finding& finding) {
    const std::string range = savingRangeText(run, finding);
    const std::string saving =
        finding.saving_ns <= 0
            ? std::string()
            : price("saving", finding.saving_ns,
                    std::string(finding.at_most ? "saved per step (upper bound), " : "saved per step without it, ") +
                        formatPercent(finding.share) + (range.empty() ? "" : ", " + range));
    return element("div", " class=\"prices\"",
                   saving + price("blocking", finding.blocked_ns, "blocked per step") + priceBar(finding, run.facts)) +
           "\n";
}

std::string remediesHtml(const Finding& finding) {
    std::string items;
    for (const Remedy& remedy : finding.remedies) {
        items += element("li", "",
                         element("strong", "", htmlText(remedy.action)) +
                             (remedy.detail.empty() ? "" : " " + htmlText(remedy.detail))) +
                 "\n";
    }
    return items.empty() ? items : "<h4>What to do</h4>\n" + element("ul", " class=\"remedies\"", "\n" + items) + "\n";
}

/// The parts of its time in its example step.
std::string exampleHtml(const AnalysedRun& run, std::size_t index) {
    const Finding& finding = run.diagnosis.findings[index];
    if (!finding.example) {
        return {};
    }
    const FindingExample& example = *finding.example;
    const std::string where = fmt::format("{}, step {}: {}", rankLabel(*run.run->ranks[example.rank], example.rank),
                                          example.step, formatDuration(example.total_ns));
    Table table;
    table.header = {"parts (" + where + ")", "time", "share"};
    table.left_columns = 1;
    for (const FindingPart& part : example.parts) {
        const double share = static_cast<double>(part.time_ns) / static_cast<double>(example.total_ns);
        table.rows.push_back({part.what, formatDuration(part.time_ns), formatPercent(share)});
    }
    return htmlTable(asData(table, fmt::format("finding-{}-parts", index + 1)),
                     fmt::format("Parts of finding {}", index + 1));
}

/// Details that are not needed to decide: the sentences with all numbers, and what limits the confidence in its price.
std::string detailHtml(const Finding& finding) {
    return folded("In full", paragraph(finding.why, "why"), false) +
           folded("Why the confidence is " + htmlText(confidenceName(finding.confidence)),
                  bulletList(finding.why_confidence), false);
}

/// The ranks that cause it, the ranks that lose time to it, and its steps.
std::string placesHtml(const AnalysedRun& run, const Finding& finding) {
    std::string out;
    const auto add = [&out](const std::string& text) { out += (out.empty() ? "" : "; ") + text; };
    if (!finding.ranks.empty()) {
        add(rankList(*run.run, finding.ranks));
    }
    if (!finding.paying_ranks.empty()) {
        add("time lost on " + rankList(*run.run, finding.paying_ranks));
    }
    if (!finding.steps.empty()) {
        add(formatNumbered("step", finding.steps));
    }
    return out.empty() ? out : paragraph(out, "places");
}

std::string evidenceHtml(const AnalysedRun& run, std::size_t index) {
    const DataTable table = evidenceTable(run, index);
    if (table.rows.empty()) {
        return {};
    }
    const std::string count =
        fmt::format("{} {} in the trace", table.rows.size(), table.rows.size() == 1 ? "place" : "places");
    return folded("Evidence: " + count,
                  htmlTable(forPage(table, {"rank", "step", "note", "slice", "track", "start_ns", "duration_ns", "file",
                                            "byte_offset"}),
                            fmt::format("Evidence of finding {}", index + 1)),
                  false);
}

std::string cardHtml(const AnalysedRun& run, std::size_t index, const std::string& prefix) {
    const Finding& finding = run.diagnosis.findings[index];
    const std::string severity(severityName(finding.severity));
    const std::string tags = element("span", " class=\"severity\"", htmlText(severity)) +
                             element("code", "", htmlText(findingName(finding.id))) +
                             element("span", "", "confidence " + htmlText(confidenceName(finding.confidence)));
    const std::string sure = finding.confidence == Confidence::Low ? " unsure" : "";
    return element("article",
                   attribute("class", "card " + severity + sure) +
                       attribute("id", fmt::format("{}finding-{}", prefix, index + 1)),
                   "\n" + element("p", " class=\"tags\"", tags) + "\n" +
                       element("h3", "", fmt::format("{}. {}", index + 1, htmlText(finding.title))) + "\n" +
                       paragraph(finding.summary, "why") + pricesHtml(run, finding) + placesHtml(run, finding) +
                       exampleHtml(run, index) + remediesHtml(finding) + evidenceHtml(run, index) +
                       detailHtml(finding)) +
           "\n";
}

}  // namespace

Section findingsSection(const AnalysedRun& run, const std::string& prefix) {
    if (run.diagnosis.findings.empty()) {
        return {"findings", "Findings", paragraph(noFindings(run))};
    }
    std::string cards;
    for (std::size_t index = 0; index < run.diagnosis.findings.size(); ++index) {
        cards += cardHtml(run, index, prefix);
    }
    return {"findings", "Findings", cards};
}

}  // namespace rankscope::report
