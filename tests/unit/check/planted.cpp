// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/check/planted.h"

#include "tests/accuracy/simulated_run.h"
#include "tests/support/analysed.h"

namespace rankscope::test {

AnalysedRun plantedJob(const std::vector<std::string>& faults, int ranks, int steps) {
    tracegen::Config config;
    config.ranks = ranks;
    config.steps = steps;
    config.profile_memory = true;
    for (const std::string& fault : faults) {
        config.faults.push_back(tracegen::parseFault(fault));
    }
    return analyse(accuracy::loadSimulated(tracegen::simulate(config)));
}

}  // namespace rankscope::test
