// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "ui/panels/shared/open_runs.h"
#include "ui/timeline/selection/selection.h"

namespace rankscope::ui {

/// How a finding is shown: its places in its step, or the place of its first evidence.
enum class FindingLook : std::uint8_t { OnStep, AtPlace };

/// A stop of a walk through the findings.
struct FindingStop {
    FindingSelection finding;
    FindingLook look = FindingLook::OnStep;
    friend bool operator==(const FindingStop&, const FindingStop&) = default;
};

/// The stop after `now` (direction +1) or before it (-1), with wrap-around: all findings in order, each first in its
/// step and then at its place, if it has evidence. Without `now` the first stop, or the last. Nothing if no run has
/// findings.
[[nodiscard]] std::optional<FindingStop> nextStop(const OpenRuns& runs, const std::optional<FindingStop>& now,
                                                  int direction);

}  // namespace rankscope::ui
