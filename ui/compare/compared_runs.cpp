// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/compared_runs.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/ingest/load.h"
#include "core/report/tables/comparison_tables.h"
#include "ui/compare/waterfall.h"
#include "ui/panels/shared/translated_wording.h"

namespace rankscope::ui {
namespace {

using report::DataTable;

constexpr std::size_t kAnsweredParts = 2;  // the answer needs none

/// The number of a rank of a run, where it has one.
report::Cell numberOf(const AnalysedRun& run, const std::optional<RankPosition>& rank) {
    return rank ? report::cellOf(run.run->ranks[*rank]->rank) : report::Cell();
}

/// Where ranks are paired by their places, a number tells of one run only: A's rank and its place, then B's.
void tellBothRanks(DataTable& table, const ComparedRuns& runs) {
    constexpr std::ptrdiff_t kOfB = 2;
    table.columns.front().title = "Rank in A";
    table.columns.insert(table.columns.begin() + kOfB, {std::string(kRankInB), "Rank in B", report::Unit::Number});
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const RankPair& pair = runs.comparison.ranks[row];
        table.rows[row].front() = numberOf(*runs.a, pair.a);
        table.rows[row].insert(table.rows[row].begin() + kOfB, numberOf(*runs.b, pair.b));
    }
}

DataTable ranksTable(const ComparedRuns& runs) {
    std::vector<std::string_view> keys = {"rank"};
    if (runs.comparison.ranks_by_place) {
        keys.insert(keys.end(), {"a_place", "b_place"});
    }
    keys.insert(keys.end(), {"difference_ns", "a_step_ns", "b_step_ns", "compute_ns", "exposed_comm_ns",
                             "exposed_copy_ns", "idle_ns", "a_segment_ns", "b_segment_ns"});
    DataTable table = comparedRanksTable(runs.view()).only(keys);
    if (runs.comparison.ranks_by_place) {
        tellBothRanks(table, runs);
    }
    return table;
}

/// The tables of the reports, in the order of what a user looks for first.
DataTable plainTable(const ComparedRuns& runs, ComparePage page) {
    const report::ComparisonView view = runs.view();
    switch (page) {
        case ComparePage::Step:
            return runs.comparison.breakdown ? waterfallTable(*runs.comparison.breakdown) : DataTable{};
        case ComparePage::Findings:
            return comparedFindingsTable(view).only(
                {"title", "change", "difference_ns", "a_saving_ns", "b_saving_ns", "a_time_ns", "b_time_ns"});
        case ComparePage::Kernels:
            return comparedKernelsTable(view).only({"name", "difference_ns", "a_step_ns", "b_step_ns", "a_step_calls",
                                                    "b_step_calls", "a_mean_ns", "b_mean_ns", "class"});
        case ComparePage::Operators:
            return comparedOperatorsTable(view).only({"name", "difference_ns", "a_step_ns", "b_step_ns", "a_step_calls",
                                                      "b_step_calls", "a_mean_ns", "b_mean_ns"});
        case ComparePage::Collectives:
            return comparedCollectivesTable(view).only({"kind", "bytes", "group_size", "a_transfer_ns", "b_transfer_ns",
                                                        "a_bus_gb_per_s", "b_bus_gb_per_s", "a_wait_ns", "b_wait_ns",
                                                        "a_step_count", "b_step_count"});
        case ComparePage::Ranks: return ranksTable(runs);
    }
    return {};
}

/// Titles that fit above narrow columns; what is not here keeps the report's.
const std::map<std::string_view, std::string_view>& shortTitles() {
    static const std::map<std::string_view, std::string_view> titles = {
        {"difference_ns", "B − A"},
        {"a_step_ns", "A / step"},
        {"b_step_ns", "B / step"},
        {"a_step_calls", "Calls in A"},
        {"b_step_calls", "Calls in B"},
        {"a_mean_ns", "Mean in A"},
        {"b_mean_ns", "Mean in B"},
        {"a_saving_ns", "Saves in A"},
        {"b_saving_ns", "Saves in B"},
        {"a_time_ns", "Idle in A"},
        {"b_time_ns", "Idle in B"},
        {"exposed_comm_ns", "Exposed comm"},
        {"exposed_copy_ns", "Exposed copy"},
        {"compute_ns", "Compute"},
        {"idle_ns", "Idle"},
        {"a_step_count", "A / step"},
        {"b_step_count", "B / step"},
        {"a_transfer_ns", "Transfer in A"},
        {"b_transfer_ns", "Transfer in B"},
        {"a_bus_gb_per_s", "Bus in A"},
        {"b_bus_gb_per_s", "Bus in B"},
        {"a_wait_ns", "Wait in A"},
        {"b_wait_ns", "Wait in B"},
        {"a_segment_ns", "Segment time in A"},
        {"b_segment_ns", "Segment time in B"},
        {"name", "Name"},
        {"title", "Finding"},
        {"change", "Change"},
        {"class", "Class"},
        {"kind", "Collective"},
        {"bytes", "Bytes"},
        {"group_size", "Ranks"},
        {"a_place", "Place in A"},
        {"b_place", "Place in B"},
    };
    return titles;
}

/// Titles of columns that hold something else on one page than on the others.
const std::map<std::string_view, std::string_view>& titlesOf(ComparePage page) {
    static const std::map<std::string_view, std::string_view> none;
    static const std::map<std::string_view, std::string_view> of_operators = {{"a_step_ns", "Self in A / step"},
                                                                              {"b_step_ns", "Self in B / step"},
                                                                              {"a_mean_ns", "Mean self in A"},
                                                                              {"b_mean_ns", "Mean self in B"}};
    static const std::map<std::string_view, std::string_view> of_ranks = {{"compute_ns", "Compute, B − A"},
                                                                          {"exposed_comm_ns", "Exposed comm, B − A"},
                                                                          {"exposed_copy_ns", "Exposed copy, B − A"},
                                                                          {"idle_ns", "Idle, B − A"}};
    return page == ComparePage::Operators ? of_operators : page == ComparePage::Ranks ? of_ranks : none;
}

DataTable tableOf(const ComparedRuns& runs, ComparePage page) {
    DataTable table = plainTable(runs, page);
    for (report::Column& column : table.columns) {
        const auto own = titlesOf(page).find(column.key);
        const auto title = shortTitles().find(column.key);
        if (column.key == "rank" && !runs.comparison.ranks_by_place) {
            column.title = "Rank";
        } else if (own != titlesOf(page).end()) {
            column.title = own->second;
        } else if (page != ComparePage::Step && title != shortTitles().end()) {
            column.title = title->second;
        }
    }
    return table;
}

SideRuns pointersTo(const std::vector<SharedRun>& side) {
    SideRuns runs;
    for (const SharedRun& run : side) {
        runs.push_back(run.get());
    }
    return runs;
}

}  // namespace

bool isAnalysed(const AnalysedRun& run) {
    return !run.run->ranks.empty() && run.facts.ranks.size() == run.run->ranks.size();
}

std::shared_ptr<const ComparedRuns> compared(const std::vector<SharedRun>& a, const std::vector<SharedRun>& b) {
    auto made = std::make_shared<ComparedRuns>();
    made->comparison = compareSides(pointersTo(a), pointersTo(b), kMatters, readEventText);
    made->a = a[made->comparison.a_side.shown];
    made->b = b[made->comparison.b_side.shown];
    const std::shared_ptr<const Wording> wording = translatedWording();
    made->outline = outlineOf(made->view(), kAnsweredParts, wording ? &wording->advice : nullptr);
    const Counterparts counterparts(*made->a, *made->b);
    made->steps = pairRunSteps(*made->a, *made->b, counterparts);
    made->phases = pairPhases(*made->a, *made->b, made->steps, counterparts);
    made->typical_step = typicalPair(*made->a, *made->b, made->steps);
    for (std::size_t page = 0; page < kComparePages; ++page) {
        made->tables[page] = std::make_shared<const DataTable>(tableOf(*made, static_cast<ComparePage>(page)));
    }
    return made;
}

}  // namespace rankscope::ui
