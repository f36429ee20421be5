// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRect>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace rankscope::ui {

/// The place of a panel: a tab below the timeline, the upper or the lower part of the side, or its own window.
enum class PanelPlace : std::uint8_t { Below, SideTop, SideBottom, Window };
/// The number of places that are parts of the window itself: those before PanelPlace::Window.
inline constexpr std::size_t kDocks = 3;

/// How the panels share the window, for sessions and settings. Plain values, in logical pixels; 0, and an empty name,
/// mean: the default.
struct PanelLayout {
    /// A panel that is not at its usual place.
    struct Moved {
        std::string panel;  ///< its name: "charts"
        PanelPlace place = PanelPlace::Below;
        QRect window;  ///< the geometry of its own window on the screens, without a frame; only for PanelPlace::Window
        friend bool operator==(const Moved&, const Moved&) = default;
    };
    std::vector<Moved> moved;
    std::array<std::string, 2> side_fronts;  ///< names of the panels in front at the side, the upper part's first
    std::array<int, 2> side_heights{};       ///< heights of the two parts of the side
    int side_width = 0;
    int bottom_height = 0;  ///< height of the part below the timeline, unfolded
    friend bool operator==(const PanelLayout&, const PanelLayout&) = default;
};

/// A reachable position of a window: unchanged if some screen shows its title, else moved onto the nearest screen. It
/// is never larger than that screen.
[[nodiscard]] QRect onAScreen(const QRect& window);
/// The same with the whole window visible: for a window that the user did not place.
[[nodiscard]] QRect whollyOnAScreen(const QRect& window);

}  // namespace rankscope::ui
