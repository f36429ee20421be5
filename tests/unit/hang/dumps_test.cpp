// SPDX-License-Identifier: GPL-3.0-or-later
// Dumps as files: real ones, JSON, old formats, and what is none.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/ingest/flight_recorder/flight_recorder.h"
#include "core/report/hang.h"
#include "tests/support/places.h"
#include "tests/support/process.h"
#include "tests/support/real_traces.h"
#include "tests/support/temp_files.h"
#include "tests/unit/hang/dump_json.h"
#include "tests/unit/hang/job.h"

namespace rankscope {
namespace {

using hang::Why;
using nlohmann::json;
using test::dumpJson;
using test::TempFolder;
using test::Verdicts;

Result<FlightDump> dumpOf(const json& document, const std::string& name = "rank_1.json") {
    const TempFolder folder;
    return loadFlightDump(folder.write(name, document.dump()));
}

std::filesystem::path realDumps(const std::string& name) {
    return test::realTraces() / "inputs/flight_recorder" / name;
}

TEST(RealDumps, NameTheRanksThatHoldTheLock) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const FlightDumps loaded = loadFlightDumps({realDumps("lock_gil").string()});
    ASSERT_EQ(loaded.dumps.size(), 16U);
    const hang::Hang hang = hang::findHang(loaded.dumps);
    EXPECT_EQ(test::verdictsOf(hang), (Verdicts{{9, Why::NotEntered}, {14, Why::NotEntered}}));
    EXPECT_EQ(hang.waiting.size(), 14U);
    EXPECT_TRUE(hang.mismatches.empty());
    EXPECT_TRUE(hang.missing.empty());
    // Its README: on their tensor group they are at 88,683, their peers at 88,688.
    const std::vector<hang::Place>& also = hang.culprits[0].also;
    const auto tensor = std::ranges::find_if(also, [&](const hang::Place& place) {
        return hang.groups[place.group].description == "TENSOR_MODEL_PARALLEL_GROUP";
    });
    ASSERT_NE(tensor, also.end());
    EXPECT_EQ(tensor->number, 88'684);
}

TEST(RealDumps, NameTheRanksWhoseGpuFailed) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const FlightDumps loaded = loadFlightDumps({realDumps("gpu_error").string()});
    ASSERT_EQ(loaded.dumps.size(), 16U);
    const hang::Hang hang = hang::findHang(loaded.dumps);
    EXPECT_EQ(test::verdictsOf(hang), (Verdicts{{9, Why::NotCompleted}, {14, Why::NotCompleted}}));
    EXPECT_EQ(hang.culprits[0].at.number, 87'749);
}

TEST(Dumps, AreReadFromJson) {
    const Result<FlightDump> dump = dumpOf(dumpJson(2));
    ASSERT_TRUE(dump.ok()) << dump.error().text();
    EXPECT_EQ(dump.value().rank, 1);
    EXPECT_EQ(dump.value().nccl_version, "2.27.3");
    ASSERT_EQ(dump.value().groups.size(), 1U);
    EXPECT_EQ(dump.value().groups[0].ranks, (std::vector<std::int64_t>{0, 1}));
    ASSERT_EQ(dump.value().calls.size(), 2U);
    const FlightCall& call = dump.value().calls[1];
    EXPECT_EQ(call.kind, "all_reduce");
    EXPECT_EQ(call.number, 2);
    EXPECT_EQ(call.state, FlightState::Scheduled);
    EXPECT_EQ(call.frames[0].file, "train.py");
    EXPECT_EQ(call.frames[0].line, 12);
}

TEST(Dumps, SayTheSameAsPickleAndAsJson) {
    const TempFolder folder;
    const std::string text = folder.write("rank_1.json", dumpJson(3).dump());
    const std::string pickled = (folder.path() / "rank_1.pickle").string();
    const test::ProcessResult made = test::runProcess(
        {"python3", "-c",
         "import json, pickle, sys; pickle.dump(json.load(open(sys.argv[1])), open(sys.argv[2], 'wb'), 2)", text,
         pickled});
    ASSERT_EQ(made.code, 0) << made.err;
    const Result<FlightDump> a = loadFlightDump(text);
    const Result<FlightDump> b = loadFlightDump(pickled);
    ASSERT_TRUE(a.ok() && b.ok());
    ASSERT_EQ(a.value().calls.size(), b.value().calls.size());
    EXPECT_EQ(a.value().calls[2].inputs, b.value().calls[2].inputs);
    EXPECT_EQ(a.value().calls[2].created_ns, b.value().calls[2].created_ns);
}

TEST(Dumps, AreReadInTheOldFormat) {
    json document = dumpJson(1);
    json& entry = document["entries"][0];
    entry["seq_id"] = 7;
    entry["pg_name"] = "0";
    entry.erase("collective_seq_id");
    entry.erase("process_group");
    entry.erase("input_dtypes");
    document.erase("pg_config");
    const Result<FlightDump> dump = dumpOf(document);
    ASSERT_TRUE(dump.ok()) << dump.error().text();
    ASSERT_EQ(dump.value().calls.size(), 1U);
    EXPECT_EQ(dump.value().calls[0].number, 7);
}

TEST(Dumps, FindTheStatusOfAGroupWithoutCalls) {
    json document = dumpJson(1);
    document["pg_config"]["10"] = {{"name", "10"}, {"desc", "tensor"}, {"ranks", {0, 1}}};
    document["pg_config"]["9"] = {{"name", "9"}, {"desc", "data"}, {"ranks", {0, 1}}};
    document["pg_status"] = {{"0", {{"last_enqueued_collective", 1}, {"last_completed_collective", 1}}},
                             {"3", {{"last_enqueued_collective", 33}, {"last_completed_collective", 32}}},
                             {"4", {{"last_enqueued_collective", -1}, {"last_completed_collective", -1}}}};
    const Result<FlightDump> dump = dumpOf(document);
    ASSERT_TRUE(dump.ok());
    ASSERT_EQ(dump.value().groups.size(), 3U);
    EXPECT_EQ(dump.value().groups[1].description, "data");
    EXPECT_EQ(dump.value().groups[1].enqueued, 33);
    EXPECT_EQ(dump.value().groups[2].enqueued, std::nullopt);
}

TEST(Dumps, TakeTheRankFromTheirGroupsWhereTheNameHasNone) {
    json document = dumpJson(1);
    document["pg_config"]["1"] = {{"name", "1"}, {"desc", "alone"}, {"ranks", "[1]"}};
    const Result<FlightDump> dump = dumpOf(document, "dump.json");
    ASSERT_TRUE(dump.ok());
    EXPECT_EQ(dump.value().rank, 1);
}

TEST(Dumps, AreRefusedWhereTheRankIsUnknown) {
    const Result<FlightDump> dump = dumpOf(dumpJson(1), "dump.json");
    ASSERT_TRUE(dump.failed());
    EXPECT_NE(dump.error().text().find("does not say which rank it is of"), std::string::npos);
}

TEST(Dumps, AreNamedByRankInManyWays) {
    for (const char* name : {"rank_1.pickle", "nccl_trace_rank_1", "job77_rank1.json.gz", "dump-2026-1.json"}) {
        const Result<FlightDump> dump = dumpOf(dumpJson(1), name);
        ASSERT_TRUE(dump.ok()) << name;
        EXPECT_EQ(dump.value().rank, 1) << name;
    }
}

TEST(Dumps, RefuseWhatIsNone) {
    const TempFolder folder;
    for (const auto& [name, text] : std::vector<std::pair<std::string, std::string>>{
             {"rank_0.json", R"({"traceEvents": []})"},
             {"rank_1.json", "[1, 2]"},
             {"rank_2.json", R"({"entries": {"a": 1}})"},
             {"rank_3.json", R"({"entries": [)"},
             {"rank_4.pickle", "\x80\x02}q\x00."},
             {"rank_5.pickle", std::string("\x80\x02", 2) + "cos\nsystem\nq\x01."},
             {"rank_6.json", ""},
             {"rank_7.json", std::string(100'000, '[')},
         }) {
        const Result<FlightDump> dump = loadFlightDump(folder.write(name, text));
        ASSERT_TRUE(dump.failed()) << name;
        EXPECT_NE(dump.error().text().find(name), std::string::npos) << dump.error().text();
    }
}

TEST(Dumps, SkipCallsWithoutTheFieldsThatIdentifyThem) {
    json document = dumpJson(2);
    document["entries"][0].erase("profiling_name");
    document["entries"].push_back(17);
    document["entries"].push_back({{"process_group", {1, 2}}, {"collective_seq_id", "x"}});
    const Result<FlightDump> dump = dumpOf(document);
    ASSERT_TRUE(dump.ok());
    EXPECT_EQ(dump.value().calls.size(), 1U);
}

TEST(Dumps, TakeNumbersOutOfRangeForUnknown) {
    json document = dumpJson(2);
    document["entries"][0]["collective_seq_id"] = -5;
    document["entries"][1]["time_created_ns"] = -1;
    document["entries"][1]["input_sizes"] = {{9'000'000'000'000'000'000, 9'000'000'000'000'000'000}, {-4}};
    document["pg_config"]["0"]["ranks"] = "[0, 1, 99999999999999999999, -3]";
    const Result<FlightDump> dump = dumpOf(document);
    ASSERT_TRUE(dump.ok());
    EXPECT_EQ(dump.value().calls.size(), 1U);
    EXPECT_EQ(dump.value().calls[0].created_ns, std::nullopt);
    EXPECT_FALSE(hangScreen(hang::findHang({dump.value()}), {}, true).empty());
}

TEST(Dumps, WhoseItemsAreSharedBeyondCountingAreRefused) {
    const TempFolder folder;
    const std::string path = (folder.path() / "rank_0.pickle").string();
    const test::ProcessResult made =
        test::runProcess({"python3", "-c",
                          "import pickle, sys\nitem = [1] * 9\nfor _ in range(12):\n item = [item] * 9\n"
                          "pickle.dump({'entries': [item], 'pg_config': {}}, open(sys.argv[1], 'wb'), 2)",
                          path});
    ASSERT_EQ(made.code, 0) << made.err;
    const Result<FlightDump> dump = loadFlightDump(path);
    ASSERT_TRUE(dump.failed());
    EXPECT_NE(dump.error().text().find("share so many items"), std::string::npos);
}

TEST(FoldersOfDumps, AreReadWithoutWhatIsNone) {
    const TempFolder folder;
    folder.write("a/rank_0.json", dumpJson(2).dump());
    folder.write("b/nccl_trace_rank_1", dumpJson(1).dump());
    folder.write("b/trace.json", R"({"schemaVersion": 1, "distributedInfo": {"pg_config": []}, "traceEvents": []})");
    folder.write("notes.txt", "nothing");
    folder.write("fault.pickle", "\x80\x02}q\x00.");
    const FlightDumps loaded = loadFlightDumps({folder.path().string()});
    EXPECT_TRUE(loaded.unreadable.empty());
    ASSERT_EQ(loaded.dumps.size(), 2U);
    const hang::Hang hang = hang::findHang(loaded.dumps);
    EXPECT_EQ(test::verdictsOf(hang), (Verdicts{{1, Why::NotEntered}}));
}

TEST(FoldersOfDumps, KeepTheNewerOfTwoDumpsOfARank) {
    const TempFolder folder;
    folder.write("first/rank_0.json", dumpJson(1).dump());
    folder.write("second/rank_0.json", dumpJson(3).dump());
    const FlightDumps loaded = loadFlightDumps({folder.path().string()});
    ASSERT_EQ(loaded.dumps.size(), 1U);
    EXPECT_EQ(loaded.dumps[0].calls.size(), 3U);
    ASSERT_EQ(loaded.unreadable.size(), 1U);
    EXPECT_NE(loaded.unreadable[0].text().find("first"), std::string::npos);
}

TEST(HangReports, BeginWithTheRanksThatStopped) {
    const TempFolder folder;
    folder.write("rank_0.json", dumpJson(2).dump());
    folder.write("rank_1.json", dumpJson(1).dump());
    const hang::Hang hang = hang::findHang(loadFlightDumps({folder.path().string()}).dumps);
    const std::string screen = hangScreen(hang, {}, false);
    EXPECT_NE(screen.find("Rank 1 stopped: it did not make all-reduce 2 of default_pg. 1 other rank waits for it."),
              std::string::npos)
        << screen;
    EXPECT_NE(screen.find("train.py:12 step"), std::string::npos) << screen;
    const json report = json::parse(jsonHang(hang, {}));
    EXPECT_EQ(report["culprits"][0]["rank"], 1);
    EXPECT_EQ(report["culprits"][0]["why"], "not-entered");
    EXPECT_EQ(report["waiting"][0]["waits_for"], json::array({1}));
    EXPECT_EQ(report["culprits"][0]["last_call"]["frames"][0]["line"], 12);
}

TEST(HangReports, OfHealthyDumpsNameNobody) {
    const TempFolder folder;
    folder.write("rank_0.json", dumpJson(1).dump());
    folder.write("rank_1.json", dumpJson(1).dump());
    const hang::Hang hang = hang::findHang(loadFlightDumps({folder.path().string()}).dumps);
    EXPECT_NE(hangScreen(hang, {}, false).find("Nothing hangs in these dumps"), std::string::npos);
    EXPECT_TRUE(json::parse(jsonHang(hang, {}))["culprits"].empty());
}

TEST(HangReports, StayOnOneScreen) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    for (const char* name : {"lock_gil", "gpu_error"}) {
        const hang::Hang hang = hang::findHang(loadFlightDumps({realDumps(name).string()}).dumps);
        const std::string screen = hangScreen(hang, {}, false);
        EXPECT_LE(std::ranges::count(screen, '\n'), 24) << screen;
    }
}

}  // namespace
}  // namespace rankscope
