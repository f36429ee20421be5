// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "ui/panels/shared/open_runs.h"
#include "ui/timeline/selection/selection.h"

namespace rankscope::ui {

/// From where a finding is looked at: its places on the step that shows it, or the place of its first evidence.
enum class FindingLook : std::uint8_t { OnStep, AtPlace };

/// Where a walk through the findings is.
struct FindingStop {
    FindingSelection finding;
    FindingLook look = FindingLook::OnStep;
    friend bool operator==(const FindingStop&, const FindingStop&) = default;
};

/// The stop after `now` (direction +1) or before it (-1), round the end: all findings in their order, each first on the
/// step and then at its place, where it has evidence. Without `now` the first stop, or the last. Nothing where no run
/// has findings.
[[nodiscard]] std::optional<FindingStop> nextStop(const OpenRuns& runs, const std::optional<FindingStop>& now,
                                                  int direction);

}  // namespace rankscope::ui
