// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tables/model_rows.h"
#include "core/tables/slice_places.h"
#include "core/tables/stored_rows.h"

namespace rankscope::tables {
namespace {

/// The columns with the place and the time of a gap.
std::vector<Column> columnsOfGaps(std::vector<Column> first, const std::vector<Column>& what,
                                  const std::vector<Column>& last) {
    const auto put = [&first](const std::vector<Column>& more) { first.insert(first.end(), more.begin(), more.end()); };
    put({{"run", Type::Text, "name of the run"},
         {"rank", Type::Integer, "number of the rank; null where no file says it"},
         {"step", Type::Integer, "number of the step"}});
    put(what);
    put({{"start_ns", Type::Integer, "from the run's first instant, on the run's clock"},
         {"dur_ns", Type::Integer, "length"}});
    put(last);
    return first;
}

/// A gap with its place.
struct PlacedGap {
    const AnalysedRun& run;
    RankPosition rank;
    const RankStep& step;
    const Gap& gap;
    std::int64_t id;  // unique over all runs
};

constexpr std::size_t kGapColumns = 9;

/// The rows that `add` creates from each gap of each step of each rank.
template <class Add>
std::unique_ptr<Rows> rowsOfGaps(const Runs& runs, const Add& add) {
    auto rows = std::make_unique<StoredRows>(kGapColumns);
    const SlicePlaces places(runs);
    std::int64_t id = 0;
    for (const AnalysedRun* run : runs) {
        for (RankPosition rank{0}; rank < run->facts.ranks.size(); ++rank) {
            for (const RankStep& step : run->facts.ranks[rank].steps) {
                for (const Gap& gap : step.gaps) {
                    add(PlacedGap{*run, rank, step, gap, id++}, places, *rows);
                }
            }
        }
    }
    return rows;
}

void addGap(const PlacedGap& at, const SlicePlaces& places, StoredRows& rows) {
    rows.add({at.id, std::string_view(at.run.run->name), rankValue(at.run, at.rank), at.step.index,
              at.gap.device < 0 ? Value() : Value(std::int64_t{at.gap.device}),
              onRunClock(at.run, at.rank, at.gap.span.start_ns), at.gap.span.length(),
              places.idOf(at.run, at.rank, at.gap.releasing), places.idOf(at.run, at.rank, at.gap.launch)});
}

void addCauses(const PlacedGap& at, const SlicePlaces& places, StoredRows& rows) {
    for (const GapPart& part : at.gap.parts) {
        rows.add({at.id, std::string_view(at.run.run->name), rankValue(at.run, at.rank), at.step.index,
                  causeName(part.cause), Value::ofText(part.label), onRunClock(at.run, at.rank, part.span.start_ns),
                  part.span.length(),
                  part.evidence.empty() ? Value() : places.idOf(at.run, at.rank, part.evidence.front())});
    }
}

void addLaunches(const AnalysedRun& run, RankPosition rank, const SlicePlaces& places, StoredRows& rows) {
    const RankTrace& trace = *run.run->ranks[rank];
    for (const Launch& launch : trace.launches.all()) {
        const bool both = launch.host.valid() && launch.device.valid();
        rows.add({std::string_view(run.run->name), rankValue(run, rank), places.idOf(run, rank, launch.host),
                  places.idOf(run, rank, launch.device),
                  both ? Value(trace.span(launch.device).start_ns - trace.span(launch.host).start_ns) : Value()});
    }
}

}  // namespace

Table launchTable() {
    return {"launch",
            "One piece of GPU work and the call that launched it.",
            {{"run", Type::Text, "name of the run"},
             {"rank", Type::Integer, "number of the rank; null where no file says it"},
             {"host", Type::Integer, "slice.id of the call", Access::Seek},
             {"device", Type::Integer, "slice.id of the GPU work", Access::Seek},
             {"latency_ns", Type::Integer, "from the start of the call to the start on the GPU"}},
            [](const Runs& runs) -> std::unique_ptr<Rows> {
                auto rows = std::make_unique<StoredRows>(5);
                const SlicePlaces places(runs);
                for (const AnalysedRun* run : runs) {
                    for (RankPosition rank{0}; rank < run->run->ranks.size(); ++rank) {
                        addLaunches(*run, rank, places, *rows);
                    }
                }
                return rows;
            }};
}

Table gapTable() {
    return {"gap", "A time in a step in which nothing runs on the GPU of a rank.",
            columnsOfGaps({{"id", Type::Integer, "its number", Access::Seek}},
                          {{"device", Type::Integer, "number of the GPU"}},
                          {{"next", Type::Integer, "slice.id of the GPU work that ends it"},
                           {"launch", Type::Integer, "slice.id of the call that launched that work"}}),
            [](const Runs& runs) { return rowsOfGaps(runs, addGap); }};
}

Table gapCauseTable() {
    return {"gap_cause", "A part of a gap with its cause; the parts of a gap add up to it.",
            columnsOfGaps({{"gap", Type::Integer, "gap.id", Access::Seek}},
                          {{"cause", Type::Text, "what the GPU waits for: dataloader, launch, operator"},
                           {"label", Type::Text, "which operator, call or line of Python"}},
                          {{"evidence", Type::Integer, "slice.id of what shows it best"}}),
            [](const Runs& runs) { return rowsOfGaps(runs, addCauses); }};
}

}  // namespace rankscope::tables
