// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/swatches.h"

#include "ui/theme/slice_colors.h"

namespace rankscope::ui {
namespace {

constexpr unsigned kFaded = 120;  // of 256, how much of the panel shows through
constexpr int kDarker = 140;      // percent

}  // namespace

QColor colourOf(Swatch swatch, const Theme& theme) {
    const SliceColors& colours = SliceColors::of(theme);
    const QRgb communication = colours.middle(Hue::Communication);
    switch (swatch) {
        case Swatch::Compute: return QColor::fromRgb(colours.middle(Hue::Compute));
        case Swatch::Communication: return QColor::fromRgb(communication);
        case Swatch::Waiting: return QColor::fromRgb(mix(communication, theme.surface.rgb(), kFaded));
        case Swatch::Unsplit: return QColor::fromRgb(communication).darker(kDarker);
        case Swatch::Copy: return QColor::fromRgb(colours.middle(Hue::Copy));
        case Swatch::Idle: return theme.gap;
    }
    return theme.text_dim;
}

}  // namespace rankscope::ui
