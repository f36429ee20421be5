// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/reports.h"
#include "core/report/tables/run_tables.h"
#include "core/report/words/summary.h"
#include "tests/support/testing.h"
#include "tests/unit/report/report_parts.h"
#include "tests/unit/report/sample_run.h"

namespace rankscope::test {
namespace {

/// The sample run with experts on both ranks, of which one pass can be compared, and with two tensor operations.
AnalysedRun dividedRun() {
    AnalysedRun run = sampleRun();
    ExpertFacts& experts = run.facts.experts;
    experts.ranks.resize(2);
    for (RankExperts& rank : experts.ranks) {
        rank.operations.resize(kExpertOperations);
    }
    experts.ranks[0].operations[0] = {.count = 3, .time_ns = 90, .wait_ns = 30, .exposed_ns = 80, .bytes = 5000};
    experts.ranks[0].compute_ns = 700;
    experts.ranks[0].slowest = 0U;
    experts.ranks[1].slowest = 1U;
    ExpertLayer layer;
    layer.step = 5;
    layer.slowest = RankPosition(1);
    layer.longest_ns = 150;
    layer.mean_ns = 100;
    layer.lost_ns = 40;
    experts.layers = {layer};
    TensorFacts& tensor = run.facts.tensor;
    tensor.steps_ns = 1000;
    tensor.forward_only = true;
    TensorOperation sum;
    sum.kind = CollectiveKind::AllReduce;
    sum.bytes = 4096;
    sum.times = {.count = 4, .time_ns = 250, .transfer_ns = 100, .exposed_ns = 125};
    sum.bound = TransferBound::Latency;
    tensor.operations = {sum};
    tensor.layers = {{"<layers.0>", {.count = 3, .time_ns = 200, .transfer_ns = 90, .exposed_ns = 100}},
                     {"", {.count = 1, .time_ns = 50, .transfer_ns = 10, .exposed_ns = 25}}};
    return run;
}

TEST(DividedReport, HasExpertsAndTensorsInTheJson) {
    const AnalysedRun run = dividedRun();
    const json out = runJson(run);
    EXPECT_DOUBLE_EQ(out["experts"]["imbalance"], 1.5);
    EXPECT_EQ(out["experts"]["ranks"][0]["dispatch"]["bytes"], 5000);
    EXPECT_TRUE(out["experts"]["ranks"][0]["combine"]["bytes"].is_null()) << "no size is recorded";
    EXPECT_EQ(out["experts"]["layers"][0]["lost_ns"], 40);
    EXPECT_EQ(out["tensor"]["operations"][0]["bound"], "latency");
    EXPECT_EQ(out["tensor"]["layers"][0]["name"], "<layers.0>");
    EXPECT_TRUE(out["tensor"]["layers"][1]["name"].is_null());
}

TEST(DividedReport, IsNullAndSaysNothingWithoutSuchGroups) {
    const AnalysedRun run = sampleRun();
    const json out = runJson(run);
    EXPECT_TRUE(out["experts"].is_null());
    EXPECT_TRUE(out["tensor"].is_null());
    EXPECT_THAT(textReport(run) + markdownReport({{&run}, {}}),
                AllOf(Not(HasSubstr("Experts")), Not(HasSubstr("Tensor and sequence parallelism"))));
}

TEST(DividedReport, SaysTheSameInAllTexts) {
    const AnalysedRun run = dividedRun();
    for (const std::string& text : {textReport(run), markdownReport({{&run}, {}}), htmlReport({{&run}, {}})}) {
        EXPECT_THAT(text, AllOf(HasSubstr("the slowest rank computes 50 % longer"), HasSubstr("take 25 % of all ranks"),
                                HasSubstr("Only a forward is recorded")));
    }
    EXPECT_THAT(htmlReport({{&run}, {}}), AllOf(HasSubstr("&lt;layers.0&gt;"), Not(HasSubstr("<layers.0>"))));
}

TEST(DividedReport, NamesTheGroupOfEachCollectiveOfLayers) {
    AnalysedRun run = dividedRun();
    run.facts.collectives.groups.resize(2);
    run.facts.collectives.groups[0].ranks = {RankNumber(0), RankNumber(1)};
    run.facts.collectives.groups[1].ranks = {RankNumber(2), RankNumber(3), RankNumber(4)};
    run.facts.tensor.operations.push_back(run.facts.tensor.operations.front());
    run.facts.tensor.operations.back().group = 1;
    const report::Table table = report::tensorTable(run, 8);
    ASSERT_EQ(table.header.at(1), "group");
    ASSERT_EQ(table.rows.size(), 2U);
    EXPECT_EQ(table.rows[0].at(1), "ranks 0, 1");
    EXPECT_EQ(table.rows[1].at(1), "ranks 2 to 4");
    const report::DataTable facts = report::tensorOperationsTable(run).only({"ranks"});
    EXPECT_EQ(report::cellValue(facts.rows.at(1).at(0)), "2 3 4");
}

TEST(DividedReport, HasLayersWhereANameShowsThem) {
    AnalysedRun run = dividedRun();
    const auto tables = report::runTableList();
    const auto layers = std::ranges::find(tables, "Layers of the model", &report::RunTable::title);
    ASSERT_NE(layers, tables.end());
    EXPECT_TRUE(layers->can_have(run));
    run.facts.tensor.layers.erase(run.facts.tensor.layers.begin());
    EXPECT_FALSE(layers->can_have(run)) << "all collectives once more";
}

TEST(DividedReport, HasNoZeroWhereWaitsAndComputeOfExpertsAreUnknown) {
    AnalysedRun run = dividedRun();
    RankExperts& rank = run.facts.experts.ranks[0];
    rank.operations[0].wait_ns = std::nullopt;
    rank.compute_ns = std::nullopt;
    rank.slowest = std::nullopt;
    const report::Table table = report::expertTable(run, 2);
    ASSERT_EQ(table.header.at(2), "(waiting)");
    EXPECT_EQ(table.rows.at(0).at(2), "-");
    EXPECT_EQ(table.rows.at(0).at(8), "-");
    EXPECT_EQ(table.rows.at(0).at(9), "-");
    const json of_rank = runJson(run)["experts"]["ranks"][0];
    EXPECT_TRUE(of_rank["dispatch"]["wait_ns"].is_null());
    EXPECT_TRUE(of_rank["compute_ns"].is_null());
    EXPECT_TRUE(of_rank["slowest"].is_null());
    EXPECT_THAT(csvOf(run, "experts.csv"), HasSubstr(",0,2,dispatch,3,90,,80,5000,,\r\n"));
}

TEST(DividedReport, HasAColumnForExposedCommunicationThatCannotBeDivided) {
    AnalysedRun run = sampleRun();
    EXPECT_THAT(report::partitionTable(run).header, Not(testing::Contains("(waiting)")));
    const auto divide = [&run](DurationNs transfer_ns, DurationNs wait_ns, DurationNs undivided_ns) {
        for (RankStep& step : run.facts.ranks[0].steps) {
            step.partition->exposed_transfer_ns = transfer_ns;
            step.partition->exposed_wait_ns = wait_ns;
            step.partition->exposed_unsplit_ns = undivided_ns;
        }
    };
    divide(10, 20, 0);
    EXPECT_THAT(report::partitionTable(run).header, Not(testing::Contains("(not divided)")));
    divide(3, 1, 26);
    const report::Table table = report::partitionTable(run);
    const auto column = std::ranges::find(table.header, "(not divided)");
    ASSERT_NE(column, table.header.end());
    EXPECT_EQ(table.rows.at(0).at(static_cast<std::size_t>(column - table.header.begin())), "26 ns");
    EXPECT_THAT(csvOf(run, "typical_steps.csv"), HasSubstr(",exposed_unsplit_ns,"));
}

TEST(DividedReport, ComparesLatenessWithPeersWhereTheseAreNotAllRanks) {
    AnalysedRun run = sampleRun();
    StragglerFacts& late = run.facts.stragglers;
    late.ranks = {{.rank = RankPosition(0), .steps = {}, .z_score = {}},
                  {.rank = RankPosition(1), .steps = {}, .z_score = {}}};
    late.peers = {{RankPosition(0), RankPosition(1)}};
    EXPECT_EQ(report::latenessTable(run, 2).header.at(2), "of the mean");
    late.peers = {{RankPosition(0)}, {RankPosition(1)}};
    EXPECT_EQ(report::latenessTable(run, 2).header.at(2), "of its peers' mean");
}

TEST(DividedReport, HasItsTablesAsCsv) {
    const AnalysedRun run = dividedRun();
    EXPECT_THAT(csvOf(run, "experts.csv"), HasSubstr(",0,2,dispatch,3,90,30,80,5000,700,0\r\n"));
    EXPECT_THAT(csvOf(run, "expert_layers.csv"), HasSubstr(",5,0,0,1,150,100,40\r\n"));
    EXPECT_THAT(csvOf(run, "tensor_operations.csv"), HasSubstr(",0,,tensor,all-reduce,4096,latency,4,250,100,125\r\n"));
    EXPECT_THAT(csvOf(run, "tensor_layers.csv"), HasSubstr(",<layers.0>,3,200,90,100\r\n"));
}

}  // namespace
}  // namespace rankscope::test
