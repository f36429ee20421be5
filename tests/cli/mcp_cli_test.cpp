// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/run_cli.h"
#include "tests/support/places.h"
#include "tests/support/process.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

TEST(McpServer, AnswersAsTheProtocolHasItAndReadsNothingElse) {
    const std::string samples = (sourceFolder() / "resources/samples").string();
    const ProcessResult checked = runProcess({"python3", (sourceFolder() / "tests/cli/check_mcp.py").string(),
                                              RANKSCOPE_CLI, samples + "/ZeroWorkers", samples + "/FourWorkers"});
    if (checked.code == kNoProgram) {
        GTEST_SKIP() << "skipped: no python3";
    }
    EXPECT_EQ(checked.code, 0) << checked.err;
}

}  // namespace
}  // namespace rankscope::test
