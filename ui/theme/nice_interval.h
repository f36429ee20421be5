// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace rankscope::ui {

/// The interval of the ticks of an axis of this length: 1, 2 or 5 times a power of ten, for at most six intervals.
[[nodiscard]] double niceInterval(double length);

}  // namespace rankscope::ui
