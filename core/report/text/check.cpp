// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/text/check.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/utf8.h"
#include "core/report/check/check_lists.h"
#include "core/report/check/check_tables.h"
#include "core/report/check/protocol.h"
#include "core/report/model/chosen_steps.h"
#include "core/report/model/summary.h"
#include "core/report/reports.h"
#include "core/report/text/lines.h"

namespace rankscope {
namespace {

using namespace report;

constexpr std::size_t kCheckedRanksShown = 16;
/// Columns of a line: its status, what it is about, its sentence.
constexpr std::size_t kStatusWidth = 13;
constexpr std::size_t kTitleWidth = 19;

std::string filledUp(std::string_view text, std::size_t width) {
    return std::string(text) + std::string(width - std::min(width, displayWidth(text)), ' ');
}

/// `head` in front of a text that is broken into lines beneath one another.
std::string behind(const std::string& head, std::string_view text) {
    return head + wrapped(text, displayWidth(head), kLineWidth) + "\n";
}

std::string checkLineText(const CheckLine& line) {
    const std::string indent(kIndent, ' ');
    std::string out = behind(
        indent + filledUp(checkStatusTitle(line.status), kStatusWidth) + filledUp(line.title, kTitleWidth), line.text);
    if (!line.record.empty()) {
        out += behind(std::string(kIndent + kStatusWidth + kTitleWidth, ' '), "To tell: " + line.record);
    }
    return out;
}

std::string areasText(const Check& check) {
    std::string out;
    for (std::size_t i = 0; i < kCheckAreas; ++i) {
        const auto area = static_cast<CheckArea>(i);
        out += "\n" + std::string(checkAreaTitle(area)) + "\n";
        for (const CheckLine& line : check.lines) {
            out += line.area == area ? checkLineText(line) : "";
        }
    }
    return out;
}

std::string ranksText(const AnalysedRun& run, const Check& check) {
    const Table table = checkRankTable(run, check, kAllRows);
    return table.rows.empty()
               ? std::string()
               : "\nEach rank\n" + tableLines(cutTo(table, kCheckedRanksShown, "rank")) + line(checkRankNote());
}

std::string protocolText(const Protocol& protocol) {
    std::string out = "\nProtocol\n";
    const std::string inner(kIndent + kStatusWidth + kTitleWidth, ' ');
    for (const ProtocolStep& step : protocol.steps) {
        out += behind(std::string(kIndent, ' ') + filledUp(protocolStateTitle(step.state), kStatusWidth) +
                          filledUp(step.title, kTitleWidth),
                      step.text);
        out += step.record.empty() ? "" : behind(inner, "To record: " + step.record);
        out += step.command.empty() ? "" : inner + step.command + "\n";
    }
    return out;
}

std::string listText(const CheckList& list) {
    std::string out =
        fmt::format("\n{}: {} yes, {} no, {} cannot tell\n", checkListTitle(list.id), list.count(ListAnswer::Yes),
                    list.count(ListAnswer::No), list.count(ListAnswer::CannotTell));
    const std::string inner(kIndent + kStatusWidth, ' ');
    for (const ListLine& line : list.lines) {
        out += behind(std::string(kIndent, ' ') + filledUp(listAnswerTitle(line.answer), kStatusWidth), line.question);
        out += behind(inner, line.text);
        out += line.advice.empty() ? "" : behind(inner, "Do: " + line.advice);
        out += line.record.empty() ? "" : behind(inner, "To tell: " + line.record);
    }
    return out;
}

}  // namespace

namespace report {

std::string checkText(const AnalysedRun& run) {
    const Check check = checkOf(run);
    std::string out = "\nHealth check: " + checkCounts(check) + "\n";
    for (const CheckLine& line : check.lines) {
        out += line.status == CheckStatus::Look ? checkLineText(line) : "";
    }
    return out;
}

}  // namespace report

std::string textCheck(const ReportInput& input, std::size_t run) {
    const AnalysedRun& analysed = *input.runs[run];
    const Check check = checkOf(analysed);
    std::string out = printable(analysed.run->name) + ": " + runSummary(analysed) + "\n";
    out += lines(chosenStepsLines(*analysed.run));
    out += line(verdictLine(analysed.facts)) + line(checkCounts(check));
    out += areasText(check) + ranksText(analysed, check) + protocolText(protocolOf(analysed, validationOf(input, run)));
    for (const CheckList& list : checkListsOf(analysed)) {
        out += listText(list);
    }
    return out;
}

}  // namespace rankscope
