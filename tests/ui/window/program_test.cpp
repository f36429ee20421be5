// SPDX-License-Identifier: GPL-3.0-or-later
// The real program, as a script starts it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

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

TEST_F(Program, ASizeThatNoPictureCanHaveIsWrongUsage) {
    for (const char* size : {"100000x100000", "16384x16384", "0x10", "99999999999x1", "wide"}) {
        const ProcessResult result = run({"--size", size});
        EXPECT_EQ(result.code, 2) << size;
        EXPECT_THAT(result.err, testing::HasSubstr(size));
    }
}

TEST_F(Program, APlaceThatIsNoneIsWrongUsage) {
    for (const char* place : {"here", "5:5", "9:4", "1:2@nowhere", "1:2@"}) {
        const ProcessResult result = run({std::string("--place=") + place});
        EXPECT_EQ(result.code, 2) << place;
        EXPECT_THAT(result.err, testing::HasSubstr(place));
    }
}

}  // namespace
}  // namespace rankscope::test
