// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/reports.h"
#include "tests/support/analysed.h"
#include "tests/support/loading.h"
#include "tests/support/merged_file.h"
#include "tests/support/real_traces.h"
#include "tests/support/temp_files.h"
#include "tests/support/testing.h"
#include "tests/support/trace_text.h"
#include "tests/tracegen/config_of.h"
#include "tests/tracegen/write_run.h"

namespace rankscope::test {
namespace {

/// The files of a job of four ranks, of which rank 2 is late, as the profiler writes them but for who they are.
const std::vector<std::string>& fourRanks() {
    static const std::vector<std::string> texts = [] {
        tracegen::Config config = tracegen::configOf(4, 4);
        config.layers = 4;
        const tracegen::RunResult result = tracegen::simulate(config);
        std::vector<std::string> files;
        for (int rank = 0; rank < config.ranks; ++rank) {
            files.push_back(withoutIdentity(tracegen::kinetoText(result, rank)));
        }
        return files;
    }();
    return texts;
}

/// What a report says but for where it was read, and how the ranks were numbered.
void keepFacts(json& value) {
    if (value.is_object()) {
        for (const char* key :
             {"name", "path", "files", "file", "byte_offset", "parse_issues", "notes", "rank_origin"}) {
            if (!(std::string_view(key) == "name" && value.contains("lane"))) {
                value.erase(key);
            }
        }
    }
    if (value.is_structured()) {
        for (json& part : value) {
            keepFacts(part);
        }
    }
}

json factsOf(const std::shared_ptr<const Run>& run) {
    const AnalysedRun analysed = analyse(run);
    json facts = json::parse(jsonReport({{&analysed}, {}}))["runs"][0];
    keepFacts(facts);
    return facts;
}

json factsApart() {
    const TempFolder folder;
    for (std::size_t rank = 0; rank < fourRanks().size(); ++rank) {
        folder.write("run/rank" + std::to_string(rank) + ".json", fourRanks()[rank]);
    }
    return factsOf(loadRunAt((folder.path() / "run").string()));
}

std::shared_ptr<const Run> loadMerged(const std::string& text, const LoadOptions& options = {}) {
    const TempFolder folder;
    return loadRunAt(folder.write("all.json", text), options);
}

class MergedFile : public testing::TestWithParam<Merger> {};

TEST_P(MergedFile, GivesTheFactsOfItsFilesApart) {
    static const json apart = factsApart();
    ASSERT_EQ(apart["ranks"].size(), 4U);
    const auto run = loadMerged(mergedFile(fourRanks(), GetParam()));
    ASSERT_EQ(run->ranks.size(), 4U);
    json merged = factsOf(run);
    const bool each_event_names_its_rank =
        GetParam() == Merger::TraceFuse || GetParam() == Merger::TraceFuseSamePids || GetParam() == Merger::NamedPids;
    for (std::size_t rank = 0; rank < 4 && !each_event_names_its_rank; ++rank) {
        // The profiler's own marks, which have the same pids on all ranks, are counted for any of them.
        for (const char* count : {"events", "slices"}) {
            merged["ranks"][rank]["health"][count] = apart["ranks"][rank]["health"][count];
        }
    }
    for (std::size_t line = 0; line < apart["check"]["lines"].size() && !each_event_names_its_rank; ++line) {
        if (apart["check"]["lines"][line]["line"] == "files") {  // it has the sum of these counts
            merged["check"]["lines"][line]["text"] = apart["check"]["lines"][line]["text"];
        }
    }
    EXPECT_EQ(merged, apart) << json::diff(apart, merged).dump(1).substr(0, 2000);
}

INSTANTIATE_TEST_SUITE_P(Mergers, MergedFile,
                         testing::Values(Merger::TraceFuse, Merger::TraceFuseSamePids, Merger::NamedProcesses,
                                         Merger::NamedPids, Merger::MovedPids, Merger::MovedAndSorted,
                                         Merger::Concatenated));

TEST(MergedFiles, RanksWithEqualDeviceNumbersAreSeparatedByTheirPlaceInTheFile) {
    const auto run = loadMerged(mergedFile(fourRanks(), Merger::OneDevice));
    ASSERT_EQ(run->ranks.size(), 4U);
    for (const auto& rank : run->ranks) {
        EXPECT_EQ(rank->health.unlinked_device, 0U);
        EXPECT_GT(rank->launches.all().size(), 100U);
        EXPECT_FALSE(rank->health.ranks_mixed);
    }
}

TEST(MergedFiles, RanksWhoseFirstWorkWasLaunchedBeforeTheWindowAreSeparated) {
    json file = json::parse(mergedFile(fourRanks(), Merger::MovedPids));
    std::map<std::string, int> calls;
    std::erase_if(file["traceEvents"].get_ref<json::array_t&>(), [&](const json& event) {
        return event.value("cat", "") == "cuda_runtime" && ++calls[event["pid"].dump()] <= 60;
    });
    ASSERT_EQ(calls.size(), 4U);
    const auto run = loadMerged(file.dump());
    ASSERT_EQ(run->ranks.size(), 4U);
    for (const auto& rank : run->ranks) {
        EXPECT_FALSE(rank->health.ranks_mixed);
        EXPECT_GT(10 * rank->health.unlinked_device, rank->launches.all().size()) << "a good part is without its call";
        EXPECT_GT(rank->launches.all().size(), 100U);
    }
}

TEST(MergedFiles, KeepOnlyTheRanksThatAreAskedFor) {
    LoadOptions options;
    options.ranks = {RankNumber(1), RankNumber(3)};
    const auto run = loadMerged(mergedFile(fourRanks(), Merger::TraceFuse), options);
    ASSERT_EQ(run->ranks.size(), 2U);
    EXPECT_EQ(run->ranks[0]->rank, RankNumber(1));
    EXPECT_EQ(run->ranks[1]->rank, RankNumber(3));
}

TEST(MergedFiles, KeepOnlyTheStepsThatAreAskedForOfEachRank) {
    LoadOptions options;
    options.first_step = options.last_step = 11;
    const auto run = loadMerged(mergedFile(fourRanks(), Merger::MovedPids), options);
    ASSERT_EQ(run->ranks.size(), 4U);
    for (const auto& rank : run->ranks) {
        EXPECT_LT(rank->window.length(), loadMerged(fourRanks()[0])->ranks[0]->window.length() / 2);
        EXPECT_GT(rank->launches.all().size(), 10U);
    }
}

TEST(MergedFiles, ReportEachRankToTheirObserver) {
    struct Counting : LoadObserver {
        std::vector<std::size_t> files;
        void fileLoaded(std::size_t file, const std::shared_ptr<const RankTrace>& /*rank*/) override {
            files.push_back(file);
        }
    } observer;
    const TempFolder folder;
    const std::string path = folder.write("all.json", mergedFile(fourRanks(), Merger::TraceFuse));
    ASSERT_TRUE(loadRun(discoverRuns({path}).runs.at(0), {}, observer, {}).ok());
    EXPECT_EQ(observer.files, std::vector<std::size_t>(4, 0));
}

TEST(MergedFiles, EventsOfEachRankAreReadBackFromTheirPlace) {
    const TempFolder folder;
    const auto run = loadRunAt(folder.write("all.json", mergedFile(fourRanks(), Merger::TraceFuse)));
    ASSERT_EQ(run->ranks.size(), 4U);
    for (const auto& rank : run->ranks) {
        for (std::uint32_t t = 0; t < rank->tracks.size(); ++t) {
            const json event = json::parse(readEventText(*rank, {TrackId(t), 0}).value());
            EXPECT_EQ(event["name"], rank->name({TrackId(t), 0}));
            EXPECT_EQ(event["args"]["rank"], rank->rank->value);
        }
    }
}

TEST(MergedFiles, SayHowTheirRanksWereSeparated) {
    const auto run = loadMerged(mergedFile(fourRanks(), Merger::NamedPids));
    ASSERT_EQ(run->ranks.size(), 4U);
    EXPECT_THAT(run->ranks[2]->health.notes,
                testing::Contains("all.json contains 4 ranks, separated by the names of their processes."));
}

TEST(MergedFiles, RepairedEventsAreCountedForTheirRank) {
    std::string text = mergedFile(fourRanks(), Merger::TraceFuse);
    // A bare quote in a name of rank 1's.
    const std::size_t rank1 = text.find("\"rank\":1");
    const std::size_t name = text.find("\"name\":\"aten::", rank1);
    text.insert(name + 12, "\"x\"");
    const auto run = loadMerged(text);
    ASSERT_EQ(run->ranks.size(), 4U);
    EXPECT_EQ(run->ranks[0]->health.recovered, 0U);
    EXPECT_EQ(run->ranks[1]->health.recovered, 1U);
    ASSERT_EQ(run->ranks[1]->health.parse_issues.size(), 1U);
}

/// An operator with a launch in process `pid`, and the kernel of it on device `device`.
std::vector<std::string> oneLaunch(const std::string& pid, const std::string& device, const std::string& correlation,
                                   int at_us) {
    EventLine op;
    op.pid = op.tid = pid;
    op.ts = std::to_string(at_us);
    op.dur = "20";
    EventLine call = op;
    call.category = "cuda_runtime";
    call.name = "cudaLaunchKernel";
    call.dur = "5";
    call.args = "\"correlation\": " + correlation;
    EventLine kernel = call;
    kernel.category = "kernel";
    kernel.name = "gemm";
    kernel.pid = device;
    kernel.tid = "7";
    kernel.ts = std::to_string(at_us + 7);
    kernel.args += ", \"device\": " + device + ", \"stream\": 7";
    return {eventJson(op), eventJson(call), eventJson(kernel)};
}

std::string sorted(const std::vector<std::vector<std::string>>& lists) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < lists.front().size(); ++i) {
        for (const auto& list : lists) {
            all.push_back(list[i]);
        }
    }
    return traceJson(all);
}

TEST(MergedFiles, DevicesWhoseWorkTheirProcessesShareAreNoRankOfAnybody) {
    const auto run = loadMerged(sorted({oneLaunch("100", "0", "5", 10), oneLaunch("200", "0", "5", 11)}));
    ASSERT_EQ(run->ranks.size(), 1U);
    EXPECT_TRUE(run->ranks[0]->health.ranks_mixed);
    const AnalysedRun analysed = analyse(run);
    EXPECT_FALSE(analysed.facts.verdict.bound.has_value());
    EXPECT_NE(analysed.facts.verdict.rule.find("cannot be separated"), std::string::npos);
    ASSERT_NE(findingOf(analysed, "trace-health"), nullptr);
}

TEST(MergedFiles, ADeviceBelongsToTheProcessThatLaunchedItsWork) {
    // In the order of their pids it would be the other way round.
    const auto run = loadMerged(sorted({oneLaunch("100", "1", "5", 10), oneLaunch("200", "0", "6", 11)}));
    ASSERT_EQ(run->ranks.size(), 2U);
    EXPECT_EQ(run->ranks[0]->launches.all().size(), 1U);
    EXPECT_EQ(run->ranks[1]->launches.all().size(), 1U);
}

std::string collectiveOf(int rank, const std::string& what = "allreduce") {
    EventLine op;
    op.name = "record_param_comms";
    op.ts = std::to_string(10 + 100 * rank);
    op.args = "\"Collective name\": \"" + what +
              "\", \"Group size\": 4, \"Process Group Description\": \"default_pg\", "
              "\"Rank\": " +
              std::to_string(rank);
    return eventJson(op);
}

TEST(MergedFiles, CollectivesOfSeveralRanksInOneProcessAreMixed) {
    EXPECT_TRUE(loadText(traceJson({collectiveOf(0), collectiveOf(1)}))->health.ranks_mixed);
    EXPECT_FALSE(loadText(traceJson({collectiveOf(1), collectiveOf(1)}))->health.ranks_mixed);
    EXPECT_FALSE(loadText(traceJson({collectiveOf(0, "broadcast"), collectiveOf(1)}))->health.ranks_mixed)
        << "which has the root there";
}

TEST(MergedFiles, ARankThatAllEventsNameIsTheFiles) {
    EventLine launch;
    launch.category = "cuda_runtime";
    launch.args = "\"correlation\": 5, \"rank\": 3";
    const auto trace = loadText(traceJson({eventJson(launch)}));
    EXPECT_EQ(trace->rank, RankNumber(3));
    EXPECT_EQ(trace->rank_origin, RankOrigin::EventArgs);
}

TEST(MergedFiles, RangesUnderAnotherPidMakeNoRank) {
    EventLine range;
    range.category = "user_annotation";
    range.pid = "0";
    EXPECT_EQ(loadText(traceJson({eventJson({}), eventJson(range)}))->tracks.size(), 2U);
}

TEST(MergedFiles, AnOperatorWhosePidIsDamagedIsNoRank) {
    std::vector<std::string> events(40, eventJson({}));
    EventLine damaged;
    damaged.pid = "1100";
    events.push_back(eventJson(damaged));
    const auto run = loadMerged(traceJson(events));
    ASSERT_EQ(run->ranks.size(), 1U);
    EXPECT_FALSE(run->ranks[0]->health.ranks_mixed);
    EXPECT_EQ(run->ranks[0]->health.slices, 41U);
}

TEST(MergedFiles, TraceFusesFileOfFourRanksIsFourRanks) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const auto merged = loadRunAt((realTraces() / "unseen_1/rocm_fused").string());
    const auto apart = loadRunAt((realTraces() / "resnet_ddp_4ranks_rocm").string());
    ASSERT_EQ(merged->ranks.size(), 4U);
    for (std::size_t rank = 0; rank < 4; ++rank) {
        const RankTrace& one = *merged->ranks[rank];
        const RankTrace& other = *apart->ranks[rank];
        EXPECT_EQ(one.rank, RankNumber(rank));
        EXPECT_EQ(one.rank_origin, RankOrigin::EventArgs);
        EXPECT_EQ(one.health.slices, other.health.slices);
        EXPECT_EQ(one.health.unlinked_device, other.health.unlinked_device);
        EXPECT_EQ(one.health.unlinked_launches, other.health.unlinked_launches);
        EXPECT_EQ(one.flows.size(), other.flows.size());
        ASSERT_EQ(one.tracks.size(), other.tracks.size());
        for (std::size_t t = 0; t < one.tracks.size(); ++t) {
            EXPECT_EQ(one.tracks[t].name, other.tracks[t].name);
            EXPECT_EQ(one.tracks[t].device, other.tracks[t].device);
            EXPECT_EQ(one.tracks[t].slices.start_ns, other.tracks[t].slices.start_ns);
            EXPECT_EQ(one.tracks[t].slices.end_ns, other.tracks[t].slices.end_ns);
        }
    }
}

}  // namespace
}  // namespace rankscope::test
