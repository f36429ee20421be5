// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/trace/run.h"
#include "tests/tracegen/config.h"

namespace rankscope::accuracy::hard {

/// A fault of a run, and what should be said of it.
struct Planted {
    std::string name;
    std::vector<std::string> findings;  ///< the id that it should lead to, then others that are right as well
    std::vector<std::int32_t> ranks;    ///< that it hits by itself, ascending
    bool moves = false;                 ///< one of `ranks` each time: several of them are enough
};

/// A run as it truly was, and its files.
struct Simulated {
    int first_step = 0;                                                  ///< number of the window's first step
    std::vector<DurationNs> step_ns;                                     ///< how long each step of the window takes
    std::vector<std::vector<DurationNs>> without_ns;                     ///< by fault: the same without that one
    std::function<std::shared_ptr<const Run>(tracegen::TimeGrid)> load;  ///< its files at a resolution, read again
};

/// A run that is hard to judge.
struct Case {
    std::string name;  ///< "generator/pairs/dataloader+host-sync"
    std::string row;   ///< of the table: "generator, two at once"; of a run without a fault too
    std::vector<Planted> faults;
    std::function<Simulated()> simulate;
};

/// Two faults at once, faults of 3 and 5 % of a step, faults in some steps, stragglers that move, one slow host of
/// several, throttled GPUs, and healthy runs: of the simulator with a program a step (tests/tracegen).
[[nodiscard]] std::vector<Case> generatorCases();
/// The same of the event-driven machine (tests/tracegen/machine).
[[nodiscard]] std::vector<Case> machineCases();
/// Both.
[[nodiscard]] std::vector<Case> allCases();

/// The strength between `weak` and `strong` at which `share` of it comes near `target`; `share` grows towards `strong`.
/// `strong` if it never gets there. Eight tries.
[[nodiscard]] double strengthFor(double target, double weak, double strong,
                                 const std::function<double(double strength)>& share);

}  // namespace rankscope::accuracy::hard
