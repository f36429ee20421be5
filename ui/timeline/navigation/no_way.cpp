// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/navigation/no_way.h"

#include <algorithm>

#include "core/trace/category.h"
#include "ui/timeline/rows/row_layout.h"
#include "ui/timeline/timeline_model.h"
#include "ui/timeline/words.h"

namespace rankscope::ui {

QString whyNoLink(const TimelineModel& model, const Selection& from, Direction direction) {
    const auto* at = std::get_if<SliceSelection>(&from);
    if (at == nullptr) {
        return from.index() == 0 ? Timeline::tr("Nothing is selected: select a slice to follow its launch.")
                                 : Timeline::tr("The selection leads to no launch.");
    }
    const bool device = isDeviceWork(model.rank(at->run, at->rank)->trace->category(at->slice));
    if (direction == Direction::Back) {
        return device ? Timeline::tr("The trace has no launch of this: the call that queued it is not recorded.")
                      : Timeline::tr("Nothing in the trace leads to this.");
    }
    return device ? Timeline::tr("Nothing in the trace follows from this.")
                  : Timeline::tr("The trace has no GPU work launched inside this.");
}

QString whyNoGap(const TimelineModel& model, Direction direction) {
    const auto gathered = [](const RankView& rank) { return rank.fact_index != nullptr; };
    const bool all =
        std::ranges::all_of(model.runs(), [&](const RunView& run) { return std::ranges::all_of(run.ranks, gathered); });
    if (!all) {
        return Timeline::tr("Gaps are still being collected.");
    }
    return direction == Direction::Forward ? Timeline::tr("No later GPU gap on this rank.")
                                           : Timeline::tr("No earlier GPU gap on this rank.");
}

QString whyNoSlice(const TimelineModel& model, const Selection& from, Direction direction) {
    const bool on = direction == Direction::Forward;
    const auto* at = std::get_if<SliceSelection>(&from);
    if (at == nullptr) {
        return on ? Timeline::tr("No GPU work follows this.") : Timeline::tr("No GPU work comes before this.");
    }
    if (model.rank(at->run, at->rank)->index == nullptr) {
        return Timeline::tr("Slices are still being collected.");
    }
    return on ? Timeline::tr("No later slice on this row.") : Timeline::tr("No earlier slice on this row.");
}

QString whyNoRow(const RowLayout& layout, const Selection& from, Direction direction) {
    const auto* slice = std::get_if<SliceSelection>(&from);
    const bool hidden = slice != nullptr && layout.visibleProxy(slice->run, slice->rank, slice->slice.track) == nullptr;
    return from.index() == 0                 ? Timeline::tr("No track with slices is shown.")
           : hidden                          ? Timeline::tr("The track of the selection is hidden.")
           : direction == Direction::Forward ? Timeline::tr("No track with slices is shown below this.")
                                             : Timeline::tr("No track with slices is shown above this.");
}

}  // namespace rankscope::ui
