// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/model/run_tables.h"

namespace rankscope::report {

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
                                 {"use_waited_ns", "its use waited", Unit::Duration},
                                 {"last", "who came last", Unit::Number},
                                 {"wait_ns", "exposed wait", Unit::Duration},
                                 {"wait_cause", "why it waited", Unit::Word},
                                 {"transfer_ns", "exposed transfer", Unit::Duration},
                                 {"transfer_cause", "why it is in the open", Unit::Word},
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
