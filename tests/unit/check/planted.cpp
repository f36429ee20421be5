// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/check/planted.h"

#include "tests/accuracy/simulated_run.h"
#include "tests/support/analysed.h"
#include "tests/tracegen/config_of.h"

namespace rankscope::test {

AnalysedRun plantedJob(const std::vector<std::string>& faults, int ranks, int steps) {
    tracegen::Config config = tracegen::configOf(ranks, steps, faults);
    config.profile_memory = true;
    return analyse(accuracy::loadSimulated(tracegen::simulate(config)));
}

}  // namespace rankscope::test
