// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/waterfall_delegate.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

namespace rankscope::ui {
namespace {

constexpr double kZoomBelow = 0.35;  // share of its height: a smaller range is drawn from near its lowest point
constexpr double kBarShare = 0.5;    // share of the row
constexpr int kBarMargin = 8;

}  // namespace

DurationNs leftEdgeOf(const std::vector<WaterfallBar>& bars) {
    if (bars.empty()) {
        return 0;
    }
    const auto [low, high] = std::ranges::minmax_element(bars, {}, &WaterfallBar::to_ns);
    const DurationNs range = high->to_ns - low->to_ns;
    // If all values are equal there is no range: bars from the beginning show as much.
    const bool zoomed = range > 0 && static_cast<double>(range) < kZoomBelow * static_cast<double>(high->to_ns);
    return zoomed ? std::max<DurationNs>(0, low->to_ns - range) : 0;
}

void WaterfallDelegate::set(std::vector<WaterfallBar> bars, DurationNs left_edge_ns, const Theme& theme) {
    bars_ = std::move(bars);
    theme_ = theme;
    first_ns_ = left_edge_ns;
    last_ns_ = first_ns_ + 1;
    for (const WaterfallBar& bar : bars_) {
        last_ns_ = std::max(last_ns_, bar.to_ns);
    }
}

void WaterfallDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    CellDelegate::paint(painter, option, index);  // the row's background
    const auto at = static_cast<std::size_t>(index.row());
    if (at >= bars_.size()) {
        return;
    }
    const WaterfallBar& of = bars_[at];
    const QRectF area = QRectF(option.rect).adjusted(kBarMargin, 0, -kBarMargin, 0);
    const auto x = [&](DurationNs ns) {
        const double share = static_cast<double>(std::max(ns, first_ns_) - first_ns_) /
                             static_cast<double>(std::max<DurationNs>(1, last_ns_ - first_ns_));
        return area.left() + share * area.width();
    };
    const double from = x(of.whole ? first_ns_ : of.from_ns);
    const double to = x(of.to_ns);
    const double height = area.height() * kBarShare;
    const QRectF bar(std::min(from, to), area.center().y() - height / 2, std::max(2.0, std::abs(to - from)), height);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(of.colour);
    painter->drawRoundedRect(bar, 2, 2);
    if (at + 1 < bars_.size()) {  // guides the eye to the next line
        painter->setPen(theme_.grid);
        painter->drawLine(QPointF(to, bar.bottom()), QPointF(to, option.rect.bottom() + 1));
    }
    painter->restore();
}

}  // namespace rankscope::ui
