// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/frame/frame_overlays.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "core/base/format.h"
#include "ui/theme/core_text.h"
#include "ui/theme/slice_colors.h"
#include "ui/timeline/frame/file_placer.h"
#include "ui/timeline/frame/metrics.h"

namespace rankscope::ui {
namespace {

constexpr int kFlagMargin = 5;
constexpr std::ptrdiff_t kGapsCompared = 64;  // to find the longest gap of a mark

struct GapBand {
    std::int32_t y = 0;
    std::int32_t height = 0;
};

// The position of the marks of `device`: over its streams, or at the bottom of the header if these are folded.
std::optional<GapBand> gapBandOf(const TimelineModel& model, const RowLayout& layout, std::size_t rank_row,
                                 std::int32_t device) {
    const LayoutRow& header = layout.rows()[rank_row];
    const RankView& rank = *model.rank(header.run, header.rank);
    if (header.unfolding == Unfolding::Folded) {
        constexpr int kFoldedMark = 6;
        return GapBand{header.y + header.height - kFoldedMark, kFoldedMark};
    }
    std::optional<GapBand> band;
    for (std::size_t i = rank_row + 1; i < layout.rows().size(); ++i) {
        const LayoutRow& row = layout.rows()[i];
        if (row.kind != RowKind::Track || row.run != header.run || row.rank != header.rank) {
            break;  // the streams come first
        }
        if (rank.trace->tracks[row.track.value].device == device || device < 0) {
            const int bottom = row.y + row.height - row.gap;
            band = GapBand{band ? band->y : row.y, bottom - (band ? band->y : row.y)};
        }
    }
    return band;
}

QString gapLabelOf(const Gap& gap, double room, const TextMeasure& measure) {
    const QString length = QString::fromStdString(formatDuration(gap.span.length()));
    const auto part = std::ranges::max_element(gap.parts, {}, [](const GapPart& p) { return p.span.length(); });
    if (part != gap.parts.end()) {
        QString both = QCoreApplication::translate("Timeline", "%1 %2", "a length of time, then its cause")
                           .arg(length, coreText(causeTitle(part->cause)));
        if (measure.width(both) <= room) {
            return both;
        }
    }
    return measure.width(length) <= room ? length : QString();
}

// Amber on white is hard to read; in a light theme it is mixed with the text colour.
QRgb labelColor(const Theme& theme) {
    constexpr unsigned kDarkened = 110;
    return theme.dark ? theme.gap.rgb() : mix(theme.gap.rgb(), theme.text.rgb(), kDarkened);
}

void addGapLabel(const TimelineModel& model, const FrameGap& mark, const Theme& theme, const TextMeasure& measure,
                 Frame& frame) {
    const int left = std::max(mark.x0, 0);
    const int right = std::min(mark.x1, frame.width);
    const double room = right - left - 2 * kFlagMargin * frame.pixel_ratio;
    const Gap* gap = mark.count == 1 ? model.gap(mark.which) : nullptr;
    if (gap == nullptr || room <= 0 || mark.height < measure.lineHeight()) {
        return;
    }
    const QString text = gapLabelOf(*gap, room, measure);
    if (!text.isEmpty()) {
        const double x = (left + right - measure.width(text)) / 2;
        frame.labels.push_back({x, mark.y, mark.height, text, labelColor(theme), FrameLabel::Role::Gap, 0});
    }
}

/// The gaps from `first` on that are drawn as one mark.
struct GapGroup {
    std::span<const DrawnGap>::iterator first;
    std::span<const DrawnGap>::iterator last;
    std::int32_t x0 = 0;
    std::int32_t x1 = 0;
};

// A gap with pixels of its own is alone; otherwise gaps that touch the same pixels as the first are one group.
GapGroup groupFrom(std::span<const DrawnGap>::iterator first, const RankView& rank, const Frame& frame) {
    const TimeSpan span = rank.toAxis(first->span);
    GapGroup group{first, std::next(first), frame.scale.pixelAt(span.start_ns), 0};
    group.x1 = std::max(frame.scale.pixelAt(span.end_ns), group.x0 + 1);
    if (group.x1 - group.x0 <= metrics::kSharedPixels) {
        const TimeNs end = frame.scale.timeAt(group.x1);
        group.last = std::partition_point(group.last, rank.gaps().end(),
                                          [&](const DrawnGap& g) { return rank.toAxis(g.span.end_ns) <= end; });
    }
    return group;
}

FrameGap markOf(const GapGroup& group, const LayoutRow& header, const GapBand& band, int scroll_y, const Frame& frame) {
    const auto seen = group.first + std::min(group.last - group.first, kGapsCompared);
    const auto longest = std::max_element(
        group.first, seen, [](const DrawnGap& a, const DrawnGap& b) { return a.span.length() < b.span.length(); });
    const auto device_px = [&](int logical) { return static_cast<int>(std::lround(logical * frame.pixel_ratio)); };
    const int y = device_px(band.y - scroll_y);
    const int height = device_px(band.y + band.height - scroll_y) - y;
    const DrawnGap& last = *std::prev(group.last);
    const auto blocked = static_cast<double>(last.before_ns + last.span.length() - group.first->before_ns);
    const double share = std::min(1.0, blocked * frame.scale.pixels_per_ns / (group.x1 - group.x0));
    const auto count = static_cast<std::uint32_t>(group.last - group.first);
    return {group.x0, group.x1, y, height, {header.run, header.rank, longest->step, longest->gap}, count, share};
}

constexpr int kNarrowOutline = 2;  // device pixels: narrower ones share their pixels

int pixelsOf(int logical, const Frame& frame) {
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

void addBandRow(const RankView& rank, FrameBandRow band_row, std::vector<LodItem>& scratch, Frame& frame) {
    const bool overlap = band_row.kind == BandKind::Overlap;
    const auto spans = overlap ? rank.facts->overlap.spans() : rank.facts->exposed_communication.spans();
    const IntervalLod& lod = overlap ? rank.fact_index->overlap : rank.fact_index->exposed;
    const TimeSpan window{rank.toFile(frame.window.start_ns), rank.toFile(frame.window.end_ns)};
    const auto step = static_cast<DurationNs>(std::ceil(1.0 / frame.scale.pixels_per_ns));
    band_row.first = static_cast<std::uint32_t>(frame.bands.size());
    const auto found = lod.query(spans, window, step, scratch);
    RowPlacer placer(rank, frame);
    frame.bands.resize(band_row.first + found.size());
    band_row.last = band_row.first;
    for (const LodItem& item : found) {
        FrameBand& band = frame.bands[band_row.last];
        if (!placer.place(item.span, band)) {
            continue;
        }
        band.index = item.slice;
        band.count = item.count;
        band.share = static_cast<std::uint8_t>(static_cast<int>(item.busyShare() * 255));
        ++band_row.last;
    }
    frame.bands.resize(band_row.last);
    if (band_row.last > band_row.first) {
        frame.band_rows.push_back(band_row);
    }
}

}  // namespace

void addGapMarks(const TimelineModel& model, const RowLayout& layout, std::size_t rank_row, int scroll_y,
                 const Theme& theme, const TextMeasure& measure, Frame& frame) {
    const LayoutRow& header = layout.rows()[rank_row];
    const RankView& rank = *model.rank(header.run, header.rank);
    const auto gaps = rank.gaps();
    std::optional<GapBand> band;
    std::optional<std::int32_t> band_device;
    const auto in_sight = [&](const GapBand& b) {
        const int y = static_cast<int>(std::lround((b.y - scroll_y) * frame.pixel_ratio));
        const int height = static_cast<int>(std::lround(b.height * frame.pixel_ratio));
        return !frame.staysAtTop(y, height) && y < frame.height;
    };
    auto gap = std::partition_point(gaps.begin(), gaps.end(), [&](const DrawnGap& g) {
        return rank.toAxis(g.span.end_ns) <= frame.window.start_ns;
    });
    while (gap != gaps.end() && rank.toAxis(gap->span.start_ns) < frame.window.end_ns) {
        if (gap->device != band_device) {
            band_device = gap->device;
            band = gapBandOf(model, layout, rank_row, gap->device);
            band = band && in_sight(*band) ? band : std::nullopt;
        }
        const GapGroup group = groupFrom(gap, rank, frame);
        gap = group.last;
        if (band) {
            frame.gaps.push_back(markOf(group, header, *band, scroll_y, frame));
            addGapLabel(model, frame.gaps.back(), theme, measure, frame);
        }
    }
}

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
        height = row->band;
    }
    for (const BandKind kind : {BandKind::Overlap, BandKind::Exposed}) {
        const int top = pixelsOf(y - place.scroll_y, frame);
        const int bottom = pixelsOf(y + height - place.scroll_y, frame);
        const bool wanted = overlays.has(kind == BandKind::Overlap ? Overlay::Overlap : Overlay::Exposed);
        if (wanted && bottom > frame.sticky && top < frame.height) {
            addBandRow(rank, {top, bottom - top, header.run, header.rank, kind, 0, 0}, scratch, frame);
        }
        y += height;
    }
}

void addStragglers(const TimelineModel& model, const RowLayout& layout, const RankPlace& place, Frame& frame) {
    const LayoutRow& header = layout.rows()[place.row];
    const auto& late = model.rank(header.run, header.rank)->late;
    auto mark = std::partition_point(late.begin(), late.end(),
                                     [&](const DrawnStraggler& m) { return m.span.end_ns <= frame.window.start_ns; });
    if (mark == late.end() || mark->span.start_ns >= frame.window.end_ns) {
        return;
    }
    int bottom = header.y + header.height;
    for (std::size_t i = place.row + 1; i < layout.rows().size(); ++i) {
        const LayoutRow& row = layout.rows()[i];
        if (row.kind != RowKind::Track || row.run != header.run || row.rank != header.rank) {
            break;  // the streams come first
        }
        bottom = row.y + row.height - row.gap;
    }
    const int y = pixelsOf(header.y - place.scroll_y, frame);
    const int height = pixelsOf(bottom - place.scroll_y, frame) - y;
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
