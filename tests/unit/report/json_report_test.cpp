// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/reports.h"

#include "core/report/version.h"
#include "tests/support/report_schema.h"
#include "tests/support/testing.h"
#include "tests/unit/report/sample_run.h"

namespace rankscope::test {
namespace {

json reportOf(const AnalysedRun& run) {
    return json::parse(jsonReport({{&run}, {}}));
}

json rowOf(const AnalysedRun& run, std::size_t step, std::size_t row) {
    return reportOf(run)["runs"][0]["steps"][step]["ranks"][row];
}

TEST(JsonReport, NamesItsVersions) {
    const json report = reportOf(sampleRun());
    EXPECT_EQ(report["schema"], kReportSchema);
    EXPECT_EQ(report["definitions"], kDefinitions);
    EXPECT_EQ(report["tool"]["name"], "rankscope");
    EXPECT_EQ(report["tool"]["version"], std::string(toolVersion()));
    EXPECT_THAT(std::string(toolVersion()), testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
}

TEST(Versions, AreToldTogetherByTheProgramFirst) {
    EXPECT_THAT(versionsText(), testing::MatchesRegex("[0-9.]+ \\(report schema [0-9]+, definitions [0-9]+\\)"));
    EXPECT_THAT(versionsText(), testing::StartsWith(std::string(toolVersion()) + " "));
}

TEST(JsonReport, WritesAnEpochAsTextAndAllTimesFromIt) {
    const AnalysedRun run = sampleRun();
    const json report = reportOf(run);
    EXPECT_EQ(report["runs"][0]["base_ns"], std::to_string(kBaseNs));
    EXPECT_EQ(report["runs"][0]["steps"][0]["ranks"][0]["start_ns"], 0);
    EXPECT_EQ(report["runs"][0]["ranks"][0]["files"][0]["end_ns"], 2000);
}

TEST(JsonReport, PutsTheTimesOfARankOnTheRunsClock) {
    const json row = rowOf(sampleRun(), 0, 1);
    EXPECT_EQ(row["id"], 1);
    EXPECT_EQ(row["rank"], 3);
    EXPECT_EQ(row["start_ns"], 50 + kRank3OffsetNs);
    EXPECT_EQ(row["duration_ns"], 1400);
}

TEST(JsonReport, SaysHowTheClockOfARankWasFound) {
    const json clock = reportOf(sampleRun())["runs"][0]["ranks"][1]["clock"];
    EXPECT_EQ(clock["offset_ns"], kRank3OffsetNs);
    EXPECT_EQ(clock["uncertainty_ns"], 40);
    EXPECT_EQ(clock["matches"], 17);
    EXPECT_EQ(clock["method"], "fitted");
}

TEST(JsonReport, UnknownUncertaintyIsNullAndNotZero) {
    EXPECT_TRUE(reportOf(sampleRun())["runs"][0]["ranks"][0]["clock"]["uncertainty_ns"].is_null());
}

TEST(JsonReport, PutsEachPartOfAStepUnderItsOwnName) {
    const json row = rowOf(sampleRun(), 0, 0);
    EXPECT_EQ(row["duration_ns"], 1500);
    EXPECT_EQ(row["compute_ns"], 800);
    EXPECT_EQ(row["exposed_comm_ns"], 30);
    EXPECT_EQ(row["exposed_copy_ns"], 20);
    EXPECT_EQ(row["idle_ns"], 650);
    EXPECT_EQ(row["comm_ns"], 120);
    EXPECT_EQ(row["copy_ns"], 40);
    EXPECT_EQ(row["overlap_ns"], 90);
    EXPECT_EQ(row["idle_causes"].size(), kCauseCount);
    EXPECT_EQ(row["idle_causes"]["dataloader"], 600);
    EXPECT_EQ(row["idle_causes"]["launch-latency"], 50);
    EXPECT_EQ(row["idle_causes"]["host-sync"], 0);
}

TEST(JsonReport, TransferAndWaitingAreNullWhereTheyCannotBeTold) {
    AnalysedRun run = sampleRun();
    EXPECT_TRUE(rowOf(run, 0, 0)["exposed_transfer_ns"].is_null());
    EXPECT_TRUE(rowOf(run, 0, 0)["exposed_wait_ns"].is_null());
    run.facts.ranks[0].steps[0].partition->exposed_transfer_ns = 10;
    run.facts.ranks[0].steps[0].partition->exposed_wait_ns = 20;
    EXPECT_EQ(rowOf(run, 0, 0)["exposed_transfer_ns"], 10);
    EXPECT_EQ(rowOf(run, 0, 0)["exposed_wait_ns"], 20);
}

TEST(JsonReport, ARankWithoutDeviceWorkHasNoPartition) {
    const json row = rowOf(sampleRun(), 0, 1);
    for (const char* key : {"compute_ns", "exposed_comm_ns", "exposed_copy_ns", "idle_ns", "idle_causes"}) {
        EXPECT_TRUE(row[key].is_null()) << key;
    }
}

TEST(JsonReport, AStepHasRowsOnlyForTheRanksThatHaveIt) {
    const json steps = reportOf(sampleRun())["runs"][0]["steps"];
    EXPECT_EQ(steps[0]["ranks"].size(), 2U);
    ASSERT_EQ(steps[1]["ranks"].size(), 1U);
    EXPECT_EQ(steps[1]["ranks"][0]["rank"], 2);
    EXPECT_EQ(steps[1]["ranks"][0]["outlier_reason"], "warm-up");
}

TEST(JsonReport, NamesTheLeastCertainWayInWhichTheRanksStepsWereFound) {
    const json steps = reportOf(sampleRun())["runs"][0]["steps"];
    EXPECT_EQ(steps[0]["source"], "named-range");
    EXPECT_EQ(steps[1]["source"], "profiler-step");
}

TEST(JsonReport, EvidenceLeadsToTheByteOfItsFile) {
    const json evidence = reportOf(sampleRun())["runs"][0]["findings"][0]["evidence"];
    EXPECT_EQ(evidence[0]["slice"], "enumerate(DataLoader)#__next__");
    EXPECT_EQ(evidence[0]["track"], "thread 42");
    EXPECT_EQ(evidence[0]["rank"], 2);
    EXPECT_EQ(evidence[0]["start_ns"], 100);
    EXPECT_EQ(evidence[0]["duration_ns"], 600);
    EXPECT_EQ(evidence[0]["file"], "runs/rank2.json");
    EXPECT_EQ(evidence[0]["byte_offset"], 4321);
    EXPECT_TRUE(evidence[1]["slice"].is_null());
    EXPECT_EQ(evidence[1]["note"], "in every step");
}

TEST(JsonReport, AFindingHasBothItsPrices) {
    const json finding = reportOf(sampleRun())["runs"][0]["findings"][0];
    EXPECT_EQ(finding["id"], "dataloader-stall");
    EXPECT_EQ(finding["severity"], "high");
    EXPECT_EQ(finding["confidence"], "medium");
    EXPECT_EQ(finding["blocked_ns"], 600);
    EXPECT_EQ(finding["saving_ns"], 450);
    EXPECT_EQ(finding["share"], 0.3);
    EXPECT_EQ(finding["ranks"], json::array({0}));
    EXPECT_EQ(finding["paying_ranks"], json::array({1}));
}

TEST(JsonReport, SaysWhatAFindingAddsToTheOnesBeforeIt) {
    AnalysedRun run = sampleRun();
    EXPECT_TRUE(reportOf(run)["runs"][0]["findings"][0]["overlap"].is_null());
    run.diagnosis.findings[0].overlap = Overlap{FindingId::HostSync, 450, 200};
    const json overlap = reportOf(run)["runs"][0]["findings"][0]["overlap"];
    EXPECT_EQ(overlap["with"], "host-sync");
    EXPECT_EQ(overlap["alone_ns"], 450);
    EXPECT_EQ(overlap["after_ns"], 200);
    RANKSCOPE_EXPECT_REPORT_HOLDS(jsonReport({{&run}, {}}));
}

TEST(JsonReport, HoldsFitsOfTransfersAndPricesOfDdp) {
    AnalysedRun run = sampleRun();
    run.facts.collectives.groups.resize(1);
    run.facts.collectives.fits = {{.kind = CollectiveKind::AllReduce,
                                   .group = 0,
                                   .latency_ns = 15'000,
                                   .gb_per_s = 47.5,
                                   .residual = 0.02,
                                   .sizes = 3,
                                   .samples = 30,
                                   .measured = {{.bytes = 1'000, .transfer_ns = 15'000, .samples = 10},
                                                {.bytes = 9'000'000, .transfer_ns = 200'000, .samples = 20}}}};
    run.diagnosis.ddp = {{DdpPartKind::BroadcastBuffers, 40, 30}};
    const json report = reportOf(run)["runs"][0];
    EXPECT_EQ(report["transfer_fits"][0]["kind"], "all-reduce");
    EXPECT_EQ(report["transfer_fits"][0]["latency_ns"], 15'000);
    EXPECT_EQ(report["transfer_fits"][0]["gb_per_s"], 47.5);
    EXPECT_EQ(report["ddp_prices"][0]["part"], "broadcast_buffers");
    EXPECT_EQ(report["ddp_prices"][0]["saving_ns"], 30);
    RANKSCOPE_EXPECT_REPORT_HOLDS(jsonReport({{&run}, {}}));
}

TEST(JsonReport, SaysWhatCouldNotBeRead) {
    const AnalysedRun run = sampleRun();
    const json report = json::parse(jsonReport({{&run}, {{"gone.json", std::nullopt, "no such file"}}}));
    EXPECT_EQ(report["unreadable"][0]["path"], "gone.json");
    EXPECT_TRUE(report["unreadable"][0]["byte_offset"].is_null());
    EXPECT_EQ(report["runs"][0]["unreadable"][0]["byte_offset"], 99);
    EXPECT_EQ(report["runs"][0]["missing_ranks"], json({0, 1}));
    EXPECT_EQ(report["runs"][0]["ranks"][0]["health"]["skipped"], 1);
    EXPECT_EQ(report["runs"][0]["ranks"][0]["health"]["parse_issues"][0]["byte_offset"], 777);
    EXPECT_EQ(report["runs"][0]["ranks"][0]["health"]["parse_issues"][0]["file"], "runs/rank2.json");
}

TEST(JsonReport, NamesThatAreNoUtf8DoNotBreakIt) {
    AnalysedRun run = sampleRun();
    run.diagnosis.findings[0].title = "bad \xff byte";
    EXPECT_EQ(reportOf(run)["runs"][0]["findings"][0]["title"], "bad \xEF\xBF\xBD byte");
}

TEST(JsonReport, HoldsAgainstItsSchema) {
    const AnalysedRun run = sampleRun();
    RANKSCOPE_EXPECT_REPORT_HOLDS(jsonReport({{&run}, {{"gone.json", std::nullopt, "no such file"}}}));
}

TEST(JsonReport, HoldsAgainstItsSchemaWithNothingInIt) {
    RANKSCOPE_EXPECT_REPORT_HOLDS(jsonReport({}));
}

TEST(JsonReport, TheSchemaRefusesAnUnknownKeyAndAnUnknownWord) {
    json report = reportOf(sampleRun());
    report["runs"][0]["steps"][0]["surprise"] = 1;
    const SchemaVerdict unknown_key = checkReport(report.dump());
    if (!unknown_key.checked) {
        GTEST_SKIP() << "skipped: " << unknown_key.message;
    }
    EXPECT_FALSE(unknown_key.holds);
    EXPECT_THAT(unknown_key.message, testing::HasSubstr("surprise"));
    report = reportOf(sampleRun());
    report["runs"][0]["findings"][0]["severity"] = "dreadful";
    EXPECT_FALSE(checkReport(report.dump()).holds);
}

TEST(JsonInfo, ShowsTracksAndStepsOfEachRank) {
    const AnalysedRun run = sampleRun();
    const json info = json::parse(jsonInfo({{&run}, {}}));
    EXPECT_EQ(info["report"], "info");
    const json rank = info["runs"][0]["ranks"][0];
    ASSERT_EQ(rank["tracks"].size(), 2U);
    EXPECT_EQ(rank["tracks"][1]["name"], "stream 7");
    EXPECT_EQ(rank["tracks"][1]["kind"], "stream");
    EXPECT_EQ(rank["tracks"][1]["slices"], 1);
    EXPECT_EQ(rank["tracks"][1]["start_ns"], 700);
    EXPECT_EQ(rank["tracks"][1]["end_ns"], 1500);
    EXPECT_EQ(rank["steps"]["indices"], json({5, 6}));
    EXPECT_EQ(rank["steps"]["source"], "profiler-step");
}

TEST(JsonInfo, HoldsAgainstItsSchema) {
    const AnalysedRun run = sampleRun();
    RANKSCOPE_EXPECT_REPORT_HOLDS(jsonInfo({{&run}, {}}));
}

}  // namespace
}  // namespace rankscope::test
