// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/stacked_bar.h"

#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QStringList>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "core/report/palette.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/slice_colors.h"

namespace rankscope::ui {
namespace {

constexpr double kCornerRadius = 3.0;
constexpr double kHeight = 14.0;     // pixels, with type of 10 points
constexpr double kLeastWorded = 13;  // pixels of height: with less, letters cannot be read
constexpr int kLeastText = 9;        // pixels
constexpr int kAroundText = 4;       // pixels
constexpr int kStripes = 110;        // alpha, out of 255
constexpr double kLeastLined = 3.0;  // pixels: a narrower part would consist of its line only

DurationNs total(const std::vector<BarPart>& parts) {
    DurationNs sum = 0;
    for (const BarPart& part : parts) {
        sum += std::max<DurationNs>(0, part.ns);
    }
    return sum;
}

/// A part that only fills the bar up has no name.
bool isNamed(const BarPart& part) {
    return part.ns > 0 && !part.what.isEmpty();
}

void paintPart(QPainter& painter, const QRectF& place, const BarPart& part, const QColor& surface) {
    painter.fillRect(place, part.colour);
    if (part.is_waste) {
        QColor stripes = surface;
        stripes.setAlpha(kStripes);
        painter.fillRect(place, QBrush(stripes, Qt::BDiagPattern));
    }
    if (place.width() >= kLeastLined) {
        painter.fillRect(QRectF(place.right() - 1, place.top(), 1, place.height()), surface);
    }
    const QFontMetrics metrics(painter.font());
    const int words = metrics.horizontalAdvance(part.what) + 2 * kAroundText;
    if (isNamed(part) && words <= place.width() && place.height() >= kLeastWorded) {
        if (part.is_waste) {  // text on stripes is hard to read
            const QRectF behind(place.center().x() - words / 2.0, place.top(), words, place.height());
            painter.fillRect(behind, part.colour);
        }
        painter.setPen(QColor::fromRgb(SliceColors::textOn(part.colour.rgb())));
        painter.drawText(place, Qt::AlignCenter, part.what);
    }
}

}  // namespace

std::vector<QRectF> placesOfParts(const QRectF& area, const std::vector<BarPart>& parts) {
    const auto all = static_cast<double>(std::max<DurationNs>(1, total(parts)));
    std::vector<QRectF> places;
    DurationNs before = 0;
    for (const BarPart& part : parts) {
        if (part.ns <= 0) {
            places.emplace_back();
            continue;
        }
        const double left = area.left() + area.width() * static_cast<double>(before) / all;
        const double width = area.width() * static_cast<double>(part.ns) / all;
        places.emplace_back(left, area.top(), std::max(1.0, width), area.height());
        before += part.ns;
    }
    return places;
}

QString partsText(const std::vector<BarPart>& parts) {
    QStringList told;
    for (const BarPart& part : parts) {
        if (isNamed(part)) {
            told << part.what;
        }
    }
    return told.join(QStringLiteral(", "));
}

void paintStackedBar(QPainter& painter, const QRectF& area, const std::vector<BarPart>& parts, const QColor& surface) {
    if (total(parts) <= 0 || area.width() <= 0) {
        return;
    }
    painter.save();
    QPainterPath outline;
    outline.addRoundedRect(area, kCornerRadius, kCornerRadius);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipPath(outline);
    QFont font = painter.font();
    // A high bar uses the text size of its surroundings.
    const int room = static_cast<int>(area.height()) - kAroundText;
    font.setPixelSize(std::max(kLeastText, std::min(room, painter.fontInfo().pixelSize())));
    painter.setFont(font);
    const std::vector<QRectF> places = placesOfParts(area, parts);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!places[i].isEmpty()) {
            paintPart(painter, places[i], parts[i], surface);
        }
    }
    painter.restore();
}

QColor causeColour(Cause cause, const Theme& theme) {
    const std::string name = "cause-" + std::string(causeName(cause));
    const auto palette = report::palette();
    const auto at = std::ranges::find(palette, std::string_view(name), &report::PaletteColour::name);
    return at == palette.end() ? theme.text_dim : QColor::fromRgb(theme.dark ? at->dark : at->light);
}

StackedBar::StackedBar(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void StackedBar::setParts(std::vector<BarPart> parts) {
    parts_ = std::move(parts);
    update();
    tellContentChanged(*this);
}

QString StackedBar::spokenContent() const {
    return partsText(parts_);
}

std::size_t StackedBar::spokenParts() const {
    return static_cast<std::size_t>(std::ranges::count_if(parts_, &isNamed));
}

SpokenPart StackedBar::spokenPart(std::size_t index) const {
    const std::vector<QRectF> places = placesOfParts(rect(), parts_);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        if (isNamed(parts_[i]) && index-- == 0) {
            return {.name = parts_[i].what, .about = {}, .place = places[i].toAlignedRect(), .unfolded = {}};
        }
    }
    return {};
}

QSize StackedBar::sizeHint() const {
    constexpr double kTypicalPoints = 10.0;
    return {120, static_cast<int>(std::lround(kHeight * std::max(1.0, fontInfo().pointSizeF() / kTypicalPoints)))};
}

void StackedBar::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        updateGeometry();
    }
}

void StackedBar::paintEvent(QPaintEvent* event) {
    (void)event;
    QPainter painter(this);
    paintStackedBar(painter, rect(), parts_, palette().color(QPalette::Window));
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
