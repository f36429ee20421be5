// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace rankscope::report {

/// A colour of the HTML report as 0xrrggbb, for a light and for a dark page. The style sheet knows it as var(--name).
struct PaletteColour {
    std::string_view name;
    std::uint32_t light = 0;
    std::uint32_t dark = 0;
};

/// All colours of the report. Surfaces, severities and the classes of device work are those of the window (ui/theme; a
/// test of the window's theme compares them). Causes of idle time have one each, "cause-" and their name, in the warm
/// and grey hues that no class of work has.
[[nodiscard]] std::span<const PaletteColour> palette();

/// The palette as a style sheet: light, and dark where the reader's system asks for it. Print is always light.
/// The class "f-name" fills with a colour.
[[nodiscard]] std::string paletteCss();

}  // namespace rankscope::report
