// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/accuracy/tables.h"
#include "tests/accuracy/shares.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "core/base/format.h"

namespace rankscope::accuracy {
namespace {

struct Marks {
    std::string_view begin;
    std::string_view end;
};

Marks marksOf(PagePart part) {
    switch (part) {
        case PagePart::Pairs:
            return {"<!-- begin of the table that ./dev accuracy --compare --write makes -->\n",
                    "<!-- end of the table of pairs -->\n"};
        case PagePart::Reruns:
            return {"<!-- begin of the table of re-runs that ./dev accuracy --compare --write makes -->\n",
                    "<!-- end of the table of re-runs -->\n"};
        case PagePart::Machine:
            return {"<!-- begin of the tables that ./dev accuracy --real --write makes -->\n",
                    "<!-- end of the tables of the machine -->\n"};
        case PagePart::Buckets:
            return {"<!-- begin of the table that ./dev accuracy --buckets --write makes -->\n",
                    "<!-- end of the table of buckets -->\n"};
        case PagePart::Forecasts:
            return {"<!-- begin of the tables that ./dev accuracy --forecasts --write makes -->\n",
                    "<!-- end of the tables of forecasts -->\n"};
        case PagePart::Hard:
            return {"<!-- begin of the table that ./dev accuracy --hard --write makes -->\n",
                    "<!-- end of the table of hard faults -->\n"};
        case PagePart::WhatIf:
            return {"<!-- begin of the tables that ./dev accuracy --what-if --write makes -->\n",
                    "<!-- end of the tables of what-if forecasts -->\n"};
        case PagePart::Matrix: break;
    }
    return {"<!-- begin of the tables that ./dev accuracy --write makes -->\n", "<!-- end of the tables -->\n"};
}

void addFindings(const Tally& tally, std::string& text) {
    text +=
        "| finding | found | recall | precision | right ranks | price within tolerance | estimates | error, median | "
        "worst |\n|---|---|---|---|---|---|---|---|---|\n";
    for (const auto& [id, finding] : tally.findings) {
        const std::size_t priced = finding.price_error_percent.size();
        text += "| `" + id + "` | " + of(finding.found, finding.planted) + " | " +
                (finding.planted > 0 ? percent(finding.recall()) : "-") + " | " +
                (finding.found + finding.false_above_low > 0 ? percent(finding.precision()) : "-") + " | " +
                of(finding.ranks_right, finding.found) + " | " + of(finding.price_right, priced) + " | " +
                std::to_string(finding.estimates) + " | " +
                (priced > 0 ? formatDecimal(finding.medianError(), 2) + " %" : "-") + " | " +
                (priced > 0 ? formatDecimal(finding.worstError(), 2) + " %" : "-") + " |\n";
    }
}

void addClocks(const ClockTally& clocks, std::string& text) {
    if (clocks.errors_ns.empty()) {
        return;
    }
    const std::size_t count = clocks.errors_ns.size();
    const auto quantile = [&](std::size_t percent) {
        return formatDuration(clocks.errors_ns[std::min(count - 1, count * percent / 100)]);
    };
    text += "\n| clocks | |\n|---|---|\n";
    text += "| ranks with a clock of their own | " + std::to_string(count) + " |\n";
    text += "| error, median | " + quantile(50) + " |\n";
    text += "| error, 95 % | " + quantile(95) + " |\n";
    text += "| error, worst | " + quantile(100) + " |\n";
    text += "| within the target | " + of(clocks.within_target, count) + " |\n";
    text += "| within the reported uncertainty | " + of(clocks.covered, count) + " |\n";
}

}  // namespace

std::string markdownOf(const Tally& tally) {
    std::string text = std::to_string(tally.runs) + " runs";
    if (tally.broken > 0) {
        text += "; " + std::to_string(tally.broken) + " could not be judged";
    }
    text += ". Healthy runs without a finding above low: " + of(tally.healthy_clean, tally.healthy) + ".\n\n";
    addFindings(tally, text);
    addClocks(tally.clocks, text);
    return text;
}

void writeInto(const std::filesystem::path& page, const std::string& tables, PagePart part) {
    const Marks marks = marksOf(part);
    std::stringstream text;
    text << std::ifstream(page).rdbuf();
    std::string all = text.str();
    const std::size_t begin = all.find(marks.begin);
    const std::size_t end = all.find(marks.end);
    if (begin == std::string::npos || end == std::string::npos || end < begin) {
        throw std::runtime_error(page.string() + " has no marks for the tables");
    }
    const std::size_t from = begin + marks.begin.size();
    all.replace(from, end - from, "\n" + tables + "\n");
    std::ofstream file(page);
    file << all;
    if (!file.flush()) {
        throw std::runtime_error("cannot write " + page.string());
    }
}

}  // namespace rankscope::accuracy
