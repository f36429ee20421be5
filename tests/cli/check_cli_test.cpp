// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/run_cli.h"
#include "tests/cli/trace_text.h"
#include "tests/support/places.h"
#include "tests/support/report_schema.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

class CheckCli : public testing::Test {
  protected:
    static ProcessResult check(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "check");
        return cli(std::move(arguments));
    }
    std::string stalled() { return scratch.write("stalled.json", traceText(0, 60)); }

    std::string slow = sample("ZeroWorkers").string();
    std::string fast = sample("FourWorkers").string();
    TempFolder scratch;
};

TEST_F(CheckCli, SaysWhereToLookOnAPage) {
    const ProcessResult result = check({slow, "--full"});
    EXPECT_EQ(result.code, 0) << "where to look is no failure unless it is asked for: " << result.err;
    EXPECT_THAT(result.out, AllOf(HasSubstr("look here    Input"), HasSubstr("Each rank"), HasSubstr("Protocol"),
                                  HasSubstr("Memory pressure:"), Not(HasSubstr("\x1b"))));
}

TEST_F(CheckCli, FailsOnWhatItIsAskedTo) {
    EXPECT_EQ(check({slow, "--fail-on", "look"}).code, 1);
    EXPECT_EQ(check({slow, "--fail-on", "cannot-tell"}).code, 1);
    EXPECT_EQ(check({slow, "--fail-on", "high"}).code, 2) << "that is a severity of findings";
    EXPECT_EQ(check({scratch.write("broken.json", "this is no trace"), "--fail-on", "look"}).code, 3);
}

TEST_F(CheckCli, WritesEachFormat) {
    const ProcessResult as_json = check({slow, "--json", "-"});
    ASSERT_EQ(as_json.code, 0) << as_json.err;
    RANKSCOPE_EXPECT_REPORT_HOLDS(as_json.out);
    EXPECT_EQ(json::parse(as_json.out)["report"], "check");
    EXPECT_THAT(check({slow, "--markdown", "-"}).out, HasSubstr("## Protocol"));
    EXPECT_THAT(check({slow, "--html", "-"}).out, AllOf(HasSubstr("<!DOCTYPE html>"), HasSubstr("Health check")));
}

TEST_F(CheckCli, TakesTheSecondOfTwoRunsForTheValidation) {
    const json runs = json::parse(check({slow, fast, "--json", "-"}).out)["runs"];
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_EQ(runs[0]["protocol"]["steps"][4]["state"], "record") << "a re-run alone can do this";
    EXPECT_THAT(runs[0]["protocol"]["steps"][4]["text"].get<std::string>(), HasSubstr("Difference of recordings"));
    EXPECT_EQ(runs[1]["protocol"]["steps"][4]["state"], "next");
}

TEST_F(CheckCli, SaysWhatToRecordOfATraceThatTellsLittle) {
    const ProcessResult result = check({stalled(), "--full"});
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.out, AllOf(HasSubstr("cannot tell  Memory"), HasSubstr("profile_memory=True")));
}

}  // namespace
}  // namespace rankscope::test
