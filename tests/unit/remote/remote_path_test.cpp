// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/remote/remote_path.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

RemotePath parsed(const std::string& text) {
    const Result<RemotePath> result = parseRemotePath(text);
    EXPECT_TRUE(result.ok()) << text;
    return result.ok() ? result.value() : RemotePath{};
}

TEST(RemotePath, HasAHostAndAnAbsolutePath) {
    const RemotePath remote = parsed("ssh://login1/scratch/run 7");
    EXPECT_EQ(remote.host, "login1");
    EXPECT_EQ(remote.path, "/scratch/run 7");
    EXPECT_EQ(remote.user, "");
    EXPECT_FALSE(remote.port);
    EXPECT_EQ(remote.destination(), "login1");
}

TEST(RemotePath, MayNameAUserAndAPort) {
    const RemotePath remote = parsed("ssh://ann@login1.example.org:2222/data");
    EXPECT_EQ(remote.destination(), "ann@login1.example.org");
    EXPECT_EQ(remote.port, 2222);
    EXPECT_EQ(remote.text(), "ssh://ann@login1.example.org:2222/data");
}

TEST(RemotePath, TakesAnAddressInBrackets) {
    const RemotePath remote = parsed("ssh://[::1]:22/data");
    EXPECT_EQ(remote.host, "::1");
    EXPECT_EQ(remote.port, 22);
    EXPECT_EQ(remote.text(), "ssh://[::1]:22/data");
}

TEST(RemotePath, MayBeginInTheHomeFolder) {
    EXPECT_EQ(parsed("ssh://h/~/runs/a").path, "~/runs/a");
    EXPECT_EQ(parsed("ssh://h/~").path, "~");
    EXPECT_EQ(parsed("ssh://h/~/runs/a").text(), "ssh://h/~/runs/a");
}

TEST(RemotePath, ReadsEscapedBytes) {
    EXPECT_EQ(parsed("ssh://h/a%20b%2Fc").path, "/a b/c");
    EXPECT_EQ(parsed("ssh://h/100%").path, "/100%");
    EXPECT_EQ(parsed("ssh://h/a%zz").path, "/a%zz");
}

TEST(RemotePath, IsNoneWhereSshWouldTakeTheHostForAnOptionOrTheShellForACommand) {
    for (const char* const text :
         {"ssh://-oProxyCommand=reboot/x", "ssh://a@-oProxyCommand=reboot/x", "ssh://-F@host/x", "ssh://a;b/x",
          "ssh://$(reboot)/x", "ssh://a`b`/x", "ssh://a%20b@host/x", "ssh:///x", "ssh://"}) {
        EXPECT_FALSE(parseRemotePath(text).ok()) << text;
    }
}

TEST(RemotePath, IsNoneWithoutAPathOrWithAPortThatIsNone) {
    for (const char* const text : {"ssh://host", "ssh://host/", "ssh://host:0/x", "ssh://host:65536/x", "ssh://host:/x",
                                   "ssh://host:2x/x", "ssh://host/a%0ab", "/a/b", "sftp://host/x"}) {
        EXPECT_FALSE(parseRemotePath(text).ok()) << text;
    }
}

TEST(RemotePath, IsToldFromAPathOfThisMachine) {
    EXPECT_TRUE(isRemotePath("ssh://host/x"));
    EXPECT_FALSE(isRemotePath("./ssh:/host"));
    EXPECT_FALSE(isRemotePath("rank0.json"));
}

}  // namespace
}  // namespace rankscope::test
