// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace rankscope::report {

/// A colour of the HTML report as 0xrrggbb, for a light and for a dark page. In the style sheet it is var(--name).
struct PaletteColour {
    std::string_view name;
    std::uint32_t light = 0;
    std::uint32_t dark = 0;
};

/// All colours of the report. Surfaces, severities and the classes of device work have the window's colours (ui/theme;
/// a test of the window's theme compares them). Each cause of idle time has a colour, named "cause-" and the cause, in
/// the warm and grey hues that no class of work has.
[[nodiscard]] std::span<const PaletteColour> palette();

/// The palette as a style sheet: light, and dark if the reader's system asks for it. Print is always light. The class
/// "f-name" fills with a colour.
[[nodiscard]] std::string paletteCss();

}  // namespace rankscope::report
