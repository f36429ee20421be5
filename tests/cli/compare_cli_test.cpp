// SPDX-License-Identifier: GPL-3.0-or-later
//
// `compare` with several recordings of each side.

#include <regex>
#include <sstream>

#include "tests/cli/run_cli.h"
#include "tests/cli/trace_text.h"
#include "tests/support/html_check.h"
#include "tests/support/report_schema.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

class CompareCli : public testing::Test {
  protected:
    /// A recording of six steps of about this length.
    std::string recording(const std::string& name, int step_us) {
        std::vector<int> steps;
        for (const int more : {0, 90, 30, 60, 20, 70}) {
            steps.push_back(step_us + more);
        }
        return scratch.write(name + ".json", recordingText(steps));
    }
    /// compare A1 A2 A3 --against B1 B2 B3, with these lengths of a step and these options.
    ProcessResult compareSides(const std::vector<int>& a_us, const std::vector<int>& b_us,
                               const std::vector<std::string>& options = {}) {
        std::vector<std::string> arguments = {"compare"};
        for (std::size_t i = 0; i < a_us.size(); ++i) {
            arguments.push_back(recording("a" + std::to_string(i + 1), a_us[i]));
        }
        arguments.emplace_back("--against");
        for (std::size_t i = 0; i < b_us.size(); ++i) {
            arguments.push_back(recording("b" + std::to_string(i + 1), b_us[i]));
        }
        arguments.insert(arguments.end(), options.begin(), options.end());
        return cli(arguments);
    }

    const std::vector<int> base_us{99'000, 100'000, 101'000};
    const std::vector<int> slower_us{107'000, 108'000, 109'000};
    const std::vector<int> rerun_us{98'500, 100'600, 101'700};
    TempFolder scratch;
};

TEST_F(CompareCli, SaysSlowerOfSeveralRecordingsOnOneScreen) {
    const ProcessResult result = compareSides(base_us, slower_us);
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.out, testing::StartsWith("Slower: B takes 8.0 % more per step (108.0 ms, was 100.0 ms)"));
    EXPECT_THAT(result.out, AllOf(HasSubstr("from 3 and 3 recordings."), HasSubstr("A  3 of 3 recordings; below: a2"),
                                  Not(HasSubstr("One recording each"))));
    EXPECT_LE(std::ranges::count(result.out, '\n'), 24) << result.out;
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(line.size(), 104U) << line;
    }
    EXPECT_THAT(compareSides(slower_us, base_us).out, testing::StartsWith("Faster: B takes "));
}

TEST_F(CompareCli, OfOneRecordingEachSaysNeitherFasterNorSlowerInAnyFormat) {
    const std::string a = recording("a", 100'000);
    const std::string b = recording("b", 108'000);
    for (const std::vector<std::string>& format :
         std::vector<std::vector<std::string>>{{}, {"--full"}, {"--json", "-"}, {"--markdown", "-"}, {"--html", "-"}}) {
        for (const auto& [before, after] : {std::pair(a, b), std::pair(b, a)}) {
            std::vector<std::string> arguments = {"compare", before, after};
            arguments.insert(arguments.end(), format.begin(), format.end());
            const std::string out = std::regex_replace(cli(arguments).out, std::regex("\\s+"), " ");
            EXPECT_THAT(out, AllOf(HasSubstr("Difference of recordings"), HasSubstr("a re-run alone can do this"),
                                   Not(HasSubstr("Faster:")), Not(HasSubstr("Slower:")), Not(HasSubstr("\"faster\"")),
                                   Not(HasSubstr("\"slower\""))));
        }
    }
}

TEST_F(CompareCli, DoesNotTakeReRunsForAChange) {
    const ProcessResult result = compareSides(base_us, rerun_us);
    EXPECT_THAT(result.out,
                AllOf(testing::StartsWith("Cannot judge whether B is faster"), HasSubstr("recordings of each to see")));
    EXPECT_EQ(compareSides(base_us, rerun_us, {"--fail-on-regression", "0"}).code, 0);
}

TEST_F(CompareCli, SaysWhatMattersAsTheUserDoes) {
    const std::vector<int> little{100'300, 101'000, 101'900};
    EXPECT_THAT(compareSides(base_us, little).out, testing::StartsWith("Cannot judge"));
    EXPECT_THAT(compareSides(base_us, little, {"--matters", "10%"}).out,
                testing::StartsWith("No difference that matters between A and B: less than 10 % either way"));
    EXPECT_THAT(compareSides(base_us, slower_us, {"--matters", "20"}).out, testing::StartsWith("No difference"));
}

TEST_F(CompareCli, WritesBothSidesIntoAllFormats) {
    const ProcessResult result = compareSides(base_us, slower_us, {"--json", "-", "--json-detail"});
    const json comparison = json::parse(result.out)["comparisons"][0];
    EXPECT_EQ(comparison["step"]["verdict"], "slower");
    EXPECT_EQ(comparison["step"]["interval_by"], "recordings");
    EXPECT_THAT(comparison["step"]["headline"].get<std::string>(), testing::StartsWith("Slower: a step takes "));
    EXPECT_EQ(comparison["a"], 1) << "the median of A";
    EXPECT_EQ(comparison["b"], 4);
    EXPECT_EQ(comparison["sides"]["a"]["recordings"].size(), 3U);
    EXPECT_EQ(comparison["sides"]["spread"]["freedom"], 4);
    RANKSCOPE_EXPECT_REPORT_HOLDS(result.out);
    const std::string page = compareSides(base_us, slower_us, {"--html", "-"}).out;
    EXPECT_THAT(page, AllOf(HasSubstr("Slower: B takes"), HasSubstr("from 3 and 3 recordings")));
    RANKSCOPE_EXPECT_HTML_HOLDS(page, result.out);
    EXPECT_THAT(compareSides(base_us, slower_us, {"--markdown", "-"}).out,
                AllOf(testing::StartsWith("# Slower: B takes"), HasSubstr("a1 99")));
    EXPECT_THAT(compareSides(base_us, slower_us, {"--full"}).out,
                AllOf(HasSubstr("3 recordings (A) against 3 recordings (B)"),
                      HasSubstr("Recordings of one side differ"), HasSubstr("A: a1 99")));
}

TEST_F(CompareCli, AGateTakesABaselineOfSeveralRecordings) {
    EXPECT_EQ(compareSides(base_us, slower_us, {"--fail-on-regression", "3"}).code, 1);
    EXPECT_EQ(compareSides(base_us, {120'000}, {"--fail-on-regression", "5"}).code, 1) << "one new recording is enough";
    EXPECT_EQ(compareSides(slower_us, base_us, {"--fail-on-regression", "3"}).code, 0);
    const ProcessResult unsure = compareSides(base_us, slower_us, {"--fail-on-regression", "7"});
    EXPECT_EQ(unsure.code, 0);
    EXPECT_THAT(unsure.err, AllOf(HasSubstr("--fail-on-regression 7: cannot rule out"),
                                  HasSubstr("recordings of each side would be enough")));
}

TEST_F(CompareCli, AGateOfOneRecordingEachFailsOnlyBeyondWhatReRunsDo) {
    const std::string a = recording("a", 100'000);
    const ProcessResult rerun = cli({"compare", a, recording("b", 114'000), "--fail-on-regression", "5"});
    EXPECT_EQ(rerun.code, 0);
    EXPECT_THAT(rerun.err, AllOf(HasSubstr("One recording each: a re-run alone can do this."),
                                 HasSubstr("Give 3 or more recordings of each side")));
    EXPECT_EQ(cli({"compare", a, recording("c", 200'000), "--fail-on-regression", "5"}).code, 1);
}

TEST_F(CompareCli, TakesAFolderOfRecordingsAsASide) {
    for (const auto& [name, step_us] :
         {std::pair("one", 99'000), std::pair("two", 100'000), std::pair("three", 101'000)}) {
        scratch.write(std::string("base/") + name + "/rank0.json", recordingText(std::vector<int>(5, step_us)));
    }
    const ProcessResult result =
        cli({"compare", (scratch.path() / "base").string(), "--against", recording("new", 130'000)});
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.out, AllOf(testing::StartsWith("Slower: B takes 30 % more"), HasSubstr("A  3 of 3 recordings")));
}

TEST_F(CompareCli, GoesOnWithoutARecordingThatCannotBeReadAndSaysSo) {
    const std::string broken = scratch.write("broken.json", "this is no trace");
    const ProcessResult result = cli({"compare", recording("a1", 99'000), broken, recording("a2", 100'000), "--against",
                                      recording("b1", 130'000), recording("b2", 131'000)});
    EXPECT_EQ(result.code, 4);
    EXPECT_THAT(result.out, AllOf(testing::StartsWith("Slower: "), HasSubstr("from 2 and 2 recordings")));
    EXPECT_THAT(result.err, HasSubstr("broken.json"));
    const ProcessResult none = cli({"compare", recording("a1", 99'000), "--against", broken});
    EXPECT_EQ(none.code, 3);
    EXPECT_THAT(none.out, IsEmpty());
}

TEST_F(CompareCli, SaysWhichRecordingsDoNotCount) {
    const std::string a = recording("a1", 99'000);
    const std::string few = scratch.write("few.json", recordingText({100'000, 100'100}));
    const ProcessResult result =
        cli({"compare", a, a, few, recording("a2", 101'000), "--against", recording("b", 130'000)});
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.err, AllOf(HasSubstr("does not count: it has the same steps as"), HasSubstr("a copy"),
                                  HasSubstr("fewer than 3")));
    EXPECT_THAT(result.out, HasSubstr("A  2 of 4 recordings"));
}

TEST_F(CompareCli, RefusesSidesThatAreNoneAndShowsHow) {
    const std::string a = recording("a", 100'000);
    const std::vector<std::pair<std::vector<std::string>, std::string>> refused = {
        {{"compare", a, "--against"}, "--against"},
        {{"compare", "--against", a}, "name the recordings of the baseline before it"},
        {{"compare", a, "--run", "x=" + a, "--against", a}, "cannot be used with --run"},
        {{"compare", a, a, "--matters", "0"}, "--matters: \"0\" must be a number of per cent"},
        {{"compare", a, a, "--matters", "-1"}, "--matters"},
        {{"compare", a, a, "--matters", "nan"}, "--matters: \"nan\""},
        {{"compare", a, a, "--matters", "1%%"}, "--matters: \"1%%\""},
        {{"compare", a, a, "--matters", "101"}, "up to 100"},
        {{"analyze", a, "--against", a}, "--against"},
    };
    for (const auto& [arguments, why] : refused) {
        const ProcessResult result = cli(arguments);
        EXPECT_EQ(result.code, 2) << testing::PrintToString(arguments);
        EXPECT_THAT(result.err, HasSubstr(why));
        EXPECT_THAT(result.out, IsEmpty());
    }
}

}  // namespace
}  // namespace rankscope::test
