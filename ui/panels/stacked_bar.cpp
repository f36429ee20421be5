// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/stacked_bar.h"

#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>
#include <array>
#include <utility>

#include "ui/theme/plain_text.h"

namespace rankscope::ui {
namespace {

constexpr double kCornerRadius = 3.0;
constexpr int kHeight = 14;

DurationNs total(const std::vector<BarPart>& parts) {
    DurationNs sum = 0;
    for (const BarPart& part : parts) {
        sum += std::max<DurationNs>(0, part.ns);
    }
    return sum;
}

/// Hue, and how far the colour leans to it, of each cause: what belongs together has neighbouring hues.
struct CauseHue {
    int hue;
    int saturation;
};
constexpr std::array<CauseHue, kCauseCount> kCauseHues = {{
    {38, 200},   // DataLoader: the amber of gaps
    {8, 185},    // HostSync
    {145, 130},  // BlockingCopy: the green of copies
    {345, 150},  // Allocator
    {24, 120},   // Launch
    {24, 70},    // LaunchLatency
    {218, 90},   // Operator
    {190, 100},  // Python
    {358, 170},  // HostStall
    {220, 18},   // Unrecorded
    {70, 50},    // Queued: far from the violet of collectives, which stands beside it in the verdict
    {240, 30},   // KernelToKernel
    {250, 60},   // InsideGraph
    {285, 170},  // DeviceShared
    {310, 120},  // OtherRank: near the violet of collectives
}};

}  // namespace

void paintStackedBar(QPainter& painter, const QRectF& area, const std::vector<BarPart>& parts) {
    const DurationNs all = total(parts);
    if (all <= 0 || area.width() <= 0) {
        return;
    }
    painter.save();
    QPainterPath outline;
    outline.addRoundedRect(area, kCornerRadius, kCornerRadius);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipPath(outline);
    DurationNs before = 0;
    for (const BarPart& part : parts) {
        if (part.ns <= 0) {
            continue;
        }
        const double left = area.left() + area.width() * static_cast<double>(before) / static_cast<double>(all);
        const double width = area.width() * static_cast<double>(part.ns) / static_cast<double>(all);
        painter.fillRect(QRectF(left, area.top(), std::max(1.0, width), area.height()), part.colour);
        before += part.ns;
    }
    painter.restore();
}

QColor causeColour(Cause cause, const Theme& theme) {
    const CauseHue& of = kCauseHues[static_cast<std::size_t>(cause)];
    return QColor::fromHsl(of.hue, of.saturation, theme.dark ? 148 : 132);
}

StackedBar::StackedBar(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void StackedBar::setParts(std::vector<BarPart> parts) {
    parts_ = std::move(parts);
    update();
}

QSize StackedBar::sizeHint() const {
    return {120, kHeight};
}

void StackedBar::paintEvent(QPaintEvent* event) {
    (void)event;
    QPainter painter(this);
    paintStackedBar(painter, rect(), parts_);
}

bool StackedBar::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const double share = static_cast<double>(help->pos().x()) / std::max(1, width());
        auto at = static_cast<DurationNs>(share * static_cast<double>(total(parts_)));
        for (const BarPart& part : parts_) {
            if (at < part.ns) {
                QToolTip::showText(help->globalPos(), plainTip(part.what), this);
                return true;
            }
            at -= part.ns;
        }
    }
    return QWidget::event(event);
}

}  // namespace rankscope::ui
