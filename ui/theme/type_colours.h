// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

#include "core/analysis/efficiency/number_type.h"
#include "ui/theme/theme.h"

namespace rankscope::ui {

/// The colour of products of a number type, and of their roof.
[[nodiscard]] QColor colourOf(NumberType type, const Theme& theme);

}  // namespace rankscope::ui
