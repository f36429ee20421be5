// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/reports.h"

#include <algorithm>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "core/report/json/parts.h"
#include "core/report/version.h"
#include "tests/support/places.h"
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

TEST(Versions, AreShownTogetherTheProgramsFirst) {
    EXPECT_THAT(versionsText(), testing::MatchesRegex("[0-9.]+ \\(report schema [0-9]+, definitions [0-9]+\\)"));
    EXPECT_THAT(versionsText(), testing::StartsWith(std::string(toolVersion()) + " "));
}

TEST(JsonReport, GivesTheVerdictAloneInTheSameWords) {
    const AnalysedRun run = sampleRun();
    const json whole = reportOf(run)["runs"][0];
    const json verdict = json::parse(jsonVerdict(run));
    EXPECT_THAT(verdict, testing::SizeIs(7));
    for (const auto& [key, value] : verdict.items()) {
        EXPECT_EQ(value, whole[key]) << key;
    }
    EXPECT_FALSE(verdict["findings"].empty());
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

TEST(JsonReport, TransferAndWaitingAreNullWhereTheyAreUnknown) {
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

TEST(JsonReport, HasTransferFitsAndPricesOfDdp) {
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

TEST(JsonReport, MatchesItsSchema) {
    const AnalysedRun run = sampleRun();
    RANKSCOPE_EXPECT_REPORT_HOLDS(jsonReport({{&run}, {{"gone.json", std::nullopt, "no such file"}}}));
}

TEST(JsonReport, MatchesItsSchemaWhenEmpty) {
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

TEST(JsonInfo, MatchesItsSchema) {
    const AnalysedRun run = sampleRun();
    RANKSCOPE_EXPECT_REPORT_HOLDS(jsonInfo({{&run}, {}}));
}

/// "steps/ranks", of "/runs/0/steps/3/ranks": what an entry of `runs` calls it, without places in lists.
std::string pathInRun(const std::string& pointer) {
    const std::string keys = std::regex_replace(pointer, std::regex("/[0-9]+(?=/|$)"), "");
    return keys.substr(std::min(keys.size(), std::string("/runs/").size()));
}

TEST(JsonReport, InShortLacksWhatItListsAndNothingElse) {
    AnalysedRun run = sampleRun();
    std::vector<Evidence>& evidence = run.diagnosis.findings[0].evidence;
    evidence.resize(7, Evidence(evidence.front()));
    const json all = reportOf(run);
    const json brief = json::parse(jsonReport({{&run}, {}}, JsonDetail::Short));
    const auto left_out = report::leftOutPaths();
    std::set<std::string> gone;
    for (const json& change : json::diff(all, brief)) {
        const std::string path = change["path"];
        if (change["op"] == "replace") {
            EXPECT_TRUE(path == "/detail" || path == "/runs/0/findings/0/evidence_left_out") << path;
            continue;
        }
        EXPECT_EQ(change["op"], "remove");
        const std::string key = pathInRun(path);
        EXPECT_TRUE(key == "findings/evidence" || std::ranges::find(left_out, key) != left_out.end()) << path;
        gone.insert(key);
    }
    EXPECT_THAT(gone, testing::IsSupersetOf({"steps/ranks", "findings/evidence"}));
    EXPECT_EQ(brief["detail"], false);
    EXPECT_EQ(brief["runs"][0]["findings"][0]["evidence"].size(), report::kShortEvidence);
    EXPECT_EQ(brief["runs"][0]["findings"][0]["evidence_left_out"], 7 - report::kShortEvidence);
    EXPECT_EQ(all["runs"][0]["findings"][0]["evidence_left_out"], 0);
    RANKSCOPE_EXPECT_REPORT_HOLDS(jsonReport({{&run}, {}}, JsonDetail::Short));
}

/// What a part of the schema says of an entry: behind references and lists, and not that it may be null.
json entryOf(const json& schema, json part) {
    for (;;) {
        if (part.contains("$ref")) {
            part = schema.at(json::json_pointer(part["$ref"].get<std::string>().substr(1)));
        } else if (part.contains("items")) {
            part = json(part["items"]);
        } else if (part.contains("oneOf")) {
            part = json(part["oneOf"][0]);
        } else {
            return part;
        }
    }
}

TEST(JsonReport, InShortLacksOnlyWhatTheSchemaDoesNotRequire) {
    std::ifstream file(sourceFolder() / "resources/report.schema.json");
    const json schema = json::parse(file);
    for (const std::string_view path : report::leftOutPaths()) {
        SCOPED_TRACE(path);
        json entry = entryOf(schema, schema["$defs"]["run"]);
        std::istringstream keys{std::string(path)};
        std::string key;
        std::getline(keys, key, '/');
        for (std::string next; std::getline(keys, next, '/'); key = next) {
            ASSERT_TRUE(entry["properties"].contains(key));
            entry = entryOf(schema, json(entry["properties"][key]));
        }
        ASSERT_TRUE(entry["properties"].contains(key));
        EXPECT_THAT(entry["required"], testing::Not(testing::Contains(json(key))));
        EXPECT_THAT(entry["properties"][key].value("description", ""), testing::EndsWith("ot in a short report"));
    }
}

}  // namespace
}  // namespace rankscope::test
