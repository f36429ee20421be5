// SPDX-License-Identifier: GPL-3.0-or-later
// What a late rank of one run does in the other, on simulated runs with a planted straggler.
#include "core/compare/straggler_comparison.h"

#include "core/compare/locations.h"
#include "tests/accuracy/simulated_run.h"
#include "tests/support/analysed.h"
#include "tests/support/testing.h"
#include "tests/tracegen/config_of.h"

namespace rankscope::test {
namespace {

AnalysedRun runWith(const std::vector<std::string>& faults) {
    return analyse(accuracy::loadSimulated(tracegen::simulate(tracegen::configOf(4, 6, faults))));
}

/// The first time in the middle of the run in which a rank was late.
LateLocation someLateness(const AnalysedRun& run) {
    for (std::uint32_t f = 0; f < run.diagnosis.findings.size(); ++f) {
        const std::vector<LateWindow>& late = run.diagnosis.findings[f].late;
        if (!late.empty()) {
            const auto middle = static_cast<std::uint32_t>(late.size() / 2);
            return {late[middle].rank, f, middle};
        }
    }
    ADD_FAILURE() << "nobody is late";
    return {};
}

TEST(StragglerComparison, ARankThatIsNoLongerLateIsReportedToDelayNobody) {
    const AnalysedRun a = runWith({"slow-kernels:ranks=2,amount=1.5"});
    const AnalysedRun b = runWith({});
    Counterparts counterparts(a, b);
    const LateLocation late = someLateness(a);
    const StragglerComparison both = compareStragglers(a, b, counterparts, late);
    ASSERT_TRUE(both.a);
    ASSERT_TRUE(both.b) << both.missing;
    EXPECT_EQ(both.a->rank, 2U);
    EXPECT_EQ(both.b->rank, 2U);
    ASSERT_TRUE(both.a->late);
    EXPECT_EQ(both.a->span, a.diagnosis.findings[late.finding].late[late.window].span);
    EXPECT_FALSE(both.b->late);
    EXPECT_GT(both.a->segment_ns, both.a->median_ns + both.a->median_ns / 4) << "half as long again as the others";
    EXPECT_NEAR(static_cast<double>(both.b->segment_ns), static_cast<double>(both.b->median_ns),
                0.05 * static_cast<double>(both.b->median_ns));
    EXPECT_NE(Locations(a, b).fromA(late).missing, "");
}

TEST(StragglerComparison, ThePartsAddUpToTheStretchInBothRuns) {
    const AnalysedRun a = runWith({"slow-loader:ranks=1"});
    const AnalysedRun b = runWith({});
    Counterparts counterparts(a, b);
    const StragglerComparison both = compareStragglers(a, b, counterparts, someLateness(a));
    ASSERT_TRUE(both.a && both.b) << both.missing;
    for (const StragglerSpan& one : {*both.a, *both.b}) {
        EXPECT_EQ(one.parts.compute_ns + one.parts.communication_ns + one.parts.copy_ns + one.parts.idle_ns,
                  one.span.length());
    }
    EXPECT_GT(both.a->parts.idle_causes[Cause::DataLoader], both.b->parts.idle_causes[Cause::DataLoader])
        << "why it is late in A";
}

TEST(StragglerComparison, ARankThatIsLateInBothLeadsFromOneLatenessToTheOther) {
    const AnalysedRun a = runWith({"slow-kernels:ranks=2,amount=1.5"});
    const AnalysedRun b = runWith({"slow-kernels:ranks=2,amount=1.3"});
    const LateLocation late = someLateness(a);
    Locations places(a, b);
    const LocationPair there = places.fromA(late);
    const auto* in_b = std::get_if<LateLocation>(&there.b);
    ASSERT_NE(in_b, nullptr) << there.missing;
    EXPECT_EQ(in_b->rank, 2U);
    const LocationPair back = places.fromB(*in_b);
    const auto* in_a = std::get_if<LateLocation>(&back.a);
    ASSERT_NE(in_a, nullptr);
    EXPECT_EQ(in_a->window, late.window);
}

TEST(StragglerComparison, AMissingCollectiveIsReported) {
    const AnalysedRun a = runWith({"slow-kernels:ranks=2,amount=1.5"});
    AnalysedRun b = runWith({});
    b.facts.stragglers.segments.clear();
    Counterparts counterparts(a, b);
    const StragglerComparison both = compareStragglers(a, b, counterparts, someLateness(a));
    EXPECT_TRUE(both.a);
    EXPECT_FALSE(both.b);
    EXPECT_NE(both.missing, "");
}

}  // namespace
}  // namespace rankscope::test
