// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_state.h"

namespace rankscope::ui {
namespace {

/// Those of `all` that belong to `run` according to `row_of`, as belonging to the run `as`.
template <class Kept, class RowOf>
std::vector<Kept> keptOf(std::vector<Kept> all, std::uint32_t run, std::uint32_t as, const RowOf& row_of) {
    std::erase_if(all, [&](Kept& kept) { return row_of(kept).run != run; });
    for (Kept& kept : all) {
        row_of(kept).run = as;
    }
    return all;
}

}  // namespace

TimelineState stateOfRun(const TimelineState& state, std::uint32_t run, std::uint32_t as) {
    const auto itself = [](auto& kept) -> auto& {
        return kept;
    };
    TimelineState of_run;
    of_run.marks = keptOf(state.marks, run, as, itself);
    of_run.folds = keptOf(state.folds, run, as, itself);
    of_run.taken_out = keptOf(state.taken_out, run, as, itself);
    of_run.pinned = keptOf(state.pinned, run, as, itself);
    of_run.hidden = keptOf(state.hidden, run, as, itself);
    of_run.sizes = keptOf(
        state.sizes, run, as, [](auto& size) -> auto& { return size.row; });
    of_run.orders = keptOf(
        state.orders, run, as, [](auto& order) -> auto& { return order.list; });
    return of_run;
}

}  // namespace rankscope::ui
