// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/tracegen/machine/faults.h"

namespace rankscope::tracegen::machine {

[[nodiscard]] std::string_view nameOf(Sharing sharing);
[[nodiscard]] std::string_view nameOf(Schedule schedule);

/// A job to begin with.
struct JobPreset {
    std::string_view name;
    std::string_view what;  ///< for people
    int ranks = 4;
    JobSpec job;
};
[[nodiscard]] const std::vector<JobPreset>& allJobPresets();
/// Nothing is wrong with it, and its noise is that of real machines. Equal seeds give equal runs. Throws
/// std::invalid_argument for a name that there is not.
[[nodiscard]] Config jobConfig(std::string_view preset, std::uint64_t seed);

/// Makes it a machine of so many ranks, for another grid.
void resizeJob(Config& config, int ranks);

/// Faults of jobs whose work is divided, as allFaults() has them after its own.
[[nodiscard]] std::vector<Fault> jobFaults();

/// A fault of jobFaults() in a run.
struct PlantedFault {
    const Fault* fault = nullptr;
    double strength = 0;
};
/// "slow-stage", or "slow-stage:1.4" for a strength of one's own. Throws std::invalid_argument.
[[nodiscard]] PlantedFault parsePlanted(std::string_view text);

/// Indices in groupsOf() of the groups that a fault hits by itself; none where it hits ranks or all.
[[nodiscard]] std::vector<std::uint32_t> faultyGroups(const Fault& fault, const Config& config);

}  // namespace rankscope::tracegen::machine
