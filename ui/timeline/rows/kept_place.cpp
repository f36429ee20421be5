// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/rows/kept_place.h"

#include <algorithm>

#include "ui/timeline/timeline_scene.h"

namespace rankscope::ui {

bool isInSight(const TimelineScene& scene, const Selection& selection) {
    const auto* slice = std::get_if<SliceSelection>(&selection);
    const auto rank = rankOf(selection);
    const LayoutRow* row = slice != nullptr ? scene.layout().find(slice->run, slice->rank, slice->slice.track)
                           : rank           ? scene.layout().findRank(rank->first, rank->second)
                                            : nullptr;
    if (row == nullptr) {
        return false;
    }
    int y = row->y;
    if (slice != nullptr) {
        const Track& track = scene.model().rank(slice->run, slice->rank)->trace->track(slice->slice);
        y += std::min<int>(track.slices.depth[slice->slice.slice], std::max(1, int{row->rows}) - 1) * row->row_height;
    }
    const RowScroll place = scene.rows();
    const int top = row->y < place.sticky ? 0 : place.sticky;
    return place.toView(y) >= top && place.toView(y) < scene.size().height();
}

KeptPlace::KeptPlace(const TimelineScene& scene, const Selection& selection)
    : selection_(selection), seen_(isInSight(scene, selection)) {
    const RowScroll place = scene.rows();
    const auto rows = scene.layout().rows();
    // A row that may disappear itself cannot keep the position.
    const auto holds = [](const LayoutRow& row) {
        return row.kind != RowKind::Counter && row.kind != RowKind::RunCounter;
    };
    const std::size_t top = scene.layout().firstBelow(place.scroll + place.sticky);
    const auto held = std::find_if(rows.begin() + static_cast<std::ptrdiff_t>(top), rows.end(), holds);
    if (held != rows.end() && place.scroll > 0) {
        top_ = RowAnchor{held->key, held->pinned, 0};
        at_ = place.toView(held->y);
    }
}

void KeptPlace::restore(TimelineScene& scene) const {
    if (at_) {
        scene.setScroll(scene.layout().yOf(top_) - *at_);
    }
    if (seen_ && !isInSight(scene, selection_)) {
        (void)scene.reveal(selection_);
    }
}

}  // namespace rankscope::ui
