// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html/elements.h"
#include "core/report/html/sections.h"
#include "core/report/tables/memory_summary.h"

namespace rankscope::report {
namespace {

/// More rows than these are in the CSV and the JSON report.
constexpr std::size_t kMemoryRows = 200;

std::string tableOr(const Table& table, const std::string& name, std::string_view caption) {
    return table.rows.empty() ? "" : htmlTable(asData(table, name), caption);
}

}  // namespace

Section memorySection(const AnalysedRun& run) {
    if (!hasMemory(run)) {
        return {"memory", "Memory", {}};
    }
    std::string content = bulletList(memoryLines(run));
    content += tableOr(memoryTable(run, kMemoryRows), "memory_peaks", "What uses memory at the peak of each rank");
    content += tableOr(memoryFormulaTable(run), "memory_formula", "Memory by the formula");
    if (run.facts.memory.any()) {
        content += paragraph(memoryNote(), "note");
        content += folded("By operator",
                          tableOr(memoryOperatorTable(run, kMemoryRows), "memory_operators",
                                  "What uses memory at the peak of the fullest rank, by operator"),
                          false);
        content += folded("Checkpoints",
                          tableOr(memoryCheckpointTable(run), "memory_checkpoints",
                                  "Memory of the fullest rank at the ends of phases"),
                          false);
        if (const std::string left_out = memoryLeftOut(run, kMemoryRows, kMemoryRows); !left_out.empty()) {
            content += paragraph(left_out, "note");
        }
    }
    return {"memory", "Memory", content};
}

}  // namespace rankscope::report
