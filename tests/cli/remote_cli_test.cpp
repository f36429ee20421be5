// SPDX-License-Identifier: GPL-3.0-or-later
// Paths of other machines on the command line, with a script in ssh's place. tests/unit/remote has the ways in which a
// connection can go; tests/cluster a real sshd.

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
    (void)scratch.write(
        "there/bin/rankscope-cli",
        "#!/bin/sh\ncase $1 in digest) [ $# -lt 4 ] || { mkdir -p \"$4\"; cp \"$2\" \"$4/it.digest\"; } ;;\n"
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

}  // namespace
}  // namespace rankscope::test
