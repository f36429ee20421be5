// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/path_checks.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/analysis/path_slices.h"
#include "core/analysis/path_sums.h"

namespace rankscope::test {
namespace {

void expectEqual(const PathTimes& a, const PathTimes& b) {
    EXPECT_EQ(a.idle.ns, b.idle.ns);
    EXPECT_EQ(a.compute_ns, b.compute_ns);
    EXPECT_EQ(a.transfer_ns, b.transfer_ns);
    EXPECT_EQ(a.copy_ns, b.copy_ns);
    EXPECT_EQ(a.unknown_ns, b.unknown_ns);
    EXPECT_EQ(a.unsplit_ns, b.unsplit_ns);
}

void checkSums(const CriticalPath& path) {
    const DurationNs whole_ns = path.times().total();
    DurationNs parts_ns = 0;
    for (const PathPart& part : partsOfPath(path)) {
        EXPECT_GT(part.ns, 0);
        EXPECT_EQ(path.stretches[part.longest].kind, part.kind);
        parts_ns += part.ns;
    }
    EXPECT_EQ(parts_ns, whole_ns);
    DurationNs ranks_ns = 0;
    std::size_t turns = 0;
    for (const PathShare& share : ranksOfPath(path)) {
        EXPECT_EQ(path.stretches[share.longest].worker, share.rank);
        ranks_ns += share.ns;
        turns += share.turns;
    }
    EXPECT_EQ(ranks_ns, whole_ns);
    EXPECT_LE(turns, path.turns.size());
}

/// The turns before stretch `at` lead from the rank of the one before it to its own, each to who arrived last.
void checkTurns(const AnalysedRun& run, const CriticalPath& path, std::size_t at, std::size_t& turn) {
    RankPosition rank = path.stretches[at - 1].rank;
    TimeNs end_ns = path.stretches[at - 1].span.end_ns;
    for (; turn < path.turns.size() && path.turns[turn].stretch == at; ++turn) {
        const PathTurn& turned = path.turns[turn];
        const Collective& met = run.facts.collectives.collectives[turned.collective];
        const CollectiveMember* const last = met.memberOf(turned.last);
        const CollectiveMember* const waiter = met.memberOf(turned.waiter);
        ASSERT_TRUE(last != nullptr && waiter != nullptr && met.transfer_ns);
        for (const CollectiveMember& member : met.members) {
            EXPECT_TRUE(met.timed_by_clock || last->span.length() <= member.span.length())
                << "who arrived last has the shortest part";
        }
        EXPECT_EQ(turned.last, rank);
        EXPECT_EQ(turned.arrived_ns, end_ns);
        EXPECT_EQ(turned.arrived_ns, last->span.start_ns);
        EXPECT_EQ(turned.begun_ns, waiter->span.start_ns + *waiter->wait_ns);
        rank = turned.waiter;
        end_ns = turned.begun_ns;
    }
    EXPECT_EQ(path.stretches[at].rank, rank);
    EXPECT_EQ(path.stretches[at].span.start_ns, end_ns);
}

void checkSlice(const AnalysedRun& run, const PathStretch& stretch, PathCounts& counts) {
    const RankTrace& trace = *run.run->ranks[stretch.worker];
    const bool works =
        stretch.worker == stretch.rank && stretch.kind != PathKind::Idle && stretch.kind != PathKind::Unknown;
    counts.working += works ? 1 : 0;
    if (!stretch.slice.valid()) {
        return;
    }
    ASSERT_LT(stretch.slice.track.value, trace.tracks.size());
    ASSERT_LT(stretch.slice.slice, trace.track(stretch.slice).slices.size());
    if (works) {
        ++counts.named;
        EXPECT_EQ(trace.track(stretch.slice).kind, TrackKind::Stream);
        EXPECT_EQ(trace.track(stretch.slice).device, run.facts.ranks[stretch.rank].device);
        EXPECT_EQ(intersect(trace.span(stretch.slice), stretch.span), stretch.span) << "it works all of the time";
    }
}

void checkStep(const AnalysedRun& run, RunStepPosition step, RankPosition end, PathCounts& counts) {
    CriticalPath path = pathOfStep(run.facts, step, end);
    const RankStep* const own = run.facts.stepOf(run.facts.steps[step], end);
    ASSERT_EQ(path.stretches.empty(), own == nullptr || !own->partition || own->span.empty());
    const PathTimes before = path.times();
    namePathSlices(*run.run, run.facts, path);
    expectEqual(path.times(), before);
    checkSums(path);
    counts.stretches += path.stretches.size();
    counts.turns += path.turns.size();
    std::size_t turn = 0;
    for (std::size_t i = 0; i < path.stretches.size(); ++i) {
        EXPECT_FALSE(path.stretches[i].span.empty());
        checkSlice(run, path.stretches[i], counts);
        if (i > 0) {
            checkTurns(run, path, i, turn);
        }
    }
    EXPECT_EQ(turn, path.turns.size());
    if (!path.stretches.empty()) {
        EXPECT_EQ(path.stretches.back().rank, end);
        EXPECT_EQ(path.stretches.back().span.end_ns, own->span.end_ns) << "it ends with the step";
        const RankStep* const first = run.facts.stepOf(run.facts.steps[step], path.stretches.front().rank);
        ASSERT_NE(first, nullptr);
        EXPECT_EQ(path.stretches.front().span.start_ns, first->span.start_ns) << "and begins with it";
    }
}

}  // namespace

PathCounts checkCriticalPaths(const AnalysedRun& run) {
    PathCounts counts;
    for (RankPosition r{0}; r < run.facts.ranks.size(); ++r) {
        SCOPED_TRACE("rank at " + std::to_string(r));
        const CriticalPath path = pathOfSteadySteps(run.facts, r);
        expectEqual(path.times(), run.facts.ranks[r].path);
        checkSums(path);
        for (RunStepPosition s{0}; s < run.facts.steps.size(); ++s) {
            SCOPED_TRACE("step " + std::to_string(run.facts.steps[s].index));
            checkStep(run, s, r, counts);
        }
    }
    return counts;
}

}  // namespace rankscope::test
