// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace rankscope::ui {

/// What is drawn over the slices, each with its own switch (design 7).
enum class Overlay : std::uint8_t {
    Gaps,        ///< blocked time of the device: hatched amber
    Overlap,     ///< communication under compute: green
    Exposed,     ///< communication without compute at the same time: pink
    Stragglers,  ///< the time in which a rank delayed the others: outlined red
    Links,       ///< from the selection to its linked slices
    Path,        ///< the critical path of a step: a line through its rows
};
inline constexpr std::size_t kOverlayCount = 6;

/// Which overlays are shown; by default all except the critical path.
struct OverlaySet {
    std::array<bool, kOverlayCount> shown{true, true, true, true, true, false};
    [[nodiscard]] bool has(Overlay o) const { return shown[static_cast<std::size_t>(o)]; }
    void set(Overlay o, bool on) { shown[static_cast<std::size_t>(o)] = on; }
    friend bool operator==(const OverlaySet&, const OverlaySet&) = default;
};

}  // namespace rankscope::ui
