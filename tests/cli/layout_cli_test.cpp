// SPDX-License-Identifier: GPL-3.0-or-later
// Layouts on disk by the command line: exit codes, and one run of many folders.

#include "tests/cli/run_cli.h"
#include "tests/cli/trace_text.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

using nlohmann::json;

class LayoutCli : public ::testing::Test {
  protected:
    /// A job of two ranks with JSON beside them that is no trace.
    [[nodiscard]] std::string mixedJob() const {
        std::string job = writeJob(folder, "job", 2);
        folder.write("job/config.json", R"({"lr": 0.1})");
        folder.write("job/logs/events.json.gz", gzip(R"({"schema": "1.0.2-chakra.0.0.4", "nodes": []})"));
        folder.write("job/nccl.log.gz", gzip("NCCL INFO Bootstrap"));
        return job;
    }
    TempFolder folder;
};

TEST_F(LayoutCli, JsonInAFolderThatIsNoTraceIsANoteAndNamedAnError) {
    const std::string job = mixedJob();
    const ProcessResult whole = cli({"analyze", job, "--json", "-"});
    EXPECT_EQ(whole.code, 0) << whole.err;
    const json report = json::parse(whole.out);
    ASSERT_EQ(report["runs"].size(), 1U);
    EXPECT_TRUE(report["runs"][0]["unreadable"].empty());
    EXPECT_THAT(report["runs"][0]["notes"].dump(),
                testing::AllOf(HasSubstr("config.json"), HasSubstr("events.json.gz"), HasSubstr("nccl.log.gz")));

    EXPECT_EQ(cli({"analyze", job, job + "/config.json"}).code, 4) << "it was named";
    EXPECT_EQ(cli({"analyze", job + "/rank0.json", job + "/config.json"}).code, 4);
    EXPECT_EQ(cli({"analyze", "--run", "a=" + job + "/rank0.json", job + "/config.json"}).code, 4);
    EXPECT_EQ(cli({"analyze", job, job + "/logs"}).code, 4) << "there is no trace in a folder that was named";
    EXPECT_EQ(cli({"analyze", job + "/logs"}).code, 3);
    folder.write("job/rank2.json", "{\"schemaVersion\": 1, \"traceEv");
    EXPECT_EQ(cli({"analyze", job}).code, 4) << "a trace that is cut";
}

TEST_F(LayoutCli, AFolderWithoutTracesIsNoSecondRunToCompare) {
    const std::string job = mixedJob();
    const std::string other = writeJob(folder, "other", 2);
    const ProcessResult compared = cli({"compare", job, other});
    EXPECT_EQ(compared.code, 0) << compared.err;
}

TEST_F(LayoutCli, DigestsOfAMixedFolderAreMadeOfItsTracesAndReadAsOneRun) {
    const std::string job = mixedJob();
    const std::string digests = (folder.path() / "digests").string();
    const ProcessResult made = cli({"digest", job, "-o", digests});
    EXPECT_EQ(made.code, 0) << made.err;
    EXPECT_THAT(made.out, HasSubstr("5 files: 2 made, 0 up to date, 0 failed, 3 no trace"));
}

TEST_F(LayoutCli, RunsOverFoldersOfHostsAreComparedAndDigested) {
    for (const char* run : {"before", "after"}) {
        for (int rank = 0; rank < 2; ++rank) {
            folder.write(std::string(run) + "/node" + std::to_string(rank) + "/" + std::to_string(rank) + ".json",
                         traceText(rank, 0));
        }
    }
    const std::string before = (folder.path() / "before").string();
    const json report = json::parse(cli({"info", before, (folder.path() / "after").string(), "--json", "-"}).out);
    ASSERT_EQ(report["runs"].size(), 2U);
    EXPECT_EQ(report["runs"][0]["name"], "before");
    EXPECT_EQ(report["runs"][0]["ranks"].size(), 2U);
    EXPECT_EQ(cli({"compare", before, (folder.path() / "after").string()}).code, 0);

    const std::string digests = (folder.path() / "digests").string();
    ASSERT_EQ(cli({"digest", before, "-o", digests}).code, 0);
    const json of_digests = json::parse(cli({"info", digests, "--json", "-"}).out);
    ASSERT_EQ(of_digests["runs"].size(), 1U);
    EXPECT_EQ(of_digests["runs"][0]["ranks"].size(), 2U);
}

TEST_F(LayoutCli, ATarIsDigestedMemberByMember) {
    const std::string packed = tar({{"node0/rank0.json", traceText(0, 0)}, {"node1/rank1.json", traceText(1, 0)}});
    const std::string archive = folder.write("job.tar.gz", gzip(packed));
    const std::string digests = (folder.path() / "digests").string();
    ASSERT_EQ(cli({"digest", archive, "-o", digests}).code, 0);
    EXPECT_THAT(cli({"digest", archive, "-o", digests}).out, HasSubstr("0 made, 2 up to date, 0 failed"));
    const json report = json::parse(cli({"info", digests, "--json", "-"}).out);
    ASSERT_EQ(report["runs"].size(), 1U);
    EXPECT_EQ(report["runs"][0]["ranks"].size(), 2U);
}

}  // namespace
}  // namespace rankscope::test
