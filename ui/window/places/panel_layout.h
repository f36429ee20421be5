// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRect>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace rankscope::ui {

/// Where a panel is: as a tab below the timeline, as one of the upper or the lower part of the side, or in a window
/// of its own.
enum class PanelPlace : std::uint8_t { Below, SideTop, SideBottom, Window };
/// How many places are parts of the window itself: those before PanelPlace::Window.
inline constexpr std::size_t kDocks = 3;

/// How the panels share the window, for sessions and settings to keep. Plain values, in logical pixels; 0, and an empty
/// name, mean: as it is by itself.
struct PanelLayout {
    /// A panel that is not where it usually is.
    struct Moved {
        std::string panel;  ///< its name: "charts"
        PanelPlace place = PanelPlace::Below;
        QRect window;  ///< where its own window is on the screens, without a frame; only for PanelPlace::Window
        friend bool operator==(const Moved&, const Moved&) = default;
    };
    std::vector<Moved> moved;
    std::array<std::string, 2> side_fronts;  ///< names of the panels in front at the side, the upper part's first
    std::array<int, 2> side_heights{};       ///< of the two parts of the side
    int side_width = 0;
    int bottom_height = 0;  ///< of what is below the timeline, unfolded
    friend bool operator==(const PanelLayout&, const PanelLayout&) = default;
};

/// A window's place as it can be reached: itself where some screen shows its title, else moved onto the nearest one. It
/// is never larger than that screen.
[[nodiscard]] QRect onAScreen(const QRect& window);
/// The same with all of the window in sight: for one that the user did not put there.
[[nodiscard]] QRect whollyOnAScreen(const QRect& window);

}  // namespace rankscope::ui
