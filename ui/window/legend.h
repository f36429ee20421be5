// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "ui/theme/theme.h"

namespace rankscope::ui {

/// What the colours of the window mean, as a page of HTML: those of slices, of what lies over the tracks, of the parts
/// of a step, and of the overview, each beside a patch of it.
[[nodiscard]] QString legendHtml(const Theme& theme);

}  // namespace rankscope::ui
