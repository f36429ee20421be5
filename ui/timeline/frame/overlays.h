// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace rankscope::ui {

/// What is laid over the slices, each to be switched on and off (design 7).
enum class Overlay : std::uint8_t {
    Gaps,        ///< blocked time of the device: hatched amber
    Overlap,     ///< communication under compute: green
    Exposed,     ///< communication with no compute beside it: pink
    Stragglers,  ///< the time in which a rank held the others up: outlined red
    Links,       ///< from what is selected to what it is tied to
    Path,        ///< the critical path of a step: a line through the rows that it is on
};
inline constexpr std::size_t kOverlayCount = 6;

/// Which overlays are shown; at first all of them but the critical path.
struct OverlaySet {
    std::array<bool, kOverlayCount> shown{true, true, true, true, true, false};
    [[nodiscard]] bool has(Overlay o) const { return shown[static_cast<std::size_t>(o)]; }
    void set(Overlay o, bool on) { shown[static_cast<std::size_t>(o)] = on; }
    friend bool operator==(const OverlaySet&, const OverlaySet&) = default;
};

}  // namespace rankscope::ui
