// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tables/model_rows.h"

namespace rankscope::tables {
namespace {

struct StepRow : OfRank {
    std::int64_t id = 0;
    const RankStep* step = nullptr;
    const SlicePlaces* places = nullptr;

    [[nodiscard]] const TimeSpan& span() const { return step->span; }
};

}  // namespace

Table stepTable() {
    return declaredTable<StepRow, std::optional<SlicePlaces>>(
        "step", "One step of one rank: from its start to the end of the GPU work that it launched.",
        joined<StepRow>({{idColumn<StepRow>()},
                         placeColumns<StepRow>(),
                         {{{"step", Type::Integer, "its number", Access::Seek},
                           [](const StepRow& row) { return Value(row.step->index); }}},
                         timeColumns<StepRow>(),
                         {{{"host_start_ns", Type::Integer, "start on the CPU, from the run's first instant"},
                           [](const StepRow& row) { return Value(row.at(row.step->host.start_ns)); }},
                          {{"host_dur_ns", Type::Integer, "length on the CPU"},
                           [](const StepRow& row) { return Value(row.step->host.length()); }},
                          {{"mark", Type::Integer, "slice.id of what marks it; null without a mark", Access::Seek},
                           [](const StepRow& row) { return row.places->idOf(*row.run, row.rank, row.step->mark); }},
                          {{"complete", Type::Integer, "1 if it was recorded completely, else 0"},
                           [](const StepRow& row) { return flagValue(row.step->complete); }},
                          {{"outlier", Type::Integer, "1 if medians leave it out, else 0"},
                           [](const StepRow& row) { return flagValue(row.step->outlier); }}}}),
        [](const Runs& runs, DeclaredRows<StepRow>& rows, std::optional<SlicePlaces>& places) {
            places.emplace(runs);
            std::int64_t id = 0;
            eachRankOf(runs, [&](const OfRank& rank) {
                for (const RankStep& step : rank.run->facts.ranks[rank.rank].steps) {
                    rows.add({rank, id++, &step, &*places});
                }
            });
        });
}

}  // namespace rankscope::tables
