// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <span>
#include <utility>

#include "core/base/format.h"
#include "core/report/html/elements.h"
#include "core/report/html/sections.h"
#include "core/report/html/svg.h"
#include "core/report/words/comparison_outline.h"

namespace rankscope::report {
namespace {

constexpr double kComparedLabel = 260;  // left of the bars
constexpr double kComparedTotal = 100;  // right of them
constexpr double kComparedBars = kPageWidth - kComparedLabel - kComparedTotal;
constexpr double kComparedRow = 28;
constexpr double kComparedBar = 18;
constexpr double kLeastInLegend = 0.005;  // of the longer step
constexpr std::size_t kHeadParts = 6;
constexpr std::size_t kHeadFindings = 8;

std::string partClass(const std::optional<BreakdownRow>& row) {
    if (!row) {
        return "f-text-dim";
    }
    switch (row->part) {
        case StepPart::Compute: break;
        case StepPart::ExposedTransfer:
        case StepPart::ExposedWait: return "f-communication";
        case StepPart::ExposedUnsplit: return "f-communication-unsplit";
        case StepPart::ExposedCopy: return "f-copy";
        case StepPart::Idle: return "f-cause-" + std::string(causeName(row->cause));
    }
    return "f-compute";
}

bool isHatched(const std::optional<BreakdownRow>& row) {
    return row && row->part == StepPart::ExposedWait;
}

/// A part of a bar with its tip.
std::string comparedBar(const std::optional<BreakdownRow>& row, double x, double top, double width,
                        const std::string& tip) {
    const double y = top + (kComparedRow - kComparedBar) / 2;
    const std::string rect = svgRect(x, y, width, kComparedBar, attribute("class", partClass(row)));
    const std::string hatch = isHatched(row) ? svgRect(x, y, width, kComparedBar, " class=\"hatched\"") : std::string();
    return element("g", " class=\"part\"", svgTip(tip) + rect + hatch);
}

/// One line of the chart: its name left, a text behind the bar.
std::string labelled(double top, const std::string& label, double behind, const std::string& value) {
    const double baseline = top + kComparedRow / 2 + 4;
    return svgText(kComparedLabel - 12, baseline, "end", label, "label") +
           svgText(behind + 8, baseline, "start", value, "value") + "\n";
}

/// The mean step of one run as a bar of its parts.
std::string stackedBar(const Breakdown& breakdown, bool of_b, double top, double scale) {
    double x = kComparedLabel;
    std::string out;
    for (const BreakdownRow& row : breakdown.rows) {
        const DurationNs ns = of_b ? row.b_ns : row.a_ns;
        const double width = static_cast<double>(ns) * scale;
        if (ns > 0) {
            out += comparedBar(row, x, top, width, breakdownTitle(row) + ", " + formatDuration(ns));
        }
        x += width;
    }
    return out + labelled(top, of_b ? "Mean step of B" : "Mean step of A", x,
                          formatDuration(of_b ? breakdown.b_step_ns : breakdown.a_step_ns));
}

/// From A's step to B's, a line a part: each bar starts where the one before has ended.
std::string waterfall(const std::vector<ComparedPart>& changes, DurationNs a_step_ns, double top, double scale) {
    std::string out;
    double at = kComparedLabel + static_cast<double>(a_step_ns) * scale;
    for (const ComparedPart& part : changes) {
        const double to = at + static_cast<double>(part.differenceNs()) * scale;
        const std::string change = signedDuration(part.differenceNs());
        const std::string tip = fmt::format("{}, {}: {} in A, {} in B", part.title, change, formatDuration(part.a_ns),
                                            formatDuration(part.b_ns));
        out += comparedBar(part.row, std::min(at, to), top, std::abs(to - at), tip) +
               labelled(top, part.title, std::max(at, to), change);
        at = to;
        top += kComparedRow;
    }
    return out;
}

/// What the colours of the two bars mean.
std::string legendHtml(const Breakdown& breakdown) {
    const auto longer = static_cast<double>(std::max(breakdown.a_step_ns, breakdown.b_step_ns));
    std::string items;
    for (const BreakdownRow& row : breakdown.rows) {
        if (static_cast<double>(std::max(row.a_ns, row.b_ns)) >= kLeastInLegend * longer) {
            const std::string css_class = partClass(row) + (isHatched(row) ? " hatched" : "");
            items +=
                element("li", "", element("i", attribute("class", css_class), "") + htmlText(breakdownTitle(row))) +
                "\n";
        }
    }
    return items.empty() ? items : element("ul", " class=\"legend\"", "\n" + items) + "\n";
}

/// The parts of a waterfall: those that hardly changed are among the others.
std::vector<ComparedPart> changesOf(const Breakdown& breakdown, const std::vector<ComparedPart>& parts) {
    std::vector<ComparedPart> changes;
    ComparedPart others{std::string(kOtherParts)};
    for (const ComparedPart& part : parts) {
        if (part.is_whole) {
            continue;
        }
        if (part.row && std::abs(part.differenceNs()) >= leastChange(breakdown)) {
            changes.push_back(part);
        } else {
            others.a_ns += part.a_ns;
            others.b_ns += part.b_ns;
        }
    }
    if (others.differenceNs() != 0) {
        changes.push_back(std::move(others));
    }
    return changes;
}

std::string chartHtml(const ComparisonView& view, const ComparisonOutline& outline) {
    if (!view.comparison.breakdown) {
        return paragraph(breakdownNote(view));
    }
    const Breakdown& breakdown = *view.comparison.breakdown;
    const std::vector<ComparedPart> changes = changesOf(breakdown, outline.parts);
    // Parts may first add and then take away, so the way may lead beyond both steps.
    DurationNs most = std::max(breakdown.a_step_ns, breakdown.b_step_ns);
    DurationNs at = breakdown.a_step_ns;
    for (const ComparedPart& part : changes) {
        at += part.differenceNs();
        most = std::max(most, at);
    }
    const double scale = kComparedBars / static_cast<double>(std::max<DurationNs>(most, 1));
    const double bottom = kComparedRow * static_cast<double>(changes.size() + 1);
    const std::string drawing = stackedBar(breakdown, false, 0, scale) +
                                waterfall(changes, breakdown.a_step_ns, kComparedRow, scale) +
                                stackedBar(breakdown, true, bottom, scale);
    return element(
               "div", " class=\"chart\"",
               svgDrawing(kPageWidth, bottom + kComparedRow, "From the mean step of A to B, part by part", drawing)) +
           "\n" + legendHtml(breakdown);
}

std::string_view toneOf(StepVerdict verdict) {
    switch (verdict) {
        case StepVerdict::Faster: return "good";
        case StepVerdict::Slower: return "high";
        case StepVerdict::DifferenceOfRecordings:
        case StepVerdict::NoDifferenceSeen:
        case StepVerdict::CannotJudge: break;
    }
    return "medium";
}

std::string_view toneOf(FindingChange change) {
    switch (change) {
        case FindingChange::Resolved:
        case FindingChange::Better: return "good";
        case FindingChange::New:
        case FindingChange::Worse: return "high";
        case FindingChange::Unchanged:
        case FindingChange::CannotTell: break;
    }
    return {};
}

/// What became of the findings; each leads to the card of B's finding, or of A's where B has none.
std::string findingRows(const ComparedPlace& place, const ComparisonOutline& outline) {
    std::vector<LinkedRow> rows;
    const std::size_t shown = std::min(kHeadFindings, outline.findings.size());
    for (const ComparedFinding& finding : std::span(outline.findings).first(shown)) {
        const std::string& prefix = finding.b_number ? place.b_prefix : place.a_prefix;
        rows.push_back({fmt::format("{}finding-{}", prefix, finding.b_number.value_or(finding.a_number.value_or(1))),
                        toneOf(finding.change),
                        {{"change", htmlText(changeTitle(finding.change))},
                         {"what", htmlText(finding.title)},
                         {"saves a", htmlText(finding.a_saves)},
                         {"saves b", htmlText(finding.b_saves)}}});
    }
    constexpr auto& kTitles = kComparedFindingTitles;
    const std::vector<RowCell> heads = {{"change", std::string(kTitles[0])},
                                        {"what", std::string(kTitles[1])},
                                        {"saves", std::string(kTitles[2])},
                                        {"saves", std::string(kTitles[3])}};
    return linkedRows("outline compared", heads, rows);
}

/// A number stays in one line with its unit.
std::string unbroken(const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool behind_digit = i > 0 && text[i - 1] >= '0' && text[i - 1] <= '9';
        out += text[i] == ' ' && behind_digit ? "\u00a0" : text.substr(i, 1);
    }
    return out;
}

std::string linkTo(const std::string& id, std::string_view words) {
    return element("a", attribute("href", "#" + id), htmlText(words));
}

std::string listItem(const std::string& html) {
    return element("li", "", html) + "\n";
}

std::string notesHtml(const ComparedPlace& place, const ComparisonOutline& outline) {
    std::string items;
    if (outline.findings.size() > kHeadFindings) {
        items += listItem(
            linkTo(place.prefix + "findings", formatCounted(outline.findings.size() - kHeadFindings, "more finding")));
    }
    if (!outline.differs.empty()) {
        items += listItem(linkTo(place.prefix + "differs", kAlsoDiffers) + ": " + htmlText(outline.differs));
    }
    return items.empty() ? items : element("ul", " class=\"rest\"", "\n" + items) + "\n";
}

}  // namespace

std::string comparisonHeadHtml(const ComparedPlace& place) {
    const ComparisonOutline outline = outlineOf(place.view, kHeadParts);
    std::string runs;
    for (const auto& [prefix, words] :
         {std::pair(&place.a_prefix, &outline.runs[0]), std::pair(&place.b_prefix, &outline.runs[1])}) {
        runs += listItem(linkTo(*prefix + "top", *words));
    }
    std::string lead;
    for (const std::string* line : {&outline.range, &outline.doubt}) {
        lead += line->empty() ? std::string() : paragraph(*line, "lead");
    }
    return element("h1", attribute("class", "answer " + std::string(toneOf(outline.verdict))),
                   htmlText(unbroken(outline.answer))) +
           "\n" + lead + element("ul", " class=\"runs\"", "\n" + runs) + "\n" + chartHtml(place.view, outline) +
           findingRows(place, outline) + notesHtml(place, outline);
}

std::string comparisonRowsHtml(const std::vector<ComparedPlace>& places) {
    if (places.size() < 2) {
        return {};
    }
    const std::array<std::string, 4> titles = comparedRunTitles(places.front().view.a.run->name);
    std::vector<RowCell> heads;
    for (const std::string& title : titles) {
        heads.push_back({"head", htmlText(title)});
    }
    std::vector<LinkedRow> rows;
    for (const ComparedPlace& place : places) {
        const ComparisonOutline outline = outlineOf(place.view, kHeadParts);
        rows.push_back({place.prefix + "top",
                        toneOf(outline.verdict),
                        {{"what", htmlText(outline.b)},
                         {"step", htmlText(outline.b_step)},
                         {"saves", htmlText(outline.change)},
                         {"why", htmlText(outline.reason)}}});
    }
    return linkedRows("outline several", heads, rows);
}

}  // namespace rankscope::report
