// SPDX-License-Identifier: GPL-3.0-or-later
//
// Broadcasts in the replay of a run: who waits for whom, and what a rank that comes sooner changes.
#include "core/analysis/replay/rooted_dependencies.h"

#include "core/analysis/stages.h"
#include "tests/support/model_builder.h"
#include "tests/support/testing.h"
#include "tests/support/whole_replay.h"

namespace rankscope::test {
namespace {

using testing::Each;
using testing::Field;

constexpr double kTransferUs = 40;
constexpr double kHourUs = 3.6e9;

/// Ranks that compute, take part in a broadcast of rank 0 and compute again, in each of three steps. Every rank but the
/// first waits for that one and for nobody else. Clocks are an hour apart, and known.
struct Broadcasts {
    std::vector<std::vector<double>> compute_us;  ///< by step and rank, before the broadcast

    std::vector<RankContext> work;
    std::vector<std::vector<TimeSpan>> measured;
    CollectiveFacts collectives;
    RunClock clock;

    void build() {
        collectives.collectives.resize(compute_us.size());
        std::vector<double> root_came_us;
        for (RankPosition r{0}; r < compute_us.front().size(); ++r) {
            auto [model, main, compute] = threadAndStream();
            const auto comm = model.stream("20");
            double host_us = kHourUs * r;
            double at_us = host_us + 100;
            for (std::size_t s = 0; s < compute_us.size(); ++s) {
                const double begin_us = host_us;
                model.kernel(main, host_us + 1, 4, compute, "gemm", at_us, compute_us[s][r]);
                const double came_us = at_us + compute_us[s][r] + 5;
                if (r == 0) {
                    root_came_us.push_back(came_us);
                }
                const double released_us = std::max(came_us, root_came_us[s] + kHourUs * r) + kTransferUs;
                model.kernel(main, host_us + 6, 4, comm, "ncclBroadcast", came_us, released_us - came_us);
                model.kernel(main, host_us + 11, 4, compute, "adam", released_us + 5, 50);
                at_us = released_us + 56;
                host_us += 20;
                model.step(main, static_cast<int>(s), begin_us, 20);
            }
            addRank(analyseRank(model.build(), NameRules::builtIn()));
        }
    }

    void addRank(const AnalysedRank& analysed) {
        const RankPosition rank(work.size());
        measured.emplace_back();
        for (const MeasuredStep& step : analysed.facts.steps) {
            measured.back().push_back(step.span);
        }
        work.push_back(analysed.work);
        std::size_t at = 0;
        for (const DeviceEvent& event : work.back().device.events) {
            if (event.work == WorkClass::Communication) {
                Collective& collective = collectives.collectives[at++];
                collective.kind = CollectiveKind::Broadcast;
                collective.complete = true;
                CollectiveMember member;
                member.rank = rank;
                member.span = event.span;
                member.slices = {event.ref};
                collective.members.push_back(member);
            }
        }
        RankClock own;
        own.offset_ns = -static_cast<DurationNs>(kHourUs) * kUs * rank;
        own.domain = rank;
        own.uncertainty_ns = 2 * kUs;
        clock.ranks.push_back(own);
    }

    [[nodiscard]] RunReplayModel model() const { return makeRunReplayModel(work, collectives, clock, 1); }

    /// What a rank's last step ends sooner by, where the first kernels of all steps of `rank` take `compute_us`.
    [[nodiscard]] std::vector<DurationNs> savedWith(RankPosition rank, double us) const {
        RunChange change;
        change.of_rank = [this, rank, us](RankPosition r) {
            ReplayChange of_rank;
            if (r == rank) {
                of_rank.length = [&trace = *work[r].trace, us](const ReplayEvent& event) {
                    return trace.name(event.ref) == "gemm" ? static_cast<DurationNs>(us * kUs) : event.span.length();
                };
            }
            return of_rank;
        };
        const auto steps = replayRun(model(), change);
        std::vector<DurationNs> saved;
        for (std::size_t r = 0; r < steps.size(); ++r) {
            saved.push_back(measured[r].back().end_ns - steps[r].back().end_ns);
        }
        return saved;
    }
};

Broadcasts broadcastsOf(std::vector<std::vector<double>> compute_us) {
    Broadcasts broadcasts;
    broadcasts.compute_us = std::move(compute_us);
    broadcasts.build();
    return broadcasts;
}

/// The root is slow; of the others one arrives last in the first step, another in the last.
Broadcasts slowRoot() {
    return broadcastsOf({{500, 100, 900}, {800, 100, 200}, {800, 1600, 200}});
}

TEST(RootedDependencies, GiveTheMeasuredStepsWhereNothingChanges) {
    const Broadcasts broadcasts = slowRoot();
    const RunReplayModel model = broadcasts.model();
    EXPECT_TRUE(model.coupled);
    ASSERT_EQ(model.rendezvous.size(), 3U);
    EXPECT_THAT(model.rendezvous, Each(Field(&ReplayRendezvous::together, false)));
    EXPECT_EQ(replayRun(model, replayWhole()), broadcasts.measured);
}

TEST(RootedDependencies, AMemberDoesNotWaitForWhomItOnceWentOnWithout) {
    const RunReplayModel model = slowRoot().model();
    for (const ReplayRendezvous& rendezvous : model.rendezvous) {
        EXPECT_THAT(waitsFor(rendezvous, 0), IsEmpty());  // the root left before both others came
        EXPECT_THAT(waitsFor(rendezvous, 1), testing::ElementsAre(0U));
        EXPECT_THAT(waitsFor(rendezvous, 2), testing::ElementsAre(0U));
    }
}

TEST(RootedDependencies, ARootThatComesSoonerFreesThoseThatWaitedForIt) {
    const Broadcasts broadcasts = broadcastsOf({{800, 100, 200}, {800, 100, 200}, {800, 100, 200}});
    const std::vector<DurationNs> saved = broadcasts.savedWith(RankPosition(0), 300);
    EXPECT_EQ(saved, (std::vector<DurationNs>{1500 * kUs, 1500 * kUs, 1500 * kUs}));
}

TEST(RootedDependencies, AMemberThatIsNotTheRootHoldsNobodyUp) {
    const Broadcasts broadcasts = broadcastsOf({{100, 100, 900}, {100, 100, 900}, {100, 100, 900}});
    const std::vector<DurationNs> saved = broadcasts.savedWith(RankPosition(2), 300);
    EXPECT_EQ(saved, (std::vector<DurationNs>{0, 0, 1800 * kUs}));
}

TEST(RootedDependencies, AnotherRootIsNoticedWhereTheProofsDoNotExplainAWait) {
    // As if rank 1 were the root of the last: rank 0, which never waited for it before, stays until it has come.
    const Broadcasts broadcasts = broadcastsOf({{100, 600, 600}, {100, 600, 600}, {100, 600, 600}});
    RunReplayModel model = broadcasts.model();
    const ReplayRendezvous& last = model.rendezvous.back();
    ReplayEvent& of_root = model.ranks[0].events[last.members[0].event];
    of_root.span.end_ns = model.ranks[1].events[last.members[1].event].span.end_ns + last.members[1].shift_ns;
    findRootedDependencies(broadcasts.collectives, broadcasts.clock, model);
    EXPECT_THAT(waitsFor(model.rendezvous.front(), 0), IsEmpty());
    EXPECT_THAT(waitsFor(model.rendezvous.back(), 0), testing::Contains(1U));
}

TEST(RootedDependencies, WithoutClocksTheyKeepTheirLengths) {
    Broadcasts broadcasts = broadcastsOf({{800, 100, 200}, {800, 100, 200}, {800, 100, 200}});
    for (RankClock& clock : broadcasts.clock.ranks) {
        clock.uncertainty_ns.reset();
    }
    const RunReplayModel model = broadcasts.model();
    EXPECT_FALSE(model.coupled);
    EXPECT_TRUE(model.rendezvous.empty());
    EXPECT_EQ(replayRun(model, replayWhole()), broadcasts.measured);
}

}  // namespace
}  // namespace rankscope::test
