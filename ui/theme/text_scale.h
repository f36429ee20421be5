// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

namespace rankscope::ui {

/// Pixels left and right of the text of a cell, and of the title above it. The same in all text sizes.
inline constexpr int kCellPadding = 8;

/// The size of the text relative to the style's own size.
[[nodiscard]] double textScale(const Theme& theme);
/// Pixels designed for the style's own text size, scaled to the current one.
[[nodiscard]] int scaled(int pixels, const Theme& theme);

}  // namespace rankscope::ui
