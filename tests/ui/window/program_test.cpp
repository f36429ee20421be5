// SPDX-License-Identifier: GPL-3.0-or-later
// The real program, as a script starts it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/report/version.h"
#include "tests/support/process.h"
#include "tests/support/temp_files.h"

namespace rankscope::test {
namespace {

class Program : public testing::Test {
  protected:
    /// Runs the program with a home of its own and takes a picture, which it returns the path of.
    ProcessResult run(std::vector<std::string> arguments) {
        const std::string home = "HOME=" + scratch.path().string();
        const std::string config = "XDG_CONFIG_HOME=" + scratch.path().string();
        arguments.insert(arguments.begin(), {"env", home, config, "QT_QPA_PLATFORM=offscreen", "timeout", "120",
                                             RANKSCOPE_WINDOW, "--screenshot", picture()});
        return runProcess(arguments);
    }
    [[nodiscard]] std::string picture() const { return (scratch.path() / "picture.png").string(); }

    TempFolder scratch;
};

TEST_F(Program, APictureOfADamagedSessionIsTakenAndTheExitCodeTells) {
    for (const std::string& text : {std::string("{damaged"), std::string(R"({"schema": "rankscope-session"})"),
                                    R"({"schema": )" + std::string(100'000, '[') + std::string(100'000, ']') + "}"}) {
        const ProcessResult result = run({scratch.write("damaged.rankscope", text)});
        EXPECT_EQ(result.code, 3) << result.err;
        EXPECT_TRUE(std::filesystem::exists(picture()));
    }
}

TEST_F(Program, APictureOfASessionWithoutRunsIsTaken) {
    const std::string empty = R"({"schema": "rankscope-session", "version": 1, "runs": []})";
    EXPECT_EQ(run({scratch.write("empty.rankscope", empty)}).code, 0);
}

TEST_F(Program, NamesItsVersionsLikeTheHeadlessProgram) {
    const ProcessResult result = run({"--version"});
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(result.out, "rankscope " + versionsText() + "\n");
}

TEST_F(Program, ASizeThatNoPictureCanHaveAndAPlaceThatIsNoneAreWrongUsage) {
    for (const char* wrong :
         {"--size=100000x100000", "--size=16384x16384", "--size=0x10", "--size=99999999999x1", "--size=wide",
          "--place=here", "--place=5:5", "--place=9:4", "--place=1:2@nowhere", "--place=1:2@"}) {
        const ProcessResult result = run({wrong});
        EXPECT_EQ(result.code, 2) << wrong;
        EXPECT_THAT(result.err,
                    testing::HasSubstr(std::string_view(wrong).substr(std::string_view(wrong).find('=') + 1)));
    }
}

TEST_F(Program, AComparisonNeedsTwoSides) {
    for (const std::vector<std::string>& wrong :
         {std::vector<std::string>{"--compare", "a"}, {"--compare", "a", "b", "c"}, {"--against", "b"}}) {
        const ProcessResult result = run(wrong);
        EXPECT_EQ(result.code, 2) << result.err;
        EXPECT_THAT(result.err, testing::HasSubstr("--compare"));
    }
    EXPECT_EQ(run({"--compare", "no-such-a", "nor-this", "--against", "no-such-b"}).code, 3);
}

}  // namespace
}  // namespace rankscope::test
