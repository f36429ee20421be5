// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/compute/name_tables.h"

#include <string>

#include "core/analysis/device/work_class.h"

namespace rankscope::ui {
namespace {

using report::Cell;
using report::DataTable;
using report::numberCell;
using report::Unit;

Cell shareCell(DurationNs part, DurationNs whole) {
    return whole <= 0 ? Cell() : Cell(static_cast<double>(part) / static_cast<double>(whole));
}

void addKernel(DataTable& table, std::string_view name, const KernelRow& row, DurationNs busy_ns) {
    table.rows.push_back({std::string(name), std::string(workClassName(row.work)), numberCell(row.calls),
                          numberCell(row.total_ns), shareCell(row.busy_ns, busy_ns), numberCell(row.meanNs()),
                          numberCell(row.min_ns), numberCell(row.max_ns)});
}

void addOperator(DataTable& table, std::string_view name, const OperatorRow& row, DurationNs self_ns) {
    table.rows.push_back({std::string(name), numberCell(row.calls), numberCell(row.self_ns),
                          shareCell(row.self_ns, self_ns), numberCell(row.total_ns), numberCell(row.meanNs()),
                          numberCell(row.min_ns), numberCell(row.max_ns), numberCell(row.device_ns)});
}

}  // namespace

DataTable kernelTable(const AnalysedRun& run, std::optional<RankPosition> rank) {
    DataTable table{"kernels",
                    {{"name", "Name", Unit::Name},
                     {"class", "Class", Unit::Word},
                     {"calls", "Calls", Unit::Count},
                     {"total_ns", "Total", Unit::Duration},
                     {"share", "Of GPU", Unit::Share},
                     {"mean_ns", "Mean", Unit::Duration},
                     {"min_ns", "Min", Unit::Duration},
                     {"max_ns", "Max", Unit::Duration}},
                    {}};
    if (rank && *rank < run.facts.ranks.size()) {
        const KernelTable& kernels = run.facts.ranks[*rank].kernels;
        for (const KernelRow& row : kernels.rows) {
            addKernel(table, run.run->ranks[*rank]->strings.view(row.name), row, kernels.device_busy_ns);
        }
        return table;
    }
    DurationNs busy_ns = 0;
    for (const RankFacts& facts : run.facts.ranks) {
        busy_ns += facts.kernels.device_busy_ns;
    }
    for (const RunKernel& kernel : kernelsOverRanks(*run.run, run.facts.ranks)) {
        addKernel(table, kernel.name, kernel.all, busy_ns);
    }
    return table;
}

DataTable operatorTable(const AnalysedRun& run, std::optional<RankPosition> rank) {
    DataTable table{"operators",
                    {{"name", "Name", Unit::Name},
                     {"calls", "Calls", Unit::Count},
                     {"self_ns", "Self", Unit::Duration},
                     {"share", "Of self", Unit::Share},
                     {"total_ns", "Total", Unit::Duration},
                     {"mean_ns", "Mean", Unit::Duration},
                     {"min_ns", "Min", Unit::Duration},
                     {"max_ns", "Max", Unit::Duration},
                     {"device_ns", "On GPU", Unit::Duration}},
                    {}};
    if (rank && *rank < run.facts.ranks.size()) {
        const OperatorTable& operators = run.facts.ranks[*rank].operators;
        for (const OperatorRow& row : operators.rows) {
            addOperator(table, run.run->ranks[*rank]->strings.view(row.name), row, operators.selfNs());
        }
        return table;
    }
    DurationNs self_ns = 0;
    for (const RankFacts& facts : run.facts.ranks) {
        self_ns += facts.operators.selfNs();
    }
    for (const RunOperator& op : operatorsOverRanks(*run.run, run.facts.ranks)) {
        addOperator(table, op.name, op.all, self_ns);
    }
    return table;
}

}  // namespace rankscope::ui
