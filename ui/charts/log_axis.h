// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "ui/theme/theme.h"

class QLogValueAxis;

namespace rankscope::ui {

/// A logarithmic axis of whole powers of ten around `least` and `most`, both above 0: at least two of them. `format`
/// names each, like "%g".
[[nodiscard]] QLogValueAxis* makeLogAxis(double least, double most, const QString& format, const Theme& theme);

}  // namespace rankscope::ui
