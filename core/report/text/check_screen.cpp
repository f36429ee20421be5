// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <algorithm>

#include "core/report/check/check.h"
#include "core/report/check/protocol.h"
#include "core/report/text/screen_parts.h"

namespace rankscope {
namespace {

using namespace report;

/// How many lines of each kind fit on a screen, and how many lines of text each.
struct Room {
    std::size_t looks = 0;
    std::size_t unknown = 0;
    std::size_t text = 0;
};

/// The first sentence of a text.
std::string_view firstSentence(std::string_view text) {
    const std::size_t end = text.find(". ");
    return end == std::string_view::npos ? text : text.substr(0, end + 1);
}

void addLines(Screen& screen, const Check& check, CheckStatus status, std::size_t most, std::size_t text) {
    constexpr std::size_t kTitle = 20;
    const Ink ink = status == CheckStatus::Look ? Ink::Medium : Ink::Dim;
    std::size_t shown = 0;
    for (const CheckLine& line : check.lines) {
        if (line.status == status && shown < most) {
            ++shown;
            screen.paragraph({fmt::format("  {:<{}}", line.title, kTitle), ink},
                             status == CheckStatus::Look ? line.text : firstSentence(line.record), text);
        }
    }
    addRestOf(screen, check.count(status) - shown, "line");
}

void addCheck(Screen& screen, const ReportInput& input, std::size_t index, const Room& room) {
    const AnalysedRun& run = *input.runs[index];
    const Check check = checkOf(run);
    addHead(screen, outlineOf(run), 1);
    screen.line({{checkCounts(check) + ".", Ink::Bold}});
    addLines(screen, check, CheckStatus::Look, room.looks, room.text);
    if (room.unknown > 0 && check.count(CheckStatus::CannotTell) > 0) {
        screen.line({{"Cannot tell, and what to record:", Ink::Bold}});
        addLines(screen, check, CheckStatus::CannotTell, room.unknown, 1);
    }
    const Protocol protocol = protocolOf(run, validationOf(input, index));
    const auto next = std::ranges::find(protocol.steps, ProtocolState::Next, &ProtocolStep::state);
    if (next != protocol.steps.end()) {
        addTitled(screen, "Next", next->text, 2);
    }
}

/// If there are too many runs for the screen: one line each.
void addCounts(Screen& screen, const ReportInput& input) {
    constexpr std::size_t kMostCounts = 20;
    ScreenTable table;
    table.columns = {{"run", false, 12}, {"health check"}, {"look here", false, 16}};
    for (std::size_t i = 0; i < std::min(input.runs.size(), kMostCounts); ++i) {
        const RunOutline outline = outlineOf(*input.runs[i]);
        table.rows.push_back(
            {{outline.name, Ink::Bold}, {checkCounts(checkOf(*input.runs[i]))}, {listed(outline.looks), Ink::Medium}});
    }
    screen.table(table);
    addRestOf(screen, input.runs.size() - std::min(input.runs.size(), kMostCounts), "run");
}

}  // namespace

std::string checkScreen(const ReportInput& input, const ScreenStyle& style) {
    Screen screen(style);
    if (input.runs.size() > 2) {
        addCounts(screen, input);
    } else {
        const Room room = input.runs.size() == 1 ? Room{5, 3, 2} : Room{3, 0, 1};
        for (std::size_t i = 0; i < input.runs.size(); ++i) {
            if (i > 0) {
                screen.gap();
            }
            addCheck(screen, input, i, room);
        }
    }
    if (!input.runs.empty()) {
        addTitled(screen, "More", "--full shows all lines, each rank and the check lists; --html check.html");
    }
    return screen.text();
}

}  // namespace rankscope
