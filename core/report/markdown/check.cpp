// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/markdown/check.h"

#include <fmt/format.h>

#include "core/report/check/check_tables.h"
#include "core/report/model/chosen_steps.h"
#include "core/report/model/cut_table.h"
#include "core/report/model/summary.h"
#include "core/report/model/version.h"

namespace rankscope {
namespace {

using namespace report;

constexpr std::size_t kCheckedRanks = 16;

/// A sentence with what would tell it behind it.
std::string withRecord(const std::string& text, const std::string& record) {
    return record.empty() ? text : text + " To tell: " + record;
}

std::string runCheck(const ReportInput& input, std::size_t index) {
    const AnalysedRun& run = *input.runs[index];
    std::string out = "# " + markdownText(run.run->name) + ": health check\n\n" + markdownText(runSummary(run)) +
                      ".\n\n" + markdownBullets(chosenStepsLines(*run.run)) + "**Verdict:** " +
                      markdownText(verdictLine(run.facts)) + "\n\n" + checkMarkdown(run);
    out += "## Protocol\n\n" + protocolMarkdown(run, validationOf(input, index));
    for (const CheckList& list : checkListsOf(run)) {
        out += "## " + std::string(checkListTitle(list.id)) + "\n\n" + checkListMarkdown(list);
    }
    return out;
}

}  // namespace

namespace report {

std::string checkMarkdown(const AnalysedRun& run) {
    const Check check = checkOf(run);
    Table lines;
    lines.header = {"", "what", "says"};
    lines.left_columns = 3;
    for (const CheckLine& line : check.lines) {
        const bool look = line.status == CheckStatus::Look;
        lines.rows.push_back({std::string(look ? "▲ " : "") + std::string(checkStatusTitle(line.status)), line.title,
                              withRecord(line.text, line.record)});
    }
    std::string out = checkCounts(check) + ".\n\n" + tableMarkdown(lines) + "\n";
    if (const Table ranks = checkRankTable(run, check, kAllRows); !ranks.rows.empty()) {
        out += cutMarkdown(cutTo(ranks, kCheckedRanks, "rank")) + markdownText(checkRankNote()) + "\n\n";
    }
    return out;
}

std::string protocolMarkdown(const AnalysedRun& run, const Validation& validation) {
    std::string out;
    for (const ProtocolStep& step : protocolOf(run, validation).steps) {
        out += fmt::format("{}. **{}** ({}): {}", static_cast<int>(step.stage) + 1, markdownText(step.title),
                           protocolStateTitle(step.state), markdownText(step.text));
        out += step.record.empty() ? "" : " To record: " + markdownText(step.record);
        out += step.command.empty() ? "" : " " + markdownCode(step.command);
        out += "\n";
    }
    return out + "\n";
}

std::string checkListMarkdown(const CheckList& list) {
    Table table;
    table.header = {"", "question", "answer"};
    table.left_columns = 3;
    for (const ListLine& line : list.lines) {
        const std::string advice = line.advice.empty() ? "" : " Do: " + line.advice;
        table.rows.push_back(
            {std::string(listAnswerTitle(line.answer)), line.question, withRecord(line.text, line.record) + advice});
    }
    return tableMarkdown(table) + "\n";
}

}  // namespace report

std::string markdownCheck(const ReportInput& input) {
    std::string out;
    for (std::size_t run = 0; run < input.runs.size(); ++run) {
        out += runCheck(input, run);
    }
    return out + "Rankscope " + std::string(toolVersion()) + "\n";
}

}  // namespace rankscope
