// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/selection/measured_area.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "ui/timeline/rows/host_lane.h"

namespace rankscope::ui {
namespace {

constexpr double kEdgeReach = 5;  // logical pixels beside the edge of an area

void addTracks(const RankView& rank, RankPosition position, const auto& wanted, Area& area) {
    for (std::uint32_t t = 0; t < rank.trace->tracks.size(); ++t) {
        if (wanted(rank.trace->tracks[t].kind)) {
            area.tracks.push_back({position, TrackId(t)});
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
    } else if (row.kind == RowKind::Group && row.group == TrackGroup::Quiet && folded) {
        const RankView& rank = *model.rank(row.run, row.rank);
        for (TrackId t{0}; t.value < rank.trace->tracks.size(); ++t.value) {
            if (rank.trace->tracks[t.value].kind == TrackKind::CpuThread && isQuietThread(rank, t)) {
                area.tracks.push_back({row.rank, t});
            }
        }
    } else if (row.kind == RowKind::Group && folded) {
        const bool threads = row.group == TrackGroup::Threads;
        const auto in_group = [&](TrackKind kind) {
            return kind != TrackKind::Stream && (kind == TrackKind::CpuThread) == threads;
        };
        addTracks(*model.rank(row.run, row.rank), row.rank, in_group, area);
    } else if ((row.kind == RowKind::Alike || row.kind == RowKind::Heading) && folded) {
        for (const RankPosition r : row.members) {
            addTracks(*model.rank(row.run, r), r, is_stream, area);
        }
    } else if (row.kind == RowKind::Run && folded) {
        const auto& ranks = model.runs()[row.run].ranks;
        for (RankPosition r{0}; r < ranks.size(); ++r) {
            addTracks(ranks[r], r, is_stream, area);
        }
    }
}

}  // namespace

std::optional<AreaSelection> MeasuredArea::selection(const TimelineModel& model, const RowLayout& layout) const {
    const int from_y = extent_ ? layout.yOf(extent_->from) : 0;
    const LayoutRow* first = layout.at(from_y);
    if (!extent_ || extent_->span().empty() || first == nullptr) {
        return {};
    }
    const auto& ranks = model.runs()[first->run].ranks;
    const TimeNs base = ranks.empty() ? 0 : ranks.front().base_ns;
    AreaSelection out;
    out.run = first->run;
    out.area.span = {extent_->span().start_ns + base, extent_->span().end_ns + base};
    const auto [top, bottom] = std::minmax({from_y, layout.yOf(extent_->to)});
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

AreaEdit MeasuredArea::edgeAt(double x, int y, const RowLayout& layout, const Viewport& viewport) const {
    if (!extent_ || x < 0) {
        return AreaEdit::None;
    }
    const auto [top, bottom] = std::minmax({layout.yOf(extent_->from), layout.yOf(extent_->to)});
    const double from = std::abs(x - viewport.xAt(extent_->from_ns));
    const double to = std::abs(x - viewport.xAt(extent_->to_ns));
    if (y < top || y > bottom || std::min(from, to) > kEdgeReach) {
        return AreaEdit::None;
    }
    return from < to ? AreaEdit::From : AreaEdit::To;
}

void MeasuredArea::clickRange(TimeNs at_ns, const RowLayout& layout) {
    if (extent_) {
        extendTo(at_ns);
    } else if (!first_ns_) {
        first_ns_ = at_ns;
    } else if (*first_ns_ != at_ns) {
        set(extentOverAll(layout, {std::min(*first_ns_, at_ns), std::max(*first_ns_, at_ns)}));
    }
}

void MeasuredArea::beginDrag(AreaEdit edit, const AreaPoint& origin, const RowLayout& layout) {
    editing_ = edit;
    first_ns_.reset();
    if (edit == AreaEdit::DrawTime) {
        extent_ = extentOverAll(layout, {origin.at_ns, origin.at_ns + 1}).value_or(AreaExtent());
    } else if (edit == AreaEdit::Draw) {
        extent_ = AreaExtent{origin.at_ns, origin.at_ns, origin.row, origin.row};
    }
}

void MeasuredArea::dragTo(const AreaPoint& to) {
    if (editing_ == AreaEdit::None || !extent_) {
        return;
    }
    (editing_ == AreaEdit::From ? extent_->from_ns : extent_->to_ns) = to.at_ns;
    if (editing_ == AreaEdit::Draw) {
        extent_->to = to.row;
    }
}

void MeasuredArea::extendTo(TimeNs at_ns) {
    if (extent_) {
        const TimeSpan span = extent_->span();
        extent_->from_ns = at_ns > span.start_ns ? span.start_ns : span.end_ns;
        extent_->to_ns = at_ns;
    }
}

void MeasuredArea::cover(const AreaExtent& other, const RowLayout& layout) {
    if (!extent_) {
        extent_ = other;
        return;
    }
    const auto above = [&layout](const RowAnchor& a, const RowAnchor& b) { return layout.yOf(a) < layout.yOf(b); };
    const auto [top, bottom] = std::minmax({extent_->from, extent_->to, other.from, other.to}, above);
    const TimeSpan own = extent_->span();
    const TimeSpan more = other.span();
    extent_ = AreaExtent{std::min(own.start_ns, more.start_ns), std::max(own.end_ns, more.end_ns), top, bottom};
}

void MeasuredArea::coverTime(const TimeSpan& all, const RowLayout& layout, const std::vector<const LayoutRow*>& rows) {
    if (extent_ && extent_->span() != all) {
        extent_->from_ns = all.start_ns;
        extent_->to_ns = all.end_ns;
        return;
    }
    extent_ = extent_ || rows.empty() ? extentOverAll(layout, all) : extentOver(layout, all, rows);
}

std::optional<AreaExtent> extentOver(const RowLayout& layout, const TimeSpan& span,
                                     const std::vector<const LayoutRow*>& rows) {
    if (rows.empty() || span.empty()) {
        return {};
    }
    const auto [top, bottom] = std::ranges::minmax(rows, {}, &LayoutRow::y);
    return AreaExtent{span.start_ns, span.end_ns, layout.anchorAt(top->y),
                      layout.anchorAt(bottom->y + bottom->height - metrics::kTrackGap - 1)};
}

std::optional<AreaExtent> extentOverAll(const RowLayout& layout, const TimeSpan& span) {
    const auto rows = layout.rows();
    return rows.empty() ? std::nullopt : extentOver(layout, span, {&rows.front(), &rows.back()});
}

std::vector<const LayoutRow*> rowsOf(const RowLayout& layout, const Selection& selection) {
    const auto* slice = std::get_if<SliceSelection>(&selection);
    const LayoutRow* track = slice != nullptr ? layout.find(slice->run, slice->rank, slice->slice.track) : nullptr;
    if (track != nullptr) {
        return {track};
    }
    std::vector<const LayoutRow*> rows;
    const auto rank = rankOf(selection);
    for (const LayoutRow& row : layout.rows()) {
        const bool of_device = row.kind == RowKind::Rank || (row.kind == RowKind::Track && row.indent == 1);
        if (of_device && rank == std::pair(row.run, row.rank)) {
            rows.push_back(&row);
        }
    }
    return rows;
}

std::optional<TimelineState::MarkedArea> savedExtent(const TimelineModel& model, const AreaExtent& extent) {
    const auto from = placeOf(model, extent.from.row);
    const auto to = placeOf(model, extent.to.row);
    if (!from || !to) {
        return {};
    }
    return TimelineState::MarkedArea{
        extent.span(), {*from, extent.from.pinned, extent.from.offset}, {*to, extent.to.pinned, extent.to.offset}};
}

std::optional<AreaExtent> restoredExtent(const TimelineModel& model, const TimelineState::MarkedArea& area) {
    const auto from = keyOf(model, area.from.row);
    const auto to = keyOf(model, area.to.row);
    if (!from || !to) {
        return {};
    }
    return AreaExtent{area.span.start_ns,
                      area.span.end_ns,
                      {*from, area.from.pinned, area.from.offset},
                      {*to, area.to.pinned, area.to.offset}};
}

std::optional<AreaExtent> carriedOver(const AreaExtent& extent, const TimelineModel& model,
                                      const TimelineModel& earlier) {
    const auto was = savedExtent(earlier, extent);
    if (!was) {
        return {};
    }
    TimelineState::MarkedArea now = *was;
    for (TimelineState::Row* row : {&now.from.row, &now.to.row}) {
        const auto place = model.placeOf(row->run, row->rank, earlier);
        if (!place) {
            return {};
        }
        std::tie(row->run, row->rank) = *place;
    }
    const RankView& before = *earlier.rank(was->from.row.run, was->from.row.rank);
    const RankView& after = *model.rank(now.from.row.run, now.from.row.rank);
    now.span = after.toAxis({before.toFile(was->span.start_ns), before.toFile(was->span.end_ns)});
    return restoredExtent(model, now);
}

std::optional<TimeNs> edgeNear(const Frame& frame, const TimelineModel& model, int x, int y, int reach) {
    const auto slice_row =
        std::ranges::partition_point(frame.slice_rows, [y](const FrameSliceRow& l) { return l.y + l.height <= y; });
    if (slice_row == frame.slice_rows.end() || slice_row->y > y) {
        return {};
    }
    const RankView& rank = *model.rank(slice_row->run, slice_row->rank);
    const auto end = frame.items.begin() + slice_row->last;
    auto item = std::partition_point(frame.items.begin() + slice_row->first, end,
                                     [&](const FrameItem& i) { return i.x1 < x - reach; });
    std::optional<TimeNs> nearest;
    int distance = reach + 1;
    for (; item != end && item->x0 <= x + reach; ++item) {
        if (item->count > 1) {
            continue;
        }
        const TimeSpan span = rank.toAxis(rank.trace->span({slice_row->track, item->slice}));
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
