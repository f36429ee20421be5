// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/memory/snapshot_facts.h"
#include "core/report/reports.h"
#include "core/report/tables/memory_summary.h"
#include "core/trace/memory_snapshot.h"
#include "tests/support/report_schema.h"
#include "tests/support/testing.h"
#include "tests/unit/report/report_parts.h"
#include "tests/unit/report/sample_run.h"

namespace rankscope::test {
namespace {

/// The sample run, whose rank 2 held 900 of 1,200 bytes in its first step.
AnalysedRun runWithMemory() {
    AnalysedRun run = sampleRun();
    MemoryAtPeak memory;
    memory.device = 0;
    memory.at_ns = kBaseNs + 100;
    memory.step = RankStepPosition(0);
    memory.phase = Phase::Backward;
    memory.allocated = 900;
    memory.reserved = 1200;
    memory.parts[MemoryPart::Activations] = 500;
    memory.parts[MemoryPart::Held] = 300;
    memory.parts[MemoryPart::Unknown] = 100;
    memory.operators = {{"aten::<mm>", MemoryPart::Activations, 500, 2, 400, {}}};
    memory.has_addresses = true;
    memory.unseen = 7;
    MemoryCheckpoint start;
    start.at_ns = kBaseNs;
    start.allocated = 300;
    MemoryCheckpoint backward = start;
    backward.step = RankStepPosition(0);
    backward.phase = Phase::Backward;
    backward.allocated = 200;
    backward.peak = 900;
    backward.delta = -100;
    memory.checkpoints = {start, backward};
    run.facts.memory.ranks.assign(run.run->ranks.size(), {});
    run.facts.memory.ranks[0] = {memory};
    run.facts.memory.model.parameters = 1'000'000'000;
    return run;
}

TEST(MemoryReport, HasInTheJsonWhatTheGridDividesAndTheFormulaDoesNot) {
    AnalysedRun run = runWithMemory();
    run.facts.parallelism.grid.dimensions = {{Role::Pipeline, 4, {}}, {Role::Tensor, 2, {}}};
    const json entered = runJson(run)["memory_formula"];
    EXPECT_EQ(entered["grid_divides_states_by"], 8);
    EXPECT_EQ(entered["grid_divides_activations_by"], 2);
    run.facts.memory.model.parameters.reset();
    run.facts.shards.stage.parameters = 1'000'000;
    EXPECT_EQ(runJson(run)["memory_formula"]["grid_divides_states_by"], 1) << "shards show those of one device";
}

TEST(MemoryReport, HasInTheJsonTheUseOfMemoryAtThePeak) {
    const AnalysedRun run = runWithMemory();
    const json memory = runJson(run)["memory_at_peak"];
    ASSERT_EQ(memory.size(), 1U);
    EXPECT_EQ(memory[0]["allocated_bytes"], 900);
    EXPECT_EQ(memory[0]["cache_bytes"], 300);
    EXPECT_EQ(memory[0]["at_ns"], 100);
    EXPECT_EQ(memory[0]["phase"], "backward");
    std::int64_t sum = 0;
    for (const auto& [part, bytes] : memory[0]["parts"].items()) {
        sum += bytes.get<std::int64_t>();
    }
    EXPECT_EQ(sum, 900);
    EXPECT_EQ(memory[0]["operators"][0]["name"], "aten::<mm>");
    EXPECT_EQ(memory[0]["checkpoints"][1]["delta_bytes"], -100);
    EXPECT_EQ(memory[0]["checkpoints"][0]["phase"], nullptr);
}

TEST(MemoryReport, HasTheFormulaNextToIt) {
    const json formula = runJson(runWithMemory())["memory_formula"];
    EXPECT_EQ(formula["parameters"], 1'000'000'000);
    EXPECT_TRUE(formula["entered"]);
    EXPECT_EQ(formula["states"][0]["types"], "mixed");
    EXPECT_EQ(formula["states"][0]["optimizer_state_bytes"], 12e9);
    EXPECT_EQ(formula["activations"], nullptr);
    EXPECT_EQ(formula["grid_divides_states_by"], 2) << "the sample's tensor groups are of two ranks";
    EXPECT_EQ(runJson(sampleRun())["memory_formula"], nullptr);
}

TEST(MemoryReport, MatchesTheSchema) {
    const AnalysedRun run = runWithMemory();
    RANKSCOPE_EXPECT_REPORT_HOLDS(jsonReport({{&run}, {}}));
}

TEST(MemoryReport, SaysTheSameInTextMarkdownAndHtml) {
    const AnalysedRun run = runWithMemory();
    const std::string text = textReport(run);
    EXPECT_THAT(text, AllOf(HasSubstr("\nMemory\n"), HasSubstr("900 B allocated of 1.20 kB reserved"),
                            HasSubstr("rank 2        500 B  300 B    100 B      900 B  300 B   1.20 kB"),
                            HasSubstr("after the backward"), HasSubstr("12.0 GB")));
    EXPECT_THAT(text, HasSubstr("Activations take most"));
    EXPECT_THAT(markdownReport({{&run}, {}}), AllOf(HasSubstr("<summary>Memory</summary>"), HasSubstr("activations")));
    EXPECT_THAT(htmlReport({{&run}, {}}),
                AllOf(HasSubstr("<h2>Memory</h2>"), HasSubstr("aten::&lt;mm&gt;"), Not(HasSubstr("aten::<mm>"))));
    EXPECT_THAT(textReport(sampleRun()), Not(HasSubstr("\nMemory\n")));
}

TEST(MemoryReport, CheckpointsBeginWithTheOneThatTheyChangeFromAndTheRestIsCounted) {
    AnalysedRun run = runWithMemory();
    const report::Table two = report::memoryCheckpointTable(run);
    ASSERT_EQ(two.rows.size(), 2U);
    EXPECT_THAT(two.rows[0], ElementsAre("start of the window", "300 B", "0 B", "0 B", "-"));
    EXPECT_EQ(two.rows[1].back(), "-100 B");
    EXPECT_EQ(report::memoryLeftOut(run, 16, 12), "");
    std::vector<MemoryCheckpoint>& points = run.facts.memory.ranks[0][0].checkpoints;
    points.insert(points.begin(), 2, points.front());
    EXPECT_EQ(report::memoryCheckpointTable(run).rows.size(), 2U);
    EXPECT_THAT(textReport(run), HasSubstr("And 2 more checkpoints, in --json."));
    EXPECT_THAT(markdownReport({{&run}, {}}), HasSubstr("2 more checkpoints"));
    EXPECT_THAT(htmlReport({{&run}, {}}), HasSubstr("2 more checkpoints"));
}

TEST(MemoryReport, HasTablesForPrograms) {
    const AnalysedRun run = runWithMemory();
    for (const auto& [name, cell] : {std::pair("memory_peaks.csv", ",900,1200,300,"),
                                     std::pair("memory_operators.csv", "aten::<mm>,activations,500,2,400"),
                                     std::pair("memory_checkpoints.csv", "-100")}) {
        EXPECT_THAT(csvOf(run, name), HasSubstr(cell)) << name;
    }
}

/// A snapshot of one segment: half of it of a model, half of it free.
MemorySnapshot someSnapshot() {
    MemorySnapshot snapshot;
    snapshot.path = "folder/<snap>.pickle";
    snapshot.frames = {
        {snapshot.strings.intern("x/torch/nn/modules/linear.py"), snapshot.strings.intern("__init__"), 3}};
    snapshot.stacks.push_back({0});
    SnapshotSegment& segment = snapshot.segments.emplace_back();
    segment.total = 2048;
    segment.block_count = 2;
    snapshot.blocks = {{4096, 1024, 1000, BlockState::Allocated, 1}, {5120, 1024, 1024, BlockState::Inactive, 0}};
    snapshot.history = {{{AllocatorAction::Alloc, 4096, 1024, 10, 1}}};
    snapshot.settings = {{"max_split_size", "-1"}};
    return snapshot;
}

TEST(SnapshotReport, IsInAllFormats) {
    const MemorySnapshot snapshot = someSnapshot();
    const SnapshotFacts facts = snapshotFacts(snapshot);
    ReportInput input;
    input.snapshots = {{&snapshot, &facts}};
    EXPECT_THAT(textSnapshot(input.snapshots[0]),
                AllOf(HasSubstr("Memory snapshot <snap>.pickle"), HasSubstr("fragmentation 50 %"),
                      HasSubstr("Parameters"), HasSubstr("linear.py(3): __init__"), HasSubstr("expandable_segments")));
    EXPECT_THAT(markdownReport(input), HasSubstr("linear.py"));
    EXPECT_THAT(htmlReport(input), AllOf(HasSubstr("Memory snapshot &lt;snap&gt;.pickle"), Not(HasSubstr("<snap>"))));
    const json out = json::parse(jsonReport(input));
    ASSERT_EQ(out["memory_snapshots"].size(), 1U);
    const json& device = out["memory_snapshots"][0]["devices"][0];
    EXPECT_EQ(device["fragmentation"], 0.5);
    EXPECT_EQ(device["parts"]["parameters"], 1024);
    EXPECT_EQ(device["stacks"][0]["frames"][0], "x/torch/nn/modules/linear.py(3): __init__");
    EXPECT_EQ(device["peak"]["active_bytes"], 1000) << "asked for";
    const std::vector<CsvFile> files = csvReport(input);
    for (const char* name : {"memory_snapshots.csv", "memory_stacks.csv", "memory_segments.csv", "memory_blocks.csv"}) {
        EXPECT_NE(std::ranges::find(files, name, &CsvFile::name), files.end()) << name;
    }
}

TEST(SnapshotReport, MatchesTheSchema) {
    const MemorySnapshot snapshot = someSnapshot();
    const SnapshotFacts facts = snapshotFacts(snapshot);
    ReportInput input;
    input.snapshots = {{&snapshot, &facts}};
    RANKSCOPE_EXPECT_REPORT_HOLDS(jsonInfo(input));
}

TEST(SnapshotReport, SaysWhatToRecordWhereThereAreNoStacks) {
    MemorySnapshot snapshot = someSnapshot();
    snapshot.stacks.resize(1);
    snapshot.blocks[0].stack = 0;
    snapshot.history.clear();
    const SnapshotFacts facts = snapshotFacts(snapshot);
    EXPECT_THAT(textSnapshot({&snapshot, &facts}), AllOf(HasSubstr("_record_memory_history()"),
                                                         HasSubstr("Cannot tell"), Not(HasSubstr("Memory by stack"))));
}

}  // namespace
}  // namespace rankscope::test
