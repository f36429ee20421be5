// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/locations.h"

#include "core/compare/pairing/gap_counterpart.h"
#include "tests/support/analysed.h"
#include "tests/support/model_builder.h"
#include "tests/support/places.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

/// Three steps of 1000 us with gemm, relu and gemm. Before the second gemm the device waits for `pause_us`, for the
/// DataLoader; or `instead` runs there, launched in time.
AnalysedRun pausing(double pause_us, const std::string& instead = {}) {
    auto [builder, thread, stream] = threadAndStream();
    for (int step = 0; step < 3; ++step) {
        const double at = 1000.0 * step;
        builder.step(thread, 5 + step, at, 1000);
        builder.kernel(thread, at + 1, 2, stream, "gemm", at + 20, 60);
        builder.kernel(thread, at + 4, 2, stream, "relu", at + 80, 20);
        if (!instead.empty()) {
            builder.kernel(thread, at + 7, 2, stream, instead, at + 100, pause_us);
        } else if (pause_us > 0) {
            builder.slice(thread, Category::UserAnnotation, "enumerate(DataLoader)#_SingleProcess.__next__", at + 10,
                          88 + pause_us);
        }
        const double call = instead.empty() ? at + 99 + pause_us : at + 10;
        builder.kernel(thread, call, 1, stream, "gemm", at + 101 + pause_us, 60);
    }
    return analyse(runOf({builder.build()}));
}

/// The gap of `run` in step `step` that is nearest to `us` long.
GapLocation gapOf(const AnalysedRun& run, RankStepPosition step, double us) {
    const auto& gaps = run.facts.ranks[0].steps[step].gaps;
    const auto off = [&](const Gap& gap) { return std::abs(static_cast<double>(gap.span.length()) / 1000 - us); };
    const auto at = std::ranges::min_element(gaps, {}, off);
    EXPECT_LT(off(*at), 3.0);
    return {RankPosition(), step, static_cast<std::uint32_t>(at - gaps.begin())};
}

TEST(GapCounterpart, SaysThatAGapIsGoneAndThatNothingCameInItsPlace) {
    const AnalysedRun a = pausing(400);
    const AnalysedRun b = pausing(0);
    Counterparts counterparts(a, b);
    const GapCounterpart place = gapCounterpart(a, b, counterparts, gapOf(a, RankStepPosition(1), 401));
    ASSERT_EQ(place.missing, "");
    EXPECT_EQ(b.run->ranks[0]->name(place.before), "relu");
    EXPECT_EQ(b.run->ranks[0]->name(place.after), "gemm");
    EXPECT_LT(place.span.length(), 3'000);
    EXPECT_TRUE(place.work.empty());
    EXPECT_EQ(place.parts.idle_ns, place.span.length());
}

TEST(GapCounterpart, NamesTheWorkThatFillsTheGapAndForHowLong) {
    const AnalysedRun a = pausing(400);
    const AnalysedRun b = pausing(300, "softmax");
    Counterparts counterparts(a, b);
    const GapCounterpart place = gapCounterpart(a, b, counterparts, gapOf(a, RankStepPosition(1), 401));
    ASSERT_EQ(place.missing, "");
    ASSERT_EQ(place.work.size(), 1U);
    EXPECT_EQ(place.work[0].name, "softmax");
    EXPECT_EQ(place.work[0].calls, 1U);
    EXPECT_EQ(place.work[0].ns, 300'000);
    EXPECT_EQ(place.parts.compute_ns, 300'000);
    EXPECT_EQ(place.parts.compute_ns + place.parts.communication_ns + place.parts.copy_ns + place.parts.idle_ns,
              place.span.length());
}

TEST(GapCounterpart, AShorterGapKeepsItsCauses) {
    const AnalysedRun a = pausing(400);
    const AnalysedRun b = pausing(150);
    Counterparts counterparts(a, b);
    const GapCounterpart place = gapCounterpart(a, b, counterparts, gapOf(a, RankStepPosition(1), 401));
    EXPECT_EQ(place.parts.idle_ns, place.parts.idle_causes.total());
    EXPECT_GT(place.parts.idle_causes[Cause::DataLoader], 140'000);
}

TEST(Locations, AnIdlePartIsSeenAtItsLongestGapAndSaysWhereItIsGone) {
    const AnalysedRun a = pausing(400);
    const AnalysedRun b = pausing(0);
    Locations places(a, b);
    const LocationPair pair = places.ofPart({.part = StepPart::Idle, .cause = Cause::DataLoader, .a_ns = 1, .b_ns = 0});
    const auto* gap = std::get_if<GapLocation>(&pair.a);
    ASSERT_NE(gap, nullptr);
    EXPECT_GT(a.facts.ranks[0].steps[gap->step].gaps[gap->gap].span.length(), 400'000);
    const LocationPair none = places.ofPart({.part = StepPart::Idle, .cause = Cause::Allocator});
    EXPECT_EQ(none.a.index() + none.b.index(), 0U);
    EXPECT_THAT(none.missing, HasSubstr("Neither run"));
}

TEST(Locations, AKernelIsSeenAtItsLongestCallAndAtThatCallsCounterpart) {
    const AnalysedRun a = pausing(400);
    const AnalysedRun b = pausing(300, "softmax");
    Locations places(a, b);
    const LocationPair gemm = places.ofName("gemm", WorkClass::Compute);
    const auto* in_a = std::get_if<SliceLocation>(&gemm.a);
    const auto* in_b = std::get_if<SliceLocation>(&gemm.b);
    ASSERT_TRUE(in_a != nullptr && in_b != nullptr);
    EXPECT_EQ(a.run->ranks[0]->name(in_a->slice), "gemm");
    EXPECT_EQ(b.run->ranks[0]->name(in_b->slice), "gemm");
    EXPECT_EQ(places.toB().ofSlice(*in_a).place->slice, in_b->slice);
}

TEST(Locations, AKernelThatOnlyBHasIsSeenThereAndSaidToBeMissingInA) {
    const AnalysedRun a = pausing(400);
    const AnalysedRun b = pausing(300, "softmax");
    Locations places(a, b);
    const LocationPair added = places.ofName("softmax", WorkClass::Compute);
    EXPECT_EQ(added.a.index(), 0U);
    EXPECT_TRUE(std::holds_alternative<SliceLocation>(added.b));
    EXPECT_THAT(added.missing, HasSubstr("\"softmax\" has no counterpart"));
}

TEST(Locations, EveryLineOfTheBundledPairIsSeenInAtLeastOneRun) {
    const AnalysedRun a = loadAndAnalyse(test::sample("ZeroWorkers"));
    const AnalysedRun b = loadAndAnalyse(test::sample("FourWorkers"));
    const RunComparison comparison = compareRuns(a, b);
    Locations places(a, b);
    const auto seen = [](const LocationPair& pair) { return pair.a.index() + pair.b.index() > 0; };
    ASSERT_TRUE(comparison.breakdown);
    ASSERT_FALSE(comparison.findings.empty() || comparison.kernels.empty() || comparison.collectives.empty());
    ASSERT_EQ(comparison.ranks.size(), 4U);
    for (const BreakdownRow& row : comparison.breakdown->rows) {
        EXPECT_TRUE((row.a_ns == 0 && row.b_ns == 0) || seen(places.ofPart(row))) << breakdownTitle(row);
    }
    for (const FindingPair& pair : comparison.findings) {
        EXPECT_TRUE(seen(places.ofFinding(pair)));
    }
    for (const NamePair& pair : comparison.kernels) {
        EXPECT_TRUE(seen(places.ofName(pair.name, pair.work))) << pair.name;
    }
    for (const CollectivePair& pair : comparison.collectives) {
        EXPECT_TRUE(seen(places.ofCollective(pair))) << collectiveKindName(pair.kind);
    }
    for (const RankPair& pair : comparison.ranks) {
        const LocationPair marks = places.ofRank(pair);
        EXPECT_TRUE(marks.a.index() != 0 && marks.b.index() != 0);
    }
}

}  // namespace
}  // namespace rankscope::test
