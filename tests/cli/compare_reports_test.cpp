// SPDX-License-Identifier: GPL-3.0-or-later
//
// The script that says whether two reports hold the same facts: what it must see, and what it must not.

#include "tests/cli/trace_text.h"
#include "tests/support/places.h"
#include "tests/support/process.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

constexpr int kSame = 0;
constexpr int kDiffers = 1;
constexpr int kWrongUsage = 2;

ProcessResult runScript(const std::vector<std::string>& arguments) {
    std::vector<std::string> command = {"python3", (sourceFolder() / "tests/compare_reports.py").string()};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return runProcess(command);
}

ProcessResult compareTexts(const std::string& old_report, const std::string& new_report,
                           const std::vector<std::string>& options = {}) {
    const TempFolder folder;
    std::vector<std::string> arguments = {folder.write("old.json", old_report), folder.write("new.json", new_report)};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return runScript(arguments);
}

class CompareReports : public testing::Test {
  protected:
    void SetUp() override {
        if (runProcess({"python3", "--version"}).code == kNoProgram) {
            GTEST_SKIP() << "skipped: no python3";
        }
    }
};

TEST_F(CompareReports, SeesOneNanosecondAndSaysWhere) {
    const ProcessResult result =
        compareTexts(R"({"runs": [{"name": "a", "steps": [{"index": 7, "idle_ns": 1000000001}]}]})",
                     R"({"runs": [{"name": "a", "steps": [{"index": 7, "idle_ns": 1000000002}]}]})");
    EXPECT_EQ(result.code, kDiffers) << result.err;
    EXPECT_THAT(result.out, HasSubstr("/runs[name=a]/steps[index=7]/idle_ns: 1000000001 -> 1000000002"));
}

TEST_F(CompareReports, EqualReportsAreTheSameWhateverTheirVersionSays) {
    const std::string old_report =
        R"({"schema": 3, "tool": {"version": "0.1"}, "share": 0.25, "causes": {"a": 1, "b": 2}})";
    const std::string new_report =
        R"({"schema": 4, "tool": {"version": "0.2"}, "share": 0.25, "causes": {"b": 2, "a": 1}})";
    EXPECT_EQ(compareTexts(old_report, new_report).code, kSame);
    EXPECT_EQ(compareTexts(old_report, new_report, {"--all-keys"}).code, kDiffers);
}

TEST_F(CompareReports, ATypeThatChangedIsADifference) {
    EXPECT_EQ(compareTexts(R"({"ready": true})", R"({"ready": 1})").code, kDiffers);
    EXPECT_EQ(compareTexts(R"({"ready": null})", R"({"ready": 0})").code, kDiffers);
    EXPECT_EQ(compareTexts(R"({"ready": null})", R"({})").code, kDiffers);
}

TEST_F(CompareReports, RatiosMayDifferByTheToleranceOnly) {
    EXPECT_EQ(compareTexts(R"({"share": 0.3333333333333333})", R"({"share": 0.3333333333333334})").code, kSame);
    EXPECT_EQ(compareTexts(R"({"share": 0.333333})", R"({"share": 0.333334})").code, kDiffers);
    EXPECT_EQ(compareTexts(R"({"share": 0.333333})", R"({"share": 0.333334})", {"--tolerance", "1e-5"}).code, kSame);
}

TEST_F(CompareReports, OneFindingMoreDoesNotMoveThoseAfterIt) {
    const ProcessResult result =
        compareTexts(R"({"findings": [{"id": "launch-bound", "saving_ns": 5}, {"id": "straggler", "saving_ns": 3}]})",
                     R"({"findings": [{"id": "host-sync", "saving_ns": 9}, {"id": "launch-bound", "saving_ns": 5},
                                      {"id": "straggler", "saving_ns": 3}]})");
    EXPECT_EQ(result.code, kDiffers);
    EXPECT_THAT(result.out, HasSubstr("/findings[id=host-sync]: (absent)"));
    EXPECT_THAT(result.out, HasSubstr(", 1 differ"));
}

TEST_F(CompareReports, ARenamedKeyAndARenamedValueCanBeNamed) {
    const std::string old_report = R"({"steps": [{"index": 1, "critical_id": 3, "match": "own"}]})";
    const std::string new_report = R"({"steps": [{"index": 1, "critical_id": 3, "match": "exclusive"}]})";
    EXPECT_EQ(compareTexts(old_report, new_report).code, kDiffers);
    EXPECT_EQ(
        compareTexts(old_report, new_report, {"--renamed", "critical_id=critical_id", "--revalued", "own=exclusive"})
            .code,
        kSame);
}

TEST_F(CompareReports, IgnoredKeysAreLeftOut) {
    const std::string old_report = R"({"why": "Then", "ns": 1, "title": "x"})";
    const std::string new_report = R"({"why": "Now", "ns": 1, "title": "y"})";
    EXPECT_EQ(compareTexts(old_report, new_report, {"--ignore", "why,title"}).code, kSame);
    EXPECT_EQ(compareTexts(old_report, new_report, {"--ignore", "why"}).code, kDiffers);
}

TEST_F(CompareReports, WhatIsNoReportIsWrongUsage) {
    EXPECT_EQ(compareTexts("{", "{}").code, kWrongUsage);
    EXPECT_EQ(runScript({}).code, kWrongUsage);
    const TempFolder empty;
    EXPECT_EQ(runScript({"--binaries", RANKSCOPE_CLI, RANKSCOPE_CLI, empty.path().string()}).code, kWrongUsage);
}

TEST_F(CompareReports, RunsTwoProgramsOverAllRunsBelowAFolder) {
    const TempFolder folder;
    folder.write("traces/fast/rank0.json", traceText(0, 1));
    folder.write("traces/fast/rank1.json", traceText(1, 1));
    folder.write("traces/slow/rank0.json", traceText(0, 30));
    const std::string traces = (folder.path() / "traces").string();
    const ProcessResult same = runScript({"--binaries", RANKSCOPE_CLI, RANKSCOPE_CLI, traces});
    EXPECT_EQ(same.code, kSame) << same.out << same.err;
    // Two folders and two files of one of them, each with info and analyze, and one pair.
    EXPECT_THAT(same.out, HasSubstr("9 reports of 4 runs"));
    EXPECT_THAT(same.out, Not(HasSubstr(" 0 facts")));

    const ProcessResult other = runScript({"--binaries", RANKSCOPE_CLI, "/bin/false", traces});
    EXPECT_EQ(other.code, kDiffers);
    EXPECT_THAT(other.out, HasSubstr("/exit_code: 0 -> 1"));
    EXPECT_THAT(other.out, HasSubstr("in 9 reports"));
}

}  // namespace
}  // namespace rankscope::test
