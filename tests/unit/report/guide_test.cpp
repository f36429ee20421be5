// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/words/guide.h"

#include "core/base/format.h"
#include "tests/support/analysed.h"
#include "tests/support/places.h"
#include "tests/support/real_traces.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

using report::GuideStop;

constexpr std::size_t kStops = 6;

/// Every place lies in its rank's trace, every slice in its track, and every stop says something.
void checkGuide(const AnalysedRun& run, const std::vector<GuideStop>& stops) {
    for (const GuideStop& stop : stops) {
        SCOPED_TRACE(stop.question);
        ASSERT_LT(stop.rank, run.run->ranks.size());
        const RankTrace& rank = *run.run->ranks[stop.rank];
        EXPECT_FALSE(stop.span.empty());
        EXPECT_LT(stop.span.start_ns, rank.window.end_ns);
        EXPECT_GT(stop.span.end_ns, rank.window.start_ns);
        EXPECT_FALSE(stop.seen.empty());
        EXPECT_FALSE(stop.otherwise.empty());
        if (stop.slice.valid()) {
            EXPECT_LT(stop.slice.slice, rank.track(stop.slice).slices.size());
        }
    }
}

/// The stops of a bundled sample.
std::vector<GuideStop> guideOfSample(const char* name) {
    const AnalysedRun run = loadAndAnalyse(sourceFolder() / "resources/samples" / name);
    std::vector<GuideStop> stops = report::guideOf(run);
    checkGuide(run, stops);
    return stops;
}

TEST(Guide, FollowsTheWaitForABatchThroughTheStep) {
    const std::vector<GuideStop> stops = guideOfSample("ZeroWorkers");
    ASSERT_EQ(stops.size(), kStops);
    EXPECT_THAT(stops[0].seen, HasSubstr("rank 2, the last rank to be ready"));
    EXPECT_THAT(stops[1].next, HasSubstr("input-bound"));
    EXPECT_THAT(stops[2].seen, HasSubstr("the cause is: DataLoader"));
    EXPECT_THAT(stops[2].next, HasSubstr("num_workers"));
    EXPECT_THAT(stops[4].seen, HasSubstr("rank 2 for"));
    EXPECT_NE(stops[4].rank, RankPosition(2)) << "the place is where one waits";
    EXPECT_THAT(stops[5].seen, HasSubstr("the DataLoader takes 8"));
    EXPECT_THAT(stops[5].next, HasSubstr("num_workers"));
}

TEST(Guide, FindsNothingToChangeWhereTheLoaderIsInTime) {
    const std::vector<GuideStop> stops = guideOfSample("FourWorkers");
    ASSERT_EQ(stops.size(), kStops);
    EXPECT_THAT(stops[1].next, HasSubstr("compute-bound"));
    EXPECT_TRUE(stops[5].next.empty()) << stops[5].next;
}

TEST(Guide, SaysWhatStepItIsAboutInNumbersOfTheFacts) {
    const AnalysedRun run = loadAndAnalyse(sourceFolder() / "resources/samples/ZeroWorkers");
    const std::vector<GuideStop> stops = report::guideOf(run);
    ASSERT_EQ(stops.size(), kStops);
    const auto& steps = run.facts.ranks[stops[1].rank].steps;
    const auto at = std::ranges::find(steps, stops[1].span, &RankStep::span);
    ASSERT_NE(at, steps.end());
    EXPECT_TRUE(at->complete);
    EXPECT_THAT(stops[1].seen, HasSubstr("The step takes " + formatDuration(at->span.length()) + " on "));
    for (const DurationNs ns : {at->partition->compute_ns, at->partition->idle_ns}) {
        EXPECT_THAT(stops[1].seen, HasSubstr(formatDuration(ns)));
    }
}

TEST(Guide, NamesTheFindingThatOwnsTheCauseOfTheLongestGap) {
    AnalysedRun run = loadAndAnalyse(sourceFolder() / "resources/samples/ZeroWorkers");
    Finding other;
    other.id = FindingId::HostStall;
    other.title = "CPU threads are blocked or not scheduled";
    other.ranks = {RankPosition(0), RankPosition(1), RankPosition(2), RankPosition(3)};
    other.remedies = {{"Give them cores.", {}}};
    run.diagnosis.findings.insert(run.diagnosis.findings.begin(), other);  // as the dearest
    EXPECT_THAT(report::guideOf(run)[2].seen, HasSubstr("the cause is: DataLoader"));
    EXPECT_THAT(report::guideOf(run)[2].next, HasSubstr("num_workers"));
    std::erase_if(run.diagnosis.findings, [](const Finding& f) { return f.id == FindingId::DataloaderStall; });
    EXPECT_TRUE(report::guideOf(run)[2].next.empty()) << "no other's remedy is for it";
}

TEST(Guide, NamesTheFindingThatMakesTheLateRankLate) {
    AnalysedRun run = loadAndAnalyse(sourceFolder() / "resources/samples/ZeroWorkers");
    const GuideStop stop = report::guideOf(run)[4];
    EXPECT_THAT(stop.seen, HasSubstr("rank 2 for"));
    EXPECT_THAT(stop.next, HasSubstr("num_workers"));
    EXPECT_THAT(report::guideOf(run)[1].next, HasSubstr("num_workers")) << "and what would make the step shorter";
    for (Finding& finding : run.diagnosis.findings) {
        std::erase(finding.ranks, RankPosition(2));
    }
    EXPECT_TRUE(report::guideOf(run)[4].next.empty()) << report::guideOf(run)[4].next;
}

TEST(Guide, HasNoStopsWithoutAStepOfADevice) {
    EXPECT_TRUE(report::guideOf(AnalysedRun{std::make_shared<rankscope::Run>(), {}, {}, {}}).empty());
}

TEST(CorpusRuns, CanBeWalkedThrough) {
    std::size_t walked = 0;
    for (const auto& path : corpusRuns()) {
        SCOPED_TRACE(path.string());
        const AnalysedRun run = loadAndAnalyse(path);
        const std::vector<GuideStop> stops = report::guideOf(run);
        EXPECT_TRUE(stops.empty() || stops.size() == kStops);
        checkGuide(run, stops);
        walked += stops.empty() ? 0U : 1U;
    }
    EXPECT_GE(walked, 3U);
}

TEST(RealRuns, CanBeWalkedThrough) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    for (const char* name : {"resnet50_workers/ZeroWorkers", "resnet_ddp_4ranks_rocm", "unseen_1/megatron_tp8",
                             "unseen_1/expert_8ranks", "unseen_1/fsdp2_4ranks", "dlrm_8ranks_v100"}) {
        SCOPED_TRACE(name);
        const AnalysedRun run = loadAndAnalyse(realTraces() / name);
        const std::vector<GuideStop> stops = report::guideOf(run);
        EXPECT_EQ(stops.size(), kStops);
        checkGuide(run, stops);
    }
}

}  // namespace
}  // namespace rankscope::test
