// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace rankscope::ui {

/// Between the ticks of an axis of this length: 1, 2 or 5 of a decade, for at most six of them.
[[nodiscard]] double niceInterval(double length);

}  // namespace rankscope::ui
