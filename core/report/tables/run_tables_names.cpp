// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/run_tables.h"

namespace rankscope::report {
DataTable operatorsTable(const AnalysedRun& run) {
    DataTable table{"operators",
                    rankColumns({{"name", "operator", Unit::Name},
                                 {"calls", "calls", Unit::Count},
                                 {"total_ns", "total", Unit::Duration},
                                 {"self_ns", "self", Unit::Duration},
                                 {"share", "of all self time", Unit::Share},
                                 {"mean_ns", "mean", Unit::Duration},
                                 {"min_ns", "min", Unit::Duration},
                                 {"max_ns", "max", Unit::Duration},
                                 {"device_ns", "device", Unit::Duration},
                                 {"device_self_ns", "GPU, self", Unit::Duration},
                                 {"step_self_ns", "self, per step", Unit::Duration}}),
                    {}};
    for (RankPosition position{0}; position < run.facts.ranks.size(); ++position) {
        const OperatorTable& operators = run.facts.ranks[position].operators;
        const DurationNs all_self_ns = operators.selfNs();
        for (const OperatorRow& one : operators.rows) {
            std::vector<Cell> row = {run.run->name};
            putRank(row, run, position);
            row.insert(row.end(), {textCell(run.run->ranks[position]->strings.view(one.name)), numberCell(one.calls),
                                   one.total_ns, one.self_ns, cellOf(shareOf(one.self_ns, all_self_ns)), one.meanNs(),
                                   one.min_ns, one.max_ns, one.device_ns, one.device_self_ns,
                                   cellOf(meanOfAStep(one.steady_self_ns, operators.steady_steps))});
            table.rows.push_back(std::move(row));
        }
    }
    return table;
}

DataTable kernelsTable(const AnalysedRun& run) {
    DataTable table{"kernels",
                    rankColumns({{"name", "kernel", Unit::Name},
                                 {"class", "class", Unit::Word},
                                 {"calls", "calls", Unit::Count},
                                 {"total_ns", "total", Unit::Duration},
                                 {"busy_ns", "busy", Unit::Duration},
                                 {"share", "of busy time", Unit::Share},
                                 {"mean_ns", "mean", Unit::Duration},
                                 {"min_ns", "min", Unit::Duration},
                                 {"max_ns", "max", Unit::Duration},
                                 {"step_ns", "per step", Unit::Duration}}),
                    {}};
    for (RankPosition position{0}; position < run.facts.ranks.size(); ++position) {
        const KernelTable& kernels = run.facts.ranks[position].kernels;
        for (const KernelRow& one : kernels.rows) {
            std::vector<Cell> row = {run.run->name};
            putRank(row, run, position);
            row.insert(row.end(), {textCell(run.run->ranks[position]->strings.view(one.name)),
                                   std::string(workClassName(one.work)), numberCell(one.calls), one.total_ns,
                                   one.busy_ns, cellOf(shareOf(one.busy_ns, kernels.device_busy_ns)), one.meanNs(),
                                   one.min_ns, one.max_ns, cellOf(meanOfAStep(one.steady_ns, kernels.steady_steps))});
            table.rows.push_back(std::move(row));
        }
    }
    return table;
}

}  // namespace rankscope::report
