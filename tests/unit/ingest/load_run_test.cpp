// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/loading.h"
#include "tests/support/real_traces.h"
#include "tests/support/temp_files.h"
#include "tests/support/testing.h"
#include "tests/support/trace_text.h"

namespace rankscope::test {
namespace {

std::string rankTrace(int rank, const std::string& ts = "10", const std::string& pid = "100") {
    EventLine line;
    line.name = "of rank " + std::to_string(rank);
    line.ts = ts;
    line.pid = pid;
    return traceJson({eventJson(line)}, "\"distributedInfo\": {\"backend\": \"nccl\", \"rank\": " +
                                            std::to_string(rank) + ", \"world_size\": 4},\n  ");
}

std::string plainTrace(const std::string& ts = "10") {
    EventLine line;
    line.ts = ts;
    return traceJson({eventJson(line)});
}

std::vector<int> ranksOf(const Run& run) {
    std::vector<int> ranks;
    for (const auto& rank : run.ranks) {
        ranks.push_back(rank->rank.value_or(RankNumber(-1)).value);
    }
    return ranks;
}

std::vector<std::string> runNames(const Discovery& found) {
    std::vector<std::string> names;
    for (const RunSource& run : found.runs) {
        names.push_back(run.name + ":" + std::to_string(run.files.size()));
    }
    return names;
}

TEST(DiscoverRuns, EachFolderWithTracesIsARun) {
    const TempFolder folder;
    folder.write("jobs/A/rank0.json", "x");
    folder.write("jobs/A/rank1.json.gz", "x");
    folder.write("jobs/A/notes.txt", "x");
    folder.write("jobs/B/rank0.pt.trace.json", "x");
    folder.write("jobs/.hidden/rank0.json", "x");
    const Discovery found = discoverRuns({(folder.path() / "jobs").string()});
    EXPECT_EQ(runNames(found), (std::vector<std::string>{"A:2", "B:1"}));
    EXPECT_TRUE(found.refused.empty());
}

TEST(DiscoverRuns, SeveralFilesAreOneRunInNaturalOrder) {
    const TempFolder folder;
    std::vector<std::string> paths;
    for (const char* name : {"run/rank10.json", "run/rank2.json", "run/rank1.json"}) {
        paths.push_back(folder.write(name, "x"));
    }
    const Discovery found = discoverRuns(paths);
    ASSERT_EQ(runNames(found), (std::vector<std::string>{"run:3"}));
    EXPECT_EQ(found.runs[0].files[0].label(), "rank1.json");
    EXPECT_EQ(found.runs[0].files[2].label(), "rank10.json");
}

TEST(DiscoverRuns, FilesAreInThePlaceOfTheFirstNamedOne) {
    const TempFolder folder;
    folder.write("a/rank0.json", "x");
    const std::string a = (folder.path() / "a").string();
    const std::string b = folder.write("b.json", "x");
    EXPECT_EQ(runNames(discoverRuns({a, b})), (std::vector<std::string>{"a:1", "b:1"}));
    EXPECT_EQ(runNames(discoverRuns({b, a})), (std::vector<std::string>{"b:1", "a:1"}));
}

TEST(DiscoverRuns, AZipIsARunWithItsMembers) {
    const TempFolder folder;
    writeZip(folder.path() / "job.zip",
             {{"rank0.json", rankTrace(0)}, {"rank1.json", rankTrace(1)}, {"readme.md", ""}});
    const auto run = loadRunAt((folder.path() / "job.zip").string());
    EXPECT_EQ(run->name, "job");
    EXPECT_EQ(ranksOf(*run), (std::vector<int>{0, 1}));
}

TEST(DiscoverRuns, MissingOrEmptyPathsAreRefusedByName) {
    const TempFolder folder;
    const Discovery found = discoverRuns({(folder.path() / "no").string(), folder.path().string()});
    ASSERT_EQ(found.refused.size(), 2U);
    EXPECT_NE(found.refused[0].text().find("does not exist"), std::string::npos);
    EXPECT_NE(found.refused[1].text().find(folder.path().string()), std::string::npos);
}

TEST(LoadRun, ABadFileCostsOnlyItself) {
    const TempFolder folder;
    folder.write("run/rank0.json", rankTrace(0));
    folder.write("run/rank1.json", "{\"traceEvents\": [}");
    folder.write("run/rank2.json", rankTrace(2));
    const auto run = loadRunAt((folder.path() / "run").string());
    EXPECT_EQ(ranksOf(*run), (std::vector<int>{0, 2}));
    ASSERT_EQ(run->unreadable.size(), 1U);
    EXPECT_NE(run->unreadable[0].text().find("rank1.json"), std::string::npos);
    EXPECT_EQ(run->missing_ranks, (std::vector{RankNumber(1), RankNumber(3)}));
}

TEST(LoadRun, ReportsEachFileToItsObserverAsItIsRead) {
    struct Counting : LoadObserver {
        std::vector<std::size_t> loaded;
        std::vector<std::size_t> failed;
        void fileLoaded(std::size_t file, const std::shared_ptr<const RankTrace>& /*r*/) override {
            loaded.push_back(file);
        }
        void fileFailed(std::size_t file, const Error& /*e*/) override { failed.push_back(file); }
    } observer;
    const TempFolder folder;
    folder.write("run/a.json", rankTrace(0));
    folder.write("run/b.json", "no");
    folder.write("run/c.json", rankTrace(1));
    const Discovery found = discoverRuns({(folder.path() / "run").string()});
    ASSERT_TRUE(loadRun(found.runs.at(0), {}, observer, {}).ok());
    std::ranges::sort(observer.loaded);
    EXPECT_EQ(observer.loaded, (std::vector<std::size_t>{0, 2}));
    EXPECT_EQ(observer.failed, (std::vector<std::size_t>{1}));
}

TEST(LoadRun, WindowsOfOneRankThatFollowOneAnotherAreOneTrace) {
    const TempFolder folder;
    folder.write("run/rank0.b.json", rankTrace(0, "5000"));
    folder.write("run/rank0.a.json", rankTrace(0, "10"));
    const auto run = loadRunAt((folder.path() / "run").string());
    ASSERT_EQ(run->ranks.size(), 1U);
    const RankTrace& rank = *run->ranks[0];
    EXPECT_EQ(rank.files.size(), 2U);
    ASSERT_EQ(rank.tracks.size(), 1U);
    EXPECT_EQ(rank.tracks[0].slices.size(), 2U);
    EXPECT_EQ(rank.tracks[0].slices.source[1].file(), 1);
    EXPECT_EQ(rank.window.length(), 4'995'000);
    EXPECT_TRUE(readEventText(rank, {TrackId(0), 1}).value().find("5000") != std::string::npos);
}

TEST(LoadRun, ChosenStepsThatAreOnlyCountedAreThoseOfTheFirstWindowOfARank) {
    const auto optimizer_steps = [](int from_us) {
        std::vector<std::string> events;
        for (int i = 0; i < 4; ++i) {
            EventLine line;
            line.category = "user_annotation";
            line.name = "Optimizer.step#SGD.step";
            line.ts = std::to_string(from_us + 100 * i);
            events.push_back(eventJson(line));
        }
        return traceJson(events, R"("distributedInfo": {"rank": 0, "world_size": 1}, )");
    };
    const TempFolder folder;
    folder.write("run/rank0.a.json", optimizer_steps(0));
    folder.write("run/rank0.b.json", optimizer_steps(50'000));
    LoadOptions options;
    options.first_step = 1;
    options.last_step = 2;
    const auto run = loadRunAt((folder.path() / "run").string(), options);
    ASSERT_EQ(run->ranks.size(), 1U);
    EXPECT_EQ(run->ranks[0]->files.size(), 1U);
    EXPECT_EQ(run->ranks[0]->first_counted_step, 1);
    ASSERT_EQ(run->unreadable.size(), 1U);
    EXPECT_THAT(run->unreadable[0].text(), testing::HasSubstr("are counted from the first file of rank 0"));
}

TEST(LoadRun, WindowsOfOneRankThatOverlapAreTwoRunsAndSaidToBe) {
    const TempFolder folder;
    folder.write("run/a.json", rankTrace(0, "10"));
    folder.write("run/b.json", rankTrace(0, "12"));
    const auto run = loadRunAt((folder.path() / "run").string());
    EXPECT_EQ(run->ranks.size(), 1U);
    ASSERT_EQ(run->unreadable.size(), 1U);
    EXPECT_NE(run->unreadable[0].cause.find("belongs to another run"), std::string::npos);
}

TEST(LoadRun, ALaterTraceOfAnotherProcessIsNoFurtherWindow) {
    const TempFolder folder;
    folder.write("run/a.json", rankTrace(0, "10", "100"));
    folder.write("run/b.json", rankTrace(0, "5000", "200"));
    const auto run = loadRunAt((folder.path() / "run").string());
    ASSERT_EQ(run->unreadable.size(), 1U);
    EXPECT_NE(run->unreadable[0].cause.find("another process"), std::string::npos);
}

TEST(LoadRun, TheRankComesFromTheBestPlaceThatNamesIt) {
    const TempFolder folder;
    const auto origin = [&](const std::string& name, const std::string& text) {
        const auto trace = load(folder.write(name, text));
        return std::pair(trace->rank.value_or(RankNumber(-1)).value, trace->rank_origin);
    };
    EXPECT_EQ(origin("a/rank7.json", rankTrace(2)), std::pair(2, RankOrigin::DistributedInfo));
    EXPECT_EQ(origin("a/rank-7.json", plainTrace()), std::pair(7, RankOrigin::FileName));
    EXPECT_EQ(origin("a/worker3.1623143089861.pt.trace.json", plainTrace()), std::pair(3, RankOrigin::FileName));
    EXPECT_EQ(origin("rank_5/trace.json", plainTrace()), std::pair(5, RankOrigin::FolderName));
    EXPECT_EQ(origin("a/resnet_4ranks.json", plainTrace()), std::pair(-1, RankOrigin::Unknown));
    EventLine op;
    op.name = "record_param_comms";
    op.args = R"("Collective name": "allreduce", "Rank": 1, "Global rank start": 4, "Global rank stride": 2)";
    EXPECT_EQ(origin("a/rank9.json", traceJson({eventJson(op)})), std::pair(6, RankOrigin::CollectiveArgs));
}

/// A trace that marks some steps, from `ts` microseconds on; without a rank where no `header` says it.
std::string stepsTrace(int first, int count, int ts, const std::string& pid, const std::string& header = {}) {
    std::vector<std::string> events;
    for (int i = 0; i < count; ++i) {
        EventLine line;
        line.name = "ProfilerStep#" + std::to_string(first + i);
        line.category = "user_annotation";
        line.ts = std::to_string(ts + 100 * i);
        line.dur = "100";
        line.pid = pid;
        events.push_back(eventJson(line));
    }
    return traceJson(events, header);
}

using Runs = std::vector<Run>;

Runs runsIn(const TempFolder& folder) {
    const Discovery found = discoverRuns({(folder.path() / "run").string()});
    LoadObserver observer;
    Result<Runs> runs = loadRuns(found.runs.at(0), {}, observer, {});
    return runs.ok() ? std::move(runs).value() : Runs();
}

TEST(LoadRun, WithoutAnyRankTheOrderOfFilesWithTheSameStepsCounts) {
    const TempFolder folder;
    folder.write("run/x2.json", stepsTrace(5, 4, 1000, "1"));
    folder.write("run/x10.json", stepsTrace(5, 4, 1030, "2"));
    const auto run = loadRunAt((folder.path() / "run").string());
    EXPECT_EQ(ranksOf(*run), (std::vector<int>{0, 1}));
    EXPECT_EQ(run->ranks[0]->rank_origin, RankOrigin::Order);
    EXPECT_NE(run->ranks[1]->files[0].path.find("x10"), std::string::npos);
}

TEST(LoadRuns, FilesThatNothingJoinsAreSeparateRunsAndReportedSo) {
    const TempFolder folder;
    folder.write("run/a.json", stepsTrace(5, 4, 1000, "1"));
    folder.write("run/later.json", stepsTrace(5, 4, 9000, "1"));
    folder.write("run/others.json", stepsTrace(8, 4, 1000, "1"));
    folder.write("run/unmarked.json", plainTrace("1010"));
    const Runs runs = runsIn(folder);
    std::vector<std::string> names;
    for (const auto& run : runs) {
        names.push_back(run.name);
        EXPECT_EQ(run.ranks.size(), 1U);
        ASSERT_FALSE(run.notes.empty());
        EXPECT_NE(run.notes.front().find("4 runs"), std::string::npos);
    }
    EXPECT_EQ(names, (std::vector<std::string>{"a", "later", "others", "unmarked"}));
    EXPECT_NE(runs.at(1).notes.front().find("names no rank"), std::string::npos);
}

TEST(LoadRuns, OneRankTwiceAndOtherWorldSizesAreOtherRuns) {
    const TempFolder folder;
    folder.write("run/a0.json", rankTrace(0, "10", "1"));
    folder.write("run/a1.json", rankTrace(1, "10", "2"));
    folder.write("run/b0.json", rankTrace(0, "9000", "3"));
    folder.write("run/b1.json", rankTrace(1, "9000", "4"));
    const EventLine line;
    folder.write("run/c2.json", traceJson({eventJson(line)}, R"("distributedInfo": {"rank": 2, "world_size": 8}, )"));
    const Runs runs = runsIn(folder);
    ASSERT_EQ(runs.size(), 3U);
    EXPECT_EQ(ranksOf(runs[0]), (std::vector<int>{0, 1}));
    EXPECT_EQ(ranksOf(runs[1]), (std::vector<int>{0, 1}));
    EXPECT_NE(runs[1].ranks[1]->files[0].path.find("b1"), std::string::npos);
    EXPECT_NE(runs[2].notes.front().find("of a job of 8 ranks"), std::string::npos);
    EXPECT_EQ(runs[2].name, "c2");
}

TEST(LoadRuns, WindowsOfOneRankCountTheirStepsOnAndOthersAreOfAnotherJob) {
    const auto of_rank = [](int rank, int first, int ts) {
        return stepsTrace(first, 4, ts, std::to_string(1 + rank),
                          R"("distributedInfo": {"rank": )" + std::to_string(rank) + R"(, "world_size": 4}, )");
    };
    const TempFolder folder;
    folder.write("run/a/rank0.json", of_rank(0, 80, 1'000));
    folder.write("run/a/rank1.json", of_rank(1, 80, 1'000));
    folder.write("run/a/rank0.next.json", of_rank(0, 90, 5'000));
    folder.write("run/b/rank0.json", of_rank(0, 80, 9'000));
    folder.write("run/b/rank2.json", of_rank(2, 80, 9'000));
    std::vector<std::string> paths;
    for (const char* name : {"a/rank0.json", "a/rank0.next.json", "a/rank1.json", "b/rank0.json", "b/rank2.json"}) {
        paths.push_back((folder.path() / "run" / name).string());
    }
    LoadObserver observer;
    const Result<Runs> loaded = loadRuns(discoverRuns(paths).runs.at(0), {}, observer, {});
    ASSERT_TRUE(loaded.ok());
    const Runs& runs = loaded.value();
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_EQ(ranksOf(runs[0]), (std::vector<int>{0, 1}));
    EXPECT_EQ(runs[0].ranks[0]->files.size(), 2U) << "steps 80 to 83, then 90 to 93";
    EXPECT_EQ(ranksOf(runs[1]), (std::vector<int>{0, 2}));
    EXPECT_NE(runs[1].notes.front().find("but with the same steps again"), std::string::npos) << runs[1].notes.front();
}

/// The runs of files that are named one by one: "name: its ranks".
std::vector<std::string> runsOfTyped(const TempFolder& folder, const std::vector<std::string>& files) {
    std::vector<std::string> paths;
    for (const std::string& file : files) {
        paths.push_back((folder.path() / file).string());
    }
    LoadObserver observer;
    const Result<Runs> runs = loadRuns(discoverRuns(paths).runs.at(0), {}, observer, {});
    std::vector<std::string> names;
    for (const Run& run : runs.ok() ? runs.value() : Runs()) {
        std::string& name = names.emplace_back(run.name + ":");
        for (const int rank : ranksOf(run)) {
            name += " " + std::to_string(rank);
        }
        EXPECT_NE(run.notes.front().find("The paths contain"), std::string::npos) << run.notes.front();
    }
    return names;
}

TEST(LoadRuns, FilesThatWereNamedKeepTheirOrderAndAreCalledByTheirFolders) {
    const TempFolder folder;
    for (int rank = 0; rank < 4; ++rank) {
        const std::string name = "/rank" + std::to_string(rank) + ".json";
        if (rank != 0) {
            folder.write("before" + name, rankTrace(rank));  // rank 0 is missing, and after's fits to it
        }
        folder.write("after" + name, rankTrace(rank));
    }
    const std::vector<std::string> before = {"before/rank1.json", "before/rank2.json", "before/rank3.json"};
    const std::vector<std::string> after = {"after/rank0.json", "after/rank1.json", "after/rank2.json",
                                            "after/rank3.json"};
    std::vector<std::string> forth = before;
    forth.insert(forth.end(), after.begin(), after.end());
    std::vector<std::string> back = after;
    back.insert(back.end(), before.begin(), before.end());
    EXPECT_EQ(runsOfTyped(folder, forth), (std::vector<std::string>{"before: 1 2 3", "after: 0 1 2 3"}));
    EXPECT_EQ(runsOfTyped(folder, back), (std::vector<std::string>{"after: 0 1 2 3", "before: 1 2 3"}));
}

TEST(LoadRuns, TheReasonForSeparateRunsNamesBothFilesWhole) {
    const TempFolder folder;
    const std::string one = folder.write("x/one.json", rankTrace(0));
    const std::string two = folder.write("y/two.json", rankTrace(0));
    LoadObserver observer;
    const Result<Runs> runs = loadRuns(discoverRuns({two, one}).runs.at(0), {}, observer, {});
    ASSERT_TRUE(runs.ok());
    ASSERT_EQ(runs.value().size(), 2U);
    EXPECT_EQ(runs.value()[0].name, "two");
    EXPECT_EQ(runs.value()[0].notes.front(),
              "The paths contain 2 runs: " + two + " has the same rank 0 as " + one + ", at the same time.");
}

TEST(LoadRuns, TheUserMaySayThatFilesAreOneRun) {
    const TempFolder folder;
    folder.write("run/x.json", plainTrace("10"));
    folder.write("run/y.json", plainTrace("9000"));
    const Discovery found = discoverRun("both", {(folder.path() / "run").string()});
    LoadObserver observer;
    const Result<Runs> runs = loadRuns(found.runs.at(0), {}, observer, {});
    ASSERT_TRUE(runs.ok());
    ASSERT_EQ(runs.value().size(), 1U);
    EXPECT_EQ(ranksOf(runs.value()[0]), (std::vector<int>{0, 1}));
}

TEST(LoadRun, ATraceOfAnotherToolIsRefusedByName) {
    const TempFolder folder;
    EventLine forward;
    forward.category = "forward-compute";
    forward.name = "forward-compute";
    folder.write("run/timeline.json", traceJson({eventJson(forward), eventJson(forward)}));
    const Discovery found = discoverRuns({(folder.path() / "run").string()});
    LoadObserver observer;
    const auto run = loadRun(found.runs.at(0), {}, observer, {});
    ASSERT_TRUE(run.failed());
    EXPECT_NE(run.error().text().find("timeline.json: is a Chrome trace of another tool: none of its 2 slices"),
              std::string::npos)
        << run.error().text();
    EXPECT_NE(run.error().cause.find("torch.profiler"), std::string::npos);
}

TEST(LoadRun, TheHostComesFromTheFileOfTheTensorboardHandler) {
    const TempFolder folder;
    EXPECT_EQ(load(folder.write("gpu-node-3_4711.1623143089861.pt.trace.json", plainTrace()))->host, "gpu-node-3");
}

TEST(LoadRun, OnlyTheRequestedRanksAreKept) {
    const TempFolder folder;
    for (int rank = 0; rank < 4; ++rank) {
        folder.write("run/" + std::to_string(rank) + ".json", rankTrace(rank));
    }
    LoadOptions options;
    options.ranks = {RankNumber(1), RankNumber(3)};
    EXPECT_EQ(ranksOf(*loadRunAt((folder.path() / "run").string(), options)), (std::vector<int>{1, 3}));
}

TEST(LoadRun, AStopKeepsTheFilesThatWereReadWhereThatIsAskedFor) {
    struct StopAfterOne : LoadObserver {
        std::stop_source stop;
        void fileLoaded(std::size_t /*f*/, const std::shared_ptr<const RankTrace>& /*r*/) override {
            stop.request_stop();
        }
    };
    const TempFolder folder;
    for (int rank = 0; rank < 3; ++rank) {
        folder.write("run/" + std::to_string(rank) + ".json", rankTrace(rank));
    }
    const Discovery found = discoverRuns({(folder.path() / "run").string()});
    LoadOptions options;
    options.threads = 1;
    StopAfterOne dropping;
    EXPECT_TRUE(loadRun(found.runs.at(0), options, dropping, dropping.stop.get_token()).cancelled());
    options.keep_when_stopped = true;
    StopAfterOne keeping;
    const auto kept = loadRun(found.runs.at(0), options, keeping, keeping.stop.get_token());
    ASSERT_TRUE(kept.ok());
    EXPECT_EQ(ranksOf(kept.value()), (std::vector<int>{0}));
    EXPECT_EQ(kept.value().notes.front(), "Reading was stopped: 1 of 3 files were read.");
}

TEST(LoadRun, FilesOfUnknownKindsAreNamedForWhatTheyAre) {
    const TempFolder folder;
    const auto why = [&](const std::string& name, const std::string& bytes) {
        LoadObserver observer;
        const auto result = loadFile({folder.write(name, bytes), "", 0}, {}, observer, {});
        return result.failed() ? result.error().cause : std::string("read");
    };
    EXPECT_NE(why("a.sqlite", std::string("SQLite format 3\0 and so on", 26)).find("SQLite"), std::string::npos);
    EXPECT_NE(why("a.pftrace", "\x0a\x12 binary").find("named as a Perfetto trace"), std::string::npos);
    EXPECT_NE(why("a.json", "PAR1").find("Parquet"), std::string::npos);
}

TEST(LoadRun, RealRunsHaveTheirRanks) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    EXPECT_EQ(ranksOf(*loadRunAt((realTraces() / "resnet_ddp_4ranks_rocm").string())), (std::vector<int>{0, 1, 2, 3}));
    EXPECT_EQ(ranksOf(*loadRunAt((realTraces() / "dlrm_8ranks_v100").string())),
              (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
}

}  // namespace
}  // namespace rankscope::test
