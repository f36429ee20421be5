// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/hit_test.h"

#include <algorithm>

namespace rankscope::ui {
namespace {

const FrameItem* itemAt(const Frame& frame, const FrameLane& lane, int x, int tolerance) {
    const auto begin = frame.items.begin() + lane.first;
    const auto end = frame.items.begin() + lane.last;
    const auto after = std::partition_point(begin, end, [x](const FrameItem& i) { return i.x0 <= x; });
    if (after != begin && std::prev(after)->x1 > x) {
        return &*std::prev(after);
    }
    const int before_distance = after != begin ? x - std::prev(after)->x1 + 1 : tolerance + 1;
    const int after_distance = after != end ? after->x0 - x : tolerance + 1;
    if (std::min(before_distance, after_distance) > tolerance) {
        return nullptr;
    }
    return before_distance <= after_distance ? &*std::prev(after) : &*after;
}

Hit gapAt(const Frame& frame, int x, int y) {
    // Later marks are drawn over earlier ones.
    for (auto gap = frame.gaps.rbegin(); gap != frame.gaps.rend(); ++gap) {
        if (gap->y <= y && y < gap->y + gap->height && gap->x0 <= x && x < gap->x1) {
            return {gap->which, gap->count, nullptr, nullptr};
        }
    }
    return {};
}

}  // namespace

Hit hitTest(const Frame& frame, int x, int y, int tolerance) {
    const auto lane =
        std::ranges::partition_point(frame.lanes, [y](const FrameLane& l) { return l.y + l.height <= y; });
    const bool in_lane = lane != frame.lanes.end() && lane->y <= y;
    const auto hitOf = [&](const FrameItem* item) {
        return Hit{SliceSelection{lane->run, lane->rank, {lane->track, item->slice}}, item->count, item, &*lane};
    };
    if (in_lane) {
        if (const FrameItem* item = itemAt(frame, *lane, x, 0)) {
            return hitOf(item);
        }
    }
    if (const Hit gap = gapAt(frame, x, y); gap.count > 0) {
        return gap;
    }
    if (in_lane) {
        if (const FrameItem* item = itemAt(frame, *lane, x, tolerance)) {
            return hitOf(item);
        }
    }
    return {};
}

FrameRect rectOf(const Frame& frame, const TimelineModel& model, const Selection& selection) {
    const TimeSpan span = model.spanOf(selection);
    const std::int32_t x0 = frame.scale.pixelAt(span.start_ns);
    const std::int32_t x1 = std::max(frame.scale.pixelAt(span.end_ns), x0 + 1);
    if (const auto* s = std::get_if<SliceSelection>(&selection); s != nullptr && model.holds(selection)) {
        const Track& track = model.rank(s->run, s->rank)->trace->track(s->slice);
        const std::uint16_t row = track.slices.depth[s->slice.slice];
        for (const FrameLane& lane : frame.lanes) {
            if (lane.run == s->run && lane.rank == s->rank && lane.track == s->slice.track && lane.row == row) {
                return {x0, x1, lane.y, lane.height};
            }
        }
    }
    if (const auto* g = std::get_if<GapSelection>(&selection)) {
        for (const FrameGap& gap : frame.gaps) {
            if (gap.which.run == g->run && gap.which.rank == g->rank && gap.x0 < x1 && x0 < gap.x1) {
                return {x0, x1, gap.y, gap.height};
            }
        }
    }
    return {};
}

}  // namespace rankscope::ui
