// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replay/run_replay.h"

#include "core/analysis/stages.h"
#include "tests/support/model_builder.h"
#include "tests/support/testing.h"
#include "tests/support/whole_replay.h"

namespace rankscope::test {
namespace {

/// Ranks that compute, all-reduce and compute again in each step. A rank's compute takes what the test says, and its
/// clock is off by an hour times its number: a replay needs no clock.
struct Ring {
    std::vector<double> compute_us;  ///< by rank, before the all-reduce
    double after_us = 50;            ///< after it
    double transfer_us = 100;
    int steps = 3;

    std::vector<RankContext> work;
    std::vector<std::vector<TimeSpan>> measured;
    CollectiveFacts collectives;

    void build() {
        const double slowest_us = *std::ranges::max_element(compute_us);
        collectives.collectives.resize(static_cast<std::size_t>(steps));
        for (RankPosition r{0}; r < compute_us.size(); ++r) {
            auto [model, main, compute] = threadAndStream();
            const auto comm = model.stream("20");
            double host_us = 3.6e9 * r;
            double at_us = host_us + 100;
            for (int s = 0; s < steps; ++s) {
                const double begin_us = host_us;
                model.kernel(main, host_us + 1, 4, compute, "gemm", at_us, compute_us[r]);
                model.kernel(main, host_us + 6, 4, comm, "ncclAllReduce", at_us + compute_us[r] + 5,
                             slowest_us - compute_us[r] + transfer_us);
                at_us += 5 + slowest_us + transfer_us + 5;
                model.kernel(main, host_us + 11, 4, compute, "adam", at_us, after_us);
                at_us += after_us + 1;
                host_us += 20;
                model.step(main, s, begin_us, 20);
            }
            const AnalysedRank analysed = analyseRank(model.build(), NameRules::builtIn());
            measured.emplace_back();
            for (const MeasuredStep& step : analysed.facts.steps) {
                measured.back().push_back(step.span);
            }
            work.push_back(analysed.work);
            addMembers(r);
        }
    }

    void addMembers(RankPosition rank) {
        std::size_t at = 0;
        for (const DeviceEvent& event : work.back().device.events) {
            if (event.work == WorkClass::Communication) {
                Collective& collective = collectives.collectives[at++];
                collective.kind = CollectiveKind::AllReduce;
                collective.complete = true;
                collective.members.push_back({.rank = rank,
                                              .span = event.span,
                                              .slices = {event.ref},
                                              .op = {},
                                              .launch = event.launch,
                                              .call = event.call,
                                              .ready_ns = {},
                                              .wait_ns = {},
                                              .clocked_wait_ns = {}});
            }
        }
    }
};

Ring ringOf(std::vector<double> compute_us) {
    Ring ring;
    ring.compute_us = std::move(compute_us);
    ring.build();
    return ring;
}

/// From the end of the first step to the end of the last, on `rank`.
DurationNs lastSteps(const std::vector<std::vector<TimeSpan>>& steps, std::size_t rank) {
    return steps[rank].back().end_ns - steps[rank].front().end_ns;
}

RunChange computeOf(const Ring& ring, RankPosition slow, double compute_us) {
    RunChange change;
    change.of_rank = [&ring, slow, compute_us](RankPosition rank) {
        ReplayChange of_rank;
        if (rank == slow) {
            of_rank.length = [&work = ring.work[rank], compute_us](const ReplayEvent& event) {
                return work.trace->name(event.ref) == "gemm" ? static_cast<DurationNs>(compute_us * 1'000)
                                                             : event.span.length();
            };
        }
        return of_rank;
    };
    return change;
}

TEST(RunReplay, GivesTheMeasuredStepsWhereNothingChanges) {
    const Ring ring = ringOf({500, 800, 650});
    const RunReplayModel model = makeRunReplayModel(ring.work, ring.collectives, {}, 1);
    EXPECT_TRUE(model.coupled);
    EXPECT_EQ(model.rendezvous.size(), 3U);
    EXPECT_EQ(replayRun(model, replayWhole()), ring.measured);
}

TEST(RunReplay, ARankThatComesSoonerFreesTheOthersUpToTheNextSlowest) {
    const Ring ring = ringOf({500, 800, 650});
    const RunReplayModel model = makeRunReplayModel(ring.work, ring.collectives, {}, 1);
    const auto steps = replayRun(model, computeOf(ring, RankPosition(1), 100));
    for (std::size_t rank = 0; rank < 3; ++rank) {
        EXPECT_EQ(lastSteps(ring.measured, rank) - lastSteps(steps, rank), 2 * 150 * kUs) << rank;
    }
}

TEST(RunReplay, WorkDuringACollectiveThatNoLongerWaitsIsNoLongerSlowedDown) {
    const Ring ring = ringOf({500, 800});
    RunReplayModel model = makeRunReplayModel(ring.work, ring.collectives, {}, 1);
    const DurationNs plain_ns = lastSteps(replayRun(model, computeOf(ring, RankPosition(1), 100)), 0);
    const auto& events = model.ranks[0].events;
    const auto is_last = [&](bool communication) {
        const auto at = std::find_if(events.rbegin(), events.rend(),
                                     [&](const ReplayEvent& event) { return event.communication == communication; });
        return static_cast<std::uint32_t>(&*at - events.data());
    };
    model.slowdown = 1.25;
    model.beside = {{{is_last(false), is_last(true), 200 * kUs}}, {}};
    EXPECT_EQ(replayRun(model, replayWhole()), ring.measured);
    EXPECT_EQ(plain_ns - lastSteps(replayRun(model, computeOf(ring, RankPosition(1), 100)), 0), 40 * kUs)
        << "a fifth of the time beside it";
    EXPECT_EQ(lastSteps(replayRun(model, computeOf(ring, RankPosition(1), 800)), 0), lastSteps(ring.measured, 0))
        << "it waits as long as it did";
}

TEST(RunReplay, ARankThatWaitsAnywayCostsNothing) {
    const Ring ring = ringOf({500, 800, 650});
    const RunReplayModel model = makeRunReplayModel(ring.work, ring.collectives, {}, 1);
    const auto steps = replayRun(model, computeOf(ring, RankPosition(0), 100));
    EXPECT_EQ(lastSteps(steps, 1), lastSteps(ring.measured, 1));
    EXPECT_EQ(lastSteps(steps, 0), lastSteps(ring.measured, 0));
}

TEST(RunReplay, AFasterTransferIsFasterForAll) {
    const Ring ring = ringOf({500, 800});
    const RunReplayModel model = makeRunReplayModel(ring.work, ring.collectives, {}, 1);
    RunChange change;
    change.transfer = [](CollectivePosition, DurationNs transfer_ns) { return transfer_ns / 4; };
    const auto steps = replayRun(model, change);
    EXPECT_EQ(lastSteps(ring.measured, 0) - lastSteps(steps, 0), 2 * 75 * kUs);
    EXPECT_EQ(lastSteps(ring.measured, 1) - lastSteps(steps, 1), 2 * 75 * kUs);
}

TEST(RunReplay, WithoutItsCollectivesEachRankRunsByItself) {
    const Ring ring = ringOf({500, 800});
    const RunReplayModel model = makeRunReplayModel(ring.work, ring.collectives, {}, 1);
    RunChange change;
    change.removed = [](CollectivePosition) { return true; };
    const auto steps = replayRun(model, change);
    EXPECT_LT(lastSteps(steps, 0), 2 * 570 * kUs);
    EXPECT_GT(lastSteps(steps, 1), 2 * 800 * kUs);
    EXPECT_LT(lastSteps(steps, 1), 2 * 870 * kUs);
}

TEST(RunReplay, CollectivesWithoutAllTheirMembersKeepTheirLengths) {
    Ring ring = ringOf({500, 800});
    for (Collective& collective : ring.collectives.collectives) {
        collective.complete = false;
    }
    const RunReplayModel model = makeRunReplayModel(ring.work, ring.collectives, {}, 1);
    EXPECT_FALSE(model.coupled);
    EXPECT_TRUE(model.rendezvous.empty());
    const auto steps = replayRun(model, computeOf(ring, RankPosition(1), 100));
    EXPECT_EQ(lastSteps(steps, 0), lastSteps(ring.measured, 0));
    EXPECT_EQ(lastSteps(ring.measured, 1) - lastSteps(steps, 1), 2 * 700 * kUs);
}

TEST(RunReplay, AnOrderThatCannotBeEndsAsMeasured) {
    // The first rank's first all-reduce meets the second's last, and the reverse: each waits for the other for ever.
    Ring ring = ringOf({500, 800});
    auto& all = ring.collectives.collectives;
    std::swap(all.front().members[1], all.back().members[1]);
    const RunReplayModel model = makeRunReplayModel(ring.work, ring.collectives, {}, 1);
    ASSERT_EQ(model.rendezvous.size(), 3U);
    EXPECT_EQ(replayRun(model, replayWhole()), ring.measured);
}

/// Four ranks that take random times.
class RandomRuns : public testing::TestWithParam<unsigned> {};

TEST_P(RandomRuns, AreReplayedAsTheyWereWhereNothingChanges) {
    std::mt19937 dice(GetParam());
    std::uniform_real_distribution<double> compute(10, 900);
    const Ring ring = ringOf({compute(dice), compute(dice), compute(dice), compute(dice)});
    EXPECT_EQ(replayRun(makeRunReplayModel(ring.work, ring.collectives, {}, 2), replayWhole()), ring.measured);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomRuns, testing::Range(0U, 10U));

TEST(RunChange, WhatASlowCollectiveTakesTooLongAndItsUsualTimeAreTakenOffBoth) {
    RunChange as_usual;
    as_usual.typical_transfer = [](CollectivePosition, DurationNs ns) { return 4 * ns / 10; };
    RunChange hidden;  // what leaves the rest to the other
    hidden.transfer = [](CollectivePosition, DurationNs ns) { return 6 * ns / 10; };
    const CollectivePosition first{0};
    EXPECT_EQ(RunChange().transferOf(first, 100), 100);
    EXPECT_EQ(as_usual.transferOf(first, 100), 40);
    EXPECT_EQ(hidden.transferOf(first, 100), 60);
    EXPECT_EQ(joined(as_usual, hidden).transferOf(first, 100), 0) << "they own no nanosecond both";
    EXPECT_EQ(joined(hidden, as_usual).transferOf(first, 100), 0);
    EXPECT_EQ(joined(hidden, hidden).transferOf(first, 100), 60) << "the same twice is once";
    EXPECT_EQ(joined(as_usual, as_usual).transferOf(first, 100), 40);
}

}  // namespace
}  // namespace rankscope::test
