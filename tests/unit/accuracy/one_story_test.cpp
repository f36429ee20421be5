// SPDX-License-Identifier: GPL-3.0-or-later
// The verdict of each planted run names a part that one of its findings names.

#include "tests/accuracy/machine_cases.h"
#include "tests/accuracy/simulated_run.h"
#include "tests/support/analysed.h"
#include "tests/support/headline_check.h"
#include "tests/support/testing.h"
#include "tests/tracegen/config_of.h"
#include "tests/tracegen/faults.h"
#include "tests/tracegen/machine/faults.h"
#include "tests/tracegen/machine/simulate.h"
#include "tests/tracegen/simulate.h"

namespace rankscope::test {
namespace {

TEST(OneStory, IsReportedForEachPlantedFault) {
    for (const tracegen::FaultTraits& fault : tracegen::allFaultTraits()) {
        SCOPED_TRACE(std::string(fault.name));
        const AnalysedRun run =
            analyse(accuracy::loadSimulated(tracegen::simulate(tracegen::configOf(2, 5, {std::string(fault.name)}))));
        checkHeadline(run);
        checkPrices(run);
    }
}

TEST(OneStory, IsReportedForEachFaultOfTheSimulatedMachine) {
    std::set<std::string_view> done;
    for (const accuracy::MachineCase& one : accuracy::machineMatrix()) {
        if (one.fault != nullptr && one.strength == one.fault->strengths[1] && done.insert(one.fault->name).second) {
            SCOPED_TRACE(one.name);
            const AnalysedRun run = accuracy::analyseSimulated(tracegen::machine::simulate(one.planted()));
            checkHeadline(run);
            checkPrices(run);
        }
    }
    EXPECT_EQ(done.size(), tracegen::machine::allFaults().size());
}

TEST(OneStory, OfAHealthyRunIsThatItComputes) {
    const AnalysedRun run = analyse(accuracy::loadSimulated(tracegen::simulate(tracegen::configOf(4, 6, {}))));
    checkHeadline(run);
    EXPECT_EQ(run.diagnosis.headline.title, "compute-bound");
    EXPECT_TRUE(run.diagnosis.headline.known);
    EXPECT_EQ(findingOf(run, "late-answer"), nullptr);
    EXPECT_EQ(findingOf(run, "warm-up"), nullptr);
}

}  // namespace
}  // namespace rankscope::test
