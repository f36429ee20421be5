// SPDX-License-Identifier: GPL-3.0-or-later
//
// How jobs are written to disk: a folder per host, per rank, per iteration, nested, in archives, beside other files.
// What the files say decides which of them are one run.

#include "core/ingest/assembly/folders_of_run.h"
#include "tests/support/loading.h"
#include "tests/support/places.h"
#include "tests/support/temp_files.h"
#include "tests/support/testing.h"
#include "tests/support/trace_text.h"

namespace rankscope::test {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;
using Lines = std::vector<std::string>;

/// What a file says of itself.
struct Said {
    int rank = 0;  ///< below 0: nothing of ranks
    int world = 4;
    double start_s = 0;  ///< behind some time in 2023
    std::string host{};
    std::vector<int> steps = {7};
    std::string pid{};  ///< empty: one for each rank
    std::string groups{};
};

std::string fileOf(const Said& said) {
    constexpr std::int64_t kThen = 1'700'000'000'000'000;  // us
    const std::string pid = said.pid.empty() ? std::to_string(100 + said.rank) : said.pid;
    std::vector<std::string> events;
    std::int64_t at_us = kThen + static_cast<std::int64_t>(said.start_s * 1e6);
    for (const int step : said.steps) {
        EventLine line;
        line.category = "user_annotation";
        line.name = "ProfilerStep#" + std::to_string(step);
        line.pid = pid;
        line.ts = std::to_string(at_us);
        line.dur = "1000";
        events.push_back(eventJson(line));
        line.category = "cpu_op";
        line.name = "aten::mm";
        line.ts = std::to_string(at_us + 10);
        line.dur = "500";
        events.push_back(eventJson(line));
        at_us += 1000;
    }
    std::string header;
    if (said.rank >= 0) {
        header = "\"distributedInfo\": {\"backend\": \"nccl\", \"rank\": " + std::to_string(said.rank) +
                 ", \"world_size\": " + std::to_string(said.world) +
                 (said.groups.empty() ? std::string() : ", \"pg_config\": " + said.groups) + "},\n";
    }
    if (!said.host.empty()) {
        header += "\"host_name\": \"" + said.host + "\",\n";
    }
    return traceJson(events, header);
}

/// What was found at paths, and read: "name: its ranks", with what is refused before.
Lines runsAt(const std::vector<std::string>& paths) {
    Lines lines;
    const Discovery found = discoverRuns(paths);
    for (const Error& error : found.refused) {
        lines.push_back("refused: " + error.cause);
    }
    for (const RunSource& source : found.runs) {
        LoadObserver observer;
        const Result<std::vector<Run>> runs = loadRuns(source, {}, observer, {});
        if (!runs.ok()) {
            lines.push_back("failed: " + runs.error().cause);
            continue;
        }
        for (const Run& run : runs.value()) {
            std::string& line = lines.emplace_back(run.name + ":");
            for (const auto& rank : run.ranks) {
                line += " " + (rank->rank ? std::to_string(rank->rank->value) : "?");
            }
            line += run.unreadable.empty() ? "" : " and unreadable: " + run.unreadable.front().cause;
        }
    }
    return lines;
}

class LayoutTest : public ::testing::Test {
  protected:
    void put(const std::string& name, const Said& said) const { folder.write("job/" + name, fileOf(said)); }
    [[nodiscard]] std::string root() const { return (folder.path() / "job").string(); }
    [[nodiscard]] Lines runs() const { return runsAt({root()}); }
    /// All notes of all runs.
    [[nodiscard]] std::string notes() const {
        std::string all;
        for (const RunSource& source : discoverRuns({root()}).runs) {
            LoadObserver observer;
            const auto loaded = loadRuns(source, {}, observer, {});
            for (const auto& run : loaded.ok() ? loaded.value() : std::vector<rankscope::Run>()) {
                for (const std::string& note : run.notes) {
                    all += note + "\n";
                }
            }
        }
        return all;
    }
    TempFolder folder;
};

/// The bundled sample's file of a rank.
std::string sampleOf(const std::string& run, int rank) {
    return contentOf(sourceFolder() / "resources/samples" / run /
                     ("rank" + std::to_string(rank) + ".pt.trace.json.gz"));
}

TEST_F(LayoutTest, FoldersOfHostsOfRanksAndNestedAreOneRun) {
    const std::map<std::string, std::vector<std::string>> layouts = {
        {"hosts", {"node0/rank0.json.gz", "node0/rank1.json.gz", "node1/rank0.json.gz", "node1/rank1.json.gz"}},
        {"ranks", {"rank0/trace.json.gz", "rank1/trace.json.gz", "rank2/trace.json.gz", "rank3/trace.json.gz"}},
        {"nested", {"a/b/0.json.gz", "a/1.json.gz", "c/d/e/2.json.gz", "3.json.gz"}},
        {"nameless", {"host-a/x.json.gz", "host-a/y.json.gz", "host-b/p.json.gz", "host-b/q.json.gz"}},
    };
    for (const auto& [layout, names] : layouts) {
        for (int rank = 0; rank < 4; ++rank) {
            folder.write(layout + "/" + names[static_cast<std::size_t>(rank)], sampleOf("ZeroWorkers", rank));
        }
        EXPECT_THAT(runsAt({(folder.path() / layout).string()}), ElementsAre(layout + ": 0 1 2 3"));
    }
}

TEST_F(LayoutTest, ArchivesAreReadLikeFolders) {
    std::vector<std::pair<std::string, std::string>> members;
    for (int rank = 0; rank < 4; ++rank) {
        const std::string name = "node" + std::to_string(rank / 2) + "/rank" + std::to_string(rank % 2) + ".json.gz";
        members.emplace_back(name, sampleOf("ZeroWorkers", rank));
    }
    const std::string packed = tar(members);
    writeZip(folder.path() / "zip.zip", members);
    folder.write("plain.tar", packed);
    folder.write("gz.tar.gz", gzip(packed));
    folder.write("short.tgz", gzip(packed));
    folder.write("zst.tar.zst", zstd(packed));
    for (const std::string name : {"zip.zip", "plain.tar", "gz.tar.gz", "short.tgz", "zst.tar.zst"}) {
        EXPECT_THAT(runsAt({(folder.path() / name).string()}),
                    ElementsAre(name.substr(0, name.find('.')) + ": 0 1 2 3"));
    }
}

TEST_F(LayoutTest, AnArchiveOfEachHostIsOneRun) {
    for (int node = 0; node < 2; ++node) {
        const std::string of_node = tar(
            {{"traces/rank0.json", fileOf({.rank = 2 * node})}, {"traces/rank1.json", fileOf({.rank = 2 * node + 1})}});
        folder.write("job/node" + std::to_string(node) + ".tar.gz", gzip(of_node));
    }
    EXPECT_THAT(runs(), ElementsAre("job: 0 1 2 3"));
}

TEST_F(LayoutTest, RanksThatRepeatAreSeveralRuns) {
    for (int rank = 0; rank < 4; ++rank) {
        const std::string name = "/rank" + std::to_string(rank) + ".json";
        put("iteration_10" + name, {.rank = rank, .start_s = 0, .steps = {10}});
        put("iteration_20" + name, {.rank = rank, .start_s = 60, .steps = {20}});
    }
    EXPECT_THAT(runs(), ElementsAre("iteration_10: 0 1 2 3", "iteration_20: 0 1 2 3"));
}

TEST_F(LayoutTest, IterationsInFoldersOfRanksAreRunsOfAllRanks) {
    for (int rank = 0; rank < 4; ++rank) {
        const std::string of_rank = "rank" + std::to_string(rank);
        put(of_rank + "/iteration_10/trace.json", {.rank = rank, .start_s = 0, .steps = {10}});
        put(of_rank + "/iteration_20/trace.json", {.rank = rank, .start_s = 60, .steps = {20}});
    }
    EXPECT_THAT(runs(), ElementsAre("iteration_10: 0 1 2 3", "iteration_20: 0 1 2 3"));
}

TEST_F(LayoutTest, SeveralJobsInOneTreeStayApart) {
    for (int rank = 0; rank < 4; ++rank) {
        const std::string name = "/node" + std::to_string(rank / 2) + "/rank" + std::to_string(rank % 2) + ".json";
        put("first" + name, {.rank = rank, .start_s = 0});
        put("second" + name, {.rank = rank, .start_s = 0, .pid = std::to_string(900 + rank)});
        put("third" + name, {.rank = rank, .world = 8, .start_s = 0});
        put("fourth" + name, {.rank = rank, .start_s = 500});
    }
    EXPECT_THAT(runs(), ::testing::UnorderedElementsAre("first: 0 1 2 3", "second: 0 1 2 3", "third: 0 1 2 3",
                                                        "fourth: 0 1 2 3"));
}

TEST_F(LayoutTest, RanksOfOtherTimesSizesAndGroupsAreOtherRuns) {
    put("a/rank0.json", {.rank = 0});
    put("later/rank1.json", {.rank = 1, .start_s = 100});
    EXPECT_THAT(runs(), ElementsAre("a: 0", "later: 1"));
    EXPECT_THAT(notes(), HasSubstr("was recorded at another time than"));

    put("later/rank1.json", {.rank = 1, .world = 8});
    EXPECT_THAT(runs(), ElementsAre("a: 0", "later: 1"));

    put("a/rank0.json", {.rank = 0, .groups = R"([{"pg_name": "7", "pg_desc": "tp", "pg_size": 2, "ranks": [0, 1]}])"});
    put("later/rank1.json",
        {.rank = 1, .groups = R"([{"pg_name": "7", "pg_desc": "tp", "pg_size": 2, "ranks": [1, 3]}])"});
    EXPECT_THAT(runs(), ElementsAre("a: 0", "later: 1"));
    EXPECT_THAT(notes(), HasSubstr("has other ranks in group 7 than"));

    // Each rank lists the groups that it is in: another one of that name is no contradiction.
    put("later/rank1.json",
        {.rank = 2, .groups = R"([{"pg_name": "7", "pg_desc": "tp", "pg_size": 2, "ranks": [2, 3]}])"});
    EXPECT_THAT(runs(), ElementsAre("job: 0 2"));
    EXPECT_THAT(notes(), HasSubstr("Read from 2 folders (a, later): their ranks complete one another."));
}

TEST_F(LayoutTest, HostsWhoseClocksDisagreeAreOneRunByTheirSteps) {
    put("node0/rank0.json", {.rank = 0, .host = "one", .steps = {7, 8, 9}});
    put("node1/rank1.json", {.rank = 1, .start_s = 37, .host = "two", .steps = {7, 8, 9}});
    EXPECT_THAT(runs(), ElementsAre("job: 0 1"));
    put("node1/rank1.json", {.rank = 1, .start_s = 37, .host = "two", .steps = {17, 18, 19}});
    EXPECT_THAT(runs(), ElementsAre("node0: 0", "node1: 1"));
    put("node1/rank1.json", {.rank = 1, .start_s = 37, .host = "one", .steps = {7, 8, 9}});
    EXPECT_THAT(runs(), ElementsAre("node0: 0", "node1: 1"));
}

TEST_F(LayoutTest, RanksThatOnlyNamesSayCompleteOneAnotherToo) {
    put("rank0/trace.json", {.rank = -1, .pid = "1"});
    put("rank1/trace.json", {.rank = -1, .pid = "2"});
    EXPECT_THAT(runs(), ElementsAre("job: 0 1"));
}

TEST_F(LayoutTest, FilesWithoutRanksAreOneRunByStepsInTime) {
    put("x/trace.json", {.rank = -1, .steps = {7, 8}, .pid = "1"});
    put("y/trace.json", {.rank = -1, .steps = {7, 8}, .pid = "2"});
    EXPECT_THAT(runs(), ElementsAre("job: 0 1"));
    put("y/trace.json", {.rank = -1, .steps = {7, 8}, .pid = "1"});
    EXPECT_THAT(runs(), ElementsAre("x: ?", "y: ?")) << "one process is one rank, and a copy is no other";
    put("y/trace.json", {.rank = -1, .start_s = 60, .steps = {7, 8}, .pid = "2"});
    EXPECT_THAT(runs(), ElementsAre("x: ?", "y: ?"));
}

TEST_F(LayoutTest, WhereNothingDecidesTheNoteSaysSo) {
    put("x/trace.json", {.rank = -1, .pid = "1"});
    EventLine line;
    line.pid = "2";
    line.ts = "1700000000000010";
    folder.write("job/y/trace.json", traceJson({eventJson(line)}));
    EXPECT_THAT(runs(), ElementsAre("x: ?", "y: ?"));
    EXPECT_THAT(notes(), HasSubstr(std::string(kMayBeOneRun)));
    EXPECT_THAT(notes(), HasSubstr("--run NAME=PATH... makes them one run."));
    line.ts = "1700000900000010";
    folder.write("job/y/trace.json", traceJson({eventJson(line)}));
    EXPECT_THAT(runs(), ElementsAre("x: ?", "y: ?"));
    EXPECT_EQ(notes().find(kMayBeOneRun), std::string::npos) << "ranks of one run overlap";
}

TEST_F(LayoutTest, TheOrderOfPathsChangesNothing) {
    for (int rank = 0; rank < 6; ++rank) {
        put("f" + std::to_string(rank) + "/trace.json",
            {.rank = rank % 3, .world = 3, .start_s = rank < 3 ? 0.0 : 30.0});
    }
    const auto ranks = [](Lines lines) {  // the name depends on what was named first
        std::ranges::for_each(lines, [](std::string& line) { line.erase(0, line.find(':')); });
        return lines;
    };
    Lines paths;
    for (int i = 0; i < 6; ++i) {
        paths.push_back(root() + "/f" + std::to_string(i) + "/trace.json");
    }
    const Lines whole = ranks(runs());
    EXPECT_THAT(whole, ElementsAre(": 0 1 2", ": 0 1 2"));
    std::mt19937 chance(3);
    for (int round = 0; round < 20; ++round) {
        std::ranges::shuffle(paths, chance);
        EXPECT_EQ(ranks(runsAt(paths)), whole) << round;
    }
}

TEST_F(LayoutTest, NamedFoldersStaySeparateRuns) {
    put("node0/rank0.json", {.rank = 0});
    put("node1/rank1.json", {.rank = 1});
    EXPECT_THAT(runs(), ElementsAre("job: 0 1"));
    EXPECT_THAT(runsAt({root() + "/node0", root() + "/node1"}), ElementsAre("node0: 0", "node1: 1"));
}

TEST_F(LayoutTest, JsonThatIsNoTraceIsANote) {
    put("rank0.json", {.rank = 0});
    put("rank1.json", {.rank = 1});
    folder.write("job/config.json", R"({"lr": 0.1, "layers": [1, 2]})");
    folder.write("job/et_rank0.json", R"({"schema": "1.0", "nodes": [{"id": 1}]})");
    folder.write("job/list.json", "[1, 2, 3]");
    EXPECT_THAT(runs(), ElementsAre("job: 0 1"));
    EXPECT_THAT(notes(), HasSubstr("config.json: has no \"traceEvents\": it is JSON, but not a profiler trace"));
    EXPECT_THAT(notes(), HasSubstr("et_rank0.json: has no \"traceEvents\": it is an execution trace"));
    EXPECT_THAT(notes(), HasSubstr("list.json: is a JSON list"));
}

TEST_F(LayoutTest, FoldersOfJsonThatIsNoTraceAreNoRuns) {
    put("traces/rank0.json", {.rank = 0});
    put("traces/rank1.json", {.rank = 1});
    folder.write("job/configs/model.json", "{}");
    folder.write("job/configs/deep/train.json", R"({"lr": 0.1})");
    EXPECT_THAT(runs(), ElementsAre("traces: 0 1"));
    EXPECT_THAT(notes(), HasSubstr("model.json: has no \"traceEvents\""));
    EXPECT_THAT(notes(), HasSubstr("train.json: has no \"traceEvents\""));
    EXPECT_THAT(runsAt({root() + "/configs"}),
                ElementsAre("failed: has no \"traceEvents\": it is JSON, but not a profiler trace; record one with "
                            "torch.profiler",
                            "failed: has no \"traceEvents\": it is JSON, but not a profiler trace; record one with "
                            "torch.profiler"));
}

TEST_F(LayoutTest, ATraceThatIsCutOrNamedIsNoNote) {
    put("rank0.json", {.rank = 0});
    folder.write("job/rank1.json", R"({"schemaVersion": 1, "deviceProperties": [{"id": 0, )");
    EXPECT_THAT(runs(), ElementsAre("job: 0 and unreadable: is JSON that ends early, before any \"traceEvents\""));
    folder.write("job/rank1.json", R"({"schemaVersion": 1, "deviceProperties": []})");
    EXPECT_THAT(runs(), ElementsAre("job: 0 and unreadable: has the keys of a profiler trace, but no \"traceEvents\""));
    folder.write("job/rank1.json", R"({"lr": 1})");
    EXPECT_THAT(runsAt({root() + "/rank0.json", root() + "/rank1.json"}),
                ElementsAre(HasSubstr("unreadable: has no \"traceEvents\"")));
}

TEST_F(LayoutTest, TheUserSaysMoreThanTheFiles) {
    put("a/rank0.json", {.rank = 0});
    put("b/rank1.json", {.rank = 1, .start_s = 100});
    const Discovery found = discoverRun("mine", {root()});
    LoadObserver observer;
    EXPECT_THAT(loadRun(found.runs.at(0), {}, observer, {}).value().ranks, SizeIs(2));
}

RankClaims claims(int rank, int world, std::optional<TimeNs> start = std::nullopt) {
    return {rank < 0 ? std::nullopt : std::optional(RankNumber(rank)), world == 0 ? std::nullopt : std::optional(world),
            start};
}

std::vector<std::vector<std::size_t>> together(const std::vector<FolderClaims>& folders) {
    std::vector<std::vector<std::size_t>> out;
    for (const FoldersTogether& one : foldersTogether(folders)) {
        EXPECT_EQ(one.why.empty(), one.folders.size() == 1);
        out.push_back(one.folders);
    }
    return out;
}

using Places = std::vector<std::size_t>;

TEST(FoldersTogether, CompleteOneAnother) {
    EXPECT_THAT(together({{claims(0, 4), claims(1, 4)}, {claims(2, 4), claims(3, 4)}}), ElementsAre(Places{0, 1}));
    EXPECT_THAT(together({{claims(0, 4)}, {claims(0, 4)}}), ElementsAre(Places{0}, Places{1}));
    EXPECT_THAT(together({{claims(0, 4)}, {claims(1, 8)}}), ElementsAre(Places{0}, Places{1}));
    EXPECT_THAT(together({{claims(0, 0)}, {claims(1, 8)}}), ElementsAre(Places{0, 1})) << "one says no size";
    EXPECT_THAT(together({{claims(0, 4)}, {claims(-1, 4)}}), ElementsAre(Places{0}, Places{1}));
    EXPECT_THAT(together({{claims(-1, 0, 5)}, {claims(-1, 0, 6)}}), ElementsAre(Places{0, 1}));
    EXPECT_THAT(together({{claims(-1, 0, 5)}, {claims(-1, 0)}}), ElementsAre(Places{0}, Places{1}));
    EXPECT_THAT(together({{}, {}, {claims(0, 4)}}), ElementsAre(Places{0}, Places{1}, Places{2}));
}

TEST(FoldersTogether, HoursApartAreNotReadTogether) {
    const TimeNs hour = kRecordedTogether;
    EXPECT_THAT(together({{claims(0, 4, 0)}, {claims(1, 4, hour)}}), ElementsAre(Places{0, 1}));
    EXPECT_THAT(together({{claims(0, 4, 0)}, {claims(1, 4, hour + 1)}}), ElementsAre(Places{0}, Places{1}));
    EXPECT_THAT(together({{claims(0, 4, 0)}, {claims(1, 4)}}), ElementsAre(Places{0, 1})) << "a time is not known";
    RankClaims old = claims(1, 4, 0);
    old.without_base = true;
    EXPECT_THAT(together({{claims(0, 4, 0)}, {old}}), ElementsAre(Places{0}, Places{1})) << "another profiler";
}

/// Whatever folders there are and say: each is in one group, and their order changes no group.
TEST(FoldersTogether, AreIndependentOfTheOrder) {
    std::mt19937 chance(7);
    for (int round = 0; round < 300; ++round) {
        std::vector<FolderClaims> folders(1 + chance() % 9);
        for (FolderClaims& folder : folders) {
            for (std::size_t count = chance() % 4; count > 0; --count) {
                const auto start =
                    chance() % 3 == 0 ? std::nullopt : std::optional<TimeNs>(chance() % 3 * kRecordedTogether * 2);
                folder.push_back(claims(static_cast<int>(chance() % 6) - 1, chance() % 2 == 0 ? 4 : 0, start));
            }
        }
        Places order(folders.size());
        std::iota(order.begin(), order.end(), 0);
        std::ranges::shuffle(order, chance);
        std::vector<FolderClaims> shuffled;
        for (const std::size_t i : order) {
            shuffled.push_back(folders[i]);
            std::ranges::shuffle(shuffled.back(), chance);
        }
        std::set<std::set<std::size_t>> one;
        for (const Places& places : together(folders)) {
            one.insert({places.begin(), places.end()});
        }
        std::set<std::set<std::size_t>> other;
        for (const Places& places : together(shuffled)) {
            std::set<std::size_t> back;
            std::ranges::for_each(places, [&](std::size_t i) { back.insert(order[i]); });
            other.insert(back);
        }
        ASSERT_EQ(one, other) << round;
    }
}

}  // namespace
}  // namespace rankscope::test
