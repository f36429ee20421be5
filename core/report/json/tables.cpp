// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/report/json/parts.h"
#include "core/report/tables/run_tables.h"

namespace rankscope::report {
namespace {

/// The total for the shares of a table, and the number of complete, steady-state steps for its means.
struct TableTotal {
    DurationNs ns = 0;
    std::size_t steps = 0;
};

TableTotal totalOf(const OperatorTable& table) {
    return {table.selfNs(), table.steady_steps};
}

TableTotal totalOf(const KernelTable& table) {
    return {table.device_busy_ns, table.steady_steps};
}

/// The common fields of rows of operators and of kernels. `part_ns`, under the key `part`, is the numerator of the
/// share.
template <class Row>
void putTimes(Json& out, const Row& row, const char* part, DurationNs part_ns, const TableTotal& total) {
    out["calls"] = row.calls;
    out["total_ns"] = row.total_ns;
    out[part] = part_ns;
    out["share"] = shareOf(part_ns, total.ns).value_or(0);
    out["mean_ns"] = row.meanNs();
    out["min_ns"] = row.min_ns;
    out["max_ns"] = row.max_ns;
}

void putRow(Json& out, const OperatorRow& row, const TableTotal& total) {
    putTimes(out, row, "self_ns", row.self_ns, total);
    out["device_ns"] = row.device_ns;
    out["device_self_ns"] = row.device_self_ns;
    out["step_self_ns"] = orNull(meanOfAStep(row.steady_self_ns, total.steps));
}

void putRow(Json& out, const KernelRow& row, const TableTotal& total) {
    putTimes(out, row, "busy_ns", row.busy_ns, total);
    out["step_ns"] = orNull(meanOfAStep(row.steady_ns, total.steps));
}

Json headOf(const RunOperator& row) {
    return {{"name", row.name}};
}

Json headOf(const RunKernel& row) {
    return {{"name", row.name}, {"class", workClassName(row.all.work)}};
}

/// The first kTableRows of `names`, which are the longest: each over all ranks, and on each rank that has it.
/// `table_of` is the table of one rank.
template <class Name, class TableOf>
CutTable cutTable(const AnalysedRun& run, const std::vector<Name>& names, const TableOf& table_of) {
    TableTotal all;
    std::vector<TableTotal> of_rank;
    for (const RankFacts& facts : run.facts.ranks) {
        of_rank.push_back(totalOf(table_of(facts)));
        all.ns += of_rank.back().ns;
        all.steps += of_rank.back().steps;
    }
    CutTable out;
    out.left_out = names.size() - std::min(names.size(), kTableRows);
    for (std::size_t i = 0; i < names.size() - out.left_out; ++i) {
        Json entry = headOf(names[i]);
        putRow(entry, names[i].all, all);
        Json ranks = Json::array();
        for (const TableRow& at : names[i].ranks) {
            Json row = {{"id", at.rank}, {"rank", orNull(run.run->ranks[at.rank]->rank)}};
            putRow(row, table_of(run.facts.ranks[at.rank]).rows[at.row], of_rank[at.rank]);
            ranks.push_back(std::move(row));
        }
        entry["ranks"] = std::move(ranks);
        out.rows.push_back(std::move(entry));
    }
    return out;
}

}  // namespace

CutTable operatorsJson(const AnalysedRun& run) {
    return cutTable(run, operatorsOverRanks(*run.run, run.facts.ranks),
                    [](const RankFacts& facts) -> const OperatorTable& { return facts.operators; });
}

CutTable kernelsJson(const AnalysedRun& run) {
    return cutTable(run, kernelsOverRanks(*run.run, run.facts.ranks),
                    [](const RankFacts& facts) -> const KernelTable& { return facts.kernels; });
}

}  // namespace rankscope::report
