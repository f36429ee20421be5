// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/reports.h"
#include "core/report/tables/communication.h"
#include "core/report/tables/memory_summary.h"
#include "core/report/tables/rank_statistics.h"
#include "tests/support/communication_facts.h"
#include "tests/support/grid_run.h"
#include "tests/support/report_schema.h"
#include "tests/support/testing.h"
#include "tests/unit/report/report_parts.h"
#include "tests/unit/report/sample_run.h"

namespace rankscope::test {
namespace {

/// The sample run with a fit of its first group, over three sizes.
AnalysedRun fittedRun() {
    AnalysedRun run = sampleRun();
    addFit(run.facts.collectives);
    return run;
}

/// The sample run with DDP's buckets and two caps.
AnalysedRun bucketedRun() {
    AnalysedRun run = sampleRun();
    run.diagnosis.buckets = bucketForecast();
    return run;
}

TEST(CommunicationReport, ComparesMeasuredWithPredictedInTheJson) {
    const AnalysedRun run = fittedRun();
    const json fit = runJson(run)["transfer_fits"][0];
    EXPECT_DOUBLE_EQ(fit["r2"], 0.987);
    EXPECT_DOUBLE_EQ(fit["largest_error"], 0.3);
    EXPECT_EQ(fit["measured"][2], json({{"bytes", 16'000'000},
                                        {"transfer_ns", 500'000},
                                        {"fitted_ns", 340'000},
                                        {"samples", 4},
                                        {"mark", "slower"}}));
    RANKSCOPE_EXPECT_REPORT_HOLDS(jsonReport({{&run}, {}}));
}

TEST(CommunicationReport, PredictsRingAndTreeForMoreRanks) {
    const json link = runJson(fittedRun())["fitted_links"][0];
    EXPECT_EQ(link["ranks"], 8);
    EXPECT_DOUBLE_EQ(link["bus_gb_per_s"], 87.5);
    EXPECT_EQ(link["algorithm"], "ring");
    EXPECT_EQ(link["predictions"][1]["ranks"], 16);
    EXPECT_EQ(link["predictions"][0]["sizes"][0]["better"], "tree");
    EXPECT_TRUE(link["link_gb_per_s"].is_null()) << "the members of the group are not known";
}

TEST(CommunicationReport, SaysToPeopleWhereTheLineDoesNotHold) {
    const AnalysedRun run = fittedRun();
    EXPECT_THAT(textReport(run), AllOf(HasSubstr("Communication speed"), HasSubstr("0.987"),
                                       HasSubstr("bound by latency at 10.0 kB, so"), HasSubstr("over a fifth slower")));
    EXPECT_THAT(markdownReport({{&run}, {}}), HasSubstr("Communication speed"));
    EXPECT_THAT(csvOf(run, "transfer_sizes.csv"), HasSubstr("16000000,4,500000,340000"));
    EXPECT_THAT(csvOf(run, "predictions.csv"), HasSubstr(",tree\r\n"));
}

TEST(CommunicationReport, DrawsADotASizeAndTheLine) {
    const AnalysedRun run = fittedRun();
    const std::string html = htmlReport({{&run}, {}});
    EXPECT_THAT(html, AllOf(HasSubstr("class=\"dot on-line\""), HasSubstr("class=\"dot slower\""),
                            HasSubstr("class=\"fitted\""), HasSubstr("predicted 340 µs")));
}

TEST(CommunicationReport, HasNoBandwidthWhereLatencyBoundsAllSizesAndNoErrorsForTwoSizes) {
    AnalysedRun run = fittedRun();
    TransferFit& fit = run.facts.collectives.fits[0];
    fit.measured.resize(2);
    fit.measured[1] = {400'000, 28'000, 28'000, 4, SizeMark::LatencyBound};
    fit.sizes = 2;
    fit.r2.reset();
    const json link = runJson(run)["fitted_links"][0];
    EXPECT_TRUE(link["bus_gb_per_s"].is_null());
    EXPECT_TRUE(link["efficiency"].is_null());
    const report::Table table = report::fitTable(run, 8);
    ASSERT_EQ(table.rows.size(), 1U);
    EXPECT_THAT(table.rows[0], testing::ElementsAre(testing::_, "2", "20.0 µs", "-", "-", "-", "-", "-"));
    EXPECT_EQ(link["predictions"], json::array()) << "they are by the bandwidth too";
    EXPECT_THAT(csvOf(run, "predictions.csv"), Not(HasSubstr("tree\r\n")));
    EXPECT_THAT(textReport(run), AllOf(Not(HasSubstr("than a tree")), Not(HasSubstr("than a ring")),
                                       HasSubstr("bound by latency at all sizes")));
    RANKSCOPE_EXPECT_REPORT_HOLDS(jsonReport({{&run}, {}}));
}

TEST(CommunicationReport, SaysHowManyRanksItLeavesOut) {
    const auto run = runOnAGrid({.data = 18, .pipeline = 1, .tensor = 1});
    hideCommunication(run->facts);
    EXPECT_THAT(report::overlapNote(*run, 16), HasSubstr("And 2 more ranks, in --json."));
    EXPECT_THAT(report::overlapNote(*run, 18), Not(HasSubstr("more ranks")));
    run->facts.memory.ranks.assign(18, {MemoryAtPeak{}});
    EXPECT_EQ(report::memoryLeftOut(*run, 16, 12), "And 2 more ranks, in --json.");
    run->facts.memory.ranks[0][0].allocated = 1;
    run->facts.memory.ranks[0][0].operators.resize(15);
    EXPECT_EQ(report::memoryLeftOut(*run, 16, 12), "And 2 more ranks and 3 more operators, in --json.");
    EXPECT_EQ(report::memoryLeftOut(*run, 18, 15), "");
}

TEST(CommunicationReport, IsEmptyWithoutAFit) {
    const AnalysedRun run = sampleRun();
    EXPECT_THAT(textReport(run), Not(HasSubstr("Communication speed")));
    EXPECT_EQ(runJson(run)["fitted_links"], json::array());
    EXPECT_TRUE(runJson(run)["buckets"].is_null()) << "nobody asked";
}

TEST(CommunicationReport, SaysWhyNoLineCanBeFitted) {
    AnalysedRun run = sampleRun();
    run.facts.collectives.groups.resize(1);
    run.facts.collectives.collectives.resize(1);
    const char* const why = "no collective shows both its size and its transfer";
    EXPECT_THAT(textReport(run), AllOf(HasSubstr("Communication speed"), HasSubstr(why)));
    EXPECT_THAT(htmlReport({{&run}, {}}), HasSubstr(why));
    EXPECT_THAT(markdownReport({{&run}, {}}), HasSubstr(why));
}

TEST(BucketReport, MarksTheBestAndToday) {
    const AnalysedRun run = bucketedRun();
    const json buckets = runJson(run)["buckets"];
    EXPECT_EQ(buckets["best_mb"], 5);
    EXPECT_EQ(buckets["today"].size(), 2U);
    EXPECT_TRUE(buckets["caps"][1]["error_ns"].is_null());
    EXPECT_THAT(textReport(run), AllOf(HasSubstr("bucket_cap_mb=5"), HasSubstr("18.5 ms ± 200 µs")));
    EXPECT_THAT(htmlReport({{&run}, {}}), AllOf(HasSubstr(", advised"), HasSubstr(">today<")));
    EXPECT_THAT(csvOf(run, "bucket_caps.csv"), HasSubstr(",5,6,18500000,200000,1500000,true"));
    RANKSCOPE_EXPECT_REPORT_HOLDS(jsonReport({{&run}, {}}));
}

TEST(BucketReport, CallsASizeEnoughWhereAnotherIsShorterByLessThanAReplayTells) {
    AnalysedRun run = bucketedRun();
    run.diagnosis.buckets->caps.push_back({100, 2, 18'480'000, 200'000});
    const std::string text = textReport(run);
    EXPECT_THAT(text, HasSubstr("bucket_cap_mb=5 is enough: 18.5 ms ± 200 µs instead of 20.0 ms."));
    EXPECT_THAT(text, AllOf(HasSubstr("advised"), Not(HasSubstr("shortest with"))));
}

TEST(BucketReport, SaysWhyItCannotTell) {
    AnalysedRun run = bucketedRun();
    run.diagnosis.buckets->caps.clear();
    run.diagnosis.buckets->best.reset();
    run.diagnosis.buckets->reason = "The ranks cannot be simulated together.";
    EXPECT_THAT(textReport(run), HasSubstr("cannot be simulated together"));
    EXPECT_TRUE(runJson(run)["buckets"]["best_mb"].is_null());
}

TEST(RankStatistics, AreOverTheRanksThatHaveAValue) {
    const AnalysedRun run = sampleRun();
    const std::vector<report::RankStatistic> statistics = report::rankStatistics(run);
    const auto step = std::ranges::find(statistics, "step_ns", &report::RankStatistic::key);
    ASSERT_NE(step, statistics.end());
    EXPECT_LE(step->min, step->mean);
    EXPECT_LE(step->mean, step->max);
    const auto compute = std::ranges::find(statistics, "compute_ns", &report::RankStatistic::key);
    ASSERT_NE(compute, statistics.end());
    EXPECT_EQ(compute->ranks, 1U) << "rank 3 has no device work";
    EXPECT_EQ(compute->deviation, 0);
    EXPECT_FALSE(compute->worst.has_value()) << "one rank is not worse than itself";
    EXPECT_THAT(textReport(run), HasSubstr("Statistics over ranks"));
    for (const report::RankStatistic& one : statistics) {
        EXPECT_FALSE(one.title.starts_with("(")) << one.title << ": a row has no column before it that it is a part of";
    }
    EXPECT_THAT(csvOf(run, "rank_statistics.csv"), HasSubstr("compute_ns,compute,1,"));
}

TEST(RankStatistics, HaveWhatEachRankMakesOfItsDeviceWhereThatIsKnown) {
    AnalysedRun run = sampleRun();
    run.facts.efficiency.ranks.assign(2, {});
    for (std::size_t r = 0; r < 2; ++r) {
        RankEfficiency& rank = run.facts.efficiency.ranks[r];
        rank.rated = true;
        rank.peak.emplace();
        rank.counted.time_ns = 1'000'000;
        rank.counted.model_flops = r == 0 ? 4e9 : 2e9;
        rank.counted.useful_ns = r == 0 ? 400'000 : 200'000;
    }
    const auto statistic_of = [&](std::string_view key) {
        const std::vector<report::RankStatistic> all = report::rankStatistics(run);
        const auto at = std::ranges::find(all, key, &report::RankStatistic::key);
        return at == all.end() ? report::RankStatistic() : *at;
    };
    EXPECT_DOUBLE_EQ(statistic_of("mfu").mean, 0.3);
    EXPECT_EQ(statistic_of("mfu").worst, RankPosition(1)) << "the least is the worst";
    EXPECT_DOUBLE_EQ(statistic_of("hfu").max, 0.4);
    EXPECT_DOUBLE_EQ(statistic_of("tflop_per_s").min, 2);
    EXPECT_THAT(textReport(run), AllOf(HasSubstr("  MFU"), HasSubstr("achieved TFLOP/s")));
    run.facts.efficiency.ranks[1].rated = false;
    EXPECT_EQ(statistic_of("mfu").ranks, 1U) << "the peak of the other is not known";
    EXPECT_EQ(statistic_of("tflop_per_s").ranks, 2U);
    run.facts.efficiency.ranks[1].counted = {};
    EXPECT_EQ(statistic_of("tflop_per_s").ranks, 1U) << "nothing was counted of the other";
}

}  // namespace
}  // namespace rankscope::test
