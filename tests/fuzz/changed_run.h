// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "tests/fuzz/choices.h"

namespace rankscope::fuzz {

/// The files of a run after some changes.
struct ChangedRun {
    std::vector<std::string> files;    ///< the text of each rank's trace
    std::vector<std::string> changes;  ///< what was done, for people
};

/// The small simulated runs that changes start from: two and four ranks, CUDA and ROCm, both dialects.
[[nodiscard]] std::size_t baseRuns();
[[nodiscard]] const std::vector<std::string>& baseRun(std::size_t which);

/// Chooses a base run and changes it: steps renamed, dropped, shifted, doubled; ranks, groups, clocks and collectives
/// changed; lengths that become zero or less; events that are lost, moved to other rows or linked wrongly. At most
/// `kMostChanges` changes.
[[nodiscard]] ChangedRun changeRun(Choices& choices);

inline constexpr std::size_t kMostChanges = 12;

}  // namespace rankscope::fuzz
