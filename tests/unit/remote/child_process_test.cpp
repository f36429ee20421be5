// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/remote/child_process.h"

#include <chrono>
#include <csignal>
#include <stop_token>
#include <thread>

#include "tests/support/process.h"
#include "tests/support/temp_files.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

ChildResult shell(const std::string& script) {
    return runChild({{"sh", "-c", script}, {}, {}, {}});
}

TEST(ChildProcess, GivesWhatItPrintsAndItsExitCode) {
    const ChildResult result = shell("echo out; echo err >&2; exit 3");
    EXPECT_EQ(result.code, 3);
    EXPECT_EQ(result.out, "out\n");
    EXPECT_EQ(result.err, "err\n");
}

TEST(ChildProcess, ThatIsNotThereSaysSo) {
    const ChildResult result = runChild({{"no-such-program-at-all"}, {}, {}, {}});
    EXPECT_EQ(result.code, 127);
    EXPECT_THAT(result.err, HasSubstr("No such file"));
}

TEST(ChildProcess, ThatIsKilledEndsWithItsSignal) {
    EXPECT_EQ(shell("kill -9 $$").code, 137);
}

TEST(ChildProcess, TellsLinesOfItsErrorsWhileItRuns) {
    std::vector<std::string> lines;
    const auto keep = [&lines](std::string_view line) { lines.emplace_back(line); };
    (void)runChild({{"sh", "-c", "printf 'one\\ntw' >&2; sleep 0.1; printf 'o\\nthree' >&2"}, {}, {}, keep});
    EXPECT_THAT(lines, ElementsAre("one", "two"));  // the third was never ended
}

TEST(ChildProcess, ReadsAFileAndAddsToOne) {
    const TempFolder scratch;
    const std::string in = scratch.write("in", "new");
    const std::string out = scratch.write("out", "old ");
    EXPECT_EQ(runChild({{"cat"}, in, out, {}}).code, 0);
    std::ifstream file(out);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "old new");
}

TEST(ChildProcess, EndsWhenItIsStopped) {
    std::stop_source stop;
    const std::jthread later([&stop] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        stop.request_stop();
    });
    const auto begun = std::chrono::steady_clock::now();
    EXPECT_EQ(runChild({{"sleep", "50"}, {}, {}, {}, stop.get_token()}).code, 128 + SIGTERM);
    EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(10));
}

TEST(ChildProcess, KeepsNoMoreThanItMay) {
    const ChildResult result = shell("head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2; echo end >&2");
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(result.out.size(), ChildResult::kMostOutput);
    EXPECT_EQ(result.err.size(), ChildResult::kMostOutput);
    EXPECT_TRUE(result.err.ends_with("end\n"));
}

TEST(ShellWord, ReachesTheShellAsItIs) {
    for (const std::string text : {"plain", "a b", "it's", "$(reboot) `x` \"q\" \\ !", "", "-n", "'"}) {
        EXPECT_EQ(shell("printf %s " + shellWord(text)).out, text);
    }
}

}  // namespace
}  // namespace rankscope::test
