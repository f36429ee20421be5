// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/kineto_writer.h"

#include "tests/support/testing.h"
#include "tests/tracegen/config_json.h"
#include "tests/tracegen/config_of.h"
#include "tests/tracegen/model.h"
#include "tests/tracegen/output.h"
#include "tests/tracegen/truth.h"
#include "tests/tracegen/write_run.h"

namespace rankscope::tracegen {
namespace {

using Json = nlohmann::json;

Config twoSteps(Vendor vendor = Vendor::Cuda, Dialect dialect = Dialect::Modern) {
    Config config = configOf(2, 2);
    config.vendor = vendor;
    config.dialect = dialect;
    return config;
}

Json fileOf(const Config& config, int rank = 0) {
    return Json::parse(kinetoText(simulate(config), rank));
}

std::map<std::string, std::size_t> countByCategory(const Json& file) {
    std::map<std::string, std::size_t> counts;
    for (const Json& event : file["traceEvents"]) {
        ++counts[event["ph"].get<std::string>() + " " + event.value("cat", "")];
    }
    return counts;
}

class EveryFile : public testing::TestWithParam<std::tuple<Vendor, Dialect, bool>> {};

TEST_P(EveryFile, IsJsonWithTheEventsOfTheSimulation) {
    const auto& [vendor, dialect, with_stack] = GetParam();
    Config config = twoSteps(vendor, dialect);
    config.with_stack = with_stack;
    config.faults = {parseFault("dataloader"), parseFault("host-sync"), parseFault("allocator")};
    const RunResult run = simulate(config);
    const Json file = Json::parse(kinetoText(run, 1));
    EXPECT_EQ(file["distributedInfo"]["rank"], 1);
    EXPECT_EQ(file["distributedInfo"]["world_size"], 2);
    std::size_t slices = 0;
    for (const Json& event : file["traceEvents"]) {
        slices += event["ph"] == "X" && event["cat"] != "Trace" && event["cat"] != "cuda_sync" ? 1U : 0U;
    }
    std::size_t simulated = 0;
    for (const Event& event : run.events[1]) {
        simulated += dialect == Dialect::Modern || event.kind != EventKind::GpuAnnotation ? 1U : 0U;
    }
    EXPECT_EQ(slices, simulated);
    EXPECT_EQ(countByCategory(file).contains("X python_function"), with_stack && dialect == Dialect::Modern);
}

INSTANTIATE_TEST_SUITE_P(VendorsAndDialects, EveryFile,
                         testing::Combine(testing::Values(Vendor::Cuda, Vendor::Rocm),
                                          testing::Values(Dialect::Modern, Dialect::Old), testing::Bool()));

TEST(KinetoWriter, ModernFilesHaveTheCategoriesOfModernKineto) {
    const auto counts = countByCategory(fileOf(twoSteps()));
    for (const char* category : {"X cpu_op", "X user_annotation", "X cuda_runtime", "X kernel", "X gpu_memcpy",
                                 "X gpu_user_annotation", "s ac2g", "f ac2g", "s fwdbwd", "f fwdbwd"}) {
        EXPECT_TRUE(counts.contains(category)) << category;
    }
    EXPECT_EQ(counts.at("s ac2g"), counts.at("f ac2g"));
    EXPECT_EQ(counts.at("s ac2g"), counts.at("X kernel") + counts.at("X gpu_memcpy"));
    EXPECT_EQ(counts.at("s fwdbwd"), counts.at("f fwdbwd"));
}

TEST(KinetoWriter, OldFilesHaveWholeMicrosecondsAndTheCategoriesOfTheirTime) {
    const Json file = fileOf(twoSteps(Vendor::Cuda, Dialect::Old));
    for (const Json& event : file["traceEvents"]) {
        EXPECT_TRUE(event["ts"].is_number_integer());
    }
    const auto counts = countByCategory(file);
    for (const char* category : {"X Operator", "X Runtime", "X Kernel", "X Memcpy", "s async", "f async"}) {
        EXPECT_TRUE(counts.contains(category)) << category;
    }
    EXPECT_FALSE(file.contains("baseTimeNanoseconds"));
}

TEST(KinetoWriter, OnModernCudaEveryWaitHasItsRowAndNamesItsRecord) {
    Config config = twoSteps();
    config.faults = {parseFault("host-sync:count=3")};
    const Json file = fileOf(config);
    std::set<std::int64_t> records;
    std::map<std::string, std::size_t> rows;
    for (const Json& event : file["traceEvents"]) {
        if (event.value("name", "") == "cudaEventRecord") {
            records.insert(event["args"]["correlation"].get<std::int64_t>());
        }
    }
    for (const Json& event : file["traceEvents"]) {
        if (event.value("cat", "") != "cuda_sync") {
            continue;
        }
        ++rows[event["name"]];
        if (event["name"] == "Stream Wait Event") {
            EXPECT_TRUE(records.contains(event["args"]["wait_on_cuda_event_record_corr_id"].get<std::int64_t>()));
            EXPECT_NE(event["args"]["wait_on_stream"], event["args"]["stream"]);
        }
    }
    EXPECT_EQ(rows["Stream Sync"], 6U);
    EXPECT_EQ(rows["Context Sync"], 1U);
    EXPECT_EQ(rows["Stream Wait Event"], 2 * 2 * makeModel(config).buckets.size());
    EXPECT_FALSE(countByCategory(fileOf(twoSteps(Vendor::Rocm))).contains("X cuda_sync"));
}

TEST(KinetoWriter, CollectivesOfAllRanksCarryTheSameKey) {
    const RunResult run = simulate(twoSteps());
    std::vector<std::set<std::int64_t>> keys;
    for (int rank = 0; rank < 2; ++rank) {
        auto& mine = keys.emplace_back();
        const Json file = Json::parse(kinetoText(run, rank));
        for (const Json& event : file["traceEvents"]) {
            if (event.value("cat", "") == "kernel" && event["args"].contains("Comms Id")) {
                EXPECT_EQ(event["args"]["Collective name"], "allreduce");
                EXPECT_EQ(event["args"]["Group size"], 2);
                EXPECT_TRUE(mine.insert(event["args"]["Comms Id"].get<std::int64_t>()).second);
            }
        }
    }
    EXPECT_GT(keys[0].size(), 4U);
    EXPECT_EQ(keys[0], keys[1]);
}

TEST(KinetoWriter, APlantedClockShiftsTheFileAndNotTheRun) {
    const RunResult exact = simulate(twoSteps());
    Config off = twoSteps();
    off.clocks = {{0, 0}, {5'000'000, 0}};
    const RunResult shifted = simulate(off);
    EXPECT_EQ(exact.stepTimes(), shifted.stepTimes());
    const Json before = Json::parse(kinetoText(exact, 1))["traceEvents"][0];
    const Json after = Json::parse(kinetoText(shifted, 1))["traceEvents"][0];
    EXPECT_NEAR(after["ts"].get<double>() - before["ts"].get<double>(), 5'000.0, 0.01);
    EXPECT_EQ(after["dur"], before["dur"]);
}

TEST(KinetoWriter, ADriftGrowsWithTime) {
    Config off = twoSteps();
    off.clocks = {{0, 100}};
    const RunResult run = simulate(off);
    const TimeNs last = run.steps[0].back().host.start_ns;
    const Json file = Json::parse(kinetoText(run, 0));
    for (const Json& event : file["traceEvents"]) {
        if (event.value("name", "") == "ProfilerStep#11" && event["cat"] == "user_annotation") {
            const double expected = static_cast<double>(kWindowEpochNs - kBaseNs + last) / 1e3;
            EXPECT_NEAR(event["ts"].get<double>() - expected, static_cast<double>(last) * 100e-6 / 1e3, 0.01);
            return;
        }
    }
    FAIL() << "no second step";
}

TEST(KinetoWriter, AWrittenRankIsTheSimulatedOne) {
    const auto path = std::filesystem::temp_directory_path() / "rankscope_tracegen_rank1.json.gz";
    writeRank(twoSteps(), 1, path);
    EXPECT_EQ(readOutput(path), kinetoText(simulate(twoSteps()), 1));
    std::filesystem::remove(path);
}

TEST(ConfigJson, KeepsEverythingThereAndBack) {
    Config config = twoSteps(Vendor::Rocm, Dialect::Old);
    config.clocks = {{-7, 1.5}};
    config.faults = {parseFault("host-sync:ranks=1,first=1,count=3")};
    config.loader.pinned = false;
    const Json json = toJson(config);
    EXPECT_EQ(toJson(configFromJson(json)), json);
    EXPECT_EQ(kinetoText(simulate(configFromJson(json)), 1), kinetoText(simulate(config), 1));
}

TEST(ConfigJson, AKeyThatNobodyKnowsIsRefused) {
    EXPECT_THROW((void)configFromJson(Json{{"rank", 4}}), std::invalid_argument);
    EXPECT_THROW((void)configFromJson(Json{{"vendor", "abacus"}}), std::invalid_argument);
}

TEST(Truth, NamesTheFindingTheRanksAndTheStepsOfEachFault) {
    Config config = twoSteps();
    config.faults = {parseFault("slow-kernels:ranks=1"), parseFault("host-sync:first=1")};
    const Json truth = truthOf(simulate(config));
    ASSERT_EQ(truth["faults"].size(), 2U);
    EXPECT_EQ(truth["faults"][0]["finding"], "straggler-rank");
    EXPECT_EQ(truth["faults"][0]["ranks"], Json({1}));
    EXPECT_EQ(truth["faults"][0]["steps"], Json({10, 11}));
    EXPECT_EQ(truth["faults"][1]["steps"], Json({11}));
    EXPECT_GT(truth["faults"][0]["saving_ns"].get<DurationNs>(), 0);
}

}  // namespace
}  // namespace rankscope::tracegen
