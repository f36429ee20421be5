// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>

#include "core/report/palette.h"
#include "ui/theme/slice_colors.h"
#include "ui/theme/swatches.h"
#include "ui/theme/theme.h"

namespace rankscope::ui {
namespace {

/// A colour of the HTML report on a page that is as dark as the theme.
QRgb reportColour(const Theme& theme, std::string_view name) {
    const auto palette = report::palette();
    const auto at = std::ranges::find(palette, name, &report::PaletteColour::name);
    if (at == palette.end()) {
        ADD_FAILURE() << "the report has no colour " << name;
        return 0;
    }
    return 0xff000000U | (theme.dark ? at->dark : at->light);
}

TEST(ReportPalette, IsThatOfTheWindow) {
    for (const Theme& theme : {Theme::darkTheme(), Theme::lightTheme()}) {
        SCOPED_TRACE(theme.dark ? "dark" : "light");
        const SliceColors slices(theme);
        EXPECT_EQ(reportColour(theme, "compute"), slices.middle(Hue::Compute));
        EXPECT_EQ(reportColour(theme, "communication"), slices.middle(Hue::Communication));
        EXPECT_EQ(reportColour(theme, "communication-unsplit"), colourOf(Swatch::Unsplit, theme).rgb());
        EXPECT_EQ(reportColour(theme, "copy"), slices.middle(Hue::Copy));
        const std::pair<const char*, QColor> same[] = {{"window", theme.window},
                                                       {"surface", theme.surface},
                                                       {"raised", theme.raised},
                                                       {"border", theme.border},
                                                       {"grid", theme.grid},
                                                       {"text", theme.text},
                                                       {"text-dim", theme.text_dim},
                                                       {"accent", theme.accent},
                                                       {"severity-high", theme.severity_high},
                                                       {"severity-medium", theme.severity_medium},
                                                       {"severity-low", theme.severity_low}};
        for (const auto& [name, colour] : same) {
            EXPECT_EQ(reportColour(theme, name), colour.rgb()) << name;
        }
    }
}

}  // namespace
}  // namespace rankscope::ui
