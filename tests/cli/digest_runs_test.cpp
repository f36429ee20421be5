// SPDX-License-Identifier: GPL-3.0-or-later
// Which runs there are of digests: merged ones, and those that lie beside their traces.

#include <chrono>

#include "core/digest/digest_file.h"
#include "tests/cli/run_cli.h"
#include "tests/cli/trace_text.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

namespace fs = std::filesystem;

class DigestRuns : public testing::Test {
  protected:
    /// The folder of a job of two ranks.
    [[nodiscard]] std::string job(const std::string& name) const { return writeJob(scratch, name, 2); }
    [[nodiscard]] std::string at(const std::string& name) const { return (scratch.path() / name).string(); }
    /// The digests of a folder of traces, in a folder of that name.
    [[nodiscard]] std::string digestsOf(const std::string& traces, const std::string& name) const {
        EXPECT_EQ(cli({"digest", traces, "-o", at(name)}).code, 0);
        return at(name);
    }
    /// The runs of a report, and how many ranks each has.
    [[nodiscard]] static json runsOf(const std::vector<std::string>& paths) {
        std::vector<std::string> arguments = {"analyze"};
        arguments.insert(arguments.end(), paths.begin(), paths.end());
        arguments.insert(arguments.end(), {"--json", "-"});
        const ProcessResult result = cli(arguments);
        EXPECT_EQ(result.code, 0) << result.err;
        return json::parse(result.out, nullptr, false)["runs"];
    }
    [[nodiscard]] static std::vector<DigestSource> sourcesAt(const std::string& path) {
        const Result<std::vector<DigestSource>> sources = readSources(path);
        EXPECT_TRUE(sources.ok());
        return sources.ok() ? sources.value() : std::vector<DigestSource>();
    }

    TempFolder scratch;
};

TEST_F(DigestRuns, MergedAreTheRunsThatAFolderOfThemIs) {
    (void)job("jobs/a");
    (void)job("jobs/b");
    const std::string folder = digestsOf(at("jobs"), "digests");
    ASSERT_EQ(cli({"merge", folder, "-o", at("both.digest")}).code, 0);
    // Of a folder with two folders each is a run; of their files in one folder the ranks tell them apart.
    const json of_files = runsOf({folder + "/a/rank0.json.digest", folder + "/a/rank1.json.digest",
                                  folder + "/b/rank0.json.digest", folder + "/b/rank1.json.digest"});
    const json merged = runsOf({at("both.digest")});
    ASSERT_EQ(of_files.size(), 2U);
    ASSERT_EQ(merged.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(merged[i]["ranks"].size(), 2U);
        EXPECT_EQ(merged[i]["median_step_ns"], of_files[i]["median_step_ns"]);
        EXPECT_TRUE(merged[i]["unreadable"].empty()) << merged[i]["unreadable"];
    }
}

TEST_F(DigestRuns, MergedOnesThatWereNamedKeepTheirOrderAndTheirNames) {
    (void)scratch.write("jobs/a/rank1.json", traceText(1, 0));  // rank 0 is missing, and b's fits to it
    (void)job("jobs/b");
    const auto merged = [this](const std::string& traces, const std::string& name) {
        EXPECT_EQ(cli({"merge", digestsOf(at(traces), name + "-digests"), "-o", at(name + ".digest")}).code, 0);
        return at(name + ".digest");
    };
    const std::string slow = merged("jobs/a", "slow");
    const std::string fast = merged("jobs/b", "fast");
    const auto told = [](const json& runs) {
        std::vector<std::string> all;
        for (const json& run : runs) {
            all.push_back(run["name"].get<std::string>() + ": " + std::to_string(run["ranks"].size()));
        }
        return all;
    };
    EXPECT_THAT(told(runsOf({slow, fast})), testing::ElementsAre("slow: 1", "fast: 2"));
    EXPECT_THAT(told(runsOf({fast, slow})), testing::ElementsAre("fast: 2", "slow: 1"));
    // Those of the same name are called by their folders, and what is one job stays one.
    fs::create_directory(at("x1"));
    fs::create_directory(at("x2"));
    fs::copy(slow, at("x1/job.digest"));
    fs::copy(fast, at("x2/job.digest"));
    EXPECT_THAT(told(runsOf({at("x2/job.digest"), at("x1/job.digest")})),
                testing::ElementsAre("x2/job: 2", "x1/job: 1"));
    const std::string parts = at("fast-digests");
    EXPECT_EQ(told(runsOf({parts + "/rank1.json.digest", fast, parts + "/rank0.json.digest"})).size(), 1U);
}

TEST_F(DigestRuns, OfTwoJobsInOneFileAreCalledByTheFoldersOfTheirTraces) {
    (void)job("jobs/a");
    (void)job("jobs/b");
    ASSERT_EQ(cli({"merge", digestsOf(at("jobs"), "digests"), "-o", at("both.digest")}).code, 0);
    const json runs = runsOf({at("both.digest")});
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_EQ(runs[0]["name"], "a");
    EXPECT_EQ(runs[1]["name"], "b");
}

TEST_F(DigestRuns, OfAMergedFileNamedAsOneRunGetNoAdviceToOpenThemSeparately) {
    (void)job("jobs/a");
    (void)job("jobs/b");
    ASSERT_EQ(cli({"merge", digestsOf(at("jobs"), "digests"), "-o", at("both.digest")}).code, 0);
    const ProcessResult one = cli({"analyze", "--run", "x=" + at("both.digest")});
    EXPECT_EQ(one.code, 4);
    EXPECT_THAT(one.err, AllOf(HasSubstr("belongs to a different run"), Not(HasSubstr("open that run by itself"))));
}

TEST_F(DigestRuns, BesideTheirTracesAreNoSecondRun) {
    const std::string traces = job("job");
    ASSERT_EQ(cli({"digest", traces, "-o", traces}).code, 0);
    const json runs = runsOf({traces});
    ASSERT_EQ(runs.size(), 1U);
    EXPECT_EQ(runs[0]["ranks"].size(), 2U);
    EXPECT_TRUE(runs[0]["ranks"][0]["files"][0].value("digest", "").empty()) << "the trace itself counts";
    EXPECT_THAT(runs[0]["notes"].dump(), HasSubstr("rank0.json.digest"));
}

TEST_F(DigestRuns, ThatWereMovedOrCopiedWithTheirTracesAreNoSecondRun) {
    const std::string traces = job("job");
    ASSERT_EQ(cli({"digest", traces, "-o", traces}).code, 0);
    fs::rename(traces, at("moved"));
    EXPECT_EQ(runsOf({at("moved")}).size(), 1U);
}

TEST_F(DigestRuns, InAFolderBelowTheirTracesAreNoSecondRun) {
    const std::string traces = job("job");
    ASSERT_EQ(cli({"digest", traces, "-o", traces + "/digests"}).code, 0);
    const auto expect_one_run = [&](const std::string& folder) {
        const json runs = runsOf({folder});
        ASSERT_EQ(runs.size(), 1U) << folder;
        EXPECT_EQ(runs[0]["ranks"].size(), 2U);
        EXPECT_TRUE(runs[0]["ranks"][0]["files"][0].value("digest", "").empty()) << "the trace itself counts";
        EXPECT_THAT(runs[0]["notes"].dump(), HasSubstr("digests/rank0.json.digest"));
    };
    expect_one_run(traces);
    fs::rename(traces, at("moved"));
    expect_one_run(at("moved"));
}

TEST_F(DigestRuns, CompleteTheTracesOfSomeRanksInAnotherFolder) {
    const std::string traces = job("job");
    const auto expect_both_ranks = [&](const std::string& of) {
        const json runs = runsOf({at("job")});
        ASSERT_EQ(runs.size(), 1U) << of;
        EXPECT_EQ(runs[0]["name"], "job");
        EXPECT_EQ(runs[0]["ranks"].size(), 2U) << of;
        EXPECT_EQ(runs[0]["missing_ranks"].size(), 0U) << of;
        EXPECT_THAT(runs[0]["ranks"][0]["files"][0]["path"].get<std::string>(), HasSubstr("/node0/"))
            << "the trace itself counts";
        EXPECT_THAT(runs[0]["notes"].dump(), HasSubstr("Read from")) << of;
    };
    ASSERT_EQ(cli({"digest", traces, "-o", traces + "/digests"}).code, 0);
    fs::create_directory(traces + "/node0");
    fs::rename(traces + "/rank0.json", traces + "/node0/rank0.json");
    fs::remove(traces + "/rank1.json");
    expect_both_ranks("digests of both ranks, and the trace of one");
    fs::remove(traces + "/digests/rank0.json.digest");
    expect_both_ranks("the digest of one rank, and the trace of the other");
}

TEST_F(DigestRuns, OfStepsThatAreNotThereSaySo) {
    const std::string traces = job("job");
    for (const std::string& path : {traces, digestsOf(traces, "digests")}) {
        const ProcessResult result = cli({"analyze", path, "--steps", "999"});
        EXPECT_EQ(result.code, 3);
        EXPECT_THAT(result.err, AllOf(HasSubstr("none of the requested steps"), Not(HasSubstr("no complete events"))));
        EXPECT_THAT(result.err, HasSubstr("; there are steps "));
        EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << "one line for all files: " << result.err;
    }
}

TEST_F(DigestRuns, BesideTheFileThatTheyWereMergedIntoAreNoSecondRun) {
    const std::string folder = digestsOf(job("job"), "digests");
    ASSERT_EQ(cli({"merge", folder, "-o", folder + "/all.digest"}).code, 0);
    const json runs = runsOf({folder});
    ASSERT_EQ(runs.size(), 1U);
    EXPECT_EQ(runs[0]["ranks"].size(), 2U);
}

TEST_F(DigestRuns, OfTracesThatOnlyLieAtTheSamePathOfTwoMachinesAreAllRead) {
    // Each machine writes to a disk of its own: the same path, another rank.
    (void)scratch.write("disk/trace.json", traceText(0, 0));
    const std::string first = digestsOf(at("disk"), "first") + "/trace.json.digest";
    (void)scratch.write("disk/trace.json", traceText(1, 0));
    const std::string second = digestsOf(at("disk"), "second") + "/trace.json.digest";
    fs::remove_all(at("disk"));
    const json runs = runsOf({first, second});
    ASSERT_EQ(runs.size(), 1U);
    EXPECT_EQ(runs[0]["ranks"].size(), 2U);
}

TEST_F(DigestRuns, AreMergedIntoOneOfThemWithoutLoss) {
    const std::string folder = digestsOf(job("job"), "digests");
    const std::string first = folder + "/rank0.json.digest";
    const ProcessResult merged = cli({"merge", first, folder + "/rank1.json.digest", "-o", first});
    EXPECT_EQ(merged.code, 0) << merged.err;
    EXPECT_THAT(merged.out, HasSubstr("2 ranks of 2 traces"));
    EXPECT_EQ(sourcesAt(first).size(), 2U);
    // What is found in a folder does not take itself in.
    ASSERT_EQ(cli({"merge", folder, "-o", folder + "/all.digest"}).code, 0);
    ASSERT_EQ(cli({"merge", folder, "-o", folder + "/all.digest"}).code, 0);
    EXPECT_EQ(sourcesAt(folder + "/all.digest").size(), 2U);
}

TEST_F(DigestRuns, ThatCannotBeMergedAreNamedAndTheFoldersOfTheOutputAreMade) {
    const ProcessResult nothing = cli({"merge", at("nothere"), "-o", at("x.digest")});
    EXPECT_EQ(nothing.code, 3);
    EXPECT_THAT(nothing.err, HasSubstr(at("nothere") + ": does not exist"));
    fs::create_directories(at("empty"));
    const ProcessResult empty = cli({"merge", at("empty"), "-o", at("x.digest")});
    EXPECT_EQ(empty.code, 3);
    EXPECT_THAT(empty.err, AllOf(HasSubstr(at("empty") + ": contains no digests"), Not(HasSubstr("x.digest"))));
    const std::string folder = digestsOf(job("job"), "digests");
    const ProcessResult some = cli({"merge", at("nothere"), folder, "-o", at("new/folder/all.digest")});
    EXPECT_EQ(some.code, 4);
    EXPECT_EQ(sourcesAt(at("new/folder/all.digest")).size(), 2U);
}

TEST_F(DigestRuns, AreNotMergedIntoAFolder) {
    const std::string folder = digestsOf(job("job"), "digests");
    for (const std::string& to : {at("new") + "/", folder, folder + "/"}) {
        const ProcessResult result = cli({"merge", folder, "-o", to});
        EXPECT_EQ(result.code, 2) << to;
        EXPECT_THAT(result.err,
                    AllOf(HasSubstr(to + " is a folder; name a file in it, like "), HasSubstr("all.digest")));
    }
    EXPECT_FALSE(fs::exists(at("new")));
}

TEST_F(DigestRuns, ThatAreNoneAreCalledSo) {
    const std::string text = scratch.write("text.digest", "this is no digest, only a text that is called one");
    const std::string empty = scratch.write("empty.digest", "");
    for (const std::string& path : {text, empty}) {
        EXPECT_THAT(cli({"analyze", path}).err, HasSubstr(path + ": is not a digest"));
        EXPECT_THAT(cli({"merge", path, "-o", at("x.digest")}).err, HasSubstr(path + ": is not a digest"));
    }
}

TEST_F(DigestRuns, HoldWhenTheirTracesWereChangedInUnixTime) {
    const std::string folder = digestsOf(job("job"), "digests");
    const std::int64_t modified_ns = sourcesAt(folder + "/rank0.json.digest").at(0).modified_ns;
    const auto now_ns = std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
    constexpr std::int64_t kHour = 3'600'000'000'000;
    EXPECT_NEAR(static_cast<double>(modified_ns), static_cast<double>(now_ns), static_cast<double>(kHour));
}

TEST_F(DigestRuns, SayTheShareOfTheTraceOnlyWhereTheyTakeLess) {
    const ProcessResult made = cli({"digest", job("job"), "-o", at("digests")});
    EXPECT_THAT(made.out, AllOf(HasSubstr(" unpacked"), Not(HasSubstr(" %"))));
}

}  // namespace
}  // namespace rankscope::test
