// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/counters/run_counters.h"

#include <atomic>

#include "tests/support/analysed.h"
#include "tests/support/fact_checks.h"
#include "tests/support/loading.h"
#include "tests/support/model_builder.h"
#include "tests/support/real_traces.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

/// A rank with a copy of 1 MB in 100 us, from `at_us` on.
std::shared_ptr<const RankTrace> rankWithCopy(std::int32_t number, double at_us) {
    ModelBuilder builder;
    builder.rank(number, 2);
    builder.bytes(builder.slice(builder.stream("7"), Category::Memcpy, "Memcpy HtoD", at_us, 100), 1'000'000);
    return builder.build();
}

struct TwoRanks {
    std::shared_ptr<const Run> run = runOf({rankWithCopy(0, 10), rankWithCopy(1, 10)});
    RunFacts facts;
    RunClock clock;
    std::atomic<bool> stop = false;

    TwoRanks() {
        facts.ranks.resize(2);
        clock.ranks.resize(2);
        clock.ranks[1].offset_ns = 50 * kUs;
    }
    [[nodiscard]] std::vector<CounterSeries> counters() const { return countersOfRun(*run, facts, clock, stop); }
};

TEST(RunCounters, AddUpTheRatesOfAllRanksOnTheRunsClock) {
    const CounterSeries rate = counterOf(TwoRanks().counters(), CounterKind::CopyRate);
    EXPECT_THAT(rate.at_ns, ElementsAre(10 * kUs, 60 * kUs, 110 * kUs, 160 * kUs)) << "the second is 50 us later";
    EXPECT_THAT(rate.value, ElementsAre(10'000'000'000U, 20'000'000'000U, 10'000'000'000U, 0U));
    EXPECT_EQ(rate.device, -1);
}

TEST(RunCounters, CountACollectiveOnEachOfItsMembers) {
    TwoRanks two;
    Collective collective;
    collective.bytes = 1'000;
    collective.transfer_ns = 10 * kUs;
    for (RankPosition rank{0}; rank < 2; ++rank) {
        CollectiveMember member;
        member.rank = rank;
        member.span = {100 * kUs, (rank == 0 ? 150 : 100) * kUs};
        collective.members.push_back(member);
    }
    two.facts.collectives.collectives.push_back(collective);
    const CounterSeries rate = counterOf(two.counters(), CounterKind::CollectiveRate);
    EXPECT_THAT(rate.at_ns, ElementsAre(140 * kUs, 150 * kUs)) << "both end together, with what they transferred last";
    EXPECT_THAT(rate.value, ElementsAre(200'000'000U, 0U));
}

TEST(RunCounters, GiveTheMeanOfTheExposedShares) {
    TwoRanks two;
    for (const auto& [rank, exposed_us] : {std::pair<std::size_t, DurationNs>{0, 500}, {1, 100}}) {
        RankStep& step = two.facts.ranks[rank].steps.emplace_back();
        step.span = {0, 1'000 * kUs};
        step.partition.emplace().exposed_comm_ns = exposed_us * kUs;
    }
    const CounterSeries share = counterOf(two.counters(), CounterKind::ExposedShare);
    EXPECT_THAT(share.at_ns, ElementsAre(0, 50 * kUs, 1'000 * kUs, 1'050 * kUs));
    EXPECT_THAT(share.value, ElementsAre(250U, 300U, 50U, 0U));
    EXPECT_EQ(runCounterBy(CounterKind::ExposedShare), RunCounterBy::Mean);
}

TEST(RunCounters, AreNoneBeforeTheFactsAreKnownAndOnceTheyAreStopped) {
    TwoRanks two;
    two.stop = true;
    EXPECT_TRUE(two.counters().empty());
    two.stop = false;
    two.facts.ranks.clear();
    EXPECT_TRUE(two.counters().empty());
}

TEST(RealTraces, HaveCountersOfTheRunThatAddUpToThoseOfItsRanks) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    std::size_t checked = 0;
    for (const char* const set : {"resnet_ddp_4ranks_rocm", "dlrm_8ranks_v100", "unseen_1/fsdp2_4ranks"}) {
        SCOPED_TRACE(set);
        const AnalysedRun analysed = analyse(loadRunAt((realTraces() / set).string()));
        const rankscope::Run& run = *analysed.run;
        std::map<CounterKind, double> of_ranks;
        for (RankPosition rank{0}; rank < run.ranks.size(); ++rank) {
            for (const CounterSeries& series : countersOf(*run.ranks[rank], analysed.facts, rank)) {
                of_ranks[series.kind] += integral(series);
            }
        }
        const std::atomic<bool> stop = false;
        for (const CounterSeries& series : countersOfRun(run, analysed.facts, analysed.clock, stop)) {
            if (counterUnit(series.kind) == CounterUnit::BytesPerSecond) {
                EXPECT_NEAR(integral(series) / of_ranks[series.kind], 1.0, 1e-4) << "but for the drift of clocks";
                EXPECT_EQ(series.value.back(), 0U);
                ++checked;
            }
        }
    }
    EXPECT_GE(checked, 3U);
}

}  // namespace
}  // namespace rankscope::test
