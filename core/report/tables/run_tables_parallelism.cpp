// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/parallelism/judge_operations.h"
#include "core/report/tables/run_tables.h"

namespace rankscope::report {
namespace {

std::string betweenBars(const std::vector<std::string>& texts) {
    std::string out;
    for (const std::string& text : texts) {
        out += (out.empty() ? "" : " | ") + text;
    }
    return out;
}

/// A column for the exposed communication of each role, and of groups without one.
std::vector<Column> roleColumns(std::vector<Column> columns) {
    for (std::size_t i = 0; i < kRoleCount; ++i) {
        const std::string role(roleName(static_cast<Role>(i)));
        columns.push_back({"exposed_" + role + "_ns", "exposed, " + role, Unit::Duration});
    }
    columns.push_back({"exposed_unknown_ns", "exposed, cannot tell", Unit::Duration});
    return columns;
}

void putTimes(std::vector<Cell>& row, const RoleTimes& times) {
    for (const DurationNs ns : times.ns) {
        row.emplace_back(ns);
    }
}

}  // namespace

std::string numbersOf(const std::vector<RankNumber>& ranks) {
    std::string out;
    for (const RankNumber rank : ranks) {
        out += (out.empty() ? "" : " ") + std::to_string(rank.value);
    }
    return out;
}

DataTable groupsTable(const AnalysedRun& run) {
    DataTable table{"groups",
                    {{"run", "run", Unit::Name},
                     {"group", "group", Unit::Number},
                     {"name", "name", Unit::Name},
                     {"description", "description", Unit::Name},
                     {"role", "role", Unit::Word},
                     {"confidence", "confidence", Unit::Word},
                     {"by_user", "by the user", Unit::Flag},
                     {"size", "ranks", Unit::Count},
                     {"ranks", "members", Unit::Text},
                     {"operations", "operations", Unit::Text},
                     {"exposed_comm_ns", "exposed", Unit::Duration},
                     {"evidence", "evidence", Unit::Text}},
                    {}};
    for (const GroupRole& group : run.facts.parallelism.groups) {
        table.rows.push_back({run.run->name, cellOf(group.group), textCell(group.name), textCell(group.description),
                              group.role ? textCell(roleName(*group.role)) : Cell(),
                              group.role ? textCell(confidenceName(group.confidence)) : Cell(), group.by_user,
                              group.size >= 0 ? numberCell(group.size) : Cell(), textCell(numbersOf(group.ranks)),
                              textCell(operationsText(group.operations)), group.exposed_ns,
                              textCell(betweenBars(group.evidence))});
    }
    return table;
}

DataTable gridTable(const AnalysedRun& run) {
    DataTable table{"grid",
                    {{"run", "run", Unit::Name},
                     {"role", "dimension", Unit::Word},
                     {"size", "size", Unit::Count},
                     {"stride", "stride", Unit::Number}},
                    {}};
    for (const GridDimension& dimension : run.facts.parallelism.grid.dimensions) {
        table.rows.push_back(
            {run.run->name, textCell(roleName(dimension.role)), numberCell(dimension.size), cellOf(dimension.stride)});
    }
    return table;
}

DataTable placesTable(const AnalysedRun& run) {
    DataTable table{"places",
                    rankColumns(roleColumns({{"place", "place", Unit::Text}, {"counted_steps", "steps", Unit::Count}})),
                    {}};
    const ParallelismFacts& facts = run.facts.parallelism;
    for (RankPosition position{0}; position < facts.ranks.size(); ++position) {
        std::vector<Cell> row = {run.run->name};
        putRank(row, run, position);
        row.push_back(textCell(facts.grid.placeText(position)));
        row.push_back(numberCell(facts.ranks[position].counted));
        putTimes(row, facts.ranks[position].exposed);
        table.rows.push_back(std::move(row));
    }
    return table;
}

DataTable roleStepsTable(const AnalysedRun& run) {
    DataTable table{"role_steps", rankColumns(roleColumns({{"step", "step", Unit::Number}})), {}};
    const ParallelismFacts& facts = run.facts.parallelism;
    for (RankPosition position{0}; position < facts.ranks.size(); ++position) {
        for (std::size_t s = 0; s < facts.ranks[position].steps.size(); ++s) {
            std::vector<Cell> row = {run.run->name};
            putRank(row, run, position);
            row.emplace_back(run.facts.ranks[position].steps[s].index);
            putTimes(row, facts.ranks[position].steps[s]);
            table.rows.push_back(std::move(row));
        }
    }
    return table;
}

}  // namespace rankscope::report
