// SPDX-License-Identifier: GPL-3.0-or-later
// Paths of other machines on the command line, with a script in ssh's place. tests/unit/remote has the ways in which a
// connection can go; tests/cluster a real sshd.

#include "tests/cli/flight_dump.h"
#include "tests/cli/run_cli.h"
#include "tests/cli/trace_text.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

class RemoteCli : public testing::Test {
  protected:
    RemoteCli() {
        ::setenv("RANKSCOPE_SSH", scratch.write("ssh", "").c_str(), 1);
        ::setenv("XDG_CACHE_HOME", (scratch.path() / "cache").c_str(), 1);
    }
    void TearDown() override {
        ::unsetenv("RANKSCOPE_SSH");
        ::unsetenv("XDG_CACHE_HOME");
    }

    void sshDoes(const std::string& script) const {
        const std::string path = scratch.write("ssh", "#!/bin/sh\n" + script);
        std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    }
    /// Runs the commands on this machine, where the real tool is on PATH.
    void sshObeys() const {
        std::filesystem::create_directories(scratch.path() / "there/bin");
        std::filesystem::create_symlink(RANKSCOPE_CLI, scratch.path() / "there/bin/rankscope-cli");
        sshDoes(
            "here=$(dirname \"$0\")/there; for command; do :; done\n"
            "HOME=$here PATH=$here/bin:$PATH; export HOME PATH; unset XDG_CACHE_HOME; exec sh -c \"$command\"\n");
    }
    [[nodiscard]] static ProcessResult info(const std::string& path) { return cli({"info", path}); }

    TempFolder scratch;
};

TEST_F(RemoteCli, AHostThatCannotBeReachedIsNothingReadableAndSaysWhatToDo) {
    sshDoes("echo 'Host key verification failed.' >&2; exit 255\n");
    const ProcessResult result = info("ssh://login1:2222/scratch/run");
    EXPECT_EQ(result.code, 3);
    EXPECT_THAT(result.err, HasSubstr("ssh://login1:2222/scratch/run: the key of login1 is not known here"));
}

TEST_F(RemoteCli, APathThatNamesNoHostStartsNoSsh) {
    sshDoes("touch \"$(dirname \"$0\")/was-started\"\n");
    const ProcessResult result = info("ssh://-oProxyCommand=reboot/x");
    EXPECT_EQ(result.code, 3);
    EXPECT_THAT(result.err, HasSubstr("has no valid host name"));
    EXPECT_FALSE(std::filesystem::exists(scratch.path() / "was-started"));
}

TEST_F(RemoteCli, WhatWasFetchedIsReadAsAnyFile) {
    // In the digest's place a trace: what the other machine's tool makes is copied as it is, and told by its content.
    (void)scratch.write("there/bin/rankscope-cli",
                        "#!/bin/sh\ncase $1 in --help) echo '  companions  Pack' ;; companions) exit 3 ;; digest) [ $# "
                        "-lt 4 ] || { mkdir -p \"$4\"; cp \"$2\" \"$4/it.digest\"; } ;;\n"
                        "merge) cp \"$2\"/it.digest \"$4\" ;; esac\n");
    std::filesystem::permissions(scratch.path() / "there/bin/rankscope-cli", std::filesystem::perms::owner_all);
    sshDoes(
        "here=$(dirname \"$0\")/there; for command; do :; done\n"
        "HOME=$here PATH=$here/bin:$PATH; export HOME PATH; unset XDG_CACHE_HOME; exec sh -c \"$command\"\n");
    const std::string trace = scratch.write("rank0.json", traceText(0, 0));
    const ProcessResult result = info("ssh://login1" + trace);
    EXPECT_THAT(result.err, Not(HasSubstr("login1")));  // no complaint about the connection
    EXPECT_TRUE(std::filesystem::exists(scratch.path() / "cache/rankscope/remote/login1"));
}

/// A folder with traces, a log and dumps of a job, whose names a shell might take for something else.
std::string jobWithCompanions(const TempFolder& folder) {
    folder.write("job 'a'/rank0.json", traceText(0, 0));
    folder.write("job 'a'/rank1.json", traceText(1, 0));
    folder.write("job 'a'/$(touch hacked) \"q\"\n.log",
                 "host0:100:100 [0] NCCL INFO NCCL_DEBUG set by environment to INFO\n"
                 "host0:100:100 [0] NCCL INFO NCCL version 2.28.9\n");
    folder.write("job 'a'/dumps/rank_0.json", flightDump(3));
    folder.write("job 'a'/dumps/rank_1.json", flightDump(1));
    return (folder.path() / "job 'a'").string();
}

TEST_F(RemoteCli, AFolderThereOpensWithItsLogsAndDumpsLikeOneHere) {
    sshObeys();
    const std::string job = jobWithCompanions(scratch);
    const std::string sql =
        "SELECT (SELECT count(*) FROM rank), (SELECT count(*) FROM flight_record), (SELECT count(*) FROM nccl_setting)";
    const ProcessResult here = cli({"query", job, sql, "--format", "csv"});
    const ProcessResult there = cli({"query", "ssh://login1" + job, sql, "--format", "csv"});
    EXPECT_EQ(there.code, 0) << there.err;
    EXPECT_EQ(there.out, here.out) << there.err;
    EXPECT_THAT(there.out, HasSubstr("\n2,4,1\r\n"));
    EXPECT_FALSE(std::filesystem::exists(scratch.path() / "hacked"));
}

TEST_F(RemoteCli, DumpsThereSayWhichRankStoppedAsThoseHereDo) {
    sshObeys();
    const std::string job = jobWithCompanions(scratch);
    const ProcessResult here = cli({"hang", job});
    const ProcessResult there = cli({"hang", "ssh://login1" + job});
    EXPECT_EQ(there.code, 0) << there.err;
    EXPECT_EQ(there.out, here.out);
    EXPECT_THAT(there.out, HasSubstr("Rank 1 stopped"));
    std::filesystem::remove_all(std::filesystem::path(job) / "dumps");
    const ProcessResult none = cli({"hang", "ssh://login1" + job});
    EXPECT_EQ(none.code, 3);
    EXPECT_THAT(none.err, HasSubstr("contains no dumps of PyTorch's flight recorder"));
}

TEST_F(RemoteCli, LogsAndDumpsThatTakeTooMuchAreNamedWithTheirSizes) {
    const std::string job = jobWithCompanions(scratch);
    const std::string archive = (scratch.path() / "out.zip").string();
    const ProcessResult few = cli({"companions", job, "-o", archive, "--most", "6e-7"});
    EXPECT_EQ(few.code, 4) << few.err;
    EXPECT_THAT(few.err, HasSubstr("rank_0.json: is left out: it has "));
    EXPECT_THAT(few.out, HasSubstr("1 NCCL log, 1 flight recorder dump, 0 memory snapshots, "));
    const ProcessResult none = cli({"companions", job, "-o", archive, "--most", "0"});
    EXPECT_EQ(none.code, 4);
    EXPECT_EQ(cli({"companions", scratch.path() / "cache", "-o", archive}).code, 3);
    EXPECT_EQ(cli({"companions", job, "-o", "/no/such/folder/x.zip"}).code, 2);
}

TEST_F(RemoteCli, AToolThereThatIsTooOldToPackLogsIsSaid) {
    sshObeys();
    const std::string job = jobWithCompanions(scratch);
    std::filesystem::remove(scratch.path() / "there/bin/rankscope-cli");
    (void)scratch.write("there/bin/rankscope-cli",
                        std::string("#!/bin/sh\n[ \"$1\" != --help ] || { echo '  digest  Make'; exit 0; }\nexec ") +
                            RANKSCOPE_CLI + " \"$@\"\n");
    std::filesystem::permissions(scratch.path() / "there/bin/rankscope-cli", std::filesystem::perms::owner_all);
    const ProcessResult result = info("ssh://login1" + job);
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("rank 1"));
    EXPECT_THAT(result.err, HasSubstr("the rankscope-cli on login1 is too old to pack them"));
}

}  // namespace
}  // namespace rankscope::test
