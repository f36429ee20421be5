// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/gap_marks.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/format.h"
#include "ui/theme/slice_colors.h"
#include "ui/timeline/metrics.h"

namespace rankscope::ui {
namespace {

constexpr int kLabelMargin = 5;
constexpr int kSharedPixels = 2;              // device pixels: a wider mark stands for one gap
constexpr std::ptrdiff_t kGapsCompared = 64;  // for the longest of a mark

struct Band {
    std::int32_t y = 0;
    std::int32_t height = 0;
};

// Where the marks of `device` stand: over its streams, or at the foot of the header where these are folded away.
std::optional<Band> bandOf(const TimelineModel& model, const RowLayout& layout, std::size_t rank_row,
                           std::int32_t device) {
    const LayoutRow& header = layout.rows()[rank_row];
    const RankView& rank = *model.rank(header.run, header.rank);
    if (header.unfolding == Unfolding::Folded) {
        constexpr int kFoldedMark = 6;
        return Band{header.y + header.height - kFoldedMark, kFoldedMark};
    }
    std::optional<Band> band;
    for (std::size_t i = rank_row + 1; i < layout.rows().size(); ++i) {
        const LayoutRow& row = layout.rows()[i];
        if (row.kind != RowKind::Track || row.run != header.run || row.rank != header.rank) {
            break;  // the streams stand first
        }
        if (rank.trace->tracks[row.track.value].device == device || device < 0) {
            const int bottom = row.y + row.height - metrics::kTrackGap;
            band = Band{band ? band->y : row.y, bottom - (band ? band->y : row.y)};
        }
    }
    return band;
}

QString labelOf(const Gap& gap, double room, const TextMeasure& measure) {
    const QString length = QString::fromStdString(formatDuration(gap.span.length()));
    const auto part = std::ranges::max_element(gap.parts, {}, [](const GapPart& p) { return p.span.length(); });
    if (part != gap.parts.end()) {
        const std::string_view title = causeTitle(part->cause);
        QString both =
            length + QLatin1Char(' ') + QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size()));
        if (measure.width(both) <= room) {
            return both;
        }
    }
    return measure.width(length) <= room ? length : QString();
}

// Amber on white is hard to read; there it is darkened towards the text.
QRgb labelColor(const Theme& theme) {
    constexpr unsigned kDarkened = 110;
    return theme.dark ? theme.gap.rgb() : mix(theme.gap.rgb(), theme.text.rgb(), kDarkened);
}

void addLabel(const TimelineModel& model, const FrameGap& mark, const Theme& theme, const TextMeasure& measure,
              Frame& frame) {
    const int left = std::max(mark.x0, 0);
    const int right = std::min(mark.x1, frame.width);
    const double room = right - left - 2 * kLabelMargin * frame.pixel_ratio;
    const Gap* gap = mark.count == 1 ? model.gap(mark.which) : nullptr;
    if (gap == nullptr || room <= 0 || mark.height < measure.lineHeight()) {
        return;
    }
    const QString text = labelOf(*gap, room, measure);
    if (!text.isEmpty()) {
        const double x = (left + right - measure.width(text)) / 2;
        frame.labels.push_back({x, mark.y, mark.height, text, labelColor(theme), FrameLabel::Role::Gap, 0});
    }
}

using GapMarks = std::vector<GapMark>;

/// The gaps from `first` on that are drawn as one mark.
struct Group {
    GapMarks::const_iterator first;
    GapMarks::const_iterator last;
    std::int32_t x0 = 0;
    std::int32_t x1 = 0;
};

// A gap that has pixels of its own stands alone; the others share the pixels that the first of them touches.
Group groupFrom(GapMarks::const_iterator first, const GapMarks& gaps, const Frame& frame) {
    Group group{first, std::next(first), frame.scale.pixelAt(first->span.start_ns), 0};
    group.x1 = std::max(frame.scale.pixelAt(first->span.end_ns), group.x0 + 1);
    if (group.x1 - group.x0 <= kSharedPixels) {
        const TimeNs end = frame.scale.timeAt(group.x1);
        group.last =
            std::partition_point(group.last, gaps.end(), [&](const GapMark& g) { return g.span.end_ns <= end; });
    }
    return group;
}

FrameGap markOf(const Group& group, const Band& band, int scroll_y, const Frame& frame) {
    const auto seen = group.first + std::min(group.last - group.first, kGapsCompared);
    const auto longest = std::max_element(
        group.first, seen, [](const GapMark& a, const GapMark& b) { return a.span.length() < b.span.length(); });
    const auto device_px = [&](int logical) { return static_cast<int>(std::lround(logical * frame.pixel_ratio)); };
    const int y = device_px(band.y - scroll_y);
    const int height = device_px(band.y + band.height - scroll_y) - y;
    const GapMark& last = *std::prev(group.last);
    const auto blocked = static_cast<double>(last.before_ns + last.span.length() - group.first->before_ns);
    const double share = std::min(1.0, blocked * frame.scale.pixels_per_ns / (group.x1 - group.x0));
    const auto count = static_cast<std::uint32_t>(group.last - group.first);
    return {group.x0, group.x1, y, height, longest->which, count, share};
}

}  // namespace

void addGapMarks(const TimelineModel& model, const RowLayout& layout, std::size_t rank_row, int scroll_y,
                 const Theme& theme, const TextMeasure& measure, Frame& frame) {
    const LayoutRow& header = layout.rows()[rank_row];
    const GapMarks& gaps = model.rank(header.run, header.rank)->gaps;
    std::optional<Band> band;
    std::optional<std::int32_t> band_device;
    const auto in_sight = [&](const Band& b) {
        const int y = static_cast<int>(std::lround((b.y - scroll_y) * frame.pixel_ratio));
        const int height = static_cast<int>(std::lround(b.height * frame.pixel_ratio));
        return !frame.staysAtTop(y, height) && y < frame.height;
    };
    auto gap = std::partition_point(gaps.begin(), gaps.end(),
                                    [&](const GapMark& g) { return g.span.end_ns <= frame.window.start_ns; });
    while (gap != gaps.end() && gap->span.start_ns < frame.window.end_ns) {
        if (gap->device != band_device) {
            band_device = gap->device;
            band = bandOf(model, layout, rank_row, gap->device);
            band = band && in_sight(*band) ? band : std::nullopt;
        }
        const Group group = groupFrom(gap, gaps, frame);
        gap = group.last;
        if (band) {
            frame.gaps.push_back(markOf(group, *band, scroll_y, frame));
            addLabel(model, frame.gaps.back(), theme, measure, frame);
        }
    }
}

}  // namespace rankscope::ui
