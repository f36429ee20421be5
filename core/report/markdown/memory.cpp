// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/markdown/memory.h"

#include "core/report/model/memory_summary.h"

namespace rankscope::report {
namespace {

constexpr std::size_t kRanksShown = 16;
constexpr std::size_t kOperatorsShown = 12;

}  // namespace

std::string memoryMarkdown(const AnalysedRun& run) {
    if (!hasMemory(run)) {
        return {};
    }
    std::string out;
    for (const std::string& text : memoryLines(run)) {
        out += "- " + markdownText(text) + "\n";
    }
    for (const Table& table : {memoryTable(run, kRanksShown), memoryOperatorTable(run, kOperatorsShown),
                               memoryCheckpointTable(run), memoryFormulaTable(run)}) {
        out += table.rows.empty() ? "" : "\n" + tableMarkdown(table);
    }
    const std::string left_out = memoryLeftOut(run, kRanksShown, kOperatorsShown);
    out += left_out.empty() ? "" : "\n" + markdownText(left_out) + "\n";
    return out + "\n" + (run.facts.memory.any() ? markdownText(memoryNote()) + "\n\n" : "");
}

}  // namespace rankscope::report
