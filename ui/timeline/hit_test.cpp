// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/hit_test.h"

#include <algorithm>
#include <cmath>
#include <ranges>

#include "ui/timeline/metrics.h"

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
    for (const auto& gap : std::views::reverse(frame.gaps)) {
        if (gap.y <= y && y < gap.y + gap.height && gap.x0 <= x && x < gap.x1) {
            return {gap.which, gap.count, nullptr, nullptr};
        }
    }
    return {};
}

Hit bandAt(const Frame& frame, int x, int y, int tolerance) {
    for (const FrameBandLane& lane : frame.band_lanes) {
        if (lane.y > y || y >= lane.y + lane.height) {
            continue;
        }
        const auto begin = frame.bands.begin() + lane.first;
        const auto end = frame.bands.begin() + lane.last;
        auto at = std::partition_point(begin, end, [&](const FrameBand& b) { return b.x1 + tolerance <= x; });
        if (at != end && std::next(at) != end && at->x1 <= x && std::next(at)->x0 <= x) {
            ++at;  // what lies at the point is before what lies beside it
        }
        if (at != end && at->x0 - tolerance <= x) {
            return {BandSelection{lane.run, lane.rank, lane.kind, at->index}, at->count, nullptr, nullptr};
        }
    }
    return {};
}

// The bar and the sides of an outline; what it surrounds is not its own.
Hit stragglerAt(const Frame& frame, int x, int y, int tolerance) {
    const int bar = static_cast<int>(std::lround(metrics::kStragglerBar * frame.pixel_ratio)) + tolerance;
    for (const FrameStraggler& late : frame.stragglers) {
        if (y < late.y || y >= late.y + late.height || x < late.x0 - tolerance || x > late.x1 + tolerance) {
            continue;
        }
        const bool on_side = std::min(std::abs(x - late.x0), std::abs(x - late.x1)) <= tolerance;
        if (on_side || y < late.y + bar || y >= late.y + late.height - tolerance) {
            return {late.which, late.count, nullptr, nullptr};
        }
    }
    return {};
}

Hit overlayAt(const Frame& frame, int x, int y, int tolerance) {
    if (y < frame.sticky) {
        return {};  // overlays belong to what scrolls
    }
    for (const Hit& over : {stragglerAt(frame, x, y, tolerance), bandAt(frame, x, y, tolerance), gapAt(frame, x, y)}) {
        if (over.count > 0) {
            return over;
        }
    }
    return {};
}

/// Where a gap would be that is too short to be drawn: across the streams of its rank.
FrameRect besideStreams(const Frame& frame, const TimelineModel& model, const GapSelection& gap, std::int32_t x0,
                        std::int32_t x1) {
    FrameRect rect;
    for (const FrameLane& lane : frame.lanes) {
        const bool of_rank = lane.run == gap.run && lane.rank == gap.rank && !frame.staysAtTop(lane.y, lane.height);
        if (of_rank && model.rank(lane.run, lane.rank)->trace->tracks[lane.track.value].kind == TrackKind::Stream) {
            const std::int32_t top = rect.empty() ? lane.y : std::min(rect.y, lane.y);
            const std::int32_t bottom = std::max(rect.empty() ? 0 : rect.y + rect.height, lane.y + lane.height);
            rect = {x0, x1, top, bottom - top};
        }
    }
    return rect;
}

}  // namespace

Hit hitTest(const Frame& frame, int x, int y, int tolerance) {
    const auto lane =
        std::ranges::partition_point(frame.lanes, [y](const FrameLane& l) { return l.y + l.height <= y; });
    // What scrolls is cut off where the rows that stay at the top end.
    const bool in_lane =
        lane != frame.lanes.end() && lane->y <= y && frame.staysAtTop(lane->y, lane->height) == (y < frame.sticky);
    const auto hit_of = [&](const FrameItem* item) {
        return Hit{SliceSelection{lane->run, lane->rank, {lane->track, item->slice}}, item->count, item, &*lane};
    };
    if (in_lane) {
        if (const FrameItem* item = itemAt(frame, *lane, x, 0)) {
            return hit_of(item);
        }
    }
    if (const Hit over = overlayAt(frame, x, y, tolerance); over.count > 0) {
        return over;
    }
    if (in_lane) {
        if (const FrameItem* item = itemAt(frame, *lane, x, tolerance)) {
            return hit_of(item);
        }
    }
    return {};
}

std::vector<FrameRect> rectsOf(const Frame& frame, const TimelineModel& model, const Selection& selection) {
    const TimeSpan span = model.spanOf(selection);
    std::vector<FrameRect> rects;
    const std::int32_t x0 = frame.scale.pixelAt(span.start_ns);
    const std::int32_t x1 = std::max(frame.scale.pixelAt(span.end_ns), x0 + 1);
    if (const auto* s = std::get_if<SliceSelection>(&selection); s != nullptr && model.holds(selection)) {
        const Track& track = model.rank(s->run, s->rank)->trace->track(s->slice);
        const std::uint16_t row = track.slices.depth[s->slice.slice];
        for (const FrameLane& lane : frame.lanes) {
            if (lane.run == s->run && lane.rank == s->rank && lane.track == s->slice.track && lane.row == row) {
                rects.push_back({x0, x1, lane.y, lane.height});
            }
        }
    }
    if (const auto* g = std::get_if<GapSelection>(&selection)) {
        for (const FrameGap& gap : frame.gaps) {
            if (gap.which.run == g->run && gap.which.rank == g->rank && gap.x0 < x1 && x0 < gap.x1) {
                rects.push_back({x0, x1, gap.y, gap.height});
                break;
            }
        }
        const FrameRect rect =
            rects.empty() && model.holds(selection) ? besideStreams(frame, model, *g, x0, x1) : FrameRect();
        if (!rect.empty()) {
            rects.push_back(rect);
        }
    }
    if (const auto* b = std::get_if<BandSelection>(&selection)) {
        for (const FrameBandLane& lane : frame.band_lanes) {
            if (lane.run == b->run && lane.rank == b->rank && lane.kind == b->kind) {
                rects.push_back({x0, x1, lane.y, lane.height});
            }
        }
    }
    if (const auto* l = std::get_if<StragglerSelection>(&selection)) {
        for (const FrameStraggler& late : frame.stragglers) {
            if (late.which.run == l->run && late.which.rank == l->rank && late.x0 < x1 && x0 < late.x1) {
                rects.push_back({x0, x1, late.y, late.height});
                break;
            }
        }
    }
    return rects;
}

}  // namespace rankscope::ui
