// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <string>

#include "core/report/tables/run_tables.h"
#include "core/report/tables/shard_units.h"

namespace rankscope::report {
namespace {

/// A column for each cause of exposed gathers and scatters: "host-late" as "cause_host_late_ns".
void addShardCauses(std::vector<Column>& columns) {
    for (std::size_t i = 0; i < kShardCauses; ++i) {
        const auto cause = static_cast<ShardCause>(i);
        std::string key(shardCauseName(cause));
        std::ranges::replace(key, '-', '_');
        columns.push_back({"cause_" + key + "_ns", std::string(shardCauseText(cause)), Unit::Duration});
    }
}

}  // namespace

DataTable shardRanksTable(const AnalysedRun& run) {
    DataTable table{"shard_ranks",
                    rankColumns({{"counted_steps", "counted steps", Unit::Count},
                                 {"gather_ns", "gathers, per step", Unit::Duration},
                                 {"scatter_ns", "scatters, per step", Unit::Duration},
                                 {"other_ns", "other, per step", Unit::Duration}}),
                    {}};
    addShardCauses(table.columns);
    const ShardFacts& shards = run.facts.shards;
    for (RankPosition position{0}; position < shards.ranks.size(); ++position) {
        const ShardStep& sums = shards.ranks[position].counted;
        const std::size_t steps = run.facts.parallelism.ranks[position].counted;
        const auto of_a_step = [steps](DurationNs sum_ns) { return cellOf(meanOfAStep(sum_ns, steps)); };
        std::vector<Cell> row = {run.run->name};
        putRank(row, run, position);
        row.insert(row.end(), {numberCell(steps), of_a_step(sums.gathers.total()), of_a_step(sums.scatters.total()),
                               of_a_step(sums.other_ns)});
        ShardTimes causes = sums.gathers;
        causes += sums.scatters;
        for (const DurationNs ns : causes.ns) {
            row.push_back(of_a_step(ns));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

DataTable shardUnitsTable(const AnalysedRun& run) {
    DataTable table{"shard_units",
                    {{"run", "run", Unit::Name},
                     {"unit", "unit", Unit::Name},
                     {"operation", "operation", Unit::Word},
                     {"count", "times", Unit::Count},
                     {"longest_transfer_ns", "longest transfer", Unit::Duration},
                     {"exposed_ns", "exposed", Unit::Duration}},
                    {}};
    addShardCauses(table.columns);
    for (const UnitTimes& times : unitTimes(run.facts)) {
        std::vector<Cell> row = {run.run->name,
                                 textCell(run.facts.shards.units[times.unit].name),
                                 textCell(shardOperationName(times.operation)),
                                 numberCell(times.count),
                                 times.longest_ns > 0 ? Cell(times.longest_ns) : Cell(),
                                 times.exposed.total()};
        for (const DurationNs ns : times.exposed.ns) {
            row.emplace_back(ns);
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

DataTable shardPartsTable(const AnalysedRun& run) {
    DataTable table{"shards",
                    rankColumns({{"step", "step", Unit::Number},
                                 {"collective", "collective", Unit::Number},
                                 {"unit", "unit", Unit::Name},
                                 {"operation", "operation", Unit::Word},
                                 {"phase", "phase", Unit::Word},
                                 {"prefetched", "launched ahead", Unit::Flag},
                                 {"launched_ns", "launched", Unit::Duration},
                                 {"start_ns", "start", Unit::Duration},
                                 {"duration_ns", "duration", Unit::Duration},
                                 {"use_waited_ns", "use delayed by", Unit::Duration},
                                 {"last", "last arriver", Unit::Number},
                                 {"wait_ns", "exposed wait", Unit::Duration},
                                 {"wait_cause", "why it waited", Unit::Word},
                                 {"transfer_ns", "exposed transfer", Unit::Duration},
                                 {"transfer_cause", "why it is exposed", Unit::Word},
                                 {"unsplit_ns", "exposed, undivided", Unit::Duration}}),
                    {}};
    const ShardFacts& shards = run.facts.shards;
    for (RankPosition position{0}; position < shards.ranks.size(); ++position) {
        for (const ShardPart& part : shards.ranks[position].parts) {
            const ShardCollective& shard = shards.collectives[part.of];
            std::vector<Cell> row = {run.run->name};
            putRank(row, run, position);
            row.insert(row.end(),
                       {run.facts.ranks[position].steps[part.step].index, numberCell(shard.collective),
                        textCell(shards.units[shard.unit].name), textCell(shardOperationName(shard.operation)),
                        textCell(phaseName(shard.phase)), shard.prefetched,
                        part.call.empty() ? Cell() : timeCell(run, position, part.call.start_ns),
                        timeCell(run, position, part.span.start_ns), part.span.length(), cellOf(part.consumer_wait_ns),
                        shard.last ? numberCell(*shard.last) : Cell(), part.wait_ns,
                        textCell(shardCauseName(shard.wait_cause)), part.transfer_ns,
                        textCell(shardCauseName(shard.transfer_cause)), part.unsplit_ns});
            table.rows.push_back(std::move(row));
        }
    }
    return table;
}

}  // namespace rankscope::report
