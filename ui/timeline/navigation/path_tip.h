// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/analysis/path_stretches.h"
#include "ui/timeline/navigation/tooltip.h"

namespace rankscope::ui {

/// What a stretch of a critical path went to, for people: "Compute", "DataLoader". `cause` is of idle time.
[[nodiscard]] QString pathPartTitle(PathKind kind, Cause cause);

/// What is said of the critical path at the pointer: what the stretch is, how long, on which rank, and what was waited
/// for; of a line to another rank, who waited for whom. Empty where the model has no path.
[[nodiscard]] Tip tipForPath(const TimelineModel& model, const Hit& hit, const Theme& theme);

}  // namespace rankscope::ui
