// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/run_tables.h"
#include "core/report/words/summary.h"

namespace rankscope::report {
namespace {

std::vector<Cell> memberRow(const AnalysedRun& run, std::size_t index, const CollectiveMember& member) {
    const Collective& collective = run.facts.collectives.collectives[index];
    const CollectiveGroup& group = run.facts.collectives.groups[collective.group];
    std::vector<Cell> row = {run.run->name};
    putRank(row, run, member.rank);
    row.insert(row.end(),
               {numberCell(index), std::string(collectiveKindName(collective.kind)), textCell(collective.name),
                textCell(collective.dtype), numberCell(collective.group), textCell(group.name),
                std::string(matchMethodName(collective.method)), collective.complete, cellOf(collective.bytes),
                timeCell(run, member.rank, member.span.start_ns), member.span.length(),
                member.ready_ns ? timeCell(run, member.rank, *member.ready_ns) : Cell(), cellOf(member.wait_ns),
                cellOf(member.clocked_wait_ns), cellOf(collective.transfer_ns), cellOf(collective.algorithm_gb_per_s),
                cellOf(collective.bus_gb_per_s)});
    return row;
}

}  // namespace

DataTable collectivesTable(const AnalysedRun& run) {
    DataTable table{"collectives",
                    rankColumns({{"collective", "collective", Unit::Number},
                                 {"kind", "kind", Unit::Word},
                                 {"name", "name", Unit::Name},
                                 {"dtype", "type", Unit::Name},
                                 {"group", "group", Unit::Number},
                                 {"group_name", "group name", Unit::Name},
                                 {"match", "match", Unit::Word},
                                 {"complete", "complete", Unit::Flag},
                                 {"bytes", "bytes", Unit::Bytes},
                                 {"start_ns", "start", Unit::Duration},
                                 {"duration_ns", "duration", Unit::Duration},
                                 {"ready_ns", "ready", Unit::Duration},
                                 {"wait_ns", "wait", Unit::Duration},
                                 {"clocked_wait_ns", "wait by clock", Unit::Duration},
                                 {"transfer_ns", "transfer", Unit::Duration},
                                 {"algorithm_gb_per_s", "algorithm bandwidth", Unit::GbPerSecond},
                                 {"bus_gb_per_s", "bus bandwidth", Unit::GbPerSecond}}),
                    {}};
    const std::vector<Collective>& collectives = run.facts.collectives.collectives;
    for (std::size_t i = 0; i < collectives.size(); ++i) {
        for (const CollectiveMember& member : collectives[i].members) {
            table.rows.push_back(memberRow(run, i, member));
        }
    }
    return table;
}

DataTable stragglersTable(const AnalysedRun& run) {
    DataTable table{"stragglers",
                    rankColumns({{"segment_ns", "segment time", Unit::Duration},
                                 {"over_mean", "× mean", Unit::Number},
                                 {"z_score", "z-score", Unit::Number},
                                 {"last_steps", "times last", Unit::Count},
                                 {"saving_ns", "segment saving", Unit::Duration},
                                 {"throughput_lost", "segment saving of the step", Unit::Share},
                                 {"findings", "the run saves without it", Unit::Text}}),
                    {}};
    for (const RankLateness& rank : run.facts.stragglers.ranks) {
        std::vector<Cell> row = {run.run->name};
        putRank(row, run, rank.rank);
        row.insert(row.end(), {rank.segment_ns, rank.over_mean, cellOf(rank.z_score), numberCell(rank.last_steps),
                               rank.saving_ns, rank.throughput_lost, textCell(findingsOfRank(run, rank.rank))});
        table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace rankscope::report
