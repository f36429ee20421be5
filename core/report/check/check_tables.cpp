// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/check/check_tables.h"

#include <algorithm>

#include "core/base/format.h"
#include "core/report/tables/run_tables.h"

namespace rankscope::report {
namespace {

/// Up to this many steps of a rank are listed one by one.
constexpr std::size_t kStepsWritten = 6;

std::string eachStep(const std::vector<DurationNs>& steps_ns) {
    std::string text;
    for (std::size_t i = 0; i < std::min(steps_ns.size(), kStepsWritten); ++i) {
        text += (i == 0 ? "" : ", ") + formatDuration(steps_ns[i]);
    }
    return steps_ns.size() > kStepsWritten ? text + ", ..." : text;
}

std::string decimalOrDash(const std::optional<double>& value) {
    return value ? formatDecimal(*value, 2) : "-";
}

std::string shareOrDash(const std::optional<double>& share) {
    return share ? precisePercent(*share) : "-";
}

/// The cells of a place: position and number of the rank, step, and position of the finding.
void putPlace(std::vector<Cell>& row, const AnalysedRun& run, const CheckPlace& place) {
    if (place.rank) {
        putRank(row, run, *place.rank);
    } else {
        row.insert(row.end(), {std::monostate{}, std::monostate{}});
    }
    row.push_back(place.step ? Cell(*place.step) : Cell(std::monostate{}));
    row.push_back(place.finding ? numberCell(*place.finding) : Cell(std::monostate{}));
}

/// The columns of a place.
void addPlaceColumns(std::vector<Column>& columns) {
    columns.insert(columns.end(), {{"id", "position", Unit::Number},
                                   {"rank", "rank", Unit::Number},
                                   {"step", "step", Unit::Number},
                                   {"finding", "finding", Unit::Number}});
}

}  // namespace

Table checkRankTable(const AnalysedRun& run, const Check& check, std::size_t rows) {
    Table table;
    table.header = {"", "mean step", "each", "own work", "× median", "z", "MFU", "memory", ""};
    table.left_columns = 1;
    std::vector<const CheckRank*> ranks;
    for (const CheckRank& rank : check.ranks) {
        if (!rank.steps_ns.empty()) {
            ranks.push_back(&rank);
        }
    }
    std::ranges::stable_partition(ranks, [](const CheckRank* rank) { return rank->look; });
    for (std::size_t i = 0; i < std::min(rows, ranks.size()); ++i) {
        const CheckRank& rank = *ranks[i];
        table.rows.push_back({rankLabel(*run.run->ranks[rank.rank], rank.rank), formatDuration(rank.mean_ns),
                              eachStep(rank.steps_ns), rank.own_ns ? formatDuration(*rank.own_ns) : "-",
                              decimalOrDash(rank.over_median), decimalOrDash(rank.z_score), shareOrDash(rank.mfu),
                              shareOrDash(rank.memory_share),
                              rank.look ? std::string(checkStatusTitle(CheckStatus::Look)) : ""});
    }
    return table;
}

std::string checkRankNote() {
    return "Over the complete, steady steps of a rank. Own work is the mean time per step between collectives in which "
           "ranks wait for each other. It shows slow ranks; the step time does not, since waiting ranks share it. "
           "Memory is the peak of reserved memory over the GPU's capacity.";
}

DataTable checkTable(const AnalysedRun& run) {
    DataTable table{"check",
                    {{"run", "run", Unit::Name},
                     {"area", "area", Unit::Word},
                     {"line", "line", Unit::Word},
                     {"status", "status", Unit::Word},
                     {"title", "what", Unit::Text},
                     {"text", "says", Unit::Text},
                     {"value", "value", Unit::OfRow},
                     {"limit", "limit", Unit::OfRow},
                     {"record", "to record", Unit::Text}},
                    {}};
    addPlaceColumns(table.columns);
    for (const CheckLine& line : checkOf(run).lines) {
        std::vector<Cell> row = {run.run->name,
                                 std::string(checkAreaName(line.area)),
                                 line.key,
                                 std::string(checkStatusName(line.status)),
                                 line.title,
                                 line.text,
                                 cellOf(line.value),
                                 cellOf(line.limit),
                                 textCell(line.record)};
        putPlace(row, run, line.place);
        table.rows.push_back(std::move(row));
        table.row_units.push_back(line.unit);
    }
    return table;
}

DataTable checkRanksTable(const AnalysedRun& run) {
    DataTable table{"check_ranks",
                    rankColumns({{"steps", "steps", Unit::Count},
                                 {"mean_step_ns", "mean step", Unit::Duration},
                                 {"own_ns", "own work", Unit::Duration},
                                 {"over_median", "× median", Unit::Decimal},
                                 {"z_score", "z-score", Unit::Decimal},
                                 {"mfu", "MFU", Unit::Share},
                                 {"memory_share", "memory", Unit::Share},
                                 {"look", "look here", Unit::Flag}}),
                    {}};
    for (const CheckRank& rank : checkOf(run).ranks) {
        std::vector<Cell> row = {run.run->name};
        putRank(row, run, rank.rank);
        row.insert(row.end(), {numberCell(rank.steps_ns.size()),
                               rank.steps_ns.empty() ? Cell(std::monostate{}) : Cell(rank.mean_ns), cellOf(rank.own_ns),
                               cellOf(rank.over_median), cellOf(rank.z_score), cellOf(rank.mfu),
                               cellOf(rank.memory_share), rank.look});
        table.rows.push_back(std::move(row));
    }
    return table;
}

DataTable checkListsTable(const AnalysedRun& run) {
    DataTable table{"check_lists",
                    {{"run", "run", Unit::Name},
                     {"list", "list", Unit::Word},
                     {"question_id", "question", Unit::Word},
                     {"question", "asks", Unit::Text},
                     {"answer", "answer", Unit::Word},
                     {"text", "says", Unit::Text},
                     {"advice", "what to change", Unit::Text},
                     {"record", "what would answer it", Unit::Text},
                     {"source", "source", Unit::Text}},
                    {}};
    addPlaceColumns(table.columns);
    for (const CheckList& list : checkListsOf(run)) {
        for (const ListLine& line : list.lines) {
            std::vector<Cell> row = {run.run->name,
                                     std::string(checkListName(list.id)),
                                     line.key,
                                     line.question,
                                     std::string(listAnswerName(line.answer)),
                                     line.text,
                                     textCell(line.advice),
                                     textCell(line.record),
                                     textCell(line.source)};
            putPlace(row, run, line.place);
            table.rows.push_back(std::move(row));
        }
    }
    return table;
}

DataTable protocolTable(const AnalysedRun& run) {
    DataTable table{"protocol",
                    {{"run", "run", Unit::Name},
                     {"stage", "stage", Unit::Word},
                     {"state", "state", Unit::Word},
                     {"title", "what", Unit::Text},
                     {"text", "says", Unit::Text},
                     {"record", "to record", Unit::Text},
                     {"command", "command", Unit::Text}},
                    {}};
    addPlaceColumns(table.columns);
    for (const ProtocolStep& step : protocolOf(run).steps) {
        std::vector<Cell> row = {run.run->name,
                                 std::string(protocolStageName(step.stage)),
                                 std::string(protocolStateName(step.state)),
                                 step.title,
                                 step.text,
                                 textCell(step.record),
                                 textCell(step.command)};
        putPlace(row, run, step.place);
        table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace rankscope::report
