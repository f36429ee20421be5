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

/// Facts about a slice besides those in the model.
struct SliceExtras {
    bool name_run = false;                         ///< show the run's name, since there are others
    std::optional<DurationNs> self_ns;             ///< nothing while unknown
    const CollectiveIndex* collectives = nullptr;  ///< index of the run; nullptr while it is being built
};

/// The model's facts about a slice as an HTML table, with linked slices as links.
[[nodiscard]] QString sliceHtml(const AnalysedRun& run, const SliceSelection& at, const SliceExtras& extras,
                                const Theme& theme);

/// The facts about the collective of a slice, as names and values in HTML: its transfer, for whom this rank waited and
/// what that rank did at that time, and links to the members of the other ranks. Empty if the slice belongs to no
/// collective.
[[nodiscard]] std::vector<std::pair<QString, QString>> collectiveRows(const AnalysedRun& run,
                                                                      const CollectiveIndex& collectives,
                                                                      const SliceSelection& at);

}  // namespace rankscope::ui
