// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tables/model_rows.h"
#include "core/tables/slice_places.h"
#include "core/tables/stored_rows.h"

namespace rankscope::tables {
namespace {

/// Calls `visit` with each gap of each step of each rank; gaps have numbers over all runs.
template <class Visit>
void eachGap(const Runs& runs, const Visit& visit) {
    std::int64_t id = 0;
    for (const AnalysedRun* run : runs) {
        for (RankPosition rank{0}; rank < run->facts.ranks.size(); ++rank) {
            for (const RankStep& step : run->facts.ranks[rank].steps) {
                for (const Gap& gap : step.gaps) {
                    visit(*run, rank, step, gap, id++);
                }
            }
        }
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
             {"host", Type::Integer, "slice.id of the call"},
             {"device", Type::Integer, "slice.id of the GPU work"},
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
    return {"gap",
            "A time in a step in which nothing runs on the GPU of a rank.",
            {{"id", Type::Integer, "its number"},
             {"run", Type::Text, "name of the run"},
             {"rank", Type::Integer, "number of the rank; null where no file says it"},
             {"step", Type::Integer, "number of the step"},
             {"device", Type::Integer, "number of the GPU"},
             {"start_ns", Type::Integer, "from the run's first instant, on the run's clock"},
             {"dur_ns", Type::Integer, "length"},
             {"next", Type::Integer, "slice.id of the GPU work that ends it"},
             {"launch", Type::Integer, "slice.id of the call that launched that work"}},
            [](const Runs& runs) -> std::unique_ptr<Rows> {
                auto rows = std::make_unique<StoredRows>(9);
                const SlicePlaces places(runs);
                eachGap(runs, [&](const AnalysedRun& run, RankPosition rank, const RankStep& step, const Gap& gap,
                                  std::int64_t id) {
                    rows->add({id, std::string_view(run.run->name), rankValue(run, rank), step.index,
                               gap.device < 0 ? Value() : Value(std::int64_t{gap.device}),
                               onRunClock(run, rank, gap.span.start_ns), gap.span.length(),
                               places.idOf(run, rank, gap.releasing), places.idOf(run, rank, gap.launch)});
                });
                return rows;
            }};
}

Table gapCauseTable() {
    return {"gap_cause",
            "A part of a gap with its cause; the parts of a gap add up to it.",
            {{"gap", Type::Integer, "gap.id"},
             {"run", Type::Text, "name of the run"},
             {"rank", Type::Integer, "number of the rank; null where no file says it"},
             {"step", Type::Integer, "number of the step"},
             {"cause", Type::Text, "what the GPU waits for: dataloader, launch, operator"},
             {"label", Type::Text, "which operator, call or line of Python"},
             {"start_ns", Type::Integer, "from the run's first instant, on the run's clock"},
             {"dur_ns", Type::Integer, "length"},
             {"evidence", Type::Integer, "slice.id of what shows it best"}},
            [](const Runs& runs) -> std::unique_ptr<Rows> {
                auto rows = std::make_unique<StoredRows>(9);
                const SlicePlaces places(runs);
                eachGap(runs, [&](const AnalysedRun& run, RankPosition rank, const RankStep& step, const Gap& gap,
                                  std::int64_t id) {
                    for (const GapPart& part : gap.parts) {
                        rows->add({id, std::string_view(run.run->name), rankValue(run, rank), step.index,
                                   causeName(part.cause), Value::ofText(part.label),
                                   onRunClock(run, rank, part.span.start_ns), part.span.length(),
                                   part.evidence.empty() ? Value() : places.idOf(run, rank, part.evidence.front())});
                    }
                });
                return rows;
            }};
}

}  // namespace rankscope::tables
