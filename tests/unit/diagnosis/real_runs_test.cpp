// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/steps/run_steps.h"
#include "core/base/format.h"
#include "core/base/statistics.h"
#include "core/diagnosis/frame/worth.h"
#include "tests/support/analysed.h"
#include "tests/support/fact_checks.h"
#include "tests/support/headline_check.h"
#include "tests/support/path_checks.h"
#include "tests/support/places.h"
#include "tests/support/real_traces.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

double milliseconds(DurationNs ns) {
    return static_cast<double>(ns) / 1e6;
}

/// What a finding says of itself holds, and what it is made of adds up.
void checkExplanation(const AnalysedRun& run, const Finding& finding) {
    SCOPED_TRACE(finding.title);
    EXPECT_FALSE(finding.summary.empty());
    EXPECT_EQ(finding.summary.find('{'), std::string::npos) << finding.summary;
    EXPECT_FALSE(finding.why_confidence.empty());
    const auto says = [&finding](const char* words) {
        return std::ranges::any_of(finding.why_confidence,
                                   [words](const std::string& why) { return why.find(words) != std::string::npos; });
    };
    if (says("priced steps")) {
        EXPECT_EQ(says("Not priced: "), pricedSteps(run.facts.steps).size() < run.facts.steps.size())
            << "\"3 of 3\" here and \"3 of 4\" elsewhere are of other steps";
    }
    if (!finding.example) {
        return;
    }
    const FindingExample& example = *finding.example;
    EXPECT_GT(example.total_ns, 0);
    EXPECT_LE(example.parts.size(), 8U);
    DurationNs sum_ns = 0;
    for (const FindingPart& part : example.parts) {
        sum_ns += part.time_ns;
        EXPECT_FALSE(part.what.empty());
        if (part.slice.valid()) {
            EXPECT_LT(part.slice.slice, run.run->ranks[example.rank]->track(part.slice).slices.size());
        }
    }
    EXPECT_EQ(sum_ns, example.total_ns);
}

void checkRun(const AnalysedRun& run) {
    checkHeadline(run);
    checkPrices(run);
    checkRunFacts(run.facts);
    (void)checkCriticalPaths(run);
    for (const Finding& finding : run.diagnosis.findings) {
        EXPECT_LE(finding.saving_ns, run.facts.median_step_ns) << findingName(finding.id);
        const bool has_price = finding.id != FindingId::TraceHealth && finding.id != FindingId::MemoryPressure;
        EXPECT_GE(finding.share, has_price ? 0.01 : 0.0) << findingName(finding.id);
        EXPECT_TRUE(has_price || finding.severity == Severity::Low) << findingName(finding.id);
        checkExplanation(run, finding);
        EXPECT_FALSE(finding.remedies.empty()) << findingName(finding.id);
        EXPECT_TRUE(!finding.evidence.empty() || finding.id == FindingId::TraceHealth) << findingName(finding.id);
        EXPECT_LE(finding.evidence.size(), 8U) << findingName(finding.id);
        EXPECT_TRUE(!finding.steps.empty() || finding.id == FindingId::TraceHealth) << findingName(finding.id);
        EXPECT_TRUE(!finding.ranks.empty() || finding.id == FindingId::TraceHealth) << findingName(finding.id);
    }
    for (const CannotTell& unknown : run.diagnosis.cannot_tell) {
        EXPECT_FALSE(unknown.reason.empty() || unknown.record.empty()) << findingName(unknown.id);
    }
}

TEST(CorpusRuns, AddUpAndWhatIsFoundIsWhole) {
    std::size_t findings = 0;
    for (const auto& path : corpusRuns()) {
        SCOPED_TRACE(path.string());
        const AnalysedRun run = loadAndAnalyse(path);
        checkRun(run);
        findings += run.diagnosis.findings.size();
    }
    EXPECT_GE(findings, 3U);
}

TEST(CorpusRuns, HaveTheFaultsThatWerePlanted) {
    EXPECT_NE(findingOf(loadAndAnalyse(corpusRun("no_workers")), "dataloader-stall"), nullptr);
    EXPECT_NE(findingOf(loadAndAnalyse(corpusRun("slow_rank")), "straggler-rank"), nullptr);
    EXPECT_NE(findingOf(loadAndAnalyse(corpusRun("host_sync")), "host-sync"), nullptr);
}

TEST(RealRuns, WithoutWorkersTheDataLoaderStallsEveryStep) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const AnalysedRun run = loadAndAnalyse(realTraces() / "resnet50_workers/ZeroWorkers");
    checkRun(run);
    const Finding& stall = findingIn(run, "dataloader-stall");
    EXPECT_EQ(stall.severity, Severity::High);
    ASSERT_TRUE(stall.range);
    EXPECT_EQ(stall.steps, (std::vector<std::int64_t>{5, 6, 7, 8, 9, 10}));
    // The host spends about 69 ms in __next__, and for 9 to 16 of it the device still works.
    EXPECT_GE(milliseconds(stall.blocked_ns), 55.0);
    EXPECT_LE(milliseconds(stall.blocked_ns), 62.0);
    // The same job with four workers took 50 ms less a step; there each host call was slower beside the workers.
    EXPECT_GE(milliseconds(stall.saving_ns), 45.0);
    EXPECT_LE(milliseconds(stall.saving_ns), 62.0);
    const AnalysedRun after = loadAndAnalyse(realTraces() / "resnet50_workers/FourWorkers");
    const DurationNs measured_ns = run.facts.median_step_ns - after.facts.median_step_ns;
    EXPECT_LE(stall.range->low_ns, measured_ns);
    EXPECT_GE(stall.range->high_ns, measured_ns);
}

TEST(RealRuns, WithFourWorkersTheDataLoaderIsFine) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const AnalysedRun run = loadAndAnalyse(realTraces() / "resnet50_workers/FourWorkers");
    checkRun(run);
    const Finding* stall = findingOf(run, "dataloader-stall");
    EXPECT_TRUE(stall == nullptr || stall->severity == Severity::Low);
    EXPECT_TRUE(run.facts.steps.at(0).outlier);
    EXPECT_NEAR(milliseconds(run.facts.median_step_ns), 126.0, 3.0);
}

TEST(RealRuns, OfFourRanksTheFactsAddUp) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    checkRun(loadAndAnalyse(realTraces() / "resnet_ddp_4ranks_rocm"));
}

TEST(RealRuns, ItsBroadcastsCoupleTheRanksWithTheRest) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const AnalysedRun run = loadAndAnalyse(realTraces() / "resnet_ddp_4ranks_rocm");
    ASSERT_FALSE(run.diagnosis.findings.empty());
    // Without them over 5 % of the communication would keep its length, and no price would be of all ranks.
    for (const CannotTell& unknown : run.diagnosis.cannot_tell) {
        EXPECT_THAT(unknown.reason, testing::Not(testing::HasSubstr("Too few collectives")));
        EXPECT_THAT(unknown.reason, testing::Not(testing::HasSubstr("not matched with all")));
    }
}

TEST(RealRuns, AReplayIsHeldAgainstTheStepsThatPricesAreOfAndNotAgainstAll) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const AnalysedRun run = loadAndAnalyse(realTraces() / "unseen_1/param_resnet");
    ASSERT_EQ(run.facts.basis, StepBasis::Mean);
    std::vector<DurationNs> of_prices;
    for (const RunStep* const step : pricedSteps(run.facts.steps)) {
        of_prices.push_back(step->duration_ns);
    }
    ASSERT_EQ(of_prices.size(), 28U);
    const std::string instead = formatDuration(meanOf(of_prices));
    ASSERT_NE(instead, formatDuration(run.facts.pricedStep())) << "the first of the 29 is much shorter";
    std::size_t told = 0;
    for (const Finding& finding : run.diagnosis.findings) {
        if (finding.why.find("a step takes") != std::string::npos) {
            ++told;
            EXPECT_THAT(finding.why,
                        testing::HasSubstr(" instead of " + instead + ", the mean of the 28 steps that are priced"));
        }
    }
    EXPECT_GT(told, 0U);
}

TEST(RealRuns, WhatCannotBeDividedIsAShareOfTheStepsThatPricesAreOf) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const AnalysedRun run = loadAndAnalyse(realTraces() / "resnet_ddp_4ranks_rocm");
    DurationNs unsplit_ns = 0;
    DurationNs all_ns = 0;
    for (const RunStep* const step : pricedSteps(run.facts.steps)) {
        for (RankPosition r{0}; r < run.facts.ranks.size(); ++r) {
            const RankStep& own = run.facts.ranks[r].steps[step->of(r).value()];
            unsplit_ns += own.partition->exposed_unsplit_ns.value_or(own.partition->exposed_comm_ns);
            all_ns += own.span.length();
        }
    }
    const std::string share = formatPercent(static_cast<double>(unsplit_ns) / static_cast<double>(all_ns));
    EXPECT_TRUE(std::ranges::any_of(run.diagnosis.cannot_tell, [&share](const CannotTell& unknown) {
        return unknown.reason.starts_with(share + " of the time is exposed communication");
    })) << share;
}

TEST(RealRuns, TheirCriticalPathsAddUpAndTurnToWhoArrivedLast) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    std::set<std::filesystem::path> folders;
    for (const std::filesystem::path& file : realTraceFiles()) {
        folders.insert(file.parent_path());
    }
    PathCounts all;
    for (const std::filesystem::path& folder : folders) {
        SCOPED_TRACE(folder.string());
        for (const AnalysedRun& run : loadAndAnalyseAll(folder)) {
            const PathCounts counts = checkCriticalPaths(run);
            all.stretches += counts.stretches;
            all.turns += counts.turns;
            all.working += counts.working;
            all.named += counts.named;
        }
    }
    EXPECT_GT(all.stretches, 100'000U);
    EXPECT_GT(all.turns, 500U);
    EXPECT_EQ(all.named, all.working) << "each stretch of work has its kernel or copy";
}

TEST(RealRuns, OfEightRanksTheFactsAddUp) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    checkRun(loadAndAnalyse(realTraces() / "dlrm_8ranks_v100"));
}

/// The bundled runs, with what the simulator says is true of them.
class BundledRuns : public testing::Test {
  protected:
    static std::filesystem::path samples() { return test::sample(); }
    static nlohmann::json truthOf(const std::string& run) {
        std::ifstream file(samples() / (run + ".truth.json"));
        return nlohmann::json::parse(file);
    }
};

TEST_F(BundledRuns, ThePlantedStallIsFoundAndPriced) {
    const AnalysedRun run = loadAndAnalyse(samples() / "ZeroWorkers");
    checkRun(run);
    const Finding& stall = findingIn(run, "dataloader-stall");
    EXPECT_EQ(stall.severity, Severity::High);
    const nlohmann::json truth = truthOf("ZeroWorkers");
    for (const nlohmann::json& fault : truth.at("faults")) {
        if (fault.at("finding") == "dataloader-stall") {
            const auto truth_ns = fault.at("saving_ns").get<double>();
            const double allowed_ns = std::max(0.05 * truth_ns, 0.005 * static_cast<double>(run.facts.median_step_ns));
            EXPECT_NEAR(static_cast<double>(stall.saving_ns), truth_ns, allowed_ns);
            return;
        }
    }
    FAIL() << "no stall was planted";
}

TEST_F(BundledRuns, WhoWaitsForTheStalledRankPaysForIt) {
    const AnalysedRun run = loadAndAnalyse(samples() / "ZeroWorkers");
    const Finding& stall = findingIn(run, "dataloader-stall");
    // Whoever's own stall is the longest lets the others wait in the all-reduce: either way all of them lose the time.
    EXPECT_EQ(stall.paying_ranks, (std::vector{RankPosition(0), RankPosition(1), RankPosition(2), RankPosition(3)}));
}

TEST_F(BundledRuns, StepsLastAsLongAsTheyTrulyDid) {
    for (const char* name : {"ZeroWorkers", "FourWorkers"}) {
        const AnalysedRun run = loadAndAnalyse(samples() / name);
        const nlohmann::json truth = truthOf(name);
        ASSERT_EQ(run.facts.steps.size(), truth.at("steps").size());
        for (std::size_t i = 0; i < run.facts.steps.size(); ++i) {
            const nlohmann::json& step = truth.at("steps")[i];
            EXPECT_EQ(run.facts.steps[i].index, step.at("number").get<std::int64_t>());
            EXPECT_NEAR(static_cast<double>(run.facts.steps[i].duration_ns), step.at("duration_ns").get<double>(), 1e3);
        }
    }
}

TEST_F(BundledRuns, TheHealthyOneHasNoStallAndNothingGrave) {
    const AnalysedRun run = loadAndAnalyse(samples() / "FourWorkers");
    EXPECT_FALSE(run.facts.steps.empty());
    checkRun(run);
    EXPECT_EQ(findingOf(run, "dataloader-stall"), nullptr);
    for (const Finding& finding : run.diagnosis.findings) {
        EXPECT_EQ(finding.severity, Severity::Low) << findingName(finding.id);
    }
}

}  // namespace
}  // namespace rankscope::test
