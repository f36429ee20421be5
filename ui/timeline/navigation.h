// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/timeline_model.h"

namespace rankscope::ui {

enum class Direction : std::uint8_t { Forward, Back };

// Where to go from a selection. Each returns nothing (std::monostate) where there is no way on.

/// The slice before or behind on the same row.
[[nodiscard]] Selection neighbourSlice(const TimelineModel& model, const Selection& from, Direction direction);
/// The gap before or behind, on the rank of the selection; without a selection, the first rank's from `at` on.
[[nodiscard]] Selection neighbourGap(const TimelineModel& model, const Selection& from, TimeNs at, Direction direction);
/// Forward: from a host slice to the first device work launched inside it, else from a forward operator to its
/// backward. Back: from device work to its launch call, else to the forward operator.
[[nodiscard]] Selection linkedSlice(const TimelineModel& model, const Selection& from, Direction direction);

}  // namespace rankscope::ui
