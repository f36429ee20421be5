// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/overlay_marks.h"

#include <algorithm>
#include <cmath>

#include "ui/timeline/file_placer.h"
#include "ui/timeline/metrics.h"

namespace rankscope::ui {
namespace {

constexpr int kNarrowOutline = 2;  // device pixels: narrower ones share their pixels

int devicePixels(int logical, const Frame& frame) {
    return static_cast<int>(std::lround(logical * frame.pixel_ratio));
}

const LayoutRow* rowWithBands(const RowLayout& layout, std::size_t header) {
    const LayoutRow& rank = layout.rows()[header];
    for (std::size_t i = header + 1; i < layout.rows().size() && layout.rows()[i].kind == RowKind::Track; ++i) {
        const LayoutRow& row = layout.rows()[i];
        if (row.run != rank.run || row.rank != rank.rank) {
            break;
        }
        if (row.bands) {
            return &row;
        }
    }
    return nullptr;
}

void addLane(const RankView& rank, FrameBandLane lane, std::vector<LodItem>& scratch, Frame& frame) {
    const bool overlap = lane.kind == BandKind::Overlap;
    const auto spans = overlap ? rank.facts->overlap.spans() : rank.facts->exposed_communication.spans();
    const IntervalLod& lod = overlap ? rank.fact_index->overlap : rank.fact_index->exposed;
    const TimeSpan window{rank.toFile(frame.window.start_ns), rank.toFile(frame.window.end_ns)};
    const auto step = static_cast<DurationNs>(std::ceil(1.0 / frame.scale.pixels_per_ns));
    lane.first = static_cast<std::uint32_t>(frame.bands.size());
    const auto found = lod.query(spans, window, step, scratch);
    LanePlacer placer(rank, frame);
    frame.bands.resize(lane.first + found.size());
    lane.last = lane.first;
    for (const LodItem& item : found) {
        FrameBand& band = frame.bands[lane.last];
        if (!placer.place(item.span, band)) {
            continue;
        }
        band.index = item.slice;
        band.count = item.count;
        band.share = static_cast<std::uint8_t>(static_cast<int>(item.busyShare() * 255));
        ++lane.last;
    }
    frame.bands.resize(lane.last);
    if (lane.last > lane.first) {
        frame.band_lanes.push_back(lane);
    }
}

}  // namespace

void addBands(const TimelineModel& model, const RowLayout& layout, const RankPlace& place, const OverlaySet& overlays,
              std::vector<LodItem>& scratch, Frame& frame) {
    const LayoutRow& header = layout.rows()[place.row];
    const RankView& rank = *model.rank(header.run, header.rank);
    if (rank.fact_index == nullptr) {
        return;
    }
    int y = header.y + 1;
    int height = metrics::kFoldedBand;
    if (header.unfolding != Unfolding::Folded) {
        const LayoutRow* row = rowWithBands(layout, place.row);
        if (row == nullptr) {
            return;
        }
        y = row->y + row->rows * row->row_height;
        height = metrics::kBandHeight;
    }
    for (const BandKind kind : {BandKind::Overlap, BandKind::Exposed}) {
        const int top = devicePixels(y - place.scroll_y, frame);
        const int bottom = devicePixels(y + height - place.scroll_y, frame);
        const bool wanted = overlays.has(kind == BandKind::Overlap ? Overlay::Overlap : Overlay::Exposed);
        if (wanted && bottom > frame.sticky && top < frame.height) {
            addLane(rank, {top, bottom - top, header.run, header.rank, kind, 0, 0}, scratch, frame);
        }
        y += height;
    }
}

void addStragglers(const TimelineModel& model, const RowLayout& layout, const RankPlace& place, Frame& frame) {
    const LayoutRow& header = layout.rows()[place.row];
    const auto& late = model.rank(header.run, header.rank)->late;
    auto mark = std::partition_point(late.begin(), late.end(),
                                     [&](const StragglerMark& m) { return m.span.end_ns <= frame.window.start_ns; });
    if (mark == late.end() || mark->span.start_ns >= frame.window.end_ns) {
        return;
    }
    int bottom = header.y + header.height;
    for (std::size_t i = place.row + 1; i < layout.rows().size(); ++i) {
        const LayoutRow& row = layout.rows()[i];
        if (row.kind != RowKind::Track || row.run != header.run || row.rank != header.rank) {
            break;  // the streams stand first
        }
        bottom = row.y + row.height - metrics::kTrackGap;
    }
    const int y = devicePixels(header.y - place.scroll_y, frame);
    const int height = devicePixels(bottom - place.scroll_y, frame) - y;
    for (; mark != late.end() && mark->span.start_ns < frame.window.end_ns; ++mark) {
        const std::int32_t x0 = frame.scale.pixelAt(mark->span.start_ns);
        const std::int32_t x1 = std::max(frame.scale.pixelAt(mark->span.end_ns), x0 + 1);
        FrameStraggler* last = frame.stragglers.empty() ? nullptr : &frame.stragglers.back();
        const bool shares = last != nullptr && last->which.rank == header.rank && last->which.run == header.run &&
                            x1 - x0 <= kNarrowOutline && x0 <= last->x1;
        if (shares) {
            last->x1 = std::max(last->x1, x1);
            ++last->count;
        } else {
            frame.stragglers.push_back({x0, x1, y, height, mark->which, 1});
        }
    }
}

}  // namespace rankscope::ui
