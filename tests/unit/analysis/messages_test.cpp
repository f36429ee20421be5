// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sends and receives: how they are matched, who waits for whom in them, and what a run does in a replay whose ranks
// wait for one another in groups of all kinds. The truth comes from tests/support/mixed_run.h, which plays the programs
// of the ranks by the rules of collectives alone.

#include "core/analysis/collectives/matching/call_messages.h"
#include "core/analysis/collectives/message_waits.h"
#include "core/analysis/collectives/waits.h"
#include "core/analysis/run_facts.h"
#include "tests/support/fact_checks.h"
#include "tests/support/mixed_run.h"
#include "tests/support/model_builder.h"
#include "tests/support/testing.h"
#include "tests/support/whole_replay.h"

namespace rankscope::test {
namespace {

using testing::Each;
using testing::Field;
using testing::SizeIs;

AnalysisResult analysed(const MixedRun& run) {
    const auto played = run.play();
    auto facts = analyseFacts(*played, {.threads = 1}, {}, {});
    EXPECT_TRUE(facts.ok());
    checkRunFacts(facts.value().facts);
    return std::move(facts.value());
}

std::vector<std::vector<TimeSpan>> measuredSteps(const AnalysisResult& run) {
    std::vector<std::vector<TimeSpan>> steps;
    for (const RankFacts& rank : run.facts.ranks) {
        steps.emplace_back();
        for (const RankStep& step : rank.steps) {
            steps.back().push_back(step.span);
        }
    }
    return steps;
}

/// `other` after a step like those of `run`. A replay leaves the first work of a stream where it was: nothing in the
/// window tells what it waited for.
MixedRun startedAs(const MixedRun& run, MixedRun other) {
    other.first = run.programs;
    return other;
}

/// The steps of `run`, replayed with the compute of each rank as it is in `other`, which has the same pieces, but for
/// the first step.
std::vector<std::vector<TimeSpan>> replayedAs(const AnalysisResult& run, const MixedRun& other) {
    RunChange change;
    change.of_rank = [&](RankPosition rank) {
        ReplayChange of_rank;
        of_rank.length = [&other, rank, &events = run.model.ranks[rank].events](const ReplayEvent& event) {
            const auto& program = other.programs[rank];
            const auto at = static_cast<std::size_t>(&event - events.data());
            const Piece& piece = program[at % program.size()];
            return at >= program.size() && piece.what == Piece::What::Compute
                       ? static_cast<DurationNs>(std::llround(piece.us * 1'000))
                       : event.span.length();
        };
        return of_rank;
    };
    return replayRun(run.model, change);
}

/// Two stages: rank 0 computes and sends, rank 1 receives and computes.
MixedRun twoStages(double first_us, double second_us) {
    MixedRun run;
    run.programs = {{compute(first_us), sendTo(1, 40), compute(30)}, {receiveFrom(0, 40), compute(second_us)}};
    return run;
}

TEST(Messages, ASendIsMatchedWithTheReceiveOfItsPeer) {
    const AnalysisResult run = analysed(twoStages(300, 200));
    const auto& all = run.facts.collectives.collectives;
    ASSERT_THAT(all, SizeIs(3));
    EXPECT_THAT(all, Each(AllOf(Field(&Collective::complete, true), Field(&Collective::in_rendezvous, true),
                                Field(&Collective::bytes, std::int64_t{4} << 20))));
    for (const Collective& one : all) {
        ASSERT_THAT(one.messages, SizeIs(1));
        EXPECT_EQ(one.members[one.messages[0].sender].rank, 0U);
        EXPECT_EQ(one.members[one.messages[0].receiver].rank, 1U);
    }
    EXPECT_THAT(run.facts.collectives.unmatched, IsEmpty());
}

TEST(Messages, AReceiveThatCameFirstWaitsForItsSender) {
    // Rank 1 is done with its 100 us long before rank 0 with its 500.
    const AnalysisResult run = analysed(twoStages(500, 100));
    const Collective& last = run.facts.collectives.collectives.back();
    EXPECT_EQ(last.transfer_ns, 40 * kUs);
    EXPECT_EQ(last.memberOf(RankPosition(0))->wait_ns, 0);
    // In a step rank 0 takes 5 + 500 + 5 + 40 + 5 + 30, of which rank 1 fills 5 + 40 + 5 + 100.
    EXPECT_EQ(last.memberOf(RankPosition(1))->wait_ns, (585 - 150) * kUs);
    const RankStep& step = run.facts.ranks[1].steps.back();
    EXPECT_EQ(step.partition->exposed_wait_ns, (585 - 150) * kUs);
    EXPECT_EQ(step.partition->exposed_transfer_ns, 40 * kUs);
    EXPECT_EQ(step.partition->exposed_unsplit_ns, 0);
    // It waited for what rank 0 did meanwhile: its compute, but for the 5 us before the send.
    const WaitTimes waited = sumWaits(step.waits);
    EXPECT_EQ(waited.compute_ns, (585 - 150 - 5) * kUs);
}

TEST(Messages, ASenderWaitsForAReceiverThatComesLater) {
    const AnalysisResult run = analysed(twoStages(100, 500));
    const Collective& last = run.facts.collectives.collectives.back();
    EXPECT_EQ(last.memberOf(RankPosition(1))->wait_ns, 0);
    EXPECT_GT(last.memberOf(RankPosition(0))->wait_ns, 300 * kUs);
    EXPECT_TRUE(run.model.coupled);
}

TEST(Messages, WithoutAPartnerAreCountedWithTheReason) {
    const MixedRun run = twoStages(300, 200);
    const auto played = run.play();
    const auto alone = runOf({played->ranks[0]});
    auto facts = analyseFacts(*alone, {.threads = 1}, {}, {});
    ASSERT_TRUE(facts.ok());
    ASSERT_THAT(facts.value().facts.collectives.unmatched, SizeIs(1));
    EXPECT_EQ(facts.value().facts.collectives.unmatched[0].count, 3U);
    EXPECT_THAT(facts.value().facts.collectives.unmatched[0].reason, HasSubstr("are missing"));
    EXPECT_FALSE(facts.value().model.coupled);
}

TEST(Messages, OfABatchMeetAllPartnersWithOneKernel) {
    // A ring: each sends to the next, and receives from the one before, with one kernel.
    MixedRun run;
    run.one_host = true;
    for (std::int32_t r = 0; r < 4; ++r) {
        run.programs.push_back({compute(100 + 100 * r), batch({{true, (r + 1) % 4}, {false, (r + 3) % 4}}, 40)});
    }
    const AnalysisResult result = analysed(run);
    const auto& all = result.facts.collectives.collectives;
    ASSERT_THAT(all, SizeIs(3));
    const Collective& first = all.front();
    EXPECT_TRUE(first.complete);
    EXPECT_FALSE(first.in_rendezvous);
    EXPECT_THAT(first.messages, SizeIs(4));
    EXPECT_THAT(partnersWaitedFor(first),
                ElementsAre(ElementsAre(1U, 3U), ElementsAre(0U, 2U), ElementsAre(1U, 3U), ElementsAre(0U, 2U)));
    // Rank 3 comes last, 300, 200 and 100 us after the others. Rank 1 does not exchange with it, but with rank 2.
    EXPECT_EQ(first.members[0].wait_ns, 300 * kUs);
    EXPECT_EQ(first.members[1].wait_ns, 100 * kUs);
    EXPECT_EQ(first.members[2].wait_ns, 100 * kUs);
    EXPECT_EQ(first.members[3].wait_ns, 0);
    EXPECT_EQ(first.members[1].waited_for, 2U);
    EXPECT_TRUE(result.model.coupled);
}

TEST(Messages, ThatAreBufferedHoldNobodyUpButTheReceiver) {
    MixedRun run = twoStages(100, 500);
    run.one_host = true;
    run.programs[0][1].buffered = true;
    const AnalysisResult result = analysed(run);
    // The receiver is ever later: of the last it is certain that the sender had left before.
    const Collective& last = result.facts.collectives.collectives.back();
    EXPECT_FALSE(last.messages[0].sender_waits);
    EXPECT_FALSE(last.in_rendezvous);
    EXPECT_EQ(last.memberOf(RankPosition(0))->wait_ns, 0);
    EXPECT_EQ(replayRun(result.model, replayWhole()), measuredSteps(result));
    // A receiver that is soon there changes nothing for the sender.
    MixedRun sooner = startedAs(run, run);
    sooner.programs[1][1] = compute(60);
    EXPECT_EQ(replayedAs(result, sooner), measuredSteps(analysed(sooner)));
}

TEST(Messages, AStageThatIsFasterMovesTheOthersAsTheProgramsSay) {
    for (const auto& [first_us, second_us] : {std::pair(120.0, 500.0), {300.0, 200.0}, {500.0, 80.0}}) {
        const MixedRun slow = twoStages(500, 500);
        const MixedRun faster = startedAs(slow, twoStages(first_us, second_us));
        EXPECT_EQ(replayedAs(analysed(slow), faster), measuredSteps(analysed(faster)));
    }
}

TEST(Messages, AKernelThatMeetsTwoOfOneRankIsNotGuessedAt) {
    MixedRun run;
    run.one_host = true;
    run.programs = {{compute(100), batch({{true, 1}, {false, 1}}, 40)},
                    {compute(50), receiveFrom(0, 40), sendTo(0, 40)}};
    run.programs[1][1].us = 40;
    const AnalysisResult result = analysed(run);
    EXPECT_FALSE(result.model.coupled);
    EXPECT_THAT(result.facts.collectives.unmatched,
                testing::Contains(Field(&UnmatchedCollectives::reason, HasSubstr("two calls of one rank"))));
    EXPECT_EQ(replayRun(result.model, replayWhole()), measuredSteps(result));
}

TEST(Messages, ArePairedInTheirOrderWhereSizesDiffer) {
    // Three messages of sizes of their own go one way, and one back.
    MixedRun run;
    run.programs = {{compute(50), sendTo(1, 40), sendTo(1, 50), compute(30), receiveFrom(1, 20), sendTo(1, 60)},
                    {receiveFrom(0, 40), receiveFrom(0, 50), compute(70), sendTo(0, 20), receiveFrom(0, 60)}};
    constexpr std::array<std::size_t, 4> kOfFirst = {1, 2, 4, 5};
    constexpr std::array<std::size_t, 4> kOfSecond = {0, 1, 3, 4};
    for (std::size_t i = 0; i < 4; ++i) {
        const auto elements = static_cast<std::int64_t>(i + 1) << 20;
        run.programs[0][kOfFirst[i]].elements = run.programs[1][kOfSecond[i]].elements = elements;
    }
    const AnalysisResult result = analysed(run);
    EXPECT_THAT(result.facts.collectives.collectives, Each(Field(&Collective::complete, true)));
    for (const Collective& one : result.facts.collectives.collectives) {
        const auto size = *one.bytes >> 22;
        EXPECT_EQ(one.transfer_ns, (size == 1 ? 40 : size == 2 ? 50 : size == 3 ? 20 : 60) * kUs);
        EXPECT_EQ(one.members[one.messages[0].sender].rank, size == 3 ? 1U : 0U);
    }
}

TEST(Messages, OfALaterWindowMeetTheirPartnersByWhenTheyEnd) {
    // Nothing numbers the steps. Of seven sends the receiver's window has the last five: sizes do not tell which.
    const auto rank = [](std::int32_t number, std::size_t from) {
        ModelBuilder model;
        model.rank(number, 2);
        const std::uint32_t main = model.thread("1");
        const std::uint32_t comm = model.stream("19");
        ProcessGroup world;
        world.name = "0";
        world.ranks = {RankNumber(0), RankNumber(1)};
        model.group(world);
        constexpr std::array<double, 7> kAtUs = {100, 420, 910, 1100, 1730, 2020, 2900};
        for (std::size_t i = from; i < kAtUs.size(); ++i) {
            const auto kernel = model.kernel(main, kAtUs[i] - 20, 5, comm, "ncclDevKernel_SendRecv", kAtUs[i], 40);
            model.message(kernel, number == 0, 1 - number, 1000, world);
        }
        return model.build();
    };
    const auto run = runOf({rank(0, 0), rank(1, 2)});
    auto facts = analyseFacts(*run, {.threads = 1}, {}, {});
    ASSERT_TRUE(facts.ok());
    std::size_t whole = 0;
    for (const Collective& one : facts.value().facts.collectives.collectives) {
        if (one.members.size() == 2) {
            ++whole;
            EXPECT_EQ(one.members[0].span, one.members[1].span);
        }
    }
    EXPECT_EQ(whole, 5U);
    ASSERT_THAT(facts.value().facts.collectives.unmatched, SizeIs(1));
    EXPECT_EQ(facts.value().facts.collectives.unmatched[0].count, 2U);
}

TEST(Messages, OfABatchFromBeforeTheWindowAreNotTakenForACollectiveOfAll) {
    // Three ranks send round in batches; the kernels of the first run, their launches are not in the files.
    const auto rank = [](std::int32_t number) {
        ModelBuilder model;
        model.rank(number, 3);
        const std::uint32_t main = model.thread("1");
        const std::uint32_t comm = model.stream("19");
        ProcessGroup world;
        world.name = "0";
        world.ranks = {RankNumber(0), RankNumber(1), RankNumber(2)};
        model.group(world);
        model.slice(comm, Category::Kernel, "ncclDevKernel_SendRecv", 100, 40);
        for (const bool sends : {true, false}) {
            const auto op = model.op(main, "record_param_comms", sends ? 200 : 210, 5);
            model.message(op, sends, (number + (sends ? 1 : 2)) % 3, 1000, world);
        }
        model.kernel(main, 220, 5, comm, "ncclDevKernel_SendRecv", 240, 40);
        return model.build();
    };
    const auto run = runOf({rank(0), rank(1), rank(2)});
    auto facts = analyseFacts(*run, {.threads = 1}, {}, {});
    ASSERT_TRUE(facts.ok());
    const CollectiveFacts& found = facts.value().facts.collectives;
    EXPECT_EQ(std::ranges::count_if(found.collectives, &Collective::complete), 1);
    EXPECT_THAT(found.unmatched,
                AllOf(SizeIs(3), Each(Field(&UnmatchedCollectives::reason, HasSubstr("are not recorded")))));
}

TEST(Messages, AreReadFromEachDialect) {
    RankTrace trace;
    CollectiveArgs args;
    args.name = trace.strings.intern("send");
    args.peer_dst = 3;
    args.in_elements = 100;
    const auto sent = messageOf(trace, args);
    ASSERT_TRUE(sent);
    EXPECT_TRUE(sent->sends && sent->peer == 3 && !sent->in_group && sent->elements == 100);
    args.name = trace.strings.intern("recv");
    args.rank = 1;  // before 2024-07 nothing but the peer's place in the group
    const auto received = messageOf(trace, args);
    ASSERT_TRUE(received);
    EXPECT_TRUE(!received->sends && received->peer == 1 && received->in_group);
    args.name = trace.strings.intern("allreduce");
    EXPECT_FALSE(messageOf(trace, args));
    EXPECT_EQ(messageOfRange("nccl:send 0->1")->peer, 1);
    EXPECT_EQ(messageOfRange("nccl:recv 12<-7")->peer, 7);
    EXPECT_FALSE(messageOfRange("nccl:recv 12->7"));
    EXPECT_FALSE(messageOfRange("nccl:coalesced"));
}

/// Data x pipeline x tensor.
struct Grid {
    std::int32_t data = 1;
    std::int32_t pipeline = 1;
    std::int32_t tensor = 1;
    unsigned seed = 0;

    friend std::ostream& operator<<(std::ostream& out, const Grid& grid) {
        return out << grid.data << "x" << grid.pipeline << "x" << grid.tensor << ", seed " << grid.seed;
    }
};

class Mixtures : public testing::TestWithParam<Grid> {
  protected:
    [[nodiscard]] static MixedRun randomRun(const Grid& grid, unsigned seed) {
        std::mt19937 dice(seed);
        std::uniform_int_distribution<int> us(60, 400);
        std::vector<double> passes;
        for (std::int32_t r = 0; r < grid.data * grid.pipeline * grid.tensor; ++r) {
            passes.push_back(us(dice));
        }
        return gridRun(grid.data, grid.pipeline, grid.tensor, 4, passes);
    }
};

TEST_P(Mixtures, AreReplayedAsTheyWereWhereNothingChanges) {
    const AnalysisResult run = analysed(randomRun(GetParam(), GetParam().seed));
    EXPECT_TRUE(run.model.coupled);
    EXPECT_THAT(run.facts.collectives.unmatched, IsEmpty());
    EXPECT_EQ(replayRun(run.model, replayWhole()), measuredSteps(run));
}

TEST_P(Mixtures, AreReplayedAsTheirProgramsSayWhereRanksAreFaster) {
    const MixedRun run = randomRun(GetParam(), GetParam().seed);
    const MixedRun other = startedAs(run, randomRun(GetParam(), GetParam().seed + 1000));
    EXPECT_EQ(replayedAs(analysed(run), other), measuredSteps(analysed(other)));
}

INSTANTIATE_TEST_SUITE_P(Grids, Mixtures,
                         testing::Values(Grid{1, 2, 1, 1}, Grid{1, 4, 1, 2}, Grid{2, 2, 1, 3}, Grid{1, 2, 2, 4},
                                         Grid{2, 1, 2, 5}, Grid{2, 2, 2, 6}, Grid{2, 4, 2, 7}, Grid{3, 3, 1, 8}));

}  // namespace
}  // namespace rankscope::test
