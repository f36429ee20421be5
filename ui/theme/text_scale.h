// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

namespace rankscope::ui {

/// How much larger the text is than the style's own size.
[[nodiscard]] double textScale(const Theme& theme);
/// Pixels made for text of the style's own size, for text as it is.
[[nodiscard]] int scaled(int pixels, const Theme& theme);

}  // namespace rankscope::ui
