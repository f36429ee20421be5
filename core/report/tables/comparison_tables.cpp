// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/comparison_tables.h"

#include <algorithm>
#include <utility>

namespace rankscope::report {
namespace {

DataTable tableOf(std::string name, std::vector<Column> further) {
    DataTable table{std::move(name), {{"a_run", "A", Unit::Name}, {"b_run", "B", Unit::Name}}, {}};
    table.columns.insert(table.columns.end(), further.begin(), further.end());
    return table;
}

void putRow(DataTable& table, const ComparisonView& view, std::vector<Cell> further) {
    std::vector<Cell> row = {view.a.run->name, view.b.run->name};
    row.insert(row.end(), further.begin(), further.end());
    table.rows.push_back(std::move(row));
}

Cell lowOf(const std::optional<NsInterval>& interval) {
    return interval ? Cell(interval->low) : Cell();
}
Cell highOf(const std::optional<NsInterval>& interval) {
    return interval ? Cell(interval->high) : Cell();
}

/// The numbers of one name in one run; none where it is not called there.
void putTimes(std::vector<Cell>& row, const NameTimes& times) {
    if (times.none()) {
        row.insert(row.end(), 3, Cell());
        return;
    }
    row.insert(row.end(), {times.step_calls, times.meanNs(), times.step_ns});
}

std::vector<Column> timesColumns(const std::string& run) {
    const std::string key = run == "A" ? "a" : "b";
    return {{key + "_step_calls", "calls per step in " + run, Unit::Decimal},
            {key + "_mean_ns", "mean in " + run, Unit::Duration},
            {key + "_step_ns", "per step in " + run, Unit::Duration}};
}

/// What a table of names is about: device work has a class, an operator has none.
enum class NamesOf : std::uint8_t { DeviceWork, Operators };

DataTable namesTable(const ComparisonView& view, std::string name, Column title, NamesOf of,
                     const std::vector<NamePair>& pairs) {
    std::vector<Column> columns = {std::move(title)};
    if (of == NamesOf::DeviceWork) {
        columns.push_back({"class", "class", Unit::Word});
    }
    for (const char* run : {"A", "B"}) {
        const std::vector<Column> more = timesColumns(run);
        columns.insert(columns.end(), more.begin(), more.end());
    }
    columns.push_back({"difference_ns", "B - A per step", Unit::SignedDuration});
    DataTable table = tableOf(std::move(name), columns);
    for (const NamePair& pair : pairs) {
        std::vector<Cell> row = {textCell(pair.name)};
        if (of == NamesOf::DeviceWork) {
            row.emplace_back(std::string(workClassName(pair.work)));
        }
        putTimes(row, pair.a);
        putTimes(row, pair.b);
        row.emplace_back(pair.differenceNs());
        putRow(table, view, std::move(row));
    }
    return table;
}

void putCollective(std::vector<Cell>& row, const CollectiveTimes& times) {
    if (times.count == 0) {
        row.insert(row.end(), 4, Cell());
        return;
    }
    row.insert(row.end(),
               {times.step_count, cellOf(times.transfer_ns), cellOf(times.bus_gb_per_s), cellOf(times.wait_ns)});
}

/// B - A of the rows of a rank's breakdown that `belongs` picks.
template <class Predicate>
Cell changeOf(const std::optional<Breakdown>& breakdown, const Predicate& belongs) {
    if (!breakdown) {
        return {};
    }
    DurationNs sum = 0;
    for (const BreakdownRow& row : breakdown->rows) {
        sum += belongs(row.part) ? row.differenceNs() : 0;
    }
    return sum;
}

bool isCommunication(StepPart part) {
    return part == StepPart::ExposedTransfer || part == StepPart::ExposedWait || part == StepPart::ExposedUnsplit;
}

Cell placeCell(const AnalysedRun& run, std::optional<RankPosition> rank) {
    return rank ? textCell(run.facts.parallelism.grid.placeText(*rank)) : Cell();
}

Cell rankCell(const RankPair& pair, const ComparisonView& view) {
    const AnalysedRun& run = pair.a ? view.a : view.b;
    return cellOf(run.run->ranks[pair.a ? *pair.a : *pair.b]->rank);
}

}  // namespace

DataTable comparisonTable(const ComparisonView& view) {
    const StepDifference& step = view.comparison.step;
    const StepAnswer& answer = view.comparison.answer;
    const bool alone = !answer.knowsReruns();  // else ranks and means of steps say nothing
    DataTable table = tableOf("comparisons", {{"verdict", "verdict", Unit::Word},
                                              {"a_recordings", "recordings of A", Unit::Count},
                                              {"b_recordings", "recordings of B", Unit::Count},
                                              {"a_steps", "steps of A", Unit::Count},
                                              {"b_steps", "steps of B", Unit::Count},
                                              {"a_median_ns", "median of A", Unit::Duration},
                                              {"b_median_ns", "median of B", Unit::Duration},
                                              {"difference_ns", "B - A", Unit::SignedDuration},
                                              {"low_ns", "from", Unit::SignedDuration},
                                              {"high_ns", "to", Unit::SignedDuration},
                                              {"share", "of A", Unit::Share},
                                              {"share_low", "from", Unit::Share},
                                              {"share_high", "to", Unit::Share},
                                              {"shift_ns", "shift by ranks", Unit::SignedDuration},
                                              {"ranks_p", "exact p by ranks", Unit::Decimal},
                                              {"p", "Welch's p", Unit::Decimal},
                                              {"hedges_g", "Hedges' g", Unit::Decimal},
                                              {"steps_needed", "steps needed", Unit::Count},
                                              {"recordings_needed", "recordings needed", Unit::Count}});
    const auto& share = answer.share_interval;
    putRow(
        table, view,
        {std::string(stepVerdictName(answer.verdict)), numberCell(answer.a_recordings), numberCell(answer.b_recordings),
         numberCell(step.a.samples), numberCell(step.b.samples), answer.a_ns > 0 ? Cell(answer.a_ns) : Cell(),
         answer.b_ns > 0 ? Cell(answer.b_ns) : Cell(), answer.share ? Cell(answer.difference_ns) : Cell(),
         lowOf(answer.interval_ns), highOf(answer.interval_ns), cellOf(answer.share), share ? Cell(share->low) : Cell(),
         share ? Cell(share->high) : Cell(), alone && step.ranks ? Cell(step.ranks->shift_ns) : Cell(),
         alone && step.ranks ? Cell(step.ranks->p) : Cell(), alone && step.means ? Cell(step.means->p) : Cell(),
         alone && step.means ? Cell(step.means->hedges_g) : Cell(), alone ? cellOf(step.steps_needed) : Cell(),
         cellOf(answer.recordings_needed)});
    return table;
}

DataTable comparedDiffersTable(const ComparisonView& view) {
    DataTable table = tableOf("comparison_differs", {{"aspect", "differs", Unit::Word},
                                                     {"impact", "impact", Unit::Word},
                                                     {"a", "in A", Unit::Text},
                                                     {"b", "in B", Unit::Text},
                                                     {"what", "what it means", Unit::Text}});
    for (const ConfigDifference& one : view.comparison.differs) {
        putRow(table, view,
               {std::string(aspectName(one.aspect)), std::string(impactName(one.impact)), one.a, one.b, one.what});
    }
    return table;
}

DataTable comparedPartsTable(const ComparisonView& view) {
    DataTable table = tableOf("comparison_parts", {{"title", "of the mean step", Unit::Text},
                                                   {"a_ns", "A", Unit::Duration},
                                                   {"b_ns", "B", Unit::Duration},
                                                   {"difference_ns", "B - A", Unit::SignedDuration}});
    if (!view.comparison.breakdown) {
        return table;
    }
    const Breakdown& breakdown = *view.comparison.breakdown;
    for (const BreakdownRow& row : breakdown.rows) {
        if (row.a_ns != 0 || row.b_ns != 0) {
            putRow(table, view, {breakdownTitle(row), row.a_ns, row.b_ns, row.differenceNs()});
        }
    }
    putRow(table, view, {"Step", breakdown.a_step_ns, breakdown.b_step_ns, breakdown.b_step_ns - breakdown.a_step_ns});
    return table;
}

DataTable comparedFindingsTable(const ComparisonView& view) {
    DataTable table = tableOf("comparison_findings", {{"change", "change", Unit::Word},
                                                      {"id", "id", Unit::Word},
                                                      {"title", "finding", Unit::Text},
                                                      {"a_saving_ns", "saves in A", Unit::Duration},
                                                      {"b_saving_ns", "saves in B", Unit::Duration},
                                                      {"difference_ns", "B - A", Unit::SignedDuration},
                                                      {"a_time_ns", "idle for it in A", Unit::Duration},
                                                      {"b_time_ns", "idle for it in B", Unit::Duration}});
    for (const FindingPair& pair : view.comparison.findings) {
        const Finding& finding = findingOf(view, pair);
        const bool is_known = pair.change != FindingChange::CannotTell;  // else one saving is unknown, and not zero
        putRow(table, view,
               {std::string(findingChangeName(pair.change)), std::string(findingName(finding.id)),
                comparedTitle(view, pair), pair.a ? Cell(pair.a_saving_ns) : Cell(),
                pair.b ? Cell(pair.b_saving_ns) : Cell(), is_known ? Cell(pair.b_saving_ns - pair.a_saving_ns) : Cell(),
                cellOf(pair.a_time_ns), cellOf(pair.b_time_ns)});
    }
    return table;
}

DataTable comparedKernelsTable(const ComparisonView& view) {
    return namesTable(view, "comparison_kernels", {"name", "kernel or copy", Unit::Name}, NamesOf::DeviceWork,
                      view.comparison.kernels);
}

DataTable comparedOperatorsTable(const ComparisonView& view) {
    return namesTable(view, "comparison_operators", {"name", "operator", Unit::Name}, NamesOf::Operators,
                      view.comparison.operators);
}

DataTable changedNames(const DataTable& names) {
    DataTable changed = names;
    std::erase_if(changed.rows, [&names](const std::vector<Cell>& row) {
        const auto cell = [&](std::string_view key) -> const Cell& {
            const auto at = std::ranges::find(names.columns, key, &Column::key);
            return row[static_cast<std::size_t>(at - names.columns.begin())];
        };
        return cell("a_step_calls") == cell("b_step_calls") && cell("difference_ns") == Cell(std::int64_t{0});
    });
    return changed;
}

DataTable comparedCollectivesTable(const ComparisonView& view) {
    std::vector<Column> columns = {
        {"kind", "collective", Unit::Word}, {"group_size", "ranks", Unit::Count}, {"bytes", "bytes", Unit::Bytes}};
    for (const auto& [key, run] : {std::pair("a_", " in A"), std::pair("b_", " in B")}) {
        const std::string k = key;
        const std::string in = run;
        columns.insert(columns.end(), {{k + "step_count", "per step" + in, Unit::Decimal},
                                       {k + "transfer_ns", "transfer" + in, Unit::Duration},
                                       {k + "bus_gb_per_s", "bus" + in, Unit::GbPerSecond},
                                       {k + "wait_ns", "wait" + in, Unit::Duration}});
    }
    DataTable table = tableOf("comparison_collectives", columns);
    for (const CollectivePair& pair : view.comparison.collectives) {
        std::vector<Cell> row = {std::string(collectiveKindName(pair.kind)),
                                 pair.group_size < 0 ? Cell() : numberCell(pair.group_size), cellOf(pair.bytes)};
        putCollective(row, pair.a);
        putCollective(row, pair.b);
        putRow(table, view, std::move(row));
    }
    return table;
}

DataTable comparedRanksTable(const ComparisonView& view) {
    DataTable table = tableOf("comparison_ranks", {{"rank", "rank", Unit::Number},
                                                   {"a_id", "id in A", Unit::Number},
                                                   {"b_id", "id in B", Unit::Number},
                                                   {"a_place", "place in A", Unit::Name},
                                                   {"b_place", "place in B", Unit::Name},
                                                   {"a_step_ns", "mean step in A", Unit::Duration},
                                                   {"b_step_ns", "mean step in B", Unit::Duration},
                                                   {"difference_ns", "B - A", Unit::SignedDuration},
                                                   {"compute_ns", "compute", Unit::SignedDuration},
                                                   {"exposed_comm_ns", "exposed comm", Unit::SignedDuration},
                                                   {"exposed_copy_ns", "exposed copy", Unit::SignedDuration},
                                                   {"idle_ns", "idle", Unit::SignedDuration},
                                                   {"a_segment_ns", "segment time in A", Unit::Duration},
                                                   {"b_segment_ns", "segment time in B", Unit::Duration}});
    for (const RankPair& pair : view.comparison.ranks) {
        const auto& parts = pair.breakdown;
        putRow(
            table, view,
            {rankCell(pair, view), cellOf(pair.a), cellOf(pair.b), placeCell(view.a, pair.a), placeCell(view.b, pair.b),
             parts ? Cell(parts->a_step_ns) : Cell(), parts ? Cell(parts->b_step_ns) : Cell(),
             changeOf(parts, [](StepPart) { return true; }),
             changeOf(parts, [](StepPart part) { return part == StepPart::Compute; }), changeOf(parts, isCommunication),
             changeOf(parts, [](StepPart part) { return part == StepPart::ExposedCopy; }),
             changeOf(parts, [](StepPart part) { return part == StepPart::Idle; }), cellOf(pair.a_segment_ns),
             cellOf(pair.b_segment_ns)});
    }
    return table;
}

std::vector<DataTable> comparisonTables(const ComparisonView& view) {
    return {comparisonTable(view),          comparedDiffersTable(view), comparedPartsTable(view),
            comparedFindingsTable(view),    comparedKernelsTable(view), comparedOperatorsTable(view),
            comparedCollectivesTable(view), comparedRanksTable(view)};
}

}  // namespace rankscope::report
