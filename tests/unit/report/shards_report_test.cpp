// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/reports.h"
#include "tests/support/testing.h"
#include "tests/unit/report/report_parts.h"
#include "tests/unit/report/sample_run.h"

namespace rankscope::test {
namespace {

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
    const json shards = runJson(run)["shards"];
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
    EXPECT_TRUE(runJson(run)["shards"].is_null());
    EXPECT_THAT(textReport(run) + markdownReport({{&run}, {}}) + htmlReport({{&run}, {}}),
                Not(HasSubstr("arrives last at")));
}

TEST(ShardsReport, NamesWhoComesLastAndTheStageInAllTexts) {
    const AnalysedRun run = shardedRun();
    for (const std::string& text : {textReport(run), markdownReport({{&run}, {}}), htmlReport({{&run}, {}})}) {
        EXPECT_THAT(text, AllOf(HasSubstr("Rank 3 arrives last at 1 of 1"), HasSubstr("ZeRO stage 3"),
                                HasSubstr("Gathers in both."), HasSubstr("longer than what could hide it")));
    }
    EXPECT_THAT(htmlReport({{&run}, {}}), AllOf(HasSubstr("&lt;layer&gt;"), Not(HasSubstr("<layer>"))));
}

TEST(ShardsReport, HasWhatUnitsAndRanksHaveInTheOpenAsCsv) {
    const AnalysedRun run = shardedRun();
    EXPECT_THAT(csvOf(run, "shard_units.csv"),
                AllOf(HasSubstr("cause_host_late_ns"), HasSubstr("<layer>,gather,1,20,25,15,0,0,0,0,10,0,0,0")));
    EXPECT_THAT(csvOf(run, "shard_ranks.csv"),
                AllOf(HasSubstr(",1,25,0,0,15,0,0,0,0,10,0,0,0"), HasSubstr(",0,,,,,,,,,,,,")))
        << "no step of the second counts";
}

TEST(ShardsReport, HasARowForEachPartAsCsv) {
    EXPECT_THAT(csvOf(shardedRun(), "shards.csv"),
                HasSubstr("<layer>,gather,other,false,50,100,40,30,1,15,host-late,10,too-large,0"));
}

}  // namespace
}  // namespace rankscope::test
