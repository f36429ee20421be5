// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/run_tables.h"

namespace rankscope::report {

DataTable expertsTable(const AnalysedRun& run) {
    DataTable table{"experts",
                    rankColumns({{"operation", "operation", Unit::Word},
                                 {"count", "times", Unit::Count},
                                 {"time_ns", "time", Unit::Duration},
                                 {"wait_ns", "waiting", Unit::Duration},
                                 {"exposed_ns", "exposed", Unit::Duration},
                                 {"bytes", "bytes", Unit::Bytes},
                                 {"compute_ns", "expert compute", Unit::Duration},
                                 {"slowest", "layers as slowest", Unit::Count}}),
                    {}};
    const ExpertFacts& facts = run.facts.experts;
    for (RankPosition position{0}; position < facts.ranks.size(); ++position) {
        const RankExperts& rank = facts.ranks[position];
        for (std::size_t i = 0; i < rank.operations.size(); ++i) {
            const ExpertTimes& times = rank.operations[i];
            if (times.count == 0) {
                continue;
            }
            std::vector<Cell> row = {run.run->name};
            putRank(row, run, position);
            row.insert(row.end(), {textCell(expertOperationName(static_cast<ExpertOperation>(i))),
                                   numberCell(times.count), times.time_ns, cellOf(times.wait_ns), times.exposed_ns,
                                   cellOf(times.bytes), cellOf(rank.compute_ns), cellOf(rank.slowest)});
            table.rows.push_back(std::move(row));
        }
    }
    return table;
}

DataTable expertLayersTable(const AnalysedRun& run) {
    DataTable table{"expert_layers",
                    {{"run", "run", Unit::Name},
                     {"step", "step", Unit::Number},
                     {"dispatch", "dispatch", Unit::Number},
                     {"combine", "combine", Unit::Number},
                     {"slowest", "slowest", Unit::Number},
                     {"longest_ns", "longest", Unit::Duration},
                     {"mean_ns", "mean", Unit::Duration},
                     {"lost_ns", "lost", Unit::Duration}},
                    {}};
    for (const ExpertLayer& layer : run.facts.experts.layers) {
        table.rows.push_back({run.run->name, layer.step, numberCell(layer.dispatch), numberCell(layer.combine),
                              numberCell(layer.slowest), layer.longest_ns, layer.mean_ns, layer.lost_ns});
    }
    return table;
}

namespace {

std::vector<Column> tensorColumns(std::vector<Column> columns) {
    columns.insert(columns.end(), {{"count", "times", Unit::Count},
                                   {"time_ns", "time", Unit::Duration},
                                   {"transfer_ns", "transfer", Unit::Duration},
                                   {"exposed_ns", "exposed", Unit::Duration}});
    return columns;
}

/// The numbers of a group's ranks, as in the table of groups; none if they are not known.
Cell membersCell(const CollectiveFacts& facts, std::uint32_t group) {
    return group < facts.groups.size() ? textCell(numbersOf(facts.groups[group].ranks)) : Cell();
}

void putTensorTimes(std::vector<Cell>& row, const TensorTimes& times) {
    row.insert(row.end(), {numberCell(times.count), times.time_ns, times.transfer_ns, times.exposed_ns});
}

}  // namespace

DataTable tensorOperationsTable(const AnalysedRun& run) {
    DataTable table{"tensor_operations",
                    tensorColumns({{"run", "run", Unit::Name},
                                   {"group", "group", Unit::Number},
                                   {"ranks", "members", Unit::Text},
                                   {"role", "role", Unit::Word},
                                   {"kind", "kind", Unit::Word},
                                   {"bytes", "bytes", Unit::Bytes},
                                   {"bound", "bound by", Unit::Word}}),
                    {}};
    for (const TensorOperation& operation : run.facts.tensor.operations) {
        std::vector<Cell> row = {run.run->name,
                                 numberCell(operation.group),
                                 membersCell(run.facts.collectives, operation.group),
                                 textCell(roleName(operation.role)),
                                 textCell(collectiveKindName(operation.kind)),
                                 cellOf(operation.bytes),
                                 operation.bound ? textCell(transferBoundName(*operation.bound)) : Cell()};
        putTensorTimes(row, operation.times);
        table.rows.push_back(std::move(row));
    }
    return table;
}

DataTable tensorLayersTable(const AnalysedRun& run) {
    DataTable table{"tensor_layers", tensorColumns({{"run", "run", Unit::Name}, {"name", "layer", Unit::Name}}), {}};
    for (const TensorLayer& layer : run.facts.tensor.layers) {
        std::vector<Cell> row = {run.run->name, textCell(layer.name)};
        putTensorTimes(row, layer.times);
        table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace rankscope::report
