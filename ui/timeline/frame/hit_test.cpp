// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/frame/hit_test.h"

#include <algorithm>
#include <cmath>
#include <ranges>

#include "ui/timeline/frame/counter_bars.h"
#include "ui/timeline/frame/host_bars.h"
#include "ui/timeline/frame/metrics.h"
#include "ui/timeline/selection/step_path.h"

namespace rankscope::ui {
namespace {

const FrameItem* itemAt(const Frame& frame, const FrameSliceRow& slice_row, int x, int tolerance) {
    const auto begin = frame.items.begin() + slice_row.first;
    const auto end = frame.items.begin() + slice_row.last;
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
            return {gap.which, gap.count, nullptr, nullptr, {}};
        }
    }
    return {};
}

Hit bandAt(const Frame& frame, int x, int y, int tolerance) {
    for (const FrameBandRow& band_row : frame.band_rows) {
        if (band_row.y > y || y >= band_row.y + band_row.height) {
            continue;
        }
        const auto begin = frame.bands.begin() + band_row.first;
        const auto end = frame.bands.begin() + band_row.last;
        auto at = std::partition_point(begin, end, [&](const FrameBand& b) { return b.x1 + tolerance <= x; });
        if (at != end && std::next(at) != end && at->x1 <= x && std::next(at)->x0 <= x) {
            ++at;  // what is exactly at the point takes precedence over its neighbour
        }
        if (at != end && at->x0 - tolerance <= x) {
            return {
                BandSelection{band_row.run, band_row.rank, band_row.kind, at->index}, at->count, nullptr, nullptr, {}};
        }
    }
    return {};
}

// The bar and the sides of an outline; the area inside belongs to other items.
Hit stragglerAt(const Frame& frame, int x, int y, int tolerance) {
    const int bar = static_cast<int>(std::lround(metrics::kStragglerBar * frame.pixel_ratio)) + tolerance;
    for (const FrameStraggler& late : frame.stragglers) {
        if (y < late.y || y >= late.y + late.height || x < late.x0 - tolerance || x > late.x1 + tolerance) {
            continue;
        }
        const bool on_side = std::min(std::abs(x - late.x0), std::abs(x - late.x1)) <= tolerance;
        if (on_side || y < late.y + bar || y >= late.y + late.height - tolerance) {
            return {late.which, late.count, nullptr, nullptr, {}};
        }
    }
    return {};
}

Hit overlayAt(const Frame& frame, int x, int y, int tolerance) {
    if (y < frame.sticky) {
        return {};  // overlays belong to the scrolling part
    }
    for (const Hit& over : {stragglerAt(frame, x, y, tolerance), bandAt(frame, x, y, tolerance), gapAt(frame, x, y)}) {
        if (over.count > 0) {
            return over;
        }
    }
    return {};
}

/// The lines are above everything else. Narrow items count up to `tolerance` to the sides.
Hit pathAt(const Frame& frame, int x, int y, int tolerance) {
    Hit hit;
    const auto in_sight = [&](bool stays) { return stays == (y < frame.sticky); };
    for (const FramePathMark& mark : frame.path) {
        if (mark.x0 > x + tolerance) {
            break;
        }
        const bool in_row = y >= mark.y - 1 && y < mark.y + mark.height && in_sight(mark.stays);
        if (in_row && x < mark.x1 + tolerance && (hit.count == 0 || mark.x0 <= x)) {
            hit.count = mark.count;
            hit.path = HitPath{mark.stretch, false};
        }
    }
    if (hit.count > 0) {
        return hit;
    }
    for (const FramePathLink& link : frame.path_links) {
        if (std::abs(link.x - x) <= tolerance && y >= link.y0 && y < link.y1 && in_sight(false)) {
            hit.count = 1;
            hit.path = HitPath{link.stretch, link.turns};
        }
    }
    return hit;
}

/// The place of a gap that is too short to be drawn: across the streams of its rank.
FrameRect besideStreams(const Frame& frame, const TimelineModel& model, const GapSelection& gap, std::int32_t x0,
                        std::int32_t x1) {
    FrameRect rect;
    for (const FrameSliceRow& slice_row : frame.slice_rows) {
        const bool of_rank =
            slice_row.run == gap.run && slice_row.rank == gap.rank && !frame.staysAtTop(slice_row.y, slice_row.height);
        if (of_rank &&
            model.rank(slice_row.run, slice_row.rank)->trace->tracks[slice_row.track.value].kind == TrackKind::Stream) {
            const std::int32_t top = rect.empty() ? slice_row.y : std::min(rect.y, slice_row.y);
            const std::int32_t bottom =
                std::max(rect.empty() ? 0 : rect.y + rect.height, slice_row.y + slice_row.height);
            rect = {x0, x1, top, bottom - top};
        }
    }
    return rect;
}

}  // namespace

Hit hitTest(const Frame& frame, int x, int y, int tolerance) {
    if (const Hit path = pathAt(frame, x, y, tolerance); path.count > 0) {
        return path;
    }
    const auto slice_row =
        std::ranges::partition_point(frame.slice_rows, [y](const FrameSliceRow& l) { return l.y + l.height <= y; });
    // Scrolling content is clipped at the end of the rows that stay at the top.
    const bool in_row = slice_row != frame.slice_rows.end() && slice_row->y <= y &&
                        frame.staysAtTop(slice_row->y, slice_row->height) == (y < frame.sticky);
    const auto hit_of = [&](const FrameItem* item) {
        return Hit{SliceSelection{slice_row->run, slice_row->rank, {slice_row->track, item->slice}},
                   item->count,
                   item,
                   &*slice_row,
                   {}};
    };
    if (in_row) {
        if (const FrameItem* item = itemAt(frame, *slice_row, x, 0)) {
            return hit_of(item);
        }
    }
    if (const Hit over = overlayAt(frame, x, y, tolerance); over.count > 0) {
        return over;
    }
    if (in_row) {
        if (const FrameItem* item = itemAt(frame, *slice_row, x, tolerance)) {
            return hit_of(item);
        }
    }
    if (const HostBarAt at = hostBarAt(frame, x, y); at.bar != nullptr) {
        Hit hit;
        hit.count = 1;
        hit.running = HitRunning{at.row->run, at.row->host, at.row->ranks, at.bar->running};
        return hit;
    }
    if (const CounterBarAt at = counterBarAt(frame, x, y); at.bar != nullptr) {
        Hit hit;
        hit.count = 1;
        hit.counter = HitCounter{at.row->run, at.row->rank, at.row->counter, at.bar->running};
        return hit;
    }
    return {};
}

Selection sliceOfPath(const TimelineModel& model, const HitPath& hit) {
    const ShownPath* const path = model.path();
    if (path == nullptr || hit.stretch >= path->drawn.size()) {
        return {};
    }
    const auto turn = std::ranges::find(path->path.turns, std::size_t{hit.stretch}, &PathTurn::stretch);
    if (hit.turns && turn != path->path.turns.end()) {
        const Collective& met = path->of.of->facts.collectives.collectives[turn->collective];
        const CollectiveMember* const last = met.memberOf(turn->last);
        if (last != nullptr && !last->slices.empty()) {
            return SliceSelection{path->of.at.run, turn->last, last->slices.front()};
        }
    }
    const DrawnStretch& drawn = path->drawn[hit.stretch];
    return drawn.slice.valid() ? Selection(SliceSelection{path->of.at.run, drawn.rank, drawn.slice}) : Selection();
}

std::vector<FrameRect> rectsOf(const Frame& frame, const TimelineModel& model, const Selection& selection) {
    const TimeSpan span = model.spanOf(selection);
    std::vector<FrameRect> rects;
    const std::int32_t x0 = frame.scale.pixelAt(span.start_ns);
    const std::int32_t x1 = std::max(frame.scale.pixelAt(span.end_ns), x0 + 1);
    if (const auto* s = std::get_if<SliceSelection>(&selection); s != nullptr && model.holds(selection)) {
        const Track& track = model.rank(s->run, s->rank)->trace->track(s->slice);
        const std::uint16_t row = track.slices.depth[s->slice.slice];
        for (const FrameSliceRow& slice_row : frame.slice_rows) {
            if (slice_row.run == s->run && slice_row.rank == s->rank && slice_row.track == s->slice.track &&
                slice_row.depth == row) {
                rects.push_back({x0, x1, slice_row.y, slice_row.height});
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
        for (const FrameBandRow& band_row : frame.band_rows) {
            if (band_row.run == b->run && band_row.rank == b->rank && band_row.kind == b->kind) {
                rects.push_back({x0, x1, band_row.y, band_row.height});
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
