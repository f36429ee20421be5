// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <algorithm>

#include "core/base/format.h"
#include "core/report/html/elements.h"
#include "core/report/html/sections.h"
#include "core/report/tables/chosen_steps.h"
#include "core/report/words/outline.h"

namespace rankscope::report {
namespace {

/// The colour of a part of the bar, by its name in report::palette().
std::string_view colourOf(std::string_view share) {
    if (share == "compute" || share == "communication") {
        return share;
    }
    if (share == "unsplit") {
        return "communication-unsplit";
    }
    return share == "input"     ? "cause-dataloader"
           : share == "launch"  ? "cause-launch"
           : share == "stall"   ? "cause-host-stall"
           : share == "rest"    ? "cause-queued"
           : share == "warm_up" ? "cause-warm-up"
                                : "cause-unrecorded";
}

std::string swatch(std::string_view share) {
    return element("i", attribute("class", "f-" + std::string(colourOf(share))), "");
}

/// The step along the critical path, part by part.
std::string barHtml(const std::vector<OutlineShare>& shares) {
    if (shares.empty()) {
        return {};
    }
    std::string parts;
    std::string legend;
    std::string words;
    for (const OutlineShare& share : shares) {
        const std::string text = fmt::format("{} {}", share.title, formatPercent(share.share));
        parts += element("span",
                         attribute("class", "f-" + std::string(colourOf(share.key))) +
                             attribute("style", fmt::format("flex-grow:{:.4f}", share.share)),
                         "");
        legend += element("span", "", swatch(share.key) + htmlText(text)) + "\n";
        words += (words.empty() ? "" : ", ") + text;
    }
    return element("div", " class=\"bar\" role=\"img\"" + attribute("aria-label", words), parts) + "\n" +
           element("p", " class=\"legend\"", "\n" + legend) + "\n";
}

std::string rowsHtml(const RunOutline& outline, const std::string& prefix) {
    if (outline.rows.empty()) {
        return paragraph(outline.no_rows);
    }
    std::vector<LinkedRow> rows;
    for (const OutlineRow& row : outline.rows) {
        const std::string range =
            row.range.empty() ? std::string() : element("small", "", "95 %: " + htmlText(row.range));
        const std::string quick = row.is_quick ? element("span", " class=\"quick\"", "quick win") : std::string();
        rows.push_back({fmt::format("{}finding-{}", prefix, row.number),
                        severityName(row.severity),
                        {{"number", std::to_string(row.number)},
                         {"saves", htmlText(row.saves) + range},
                         {"what", htmlText(row.what) + quick},
                         {"where", htmlText(row.where)},
                         {"do", htmlText(row.change)}}});
    }
    return linkedRows(
        "outline", {{"number", "#"}, {"saves", "saves per step"}, {"what", "what"}, {"where", "where"}, {"do", "do"}},
        rows);
}

std::string restHtml(const RunOutline& outline, const std::string& prefix) {
    std::string out;
    const auto add = [&](std::string_view key, std::string_view title, const std::string& text) {
        out += element("li", "",
                       element("a", attribute("href", "#" + prefix + std::string(key)), htmlText(title)) + ": " +
                           htmlText(text)) +
               "\n";
    };
    if (!outline.looks.empty()) {
        add("check", fmt::format("{} of {} need a look", outline.looks.size(), formatCounted(outline.checks, "check")),
            listed(outline.looks));
    }
    if (!outline.health.empty()) {
        add("health", "Files", outline.health.front());
    }
    if (!outline.unknown.empty()) {
        add("cannot-tell", "Cannot tell", outline.unknown.front());
    }
    if (!outline.coverage.empty()) {
        out += element("li", "", "Prices: " + htmlText(outline.coverage)) + "\n";
    }
    return out.empty() ? out : element("ul", " class=\"rest\"", "\n" + out) + "\n";
}

std::string chosenStepsHtml(const Run& run) {
    std::string items;
    for (const std::string& line : chosenStepsLines(run)) {
        items += element("li", "", htmlText(line)) + "\n";
    }
    return items.empty() ? items : element("ul", " class=\"chosen-steps\"", "\n" + items) + "\n";
}

}  // namespace

std::string runHeadHtml(const AnalysedRun& run, const std::string& prefix) {
    const RunOutline outline = outlineOf(run);
    const std::string severity(outline.rows.empty() ? "low" : severityName(outline.rows.front().severity));
    return element("h1", "", htmlText(outline.name)) + "\n" + paragraph(outline.size + ".", "lead") +
           chosenStepsHtml(*run.run) +
           element("p", attribute("class", "verdict " + severity),
                   element("strong", "", htmlText(outline.headline.title)) + " " + htmlText(outline.headline.text)) +
           "\n" + barHtml(outline.shares) + typicalStepPicture(run) + rowsHtml(outline, prefix) +
           restHtml(outline, prefix);
}

}  // namespace rankscope::report
