// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/text/memory.h"

#include "core/report/model/memory_summary.h"
#include "core/report/text/lines.h"

namespace rankscope::report {
namespace {

constexpr std::size_t kRanksShown = 16;
constexpr std::size_t kOperatorsShown = 12;

}  // namespace

std::string memoryText(const AnalysedRun& run) {
    if (!hasMemory(run)) {
        return {};
    }
    std::string out = "\nMemory\n" + lines(memoryLines(run));
    for (const Table& table : {memoryTable(run, kRanksShown), memoryOperatorTable(run, kOperatorsShown),
                               memoryCheckpointTable(run), memoryFormulaTable(run)}) {
        out += table.rows.empty() ? "" : tableText(table, kIndent);
    }
    const std::string left_out = memoryLeftOut(run, kRanksShown, kOperatorsShown);
    out += left_out.empty() ? "" : line(left_out);
    return run.facts.memory.any() ? out + line(memoryNote()) : out;
}

}  // namespace rankscope::report
