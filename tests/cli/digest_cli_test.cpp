// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/run_cli.h"
#include "tests/cli/trace_text.h"
#include "tests/support/places.h"
#include "tests/support/real_traces.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

namespace fs = std::filesystem;

/// All files below a folder, by their paths in it.
std::vector<std::string> filesBelow(const fs::path& folder) {
    std::vector<std::string> files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file()) {
            files.push_back(entry.path().lexically_relative(folder).string());
        }
    }
    std::ranges::sort(files);
    return files;
}

class DigestCli : public testing::Test {
  protected:
    /// A job of so many ranks.
    [[nodiscard]] std::string job(int ranks) const { return writeJob(scratch, "job", ranks); }
    [[nodiscard]] std::string out(const std::string& name = "digests") const {
        return (scratch.path() / name).string();
    }

    TempFolder scratch;
};

TEST_F(DigestCli, MakesOneFileATraceAndTellsOfEach) {
    const ProcessResult made = cli({"digest", job(3), "-o", out()});
    EXPECT_EQ(made.code, 0) << made.err;
    EXPECT_THAT(made.out, AllOf(HasSubstr("rank0.json.digest: made"), HasSubstr("rank2.json.digest: made"),
                                HasSubstr("3 files: 3 made, 0 up to date, 0 failed")));
    EXPECT_THAT(filesBelow(out()), testing::ElementsAre("rank0.json.digest", "rank1.json.digest", "rank2.json.digest"));
}

TEST_F(DigestCli, LeavesAloneWhatIsUpToDateAndMakesWhatHasChanged) {
    const std::string traces = job(2);
    ASSERT_EQ(cli({"digest", traces, "-o", out()}).code, 0);
    const std::string before = contentOf(out() + "/rank0.json.digest");
    EXPECT_THAT(cli({"digest", traces, "-o", out()}).out, HasSubstr("2 files: 0 made, 2 up to date, 0 failed"));

    (void)scratch.write("job/rank0.json", traceText(0, 0));  // the same content at another time
    fs::last_write_time(traces + "/rank0.json", fs::file_time_type::clock::now() + std::chrono::hours(1));
    EXPECT_THAT(cli({"digest", traces, "-o", out()}).out, HasSubstr("0 made, 2 up to date"));
    EXPECT_EQ(contentOf(out() + "/rank0.json.digest"), before);

    (void)scratch.write("job/rank0.json", traceText(0, 60));
    EXPECT_THAT(cli({"digest", traces, "-o", out()}).out,
                AllOf(HasSubstr("rank0.json.digest: made"), HasSubstr("1 made, 1 up to date")));

    std::ofstream(out() + "/rank1.json.digest", std::ios::binary) << "cut";  // not by this program: it writes beside
    EXPECT_THAT(cli({"digest", traces, "-o", out()}).out, HasSubstr("rank1.json.digest: made"));
}

TEST_F(DigestCli, PartsTogetherMakeWhatOneMakes) {
    const std::string traces = job(7);
    ASSERT_EQ(cli({"digest", traces, "-o", out("whole")}).code, 0);
    for (const char* part : {"0/3", "1/3", "2/3"}) {
        ASSERT_EQ(cli({"digest", traces, "-o", out("parts"), "--shard", part, "--jobs", "2"}).code, 0);
    }
    ASSERT_EQ(filesBelow(out("whole")), filesBelow(out("parts")));
    for (const std::string& file : filesBelow(out("whole"))) {
        EXPECT_EQ(contentOf(out("whole") + "/" + file), contentOf(out("parts") + "/" + file)) << file;
    }
    // More parts than files: some have nothing to do, which is no failure.
    EXPECT_EQ(cli({"digest", traces, "-o", out("parts"), "--shard", "8/9"}).code, 0);
}

TEST_F(DigestCli, APartThatIsTypedAsNothingIsNotEverything) {
    const ProcessResult unset = cli({"digest", job(1), "-o", out(), "--shard", ""});
    EXPECT_EQ(unset.code, 2);
    EXPECT_THAT(unset.err, HasSubstr("--shard: \"\" is not a part I/N of the files"));
    EXPECT_FALSE(fs::exists(out()));
}

TEST_F(DigestCli, SaysByItsExitCodeWhetherSomeOrAllFailed) {
    const std::string traces = job(2);
    (void)scratch.write("job/rank2.json", "this is no trace");
    const ProcessResult some = cli({"digest", traces, "-o", out()});
    EXPECT_EQ(some.code, 4);
    EXPECT_THAT(some.err, HasSubstr("rank2.json"));
    EXPECT_THAT(some.out, HasSubstr("3 files: 2 made, 0 up to date, 1 failed"));
    EXPECT_EQ(cli({"digest", traces + "/rank2.json", "-o", out()}).code, 3);
    EXPECT_EQ(cli({"digest", traces + "/nowhere", "-o", out()}).code, 3);
    EXPECT_EQ(cli({"digest", traces, "-o", out(), "--shard", "3/3"}).code, 2);
    EXPECT_EQ(cli({"digest", traces}).code, 2);
}

TEST_F(DigestCli, SaysThatTheFolderCannotBeWrittenTo) {
    const std::string file = scratch.write("file", "no folder");
    const ProcessResult made = cli({"digest", job(1), "-o", file});
    EXPECT_EQ(made.code, 3);
    EXPECT_THAT(made.err, HasSubstr("cannot be written"));
}

TEST_F(DigestCli, KeepsFoldersOfRunsAndTakesNoDigestsForTraces) {
    (void)scratch.write("jobs/a/rank0.json", traceText(0, 0));
    (void)scratch.write("jobs/b/rank0.json", traceText(0, 0));
    const std::string jobs = (scratch.path() / "jobs").string();
    ASSERT_EQ(cli({"digest", jobs, "-o", jobs + "/digests"}).code, 0);
    ASSERT_EQ(cli({"digest", jobs, "-o", jobs + "/digests"}).code, 0);
    EXPECT_THAT(filesBelow(jobs + "/digests"), testing::ElementsAre("a/rank0.json.digest", "b/rank0.json.digest"));
}

/// The report, without what tells digests from traces: the note of the run that says so.
json reportOf(const std::string& path, const std::vector<std::string>& options = {}) {
    std::vector<std::string> arguments = {"analyze", path, "--json-detail", "--json", "-"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const ProcessResult result = cli(arguments);
    EXPECT_FALSE(result.out.empty()) << path << ": " << result.err;
    json report = json::parse(result.out, nullptr, false);
    for (json& run : report["runs"]) {
        json notes = json::array();
        for (const json& note : run["notes"]) {
            if (note.get<std::string>().find(".digest") == std::string::npos) {
                notes.push_back(note);
            }
        }
        run["notes"] = notes;
    }
    return report;
}

/// Expects that the digests of a folder tell to the last digit what its traces tell. They stand in a folder of the same
/// name, since a run is called as its folder is.
void expectSameReport(const fs::path& traces, const TempFolder& scratch, const std::vector<std::string>& options = {}) {
    SCOPED_TRACE(traces.string());
    const fs::path digests = scratch.path() / "digests" / traces.filename();
    const ProcessResult made = cli({"digest", traces.string(), "-o", digests.string()});
    ASSERT_THAT(made.code, testing::AnyOf(0, 4)) << made.err;
    const json of_traces = reportOf(traces.string(), options);
    const json of_digests = reportOf(digests.string(), options);
    EXPECT_TRUE(of_traces == of_digests) << json::diff(of_traces, of_digests).dump().substr(0, 4000);
}

TEST_F(DigestCli, ReportsOfDigestsAreThoseOfTheTracesOnBundledRuns) {
    for (const char* name : {"ZeroWorkers", "FourWorkers"}) {
        expectSameReport(sample(name), scratch);
    }
}

TEST_F(DigestCli, ReportsOfDigestsAreThoseOfTheTracesOnTheCorpus) {
    for (const fs::path& run : corpusRuns()) {
        expectSameReport(run, scratch);
    }
}

TEST_F(DigestCli, WhatDoesNotFitIntoMemoryIsReadInSomeStepsAndWhatNeverFitsIsRefused) {
    ASSERT_EQ(cli({"digest", sample("ZeroWorkers").string(), "-o", out()}).code, 0);
    const ProcessResult some = cli({"analyze", out(), "--memory", "0.0025", "--json", "-"});
    ASSERT_EQ(some.code, 0) << some.err;
    const json chosen = json::parse(some.out)["runs"][0]["chosen_steps"];
    EXPECT_LT(chosen["last"].get<int>() - chosen["first"].get<int>(), 3);  // of four steps
    EXPECT_EQ(chosen["steps"].size(), 4U);

    for (const char* format : {"--markdown", "--html"}) {
        EXPECT_THAT(cli({"check", out(), "--memory", "0.0025", format, "-"}).out, HasSubstr("read in full"));
    }

    const ProcessResult asked = cli({"analyze", out(), "--memory", "0.0025", "--steps", "80-83", "--json", "-"});
    EXPECT_TRUE(json::parse(asked.out)["runs"][0]["chosen_steps"].is_null());

    const ProcessResult none = cli({"analyze", out(), "--memory", "0.000001"});
    EXPECT_EQ(none.code, 3);
    EXPECT_THAT(none.err, HasSubstr("not even one step"));
    EXPECT_THAT(none.err, testing::ContainsRegex("not even one step of its 4 ranks \\(about [0-9.]+ [kM]B\\) fits"));
    for (const char* typed : {"-1", "x", "", "4G"}) {
        const ProcessResult wrong = cli({"analyze", out(), "--memory", typed});
        EXPECT_EQ(wrong.code, 2);
        EXPECT_THAT(wrong.err, HasSubstr(std::string("--memory: \"") + typed + "\" must be a number of GB above 0"));
    }
}

}  // namespace
}  // namespace rankscope::test
