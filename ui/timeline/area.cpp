// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/area.h"

#include <algorithm>

namespace rankscope::ui {
namespace {

void addTracks(const RankView& rank, std::uint32_t index, const auto& wanted, Area& area) {
    for (std::uint32_t t = 0; t < rank.trace->tracks.size(); ++t) {
        if (wanted(rank.trace->tracks[t].kind)) {
            area.tracks.push_back({index, TrackId(t)});
        }
    }
}

void addRow(const TimelineModel& model, const LayoutRow& row, Area& area) {
    const auto is_stream = [](TrackKind kind) { return kind == TrackKind::Stream; };
    const bool folded = row.unfolding == Unfolding::Folded;
    if (row.kind == RowKind::Track) {
        area.tracks.push_back({row.rank, row.track});
    } else if (row.kind == RowKind::Rank && folded) {
        addTracks(*model.rank(row.run, row.rank), row.rank, is_stream, area);
    } else if (row.kind == RowKind::Group && folded) {
        const bool threads = row.group == TrackGroup::Threads;
        const auto in_group = [&](TrackKind kind) {
            return kind != TrackKind::Stream && (kind == TrackKind::CpuThread) == threads;
        };
        addTracks(*model.rank(row.run, row.rank), row.rank, in_group, area);
    } else if (row.kind == RowKind::Alike && folded) {
        for (const std::uint32_t r : row.alike) {
            addTracks(*model.rank(row.run, r), r, is_stream, area);
        }
    } else if (row.kind == RowKind::Run && folded) {
        const auto& ranks = model.runs()[row.run].ranks;
        for (std::uint32_t r = 0; r < ranks.size(); ++r) {
            addTracks(ranks[r], r, is_stream, area);
        }
    }
}

}  // namespace

std::optional<AreaSelection> areaOf(const TimelineModel& model, const RowLayout& layout, const AreaDrag& drag) {
    const int from_y = layout.yOf(drag.from);
    const LayoutRow* first = layout.at(from_y);
    if (drag.span().empty() || first == nullptr) {
        return {};
    }
    const auto& ranks = model.runs()[first->run].ranks;
    const TimeNs base = ranks.empty() ? 0 : ranks.front().base_ns;
    AreaSelection out;
    out.run = first->run;
    out.area.span = {drag.span().start_ns + base, drag.span().end_ns + base};
    const auto [top, bottom] = std::minmax({from_y, layout.yOf(drag.to)});
    for (std::size_t i = layout.firstBelow(top); i < layout.rows().size() && layout.rows()[i].y <= bottom; ++i) {
        if (layout.rows()[i].run == first->run) {
            addRow(model, layout.rows()[i], out.area);
        }
    }
    std::ranges::sort(out.area.tracks);
    const auto again = std::ranges::unique(out.area.tracks);
    out.area.tracks.erase(again.begin(), again.end());
    return out.area.tracks.empty() ? std::nullopt : std::optional(std::move(out));
}

std::optional<AreaDrag> dragOver(const RowLayout& layout, const TimeSpan& span,
                                 const std::vector<const LayoutRow*>& rows) {
    if (rows.empty() || span.empty()) {
        return {};
    }
    const auto [top, bottom] = std::ranges::minmax(rows, {}, &LayoutRow::y);
    return AreaDrag{span.start_ns, span.end_ns, layout.anchorAt(top->y),
                    layout.anchorAt(bottom->y + bottom->height - metrics::kTrackGap - 1)};
}

std::optional<TimelineState::MarkedArea> markedArea(const TimelineModel& model, const AreaDrag& area) {
    const auto from = placeOf(model, area.from.row);
    const auto to = placeOf(model, area.to.row);
    if (!from || !to) {
        return {};
    }
    return TimelineState::MarkedArea{
        area.span(), {*from, area.from.pinned, area.from.offset}, {*to, area.to.pinned, area.to.offset}};
}

std::optional<AreaDrag> dragOf(const TimelineModel& model, const TimelineState::MarkedArea& area) {
    const auto from = keyOf(model, area.from.row);
    const auto to = keyOf(model, area.to.row);
    if (!from || !to) {
        return {};
    }
    return AreaDrag{area.span.start_ns,
                    area.span.end_ns,
                    {*from, area.from.pinned, area.from.offset},
                    {*to, area.to.pinned, area.to.offset}};
}

std::optional<TimeNs> edgeNear(const Frame& frame, const TimelineModel& model, int x, int y, int reach) {
    const auto lane =
        std::ranges::partition_point(frame.lanes, [y](const FrameLane& l) { return l.y + l.height <= y; });
    if (lane == frame.lanes.end() || lane->y > y) {
        return {};
    }
    const RankView& rank = *model.rank(lane->run, lane->rank);
    const auto end = frame.items.begin() + lane->last;
    auto item = std::partition_point(frame.items.begin() + lane->first, end,
                                     [&](const FrameItem& i) { return i.x1 < x - reach; });
    std::optional<TimeNs> nearest;
    int distance = reach + 1;
    for (; item != end && item->x0 <= x + reach; ++item) {
        if (item->count > 1) {
            continue;
        }
        const TimeSpan span = rank.toAxis(rank.trace->span({lane->track, item->slice}));
        for (const auto& [pixel, time] : {std::pair(item->x0, span.start_ns), std::pair(item->x1, span.end_ns)}) {
            if (std::abs(pixel - x) < distance) {
                distance = std::abs(pixel - x);
                nearest = time;
            }
        }
    }
    return nearest;
}

}  // namespace rankscope::ui
