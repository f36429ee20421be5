// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/report/reports.h"
#include "tests/unit/report/sample_run.h"

namespace rankscope::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// The sample run with a gather of a unit "<layer>", for which rank 3 came last, and a stage.
AnalysedRun shardedRun() {
    AnalysedRun run = sampleRun();
    Collective gather;
    gather.kind = CollectiveKind::AllGather;
    gather.name = "_allgather_base";
    gather.transfer_ns = 20;
    run.facts.collectives.groups.resize(1);
    run.facts.collectives.collectives = {gather};
    ShardFacts& shards = run.facts.shards;
    shards.framework = ShardFramework::Fsdp2;
    shards.units = {{.name = "<layer>", .named = true, .gathered_elements = 1000}};
    ShardCollective shard;
    shard.last = RankPosition(1);
    shard.compute_ns = 300;
    shard.wait_cause = ShardCause::HostLate;
    shard.transfer_cause = ShardCause::TooLarge;
    shards.collectives = {shard};
    ShardPart part;
    part.call = {kBaseNs + 50, kBaseNs + 60};
    part.span = {kBaseNs + 100, kBaseNs + 140};
    part.kernel = {TrackId(1), 0};
    part.consumer = {TrackId(1), 0};
    part.consumer_wait_ns = 30;
    part.wait_ns = 15;
    part.transfer_ns = 10;
    shards.ranks.resize(2);
    shards.ranks[0].parts = {part};
    shards.ranks[0].steps.resize(2);
    shards.ranks[0].steps[0].gathers[ShardCause::HostLate] = 15;
    shards.ranks[0].steps[0].gathers[ShardCause::TooLarge] = 10;
    shards.ranks[0].counted = shards.ranks[0].steps[0];
    shards.ranks[1].steps.resize(1);
    shards.ranks[1].last = 1;
    shards.ranks[1].late_ns = 15;
    shards.stage.lowest = shards.stage.highest = 3;
    shards.stage.ranks = 2;
    shards.stage.rule_factor = 1.5;
    shards.stage.rule_bytes_each = 8;
    shards.stage.rule_memory_factor = 2;
    shards.stage.evidence = {"Gathers in both."};
    return run;
}

TEST(ShardsReport, HasUnitsPartsAndCausesInTheJson) {
    const AnalysedRun run = shardedRun();
    const json shards = json::parse(jsonReport({{&run}, {}}))["runs"][0]["shards"];
    EXPECT_EQ(shards["framework"], "fsdp2");
    EXPECT_EQ(shards["units"][0]["name"], "<layer>");
    EXPECT_EQ(shards["collectives"][0]["wait_cause"], "host-late");
    EXPECT_EQ(shards["collectives"][0]["last"], 1);
    const json& part = shards["ranks"][0]["parts"][0];
    EXPECT_EQ(part["launched_ns"], 50);
    EXPECT_EQ(part["start_ns"], 100);
    EXPECT_EQ(part["use_waited_ns"], 30);
    EXPECT_EQ(part["used_by"], "gemm");
    EXPECT_EQ(shards["ranks"][0]["steps"][0]["gather_ns"]["too-large"], 10);
    EXPECT_EQ(shards["ranks"][1]["waited_for_ns"], 15);
    EXPECT_EQ(shards["stage"]["lowest"], 3);
    EXPECT_TRUE(shards["stage"]["traffic_factor"].is_null()) << "no size is recorded";
}

TEST(ShardsReport, IsNullWithoutShards) {
    const AnalysedRun run = sampleRun();
    EXPECT_TRUE(json::parse(jsonReport({{&run}, {}}))["runs"][0]["shards"].is_null());
    EXPECT_THAT(textReport(run) + markdownReport({{&run}, {}}) + htmlReport({{&run}, {}}),
                Not(HasSubstr("comes last to")));
}

TEST(ShardsReport, NamesWhoComesLastAndTheStageInAllTexts) {
    const AnalysedRun run = shardedRun();
    for (const std::string& text : {textReport(run), markdownReport({{&run}, {}}), htmlReport({{&run}, {}})}) {
        EXPECT_THAT(text, AllOf(HasSubstr("Rank 3 comes last to 1 of 1"), HasSubstr("ZeRO stage 3"),
                                HasSubstr("Gathers in both."), HasSubstr("longer than what could hide it")));
    }
    EXPECT_THAT(htmlReport({{&run}, {}}), AllOf(HasSubstr("&lt;layer&gt;"), Not(HasSubstr("<layer>"))));
}

TEST(ShardsReport, HasWhatUnitsAndRanksHaveInTheOpenAsCsv) {
    const AnalysedRun run = shardedRun();
    const std::vector<CsvFile> files = csvReport({{&run}, {}});
    const auto text_of = [&files](const char* name) {
        const auto file = std::ranges::find(files, name, &CsvFile::name);
        return file == files.end() ? std::string() : file->text;
    };
    EXPECT_THAT(text_of("shard_units.csv"),
                AllOf(HasSubstr("cause_host_late_ns"), HasSubstr("<layer>,gather,1,20,25,15,0,0,0,0,10,0,0,0")));
    EXPECT_THAT(text_of("shard_ranks.csv"),
                AllOf(HasSubstr(",1,25,0,0,15,0,0,0,0,10,0,0,0"), HasSubstr(",0,,,,,,,,,,,,")))
        << "no step of the second counts";
}

TEST(ShardsReport, HasARowForEachPartAsCsv) {
    const AnalysedRun run = shardedRun();
    const std::vector<CsvFile> files = csvReport({{&run}, {}});
    const auto file = std::ranges::find(files, "shards.csv", &CsvFile::name);
    ASSERT_NE(file, files.end());
    EXPECT_THAT(file->text, HasSubstr("<layer>,gather,other,false,50,100,40,30,1,15,host-late,10,too-large,0"));
}

}  // namespace
}  // namespace rankscope::test
