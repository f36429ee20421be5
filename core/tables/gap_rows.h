// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tables/model_rows.h"

namespace rankscope::tables {

/// A gap with its place. Gaps are numbered over all runs, in the order of ranks and steps.
struct PlacedGap : OfRank {
    std::int64_t id = 0;
    const RankStep* step = nullptr;
    const Gap* gap = nullptr;
};

/// Calls `visit` with each gap of each step of each rank.
template <class Visit>
void eachGap(const Runs& runs, const Visit& visit) {
    std::int64_t id = 0;
    eachRankOf(runs, [&](const OfRank& rank) {
        for (const RankStep& step : rank.run->facts.ranks[rank.rank].steps) {
            for (const Gap& gap : step.gaps) {
                visit(PlacedGap{rank, id++, &step, &gap});
            }
        }
    });
}

/// The column `step` of rows of gaps.
template <class Row>
[[nodiscard]] DeclaredColumn<Row> stepOfGapColumn() {
    return {{"step", Type::Integer, "number of the step", Access::Seek},
            [](const Row& row) { return Value(row.step->index); }};
}

}  // namespace rankscope::tables
