// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/run_cli.h"
#include "tests/cli/trace_text.h"
#include "tests/support/memory_snapshot.h"
#include "tests/support/report_schema.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

class MemoryCli : public testing::Test {
  protected:
    std::string trace() { return scratch.write("rank0.json", traceText(0, 0)); }
    std::string snapshot() { return writeSnapshot(scratch, "snapshot.pickle"); }

    TempFolder scratch;
};

TEST_F(MemoryCli, ReadsASnapshotBesideTracesAndByItself) {
    const ProcessResult beside = cli({"analyze", trace(), "--memory-snapshot", snapshot(), "--json", "-"});
    ASSERT_EQ(beside.code, 0) << beside.err;
    const json report = json::parse(beside.out);
    EXPECT_EQ(report["runs"].size(), 1U);
    EXPECT_EQ(report["memory_snapshots"][0]["devices"][0]["split_bytes"], 6 << 20);
    const ProcessResult alone = cli({"info", snapshot()});
    EXPECT_EQ(alone.code, 0) << alone.err;
    EXPECT_THAT(alone.out, AllOf(HasSubstr("Memory snapshot snapshot.pickle"), HasSubstr("Memory by stack")));
    RANKSCOPE_EXPECT_REPORT_HOLDS(cli({"info", snapshot(), "--json", "-"}).out);
}

TEST_F(MemoryCli, TellsASnapshotFromATraceByItsBytes) {
    const ProcessResult result = cli({"analyze", trace(), snapshot(), "--json", "-"});
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(json::parse(result.out)["memory_snapshots"].size(), 1U);
}

TEST_F(MemoryCli, RefusesAPickleThatIsMoreThanDataAndRunsNothingOfIt) {
    const std::string mark = (scratch.path() / "was-run").string();
    const std::string evil =
        scratch.write("evil.pickle", std::string("\x80\x02") + "cos\nsystem\n(U" + static_cast<char>(mark.size() + 6) +
                                         "touch " + mark + "tR.");
    const ProcessResult result = cli({"info", evil});
    EXPECT_EQ(result.code, 3);
    EXPECT_THAT(result.err, HasSubstr("evil.pickle, byte 2: the opcode GLOBAL"));
    EXPECT_FALSE(std::filesystem::exists(mark));
    // Beside a trace it costs itself only.
    const ProcessResult beside = cli({"analyze", trace(), "--memory-snapshot", evil});
    EXPECT_EQ(beside.code, 4);
    EXPECT_THAT(beside.out, HasSubstr("rank"));
}

TEST_F(MemoryCli, DoesNotWriteOverASnapshot) {
    const std::string path = snapshot();
    const ProcessResult result = cli({"info", path, "--json", path});
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, HasSubstr("would overwrite it"));
}

TEST_F(MemoryCli, TakesTheSizeOfTheModelForTheFormulas) {
    const ProcessResult result = cli({"analyze", trace(), "--params", "7B", "--layers", "32", "--hidden", "4096",
                                      "--sequence", "2048", "--micro-batch", "1", "--heads", "32", "--json", "-"});
    ASSERT_EQ(result.code, 0) << result.err;
    const json formula = json::parse(result.out)["runs"][0]["memory_formula"];
    EXPECT_EQ(formula["states"][0]["optimizer_state_bytes"], 84e9);
    EXPECT_EQ(formula["activations"]["without_scores_bytes"], 34.0 * 32 * 4096 * 2048);
    EXPECT_EQ(formula["activations"]["all_bytes"], (34.0 + 5.0 * 32 * 2048 / 4096) * 32 * 4096 * 2048);
    for (const std::string wrong : {"0", "-5", "many", "7X", "nan", "1e30"}) {
        EXPECT_EQ(cli({"analyze", trace(), "--params", wrong}).code, 2) << wrong;
    }
}

}  // namespace
}  // namespace rankscope::test
