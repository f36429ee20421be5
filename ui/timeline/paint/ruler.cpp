// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/paint/ruler.h"

#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "ui/theme/theme.h"
#include "ui/timeline/frame/frame.h"
#include "ui/timeline/frame/label_text.h"

namespace rankscope::ui {
namespace {

struct Unit {
    DurationNs ns;
    const char* name;
};
constexpr std::array<Unit, 4> kUnits = {{{1, "ns"}, {1'000, "\u00b5s"}, {1'000'000, "ms"}, {1'000'000'000, "s"}}};

// From this many of the next unit on, the full time has too many digits for each tick.
constexpr std::int64_t kReadable = 10;

DurationNs niceStep(DurationNs at_least) {
    DurationNs decade = 1;
    while (true) {
        for (const DurationNs factor : {1, 2, 5}) {
            if (decade * factor >= at_least || decade > 100'000'000'000'000'000) {
                return decade * factor;
            }
        }
        decade *= 10;
    }
}

TimeNs floorTo(TimeNs t, DurationNs step) {
    const TimeNs rest = t % step;
    return t - rest - (rest < 0 ? step : 0);
}

std::size_t unitOf(DurationNs step) {
    std::size_t unit = 0;
    while (unit + 1 < kUnits.size() && step >= kUnits[unit + 1].ns) {
        ++unit;
    }
    return unit;
}

// "1,234.5 ms": `t` in `unit`, with as many decimals as necessary, up to nine.
QString inUnit(TimeNs t, const Unit& unit) {
    const TimeNs whole = t < 0 ? -(-t / unit.ns) : t / unit.ns;
    const TimeNs rest = t < 0 ? -t % unit.ns : t % unit.ns;
    QString digits = QString::number(whole < 0 ? -whole : whole);
    for (auto at = digits.size() - 3; at > 0; at -= 3) {
        digits.insert(at, QLatin1Char(','));
    }
    if (rest != 0) {
        QString decimals = QString::number(unit.ns + rest).mid(1);
        while (decimals.endsWith(QLatin1Char('0'))) {
            decimals.chop(1);
        }
        digits += QLatin1Char('.') + decimals;
    }
    return (t < 0 ? QStringLiteral("\u2212") : QString()) + digits + QLatin1Char(' ') + QString::fromUtf8(unit.name);
}

constexpr int kAnchorMargin = 10;  // logical pixels
constexpr int kRulerTextPixels = 11;

// The next smaller nice step.
DurationNs smallerStep(DurationNs step) {
    DurationNs first = step;  // digit
    while (first >= 10) {
        first /= 10;
    }
    return first == 5 ? step / 5 * 2 : step / 2;
}

Ruler rulerOf(const TimeSpan& window, DurationNs major) {
    Ruler ruler;
    const std::size_t unit = unitOf(major);
    TimeNs anchor = 0;
    if (unit + 1 < kUnits.size() && window.start_ns / kUnits[unit + 1].ns >= kReadable) {
        anchor = floorTo(window.start_ns, kUnits[unit + 1].ns);
        ruler.anchor = inUnit(anchor, kUnits[unitOf(anchor)]);
    }
    // A step of 2 is divided into halves, one of 1 or 5 into fifths; below 5 ns there are no divisions.
    DurationNs minor = major;
    while (minor % 10 == 0) {
        minor /= 10;
    }
    minor = minor == 2 ? major / 4 : major / 5;
    if (minor == 0 || major % minor != 0) {
        minor = major;
    }
    for (TimeNs t = floorTo(window.start_ns, major); t < window.end_ns; t += minor) {
        if (t < window.start_ns) {
            continue;
        }
        const bool is_major = t % major == 0;
        QString label;
        if (is_major) {
            label = (anchor != 0 ? QStringLiteral("+") : QString()) + inUnit(t - anchor, kUnits[unit]);
        }
        ruler.ticks.push_back({t, is_major, label});
    }
    return ruler;
}

// The labels of a ruler for a window that is `width_px` wide and a minimum distance of labels of `min_px`.
struct LabelFit {
    int whole = 0;    // labels that end inside the window
    double most = 0;  // pixels of the widest label, with the space around it
};

LabelFit fitOf(const Ruler& ruler, const TimeSpan& window, int width_px, int min_px) {
    constexpr double kLetters = 16;  // letters in the minimum distance
    constexpr double kBeside = 2;    // letters
    LabelFit fit;
    const double px_per_ns = width_px / static_cast<double>(std::max<DurationNs>(1, window.length()));
    for (const RulerTick& tick : ruler.ticks) {
        if (tick.major) {
            const double width = (static_cast<double>(tick.label.size()) + kBeside) * min_px / kLetters;
            fit.most = std::max(fit.most, width);
            fit.whole += static_cast<double>(tick.at_ns - window.start_ns) * px_per_ns + width <= width_px ? 1 : 0;
        }
    }
    return fit;
}

}  // namespace

Ruler makeRuler(const TimeSpan& window, int width_px, int min_px) {
    const DurationNs length = std::max<DurationNs>(1, window.length());
    const auto wanted = std::max<std::int64_t>(1, width_px / std::max(1, min_px));
    DurationNs major = niceStep((length + wanted - 1) / wanted);
    Ruler ruler = rulerOf(window, major);
    while (major > 1 && fitOf(ruler, window, width_px, min_px).whole < 2) {
        major = smallerStep(major);
        Ruler closer = rulerOf(window, major);
        const double apart_px = static_cast<double>(major) * width_px / static_cast<double>(length);
        if (fitOf(closer, window, width_px, min_px).most > apart_px) {
            break;
        }
        ruler = std::move(closer);
    }
    return ruler;
}

void paintRuler(QPainter& painter, const QRect& area, const QRect& corner, const Frame& frame, const Theme& theme) {
    QFont font = theme.ui_font;
    font.setPixelSize(scaled(kRulerTextPixels, theme));
    font.setWeight(QFont::Normal);
    painter.save();
    painter.fillRect(corner.united(area), theme.surface);
    painter.setClipRect(area);
    painter.setFont(font);
    const int flags = edgeSizes(theme).flags;  // below the labels
    for (const RulerTick& tick : frame.ruler.ticks) {
        // Not rounded to a logical pixel: if the desktop scales by a fraction, the grid below is not at whole ones.
        const double place = area.left() + frame.scale.pixelAt(tick.at_ns) / frame.pixel_ratio;
        const int height = tick.major ? area.height() - 8 : 4;
        painter.fillRect(QRectF(place, area.bottom() - height, 1, height), tick.major ? theme.border : theme.grid);
        const int x = static_cast<int>(std::lround(place));
        const int room = area.right() - x - 5;
        if (tick.major && painter.fontMetrics().horizontalAdvance(tick.label) <= room) {
            painter.setPen(theme.text_dim);
            painter.drawText(QRect(x + 5, area.top(), edgeSizes(theme).ticks, area.height() - flags), Qt::AlignVCenter,
                             tick.label);
        }
    }
    painter.setClipping(false);
    painter.setPen(theme.text);
    painter.drawText(corner.adjusted(0, 0, -kAnchorMargin, -flags), Qt::AlignVCenter | Qt::AlignRight,
                     frame.ruler.anchor);
    painter.fillRect(QRect(corner.left(), corner.bottom(), corner.width() + area.width(), 1), theme.border);
    painter.fillRect(QRect(corner.right(), corner.top(), 1, corner.height()), theme.border);
    painter.restore();
}

}  // namespace rankscope::ui
