// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/evidence/stall_pattern.h"
#include "tests/support/analysed.h"
#include "tests/support/durations.h"
#include "tests/support/model_builder.h"
#include "tests/support/places.h"
#include "tests/support/real_traces.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

/// Eight ranks of which two run at a time, for a varying time each.
std::vector<RankPauses> takingTurns() {
    std::vector<RankPauses> ranks(8);
    TimeNs at_ns = 0;
    for (std::size_t turn = 0; turn < 40; ++turn) {
        const TimeNs end_ns = at_ns + static_cast<TimeNs>(3 + turn * 7 % 5) * kMs + static_cast<TimeNs>(turn * 7919);
        for (std::size_t r = 0; r < ranks.size(); ++r) {
            if (r / 2 != turn % 4) {
                ranks[r].push_back({at_ns, end_ns});
            }
        }
        at_ns = end_ns;
    }
    return ranks;
}

TEST(StallPattern, RanksThatTakeTurnsHaveTooFewCores) {
    const std::vector<RankPauses> ranks = takingTurns();
    const StallPattern pattern = patternOf(ranks, {0, ranks[0].back().end_ns}, ranks[0].back().end_ns);
    EXPECT_EQ(pattern.kind, StallKind::MoreThreadsThanCores);
    EXPECT_EQ(pattern.running, 2U);
    EXPECT_EQ(pattern.most_running, 2U);
    EXPECT_NEAR(pattern.running_share, 1.0, 0.01);
}

TEST(StallPattern, RanksThatStandStillTogetherArePaused) {
    std::vector<RankPauses> ranks(4);
    for (TimeNs i = 0; i < 10; ++i) {
        for (RankPauses& rank : ranks) {
            rank.push_back({i * 103 * kMs, i * 103 * kMs + 37 * kMs});
        }
    }
    EXPECT_EQ(patternOf(ranks, {0, 1'030 * kMs}, 1'030 * kMs).kind, StallKind::PausedTogether);
}

TEST(StallPattern, OneRankAtATimeIsItsOwnDoing) {
    std::vector<RankPauses> ranks(4);
    for (TimeNs i = 0; i < 10; ++i) {
        const TimeNs start_ns = i * 103 * kMs + i * i * 7'919;
        ranks[static_cast<std::size_t>(i % 4)].push_back({start_ns, start_ns + 37 * kMs});
    }
    EXPECT_EQ(patternOf(ranks, {0, 1'030 * kMs}, 1'030 * kMs).kind, StallKind::OneThread);
}

TEST(StallPattern, FewStallsOrOneRankDoNotTell) {
    std::vector<RankPauses> once(3);
    once[0].push_back({0, 5 * kMs});
    EXPECT_EQ(patternOf(once, {0, 100 * kMs}, 100 * kMs).kind, StallKind::Unknown);
    std::vector<RankPauses> alone(1);
    for (TimeNs i = 0; i < 10; ++i) {
        alone[0].push_back({i * 10 * kMs, i * 10 * kMs + 3 * kMs});
    }
    EXPECT_EQ(patternOf(alone, {0, 100 * kMs}, 100 * kMs).kind, StallKind::Unknown);
    EXPECT_EQ(patternOf({}, {}, 0).kind, StallKind::Unknown);
}

TEST(StallPattern, AGridOfTheSchedulersTicksTellsCoresApartAlsoOnOneRank) {
    std::vector<RankPauses> alone(1);
    for (TimeNs i = 0; i < 30; ++i) {
        const TimeNs start_ns = (5 * i + i * i % 3) * 4 * kMs + i * 1'000;
        alone[0].push_back({start_ns, start_ns + 8 * kMs + i * 377'000 % (3 * kMs)});
    }
    const StallPattern pattern = patternOf(alone, {0, 700 * kMs}, 700 * kMs);
    EXPECT_EQ(pattern.kind, StallKind::MoreThreadsThanCores);
    EXPECT_EQ(pattern.grid_ns, 4 * kMs);
}

/// In which of a step's operators the host stands still, and for how long.
struct Stall {
    int op = 0;
    double us = 0;
};

/// Steps of two hundred operators that each launch a kernel of 25 us; the host stands still in one of them.
std::shared_ptr<const RankTrace> rankWithStalls(int steps, const std::function<Stall(int step)>& stall_of) {
    auto [model, main, stream] = threadAndStream();
    double at_us = 0;
    double device_us = 0;
    for (int step = 0; step < steps; ++step) {
        const double start_us = at_us;
        const Stall stall = stall_of(step);
        for (int i = 0; i < 200; ++i) {
            const double more_us = i == stall.op ? stall.us : 0;
            model.op(main, "aten::add", at_us, 25 + more_us);
            model.call(main, "cudaEventRecord", at_us + 2, 4 + more_us);
            const double launch_us = at_us + 10 + more_us;
            device_us = std::max(device_us, launch_us + 10);
            model.kernel(main, launch_us, 6, stream, "k", device_us, 25);
            device_us += 25;
            at_us += 30 + more_us;
        }
        model.step(main, step, start_us, at_us - start_us);
    }
    return model.build();
}

/// Five steps, each with a stall of `stall_us` in another operator.
std::shared_ptr<const RankTrace> stalledRank(double stall_us) {
    return rankWithStalls(5, [&](int step) { return Stall{60 + 17 * step, stall_us}; });
}

TEST(HostStall, OwnsTheTimeAndIsPricedByAReplayWithoutIt) {
    const AnalysedRun run = analyse(runOf({stalledRank(12'000)}));
    const Finding& stall = findingIn(run, "host-stall");
    EXPECT_EQ(&stall, &run.diagnosis.findings.front());
    EXPECT_NEAR(static_cast<double>(stall.saving_ns) / 1e3, 12'000, 60);
    EXPECT_NEAR(static_cast<double>(stall.blocked_ns) / 1e3, 12'000, 60);
    EXPECT_NE(stall.why.find("cudaEventRecord (60.0 ms)"), std::string::npos) << stall.why;
    EXPECT_NE(stall.why.find("cannot tell"), std::string::npos) << stall.why;
    EXPECT_EQ(run.run->ranks[0]->name(stall.evidence.at(0).slice), "cudaEventRecord");
    EXPECT_EQ(findingOf(run, "host-code"), nullptr);
}

/// Sixty steps with a stall of 2 ms in each; in two of them it is of `long_us`.
std::shared_ptr<const RankTrace> stallsInLongSteps(double long_us) {
    return rankWithStalls(60, [&](int step) {
        return Stall{(20 + 7 * step) % 200, step % 25 == 20 ? long_us : 2'000};
    });
}

TEST(HostStall, HoldsTheLongStepsThatTheSameStallsMake) {
    const AnalysedRun run = analyse(runOf({stallsInLongSteps(15'000)}));
    const Finding& stall = findingIn(run, "host-stall");
    EXPECT_EQ(findingOf(run, "step-spikes"), nullptr);
    EXPECT_EQ(run.diagnosis.prices.steps, 57U);
    EXPECT_EQ(stall.coverage.steps, 59U);
    // 2 ms in each step, and 13 more in two of the 59 that follow another one.
    EXPECT_NEAR(static_cast<double>(stall.saving_ns) / 1e3, 2'000 + 13'000.0 * 2 / 59, 20);
    EXPECT_NE(stall.why.find("Long steps add to this: 2 of 59 steps."), std::string::npos) << stall.why;
    EXPECT_FALSE(stall.range);
}

TEST(HostStall, AFewShortOnesMayBeALibraryThatSetsItselfUp) {
    EXPECT_EQ(findingOf(analyse(runOf({stalledRank(5'000)})), "host-stall"), nullptr);
}

TEST(HostStall, IsNoneOnAHealthyRank) {
    EXPECT_EQ(findingOf(analyse(runOf({stalledRank(0)})), "host-stall"), nullptr);
}

TEST(HostStall, EightRanksOnTwoCoresAreTold) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const AnalysedRun run = loadAndAnalyse(realTraces() / "unseen_1/megatron_tp8");
    ASSERT_FALSE(run.diagnosis.findings.empty());
    const Finding& first = run.diagnosis.findings.front();
    EXPECT_EQ(first.id, FindingId::HostStall);
    EXPECT_EQ(first.severity, Severity::High);
    // Of 634 ms a step. An independent replay without anything over 1 ms takes 216: here the DataLoader's 27 ms and
    // late returns of cudaDeviceSynchronize stay.
    EXPECT_GE(first.saving_ns, 345 * kMs);
    EXPECT_LE(first.saving_ns, 450 * kMs);
    EXPECT_NE(first.why.find("exactly 2 ran at once"), std::string::npos) << first.why;
    EXPECT_NE(first.remedies.front().action.find("more cores"), std::string::npos);
    EXPECT_EQ(findingOf(run, "host-code"), nullptr);
}

}  // namespace
}  // namespace rankscope::test
