// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/text/screen_parts.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "core/base/format.h"
#include "core/report/tables/table.h"

namespace rankscope::report {
namespace {

constexpr std::size_t kMostBar = 32;
constexpr std::size_t kLeastBar = 8;
constexpr double kLeastNamed = 0.01;
constexpr std::size_t kPartTitle = 13;

/// How a part of the bar is drawn; also visible on a monochrome terminal.
InkText signOf(std::string_view key) {
    if (key == "compute") {
        return {"█", Ink::Good};
    }
    if (key == "communication" || key == "unsplit") {
        return {"▓", Ink::Low};
    }
    if (key == "input") {
        return {"▒", Ink::Medium};
    }
    return key == "launch" || key == "stall" ? InkText{"░", Ink::High} : InkText{"·", Ink::Dim};
}

/// "████▓▓▒▒  █ compute 31 %  ▓ communication 2 %".
void addBar(Screen& screen, const std::vector<OutlineShare>& shares) {
    if (shares.empty()) {
        return;
    }
    std::vector<InkText> legend;
    std::size_t used = 2;
    for (const OutlineShare& share : shares) {
        if (share.share < kLeastNamed) {
            continue;
        }
        const std::string text = fmt::format(" {} {}", share.title, formatPercent(share.share));
        used += 3 + displayWidth(text);
        legend.insert(legend.end(), {{"  "}, signOf(share.key), {text}});
    }
    const std::size_t room = screen.width() - std::min(screen.width(), used);
    const std::size_t width = room < kLeastBar ? 0 : std::min(room, kMostBar);
    std::vector<InkText> texts = {{"  "}};
    double sum = 0;
    std::size_t drawn = 0;
    for (const OutlineShare& share : shares) {
        const InkText sign = signOf(share.key);
        sum += share.share;
        const auto end = static_cast<std::size_t>(std::lround(sum * static_cast<double>(width)));
        std::string cells;
        for (; drawn < std::min(end, width); ++drawn) {
            cells += sign.text;
        }
        texts.push_back({cells, sign.ink});
    }
    texts.insert(texts.end(), legend.begin(), legend.end());
    screen.line(texts);
}

}  // namespace

std::string inCapitals(std::string text) {
    std::ranges::transform(text, text.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    return text;
}

Ink inkOf(Severity severity) {
    switch (severity) {
        case Severity::High: return Ink::High;
        case Severity::Medium: return Ink::Medium;
        case Severity::Low: return Ink::Low;
    }
    return Ink::Plain;
}

void addHead(Screen& screen, const RunOutline& run, std::size_t most) {
    const std::size_t room = screen.width() - std::min(screen.width(), run.size.size() + 2);
    screen.line({{shortenedInTheMiddle(run.name, std::max<std::size_t>(room, 12)), Ink::Bold}, {"  " + run.size}});
    const Ink ink = run.rows.empty() ? Ink::Bold : inkOf(run.rows.front().severity);
    screen.paragraph({inCapitals(run.headline.title) + "  ", ink}, run.headline.text, most);
    addBar(screen, run.shares);
}

void addTitled(Screen& screen, std::string_view title, std::string_view text, std::size_t most) {
    screen.paragraph({fmt::format("{:<{}}", title, kPartTitle), Ink::Dim}, text, most);
}

void addRestOf(Screen& screen, std::size_t rest, std::string_view one) {
    if (rest > 0) {
        screen.line(
            {{fmt::format("     and {} (--full)", formatCounted(rest, fmt::format("more {}", one))), Ink::Dim}});
    }
}

}  // namespace rankscope::report
