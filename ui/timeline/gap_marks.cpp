// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/gap_marks.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/format.h"
#include "ui/timeline/metrics.h"

namespace rankscope::ui {
namespace {

constexpr int kLabelMargin = 5;

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
        const QString both =
            length + QLatin1Char(' ') + QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size()));
        if (measure.width(both) <= room) {
            return both;
        }
    }
    return measure.width(length) <= room ? length : QString();
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
        frame.labels.push_back({x, mark.y, mark.height, text, theme.gap.rgb(), FrameLabel::Role::Gap});
    }
}

}  // namespace

void addGapMarks(const TimelineModel& model, const RowLayout& layout, std::size_t rank_row, int scroll_y,
                 const Theme& theme, const TextMeasure& measure, Frame& frame) {
    const LayoutRow& header = layout.rows()[rank_row];
    const RankView& rank = *model.rank(header.run, header.rank);
    std::optional<Band> band;
    std::int32_t band_device = -2;
    const std::size_t before = frame.gaps.size();
    const auto end_before = [](TimeNs t) { return [t](const GapMark& g) { return g.span.end_ns <= t; }; };
    auto gap = std::partition_point(rank.gaps.begin(), rank.gaps.end(), end_before(frame.window.start_ns));
    while (gap != rank.gaps.end() && gap->span.start_ns < frame.window.end_ns) {
        if (gap->device != band_device) {
            band_device = gap->device;
            band = bandOf(model, layout, rank_row, gap->device);
        }
        const std::int32_t x0 = frame.scale.pixelAt(gap->span.start_ns);
        const std::int32_t x1 = std::max(frame.scale.pixelAt(gap->span.end_ns), x0 + 1);
        FrameGap* last = frame.gaps.size() > before ? &frame.gaps.back() : nullptr;
        if (band && last != nullptr && x0 < last->x1 && x1 <= x0 + 2) {
            last->x1 = std::max(last->x1, x1);
            ++last->count;
        } else if (band) {
            const auto device_px = [&](int logical) {
                return static_cast<int>(std::lround(logical * frame.pixel_ratio));
            };
            const int y = device_px(band->y - scroll_y);
            frame.gaps.push_back({x0, x1, y, device_px(band->y + band->height - scroll_y) - y, gap->which, 1});
        }
        // All further gaps inside this pixel look the same: go on behind it.
        const TimeNs pixel_end = frame.scale.timeAt(x1);
        ++gap;
        if (gap != rank.gaps.end() && gap->span.end_ns <= pixel_end) {
            gap = std::partition_point(gap, rank.gaps.end(), end_before(pixel_end));
        }
    }
    for (std::size_t i = before; i < frame.gaps.size(); ++i) {
        addLabel(model, frame.gaps[i], theme, measure, frame);
    }
}

}  // namespace rankscope::ui
