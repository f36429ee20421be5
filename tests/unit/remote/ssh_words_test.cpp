// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/remote/ssh_words.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

// What OpenSSH 9.2 prints with BatchMode=yes.
constexpr const char* kUnknownKey = "Host key verification failed.\n";
constexpr const char* kChangedKey =
    "@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@\n"
    "@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\n"
    "@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@\n"
    "Host key for [127.0.0.1]:22622 has changed and you have requested strict checking.\n"
    "Host key verification failed.\n";
constexpr const char* kPassword = "root@127.0.0.1: Permission denied (publickey,password).\n";

std::string words(const std::string& printed, int code = 255) {
    const RemotePath remote{"ann", "login1", 2222, "/run"};
    return whySshFailed(remote, code, printed).value_or("nothing");
}

TEST(SshWords, TellHowToAcceptAKeyThatIsUnknown) {
    EXPECT_THAT(words(kUnknownKey), HasSubstr("key of login1 is not known here"));
    EXPECT_THAT(words(kUnknownKey), HasSubstr("`ssh -p 2222 ann@login1`"));
}

TEST(SshWords, TellAKeyThatHasChangedFromOneThatIsUnknown) {
    EXPECT_THAT(words(kChangedKey), HasSubstr("differs from the one known here"));
    EXPECT_THAT(words(kChangedKey), HasSubstr("`ssh-keygen -R '[127.0.0.1]:22622'`"));
    EXPECT_THAT(words("REMOTE HOST IDENTIFICATION HAS CHANGED"), HasSubstr("`ssh-keygen -R '[login1]:2222'`"));
    EXPECT_THAT(words(kUnknownKey), Not(HasSubstr("ssh-keygen -R")));
}

TEST(SshWords, TellWhatToDoWhereAPasswordWouldBeAsked) {
    EXPECT_THAT(words(kPassword), HasSubstr("asks for a password"));
    EXPECT_THAT(words(kPassword), HasSubstr("ssh-copy-id"));
}

TEST(SshWords, TellHostsThatAreNotThereFromThoseThatDoNotListen) {
    EXPECT_THAT(words("ssh: Could not resolve hostname login1: Name or service not known\n"),
                HasSubstr("there is no host login1"));
    EXPECT_THAT(words("ssh: connect to host login1 port 2222: Connection refused\n"),
                HasSubstr("no ssh server listens on port 2222"));
    // An alias of ~/.ssh/config, which has the port.
    const RemotePath alias{{}, "gpu", {}, "/run"};
    EXPECT_EQ(whySshFailed(alias, 255, "ssh: connect to host 10.0.0.7 port 2200: Connection refused\n"),
              "gpu responds, but no ssh server listens on port 2200");
    EXPECT_EQ(whySshFailed(alias, 255, "Connection refused\n"), "gpu responds, but no ssh server listens");
    EXPECT_THAT(words("ssh: connect to host login1 port 22: Connection timed out\n"), HasSubstr("cannot be reached"));
    EXPECT_THAT(words("ssh: connect to host login1 port 22: No route to host\n"), HasSubstr("cannot be reached"));
}

TEST(SshWords, TellAConnectionThatBrokeOff) {
    EXPECT_THAT(words("Connection to login1 closed by remote host.\n"), HasSubstr("broke off"));
    EXPECT_THAT(words("client_loop: send disconnect: Broken pipe\n"), HasSubstr("broke off"));
}

TEST(SshWords, TellABrokenConnectionFromOneThatNeverStood) {
    EXPECT_TRUE(brokeOff(255, "Connection closed by UNKNOWN port 65535\n"));
    EXPECT_FALSE(brokeOff(255, "Permission denied (publickey,password).\n"));
    EXPECT_FALSE(brokeOff(1, "Connection closed by UNKNOWN port 65535\n"));
    EXPECT_FALSE(brokeOff(255, "something new\n"));
}

TEST(SshWords, GiveSshsLastWordsWhereTheyKnowNoneThemselves) {
    EXPECT_THAT(words("warning\nsomething new\n\n"), HasSubstr("something new"));
    EXPECT_THAT(words(""), HasSubstr("did not reach login1"));
}

TEST(SshWords, SayNothingOfACommandThatFailedByItself) {
    EXPECT_EQ(words("Permission denied\n", 1), "nothing");
    EXPECT_EQ(words("", 0), "nothing");
}

TEST(SshWords, TellThatThereIsNoSsh) {
    EXPECT_THAT(words("ssh: No such file or directory", 127), HasSubstr("no ssh on this machine"));
    EXPECT_EQ(words("sh: 1: foo: not found", 127), "nothing");
}

}  // namespace
}  // namespace rankscope::test
