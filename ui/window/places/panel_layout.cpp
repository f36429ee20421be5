// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/places/panel_layout.h"

#include <QGuiApplication>
#include <QScreen>
#include <algorithm>

namespace rankscope::ui {
namespace {

constexpr QSize kLeastWindow(240, 160);
constexpr int kReach = 48;  // pixels of a window's upper edge by which it can be moved

/// The distance of a window's middle from a screen, in pixels across and down.
qint64 distance(const QRect& window, const QScreen* screen) {
    const QPoint middle = window.center();
    const QRect area = screen->availableGeometry();
    const auto outside = [](qint64 at, qint64 from, qint64 to) { return std::max<qint64>({0, from - at, at - to}); };
    return outside(middle.x(), area.left(), area.right()) + outside(middle.y(), area.top(), area.bottom());
}

}  // namespace

QRect whollyOnAScreen(const QRect& window) {
    QRect placed = onAScreen(window);
    const QList<QScreen*> screens = QGuiApplication::screens();
    const auto nearest =
        std::ranges::min_element(screens, {}, [&placed](const QScreen* screen) { return distance(placed, screen); });
    if (nearest != screens.end()) {
        const QRect area = (*nearest)->availableGeometry();  // onAScreen() has made it no larger
        placed.moveLeft(std::clamp(placed.left(), area.left(), area.right() + 1 - placed.width()));
        placed.moveTop(std::clamp(placed.top(), area.top(), area.bottom() + 1 - placed.height()));
    }
    return placed;
}

QRect onAScreen(const QRect& window) {
    const QList<QScreen*> screens = QGuiApplication::screens();
    const auto nearest =
        std::ranges::min_element(screens, {}, [&window](const QScreen* screen) { return distance(window, screen); });
    if (nearest == screens.end()) {
        return window;
    }
    const QRect area = (*nearest)->availableGeometry();
    QRect placed(window.topLeft(), window.size().expandedTo(kLeastWindow).boundedTo(area.size()));
    const QRect edge(placed.topLeft(), QSize(placed.width(), 1));
    const bool reached = std::ranges::any_of(screens, [&edge](const QScreen* screen) {
        return screen->availableGeometry().intersected(edge).width() >= kReach;
    });
    if (!reached) {
        placed.moveLeft(std::clamp(placed.left(), area.left(), area.right() + 1 - placed.width()));
        placed.moveTop(std::clamp(placed.top(), area.top(), area.bottom() + 1 - placed.height()));
    }
    return placed;
}

}  // namespace rankscope::ui
