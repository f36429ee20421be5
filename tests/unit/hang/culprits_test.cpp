// SPDX-License-Identifier: GPL-3.0-or-later
// Who stops a job, in dumps that are made call by call.
#include <gtest/gtest.h>

#include "core/report/hang.h"
#include "tests/unit/hang/job.h"

namespace rankscope {
namespace {

using hang::Hang;
using hang::Why;
using test::Job;
using test::Verdicts;
using test::verdictsOf;

using Ranks = std::vector<std::int64_t>;

/// Four ranks with one group of all of them, which has completed a call.
struct FourRanks : testing::Test {
    Job job{4};
    std::size_t world = job.group("default_pg", {0, 1, 2, 3});

    FourRanks() { job.completeCall(world, "all_reduce"); }
};

using Hangs = FourRanks;

TEST_F(Hangs, SaysNothingWhenAllCallsAreComplete) {
    job.completeCall(world, "_all_gather_base");
    const Hang hang = job.hang();
    EXPECT_TRUE(hang.culprits.empty());
    EXPECT_TRUE(hang.waiting.empty());
    EXPECT_TRUE(hang.mismatches.empty());
    EXPECT_TRUE(hang.unfinished.empty());
    EXPECT_EQ(hang.ranks, (Ranks{0, 1, 2, 3}));
}

TEST_F(Hangs, BlamesNobodyForACallThatAllRanksMadeAndNoneCompleted) {
    job.make(world, "all_reduce", job.all());
    const Hang hang = job.hang();
    EXPECT_TRUE(hang.culprits.empty());
    ASSERT_EQ(hang.unfinished.size(), 1U);
    EXPECT_EQ(hang.unfinished[0].at.number, 2);
    EXPECT_EQ(hang.unfinished[0].ranks, (Ranks{0, 1, 2, 3}));
}

TEST_F(Hangs, BlamesTheRankThatDidNotMakeACallThatItsPeersMade) {
    job.make(world, "all_reduce", {0, 1, 3});
    const Hang hang = job.hang();
    EXPECT_EQ(verdictsOf(hang), (Verdicts{{2, Why::NotEntered}}));
    EXPECT_EQ(hang.culprits[0].at.number, 2);
    EXPECT_EQ(hang.culprits[0].at.kind, "all_reduce");
    ASSERT_EQ(hang.waiting.size(), 3U);
    EXPECT_EQ(hang.waiting[0].rank, 0);
    EXPECT_EQ(hang.waiting[0].waits_for, (Ranks{2}));
    ASSERT_TRUE(hang.culprits[0].last);
    EXPECT_EQ(hang.culprits[0].last->number, 1);
}

TEST_F(Hangs, BlamesTheRankAtTheEndOfTheChainAndNotThoseBetween) {
    const std::size_t first = job.group("pair", {0, 1});
    const std::size_t second = job.group("other pair", {1, 2});
    job.make(first, "all_reduce", {0});
    job.make(second, "all_reduce", {1});
    const Hang hang = job.hang();
    EXPECT_EQ(verdictsOf(hang), (Verdicts{{2, Why::NotEntered}}));
    ASSERT_EQ(hang.waiting.size(), 2U);
    EXPECT_EQ(hang.waiting[0].waits_for, (Ranks{1}));
    EXPECT_EQ(hang.waiting[1].waits_for, (Ranks{2}));
}

TEST_F(Hangs, BlamesTheGpuWhereACallIsCompleteOnAllPeersButOne) {
    job.make(world, "all_reduce", job.all());
    job.complete({0, 1, 3});
    job.make(world, "all_reduce", {0, 1, 3});
    const Hang hang = job.hang();
    EXPECT_EQ(verdictsOf(hang), (Verdicts{{2, Why::NotCompleted}}));
    EXPECT_EQ(hang.culprits[0].at.number, 2);
    ASSERT_EQ(hang.culprits[0].also.size(), 0U);
}

TEST_F(Hangs, BlamesTheRankWithAnotherKindOfCall) {
    job.make(world, "all_reduce", {0, 1, 3});
    job.make(world, "_all_gather_base", {2});
    const Hang hang = job.hang();
    EXPECT_EQ(verdictsOf(hang), (Verdicts{{2, Why::Differs}}));
    ASSERT_EQ(hang.mismatches.size(), 1U);
    EXPECT_EQ(hang.mismatches[0].variants[0].ranks, (Ranks{0, 1, 3}));
    EXPECT_EQ(hang.mismatches[0].variants[1].call, "_all_gather_base of 32 elements (Float)");
    EXPECT_EQ(hang.culprits[0].detail,
              "_all_gather_base of 32 elements (Float); its peers call all_reduce of 32 elements (Float)");
    EXPECT_TRUE(hang.unfinished.empty());
    EXPECT_EQ(hang.waiting.size(), 3U);
}

TEST_F(Hangs, BlamesTheRankWithAnotherSize) {
    job.make(world, "all_reduce", {0, 1, 2}, {4, 8});
    job.make(world, "all_reduce", {3}, {4, 9});
    EXPECT_EQ(verdictsOf(job.hang()), (Verdicts{{3, Why::Differs}}));
}

TEST_F(Hangs, BlamesTheRankWithAnotherType) {
    job.make(world, "all_reduce", job.all());
    job.dumps()[1].calls.back().types = {"Half"};
    EXPECT_EQ(verdictsOf(job.hang()), (Verdicts{{1, Why::Differs}}));
}

TEST_F(Hangs, NamesBothSidesOfAMismatchWithoutAMajority) {
    job.make(world, "all_reduce", {0, 1});
    job.make(world, "broadcast", {2, 3});
    const Verdicts verdicts = verdictsOf(job.hang());
    EXPECT_EQ(verdicts.size(), 4U);
}

TEST_F(Hangs, LetsAllToAllHaveAnySizes) {
    job.make(world, "all_to_all", {0, 1}, {7});
    job.make(world, "all_to_all", {2, 3}, {9});
    EXPECT_TRUE(job.hang().mismatches.empty());
    EXPECT_TRUE(job.hang().culprits.empty());
}

TEST_F(Hangs, ShowsAMismatchThatCompletedAndBlamesNobodyForIt) {
    job.make(world, "all_reduce", {0, 1, 2}, {8});
    job.make(world, "all_reduce", {3}, {9});
    job.complete(job.all());
    EXPECT_EQ(job.hang().mismatches.size(), 1U);
    EXPECT_TRUE(job.hang().culprits.empty());
}

TEST_F(Hangs, FindsRanksThatUseTwoGroupsInOppositeOrder) {
    const std::size_t first = job.group("first", {0, 1});
    const std::size_t second = job.group("second", {0, 1});
    job.make(first, "all_reduce", {0});
    job.make(second, "all_reduce", {1});
    const Hang hang = job.hang();
    EXPECT_EQ(verdictsOf(hang), (Verdicts{{0, Why::Deadlock}, {1, Why::Deadlock}}));
    ASSERT_EQ(hang.cycles.size(), 1U);
    EXPECT_EQ(hang.cycles[0], (Ranks{0, 1}));
}

TEST_F(Hangs, BlamesTheStageThatDidNotSend) {
    const std::size_t stages = job.group("pipeline", {0, 1, 2, 3});
    job.exchange(stages, "recv 1<-0", 1);
    job.exchange(stages, "recv 2<-1", 2);
    job.exchange(stages, "recv 3<-2", 3);
    EXPECT_EQ(verdictsOf(job.hang()), (Verdicts{{0, Why::NotEntered}}));
}

TEST_F(Hangs, BlamesNobodyWhereSendAndReceiveAreBothMade) {
    const std::size_t stages = job.group("pipeline", {0, 1, 2, 3});
    job.exchange(stages, "send 0->1", 0);
    job.exchange(stages, "recv 1<-0", 1);
    EXPECT_TRUE(job.hang().culprits.empty());
}

TEST_F(Hangs, FollowsASendThatWaitsBehindACollectiveOfItsPeer) {
    const std::size_t stages = job.group("pipeline", {0, 1});
    const std::size_t others = job.group("others", {1, 2});
    job.make(others, "all_reduce", {1});
    job.exchange(stages, "recv 1<-0", 1);
    job.exchange(stages, "send 0->1", 0);
    const Hang hang = job.hang();
    EXPECT_EQ(verdictsOf(hang), (Verdicts{{2, Why::NotEntered}}));
    ASSERT_EQ(hang.waiting.size(), 2U);
    EXPECT_EQ(hang.waiting[0].waits_for, (Ranks{1}));
}

TEST_F(Hangs, SeesThatADumpIsOlderThanItsPeers) {
    job.make(world, "all_reduce", {0, 1, 3});
    job.complete({0, 1});
    const Hang hang = job.hang();
    EXPECT_TRUE(hang.culprits.empty());
    EXPECT_EQ(hang.older, (Ranks{2}));
}

TEST_F(Hangs, DoesNotTakeABroadcastThatTheRootCompletedForAnOlderDump) {
    job.make(world, "broadcast", {0, 1, 3});
    job.complete({0});
    const Hang hang = job.hang();
    EXPECT_TRUE(hang.older.empty());
    EXPECT_EQ(verdictsOf(hang), (Verdicts{{2, Why::NotEntered}}));
}

TEST_F(Hangs, SaysWhichDumpsAreMissingAndWhoMayWaitForThem) {
    job.make(world, "all_reduce", {0, 1, 2, 3});
    job.dumps().pop_back();
    const Hang hang = job.hang();
    EXPECT_EQ(hang.missing, (Ranks{3}));
    EXPECT_TRUE(hang.culprits.empty());
    ASSERT_EQ(hang.waiting.size(), 3U);
    EXPECT_EQ(hang.waiting[0].waits_for, (Ranks{3}));
}

TEST_F(Hangs, NamesAsGoneOnlyRanksWithoutADump) {
    const std::size_t pair = job.group("tp", {0, 1});
    const std::size_t other = job.group("dp", {0, 2});
    job.make(pair, "all_reduce", {0, 1});
    job.make(other, "all_reduce", {0, 2});
    EXPECT_TRUE(job.hang().culprits.empty());
    const std::string whole = report::hangAnswer(job.hang());
    EXPECT_EQ(whole.find("left no dump"), std::string::npos) << whole;
    EXPECT_NE(whole.find("1 rank may wait behind all-reduce 1 of tp"), std::string::npos) << whole;
    job.dumps().erase(job.dumps().begin() + 1);
    const std::string without = report::hangAnswer(job.hang());
    EXPECT_NE(without.find("may wait for rank 1, which left no dump"), std::string::npos) << without;
}

TEST_F(Hangs, LetsThoseInAMismatchWaitForItsCulpritsOnly) {
    const std::size_t left = job.group("tp", {0, 1, 2});
    const std::size_t right = job.group("dp", {2, 3});
    job.make(left, "all_reduce", {0, 1});
    job.make(left, "_all_gather_base", {2});
    job.make(right, "all_reduce", {2});
    const Hang hang = job.hang();
    EXPECT_EQ(verdictsOf(hang), (Verdicts{{2, Why::Differs}, {3, Why::NotEntered}}));
    ASSERT_EQ(hang.waiting.size(), 2U);
    EXPECT_EQ(hang.waiting[0].waits_for, (Ranks{2}));
    const std::string answer = report::hangAnswer(hang);
    EXPECT_NE(answer.find("1 more rank stops others too"), std::string::npos) << answer;
    EXPECT_NE(hangScreen(hang, {}, false).find("ranks 0, 1  all_reduce of 32 elements (Float)"), std::string::npos);
}

TEST_F(Hangs, TellsCirclesApart) {
    for (const std::int64_t first : {std::int64_t{0}, std::int64_t{2}}) {
        const std::size_t one = job.group("one", {first, first + 1});
        const std::size_t two = job.group("two", {first, first + 1});
        job.make(one, "all_reduce", {first});
        job.make(two, "all_reduce", {first + 1});
    }
    const Hang hang = job.hang();
    EXPECT_EQ(hang.cycles.size(), 2U);
    EXPECT_EQ(report::culpritGroups(hang).size(), 2U);
}

TEST_F(Hangs, KeepsGroupsApartThatShareTheirName) {
    const std::size_t left = job.group("tensor", {0, 1}, "5");
    const std::size_t right = job.group("tensor", {2, 3}, "5");
    job.make(left, "all_reduce", {0, 1});
    job.make(left, "all_reduce", {0, 1});
    job.make(right, "all_gather", {2, 3});
    job.complete(job.all());
    EXPECT_TRUE(job.hang().mismatches.empty());
    EXPECT_EQ(job.hang().groups.size(), 3U);
}

TEST_F(Hangs, KeepsGroupsApartThatShareDescriptionAndMembers) {
    const std::size_t first = job.group("undefined", {0, 1});
    const std::size_t second = job.group("undefined", {0, 1});
    job.make(first, "all_reduce", {0, 1});
    job.make(second, "_all_gather_base", {0, 1});
    job.complete({0, 1});
    EXPECT_TRUE(job.hang().mismatches.empty());
}

TEST_F(Hangs, TakesCoalescedCallsOfOneNumberTogether) {
    // A reduce-scatter and an all-gather of one _coalescing_manager share a number.
    for (std::int64_t rank = 0; rank < 4; ++rank) {
        FlightDump& dump = job.dumps()[static_cast<std::size_t>(rank)];
        for (const char* kind : {"_reduce_scatter_base", "_all_gather_base"}) {
            FlightCall call = dump.calls.back();
            call.record += 1;
            call.number = 2;
            call.kind = kind;
            call.state = rank == 3 ? FlightState::Scheduled : FlightState::Completed;
            dump.calls.push_back(call);
        }
    }
    EXPECT_TRUE(job.hang().mismatches.empty()) << "the same calls on all ranks";
    job.dumps()[2].calls.back().kind = "broadcast";
    const Hang differs = job.hang();
    ASSERT_EQ(differs.mismatches.size(), 1U);
    EXPECT_EQ(differs.mismatches[0].variants[0].ranks, (std::vector<std::int64_t>{0, 1, 3}));
    EXPECT_NE(differs.mismatches[0].variants[1].call.find("broadcast"), std::string::npos);
}

TEST_F(Hangs, WaitsInAGroupOfSendsAndReceivesForTheRankThatDoesNotAnswer) {
    // batch_isend_irecv: each rank sends to the next and receives from the one before, but rank 2 does not begin.
    for (const std::int64_t rank : {0, 1, 3}) {
        job.exchange(world, "send " + std::to_string(rank) + "->" + std::to_string((rank + 1) % 4), rank);
        job.exchange(world, "recv " + std::to_string(rank) + "<-" + std::to_string((rank + 3) % 4), rank);
    }
    const Hang hang = job.hang();
    EXPECT_EQ(verdictsOf(hang), (Verdicts{{2, Why::NotEntered}}));
    EXPECT_TRUE(hang.mismatches.empty());
}

TEST_F(Hangs, DoesNotTakeTheStartOfARingForAMismatch) {
    // Two coalesced calls share a number; rank 0 has lost the first of them.
    for (std::int64_t rank = 0; rank < 4; ++rank) {
        FlightDump& dump = job.dumps()[static_cast<std::size_t>(rank)];
        dump.calls.push_back(dump.calls.back());
        dump.calls.back().kind = "broadcast";
    }
    job.dumps()[0].calls.erase(job.dumps()[0].calls.begin());
    EXPECT_TRUE(job.hang().mismatches.empty());
}

TEST_F(Hangs, UsesTheStatusOfAGroupWhereTheRingHasNoCalls) {
    job.make(world, "all_reduce", {0, 1, 3});
    job.dumps()[2].calls.clear();
    job.dumps()[2].groups[0].enqueued = 1;
    job.dumps()[2].groups[0].completed = 1;
    const Hang hang = job.hang();
    EXPECT_EQ(verdictsOf(hang), (Verdicts{{2, Why::NotEntered}}));
    EXPECT_FALSE(hang.culprits[0].last);
}

TEST_F(Hangs, FindsBothOfTwoCulprits) {
    const std::size_t left = job.group("tensor", {0, 1});
    const std::size_t right = job.group("tensor", {2, 3});
    job.make(left, "all_reduce", {0});
    job.make(right, "all_reduce", {3});
    EXPECT_EQ(verdictsOf(job.hang()), (Verdicts{{1, Why::NotEntered}, {2, Why::NotEntered}}));
}

TEST(ManyRanks, TakeNoLongerThanTheirCalls) {
    constexpr std::int64_t kRanks = 1024;
    Job job(kRanks);
    const std::size_t world = job.group("default_pg", job.all());
    std::vector<std::int64_t> made = job.all();
    std::erase(made, 700);
    for (int i = 0; i < 5; ++i) {
        job.make(world, "all_reduce", made);
    }
    const Hang hang = job.hang();
    EXPECT_EQ(verdictsOf(hang), (Verdicts{{700, Why::NotEntered}}));
    EXPECT_EQ(hang.waiting.size(), 1023U);
}

}  // namespace
}  // namespace rankscope
