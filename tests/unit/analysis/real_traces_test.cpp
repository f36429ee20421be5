// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/real_traces.h"

#include "core/analysis/device/partition.h"
#include "core/analysis/replay/replay.h"
#include "core/analysis/stages.h"
#include "tests/support/fact_checks.h"
#include "tests/support/loading.h"
#include "tests/support/testing.h"
#include "tests/support/whole_replay.h"

namespace rankscope::test {
namespace {

TEST(AllTraces, AddUpToTheNanosecondAndReplayAsTheyWere) {
    std::size_t with_steps = 0;
    for (const auto& path : allTraceFiles()) {
        SCOPED_TRACE(path.string());
        for (const auto& trace : loadAllRanks(path.string())) {
            const AnalysedRank analysed = analyseRank(trace, NameRules::builtIn());
            checkFacts(analysed.facts);
            const auto replayed = replay(makeReplayModel(analysed.work), kReplayWhole);
            ASSERT_EQ(replayed.size(), analysed.facts.steps.size());
            for (std::size_t i = 0; i < replayed.size(); ++i) {
                EXPECT_EQ(replayed[i], analysed.facts.steps[i].span);
            }
            with_steps += analysed.facts.steps.empty() ? 0U : 1U;
        }
    }
    EXPECT_GT(with_steps, 20U);
}

/// What an independent program found inside the recorded span of a step, in milliseconds (README.md of the traces).
struct Expected {
    const char* path;
    std::int64_t step;
    double compute, exposed_comm, exposed_copy, idle;
};

void PrintTo(const Expected& expected, std::ostream* out) {
    *out << expected.path << ", step " << expected.step;
}

class RecordedSpans : public testing::TestWithParam<Expected> {};

TEST_P(RecordedSpans, ArePartitionedAsAnIndependentProgramDid) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const Expected& expected = GetParam();
    const auto trace = load(realTraces() / expected.path);
    ASSERT_NE(trace, nullptr);
    const AnalysedRank analysed = analyseRank(trace, NameRules::builtIn());
    for (const MeasuredStep& step : analysed.facts.steps) {
        if (step.index == expected.step) {
            const Partition p = Partitioner(analysed.work.device).of(step.host);
            const double rounding = 0.1;  // one decimal, chosen so that the four add up
            EXPECT_NEAR(static_cast<double>(p.compute_ns) / 1e6, expected.compute, rounding);
            EXPECT_NEAR(static_cast<double>(p.exposed_comm_ns) / 1e6, expected.exposed_comm, rounding);
            EXPECT_NEAR(static_cast<double>(p.exposed_copy_ns) / 1e6, expected.exposed_copy, rounding);
            EXPECT_NEAR(static_cast<double>(p.idle_ns) / 1e6, expected.idle, rounding);
            return;
        }
    }
    FAIL() << "no step " << expected.step;
}

constexpr auto kZero = "resnet50_workers/ZeroWorkers/worker0.1623143089861.pt.trace.json.gz";
constexpr auto kFour = "resnet50_workers/FourWorkers/worker0.1623212756351.pt.trace.json.gz";
INSTANTIATE_TEST_SUITE_P(
    ReadMe, RecordedSpans,
    testing::Values(Expected{kZero, 5, 87.4, 0, 1.9, 86.7}, Expected{kZero, 6, 97.5, 0, 2.0, 74.5},
                    Expected{kZero, 7, 95.9, 0, 1.9, 79.1}, Expected{kZero, 8, 105.3, 0, 1.9, 74.0},
                    Expected{kFour, 5, 99.2, 0, 3.6, 78.7}, Expected{kFour, 6, 97.5, 0, 3.0, 23.5},
                    Expected{kFour, 7, 98.9, 0, 3.0, 25.0}, Expected{kFour, 8, 101.8, 0, 3.0, 21.6},
                    Expected{"resnet_ddp_4ranks_rocm/rank0.pt.trace.json.gz", 9, 16.6, 16.8, 0.8, 13.1},
                    Expected{"resnet_ddp_4ranks_rocm/rank3.pt.trace.json.gz", 9, 14.3, 1.1, 0.8, 32.8}));

}  // namespace
}  // namespace rankscope::test
