// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>

#include "core/diagnosis/analysed_run.h"
#include "ui/theme/theme.h"
#include "ui/timeline/selection.h"

namespace rankscope::ui {

/// What the model holds of a slice as an HTML table; linked slices as links. Names its run where that is not the only
/// one. `self_ns` is nothing while unknown.
[[nodiscard]] QString sliceHtml(const AnalysedRun& run, const SliceSelection& at, bool is_only_run,
                                std::optional<DurationNs> self_ns, const Theme& theme);

}  // namespace rankscope::ui
