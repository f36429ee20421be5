// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>
#include <utility>
#include <vector>

#include "core/analysis/collectives/collective_index.h"
#include "core/diagnosis/frame/analysed_run.h"
#include "ui/theme/theme.h"
#include "ui/timeline/selection/selection.h"

namespace rankscope::ui {

/// What is said of a slice beside what the model holds.
struct SliceExtras {
    bool name_run = false;                         ///< it is not the only run
    std::optional<DurationNs> self_ns;             ///< nothing while unknown
    const CollectiveIndex* collectives = nullptr;  ///< of the run; nullptr while it is being built
};

/// What the model holds of a slice as an HTML table; linked slices as links.
[[nodiscard]] QString sliceHtml(const AnalysedRun& run, const SliceSelection& at, const SliceExtras& extras,
                                const Theme& theme);

/// What the facts say of the collective that a slice is part of, as names and values in HTML: its transfer, for whom
/// this rank waited and what that rank did meanwhile, and links to the parts of the other ranks. Empty where the slice
/// belongs to no collective.
[[nodiscard]] std::vector<std::pair<QString, QString>> collectiveRows(const AnalysedRun& run,
                                                                      const CollectiveIndex& collectives,
                                                                      const SliceSelection& at);

}  // namespace rankscope::ui
