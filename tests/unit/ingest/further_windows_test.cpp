// SPDX-License-Identifier: GPL-3.0-or-later
// Files of one process that were recorded one after the other, without the numbers of ranks.
#include "tests/support/loading.h"
#include "tests/support/temp_files.h"
#include "tests/support/testing.h"
#include "tests/support/trace_text.h"

namespace rankscope::test {
namespace {

/// A file of four steps of a process, with a device.
struct Recorded {
    std::string pid = "1234";
    int ts = 1'000;
    int first_step = 0;  ///< below 0: no marks
    std::string host = {};
    int device = 0;
};

std::string fileOf(const Recorded& recorded) {
    std::vector<std::string> events;
    for (int i = 0; i < 4; ++i) {
        EventLine line;
        line.category = "user_annotation";
        line.name = recorded.first_step < 0 ? "forward" : "ProfilerStep#" + std::to_string(recorded.first_step + i);
        line.ts = std::to_string(recorded.ts + 100 * i);
        line.dur = "100";
        line.pid = recorded.pid;
        events.push_back(eventJson(line));
    }
    const std::string host = recorded.host.empty() ? "" : R"("host_name": ")" + recorded.host + R"(", )";
    return traceJson(events, host + R"("deviceProperties": [{"id": )" + std::to_string(recorded.device) +
                                 R"(, "name": "A GPU", "totalGlobalMem": 1000, "numSms": 10}], )");
}

/// "ranks (files of each)" of the runs in the folder.
std::vector<std::string> runsOf(const TempFolder& folder) {
    LoadObserver observer;
    const auto runs = loadRuns(discoverRuns({(folder.path() / "run").string()}).runs.at(0), {}, observer, {});
    std::vector<std::string> out;
    for (const Run& run : runs.ok() ? runs.value() : std::vector<Run>()) {
        std::string& line = out.emplace_back();
        for (const auto& rank : run.ranks) {
            line += (rank->rank ? std::to_string(rank->rank->value) : "?") + " (" + std::to_string(rank->files.size()) +
                    ") ";
        }
        EXPECT_TRUE(run.unreadable.empty());
    }
    return out;
}

TEST(FurtherWindows, OfOneProcessWithoutARankAreOneRank) {
    const TempFolder folder;
    folder.write("run/node1_1234.1700000000000.pt.trace.json", fileOf({}));
    folder.write("run/node1_1234.1700000120000.pt.trace.json", fileOf({.ts = 9'000, .first_step = 100}));
    folder.write("run/node1_1234.1700000240000.pt.trace.json", fileOf({.ts = 19'000, .first_step = 200}));
    EXPECT_EQ(runsOf(folder), std::vector<std::string>{"? (3) "});
}

TEST(FurtherWindows, NeedNoStepMarks) {
    const TempFolder folder;
    folder.write("run/node1_1234.1700000000000.pt.trace.json", fileOf({.first_step = -1}));
    folder.write("run/node1_1234.1700000120000.pt.trace.json", fileOf({.ts = 9'000, .first_step = -1}));
    EXPECT_EQ(runsOf(folder), std::vector<std::string>{"? (2) "});
}

TEST(FurtherWindows, OfSeveralProcessesAreTheWindowsOfTheirRanks) {
    const TempFolder folder;
    // The second process has no file of the first window, and the names sort later windows first.
    folder.write("run/node1_1234.1800000000000.pt.trace.json", fileOf({}));
    folder.write("run/node1_1234.1700000000000.pt.trace.json", fileOf({.ts = 9'000, .first_step = 100}));
    folder.write("run/node1_1235.1700000000000.pt.trace.json", fileOf({.pid = "1235", .ts = 9'010, .first_step = 100}));
    folder.write("run/node1_1235.1900000000000.pt.trace.json",
                 fileOf({.pid = "1235", .ts = 19'000, .first_step = 200}));
    folder.write("run/node1_1236.1700000000000.pt.trace.json",
                 fileOf({.pid = "1236", .ts = 19'010, .first_step = 200}));
    EXPECT_EQ(runsOf(folder), std::vector<std::string>{"0 (2) 1 (2) 2 (1) "});
}

TEST(FurtherWindows, AreProvenByTheHostOrTheNameOfTheWorker) {
    const auto runs_with = [](const std::string& first, const std::string& second, const Recorded& later) {
        const TempFolder folder;
        Recorded earlier;
        earlier.host = later.host.empty() ? "" : "node1";
        folder.write("run/" + first, fileOf(earlier));
        folder.write("run/" + second, fileOf(later));
        return runsOf(folder).size();
    };
    const Recorded later{.ts = 9'000, .first_step = 100};
    EXPECT_EQ(runs_with("a.json", "b.json", later), 2U) << "nothing names the host";
    EXPECT_EQ(runs_with("w.1234.1700000000000.pt.trace.json", "w.1234.1700000120000.pt.trace.json", later), 1U);
    EXPECT_EQ(runs_with("w.1700000000000.pt.trace.json", "x.1700000120000.pt.trace.json", later), 2U);
    Recorded at_host = later;
    at_host.host = "node1";
    EXPECT_EQ(runs_with("a.json", "b.json", at_host), 1U);
    at_host.host = "node2";
    EXPECT_EQ(runs_with("a.json", "b.json", at_host), 2U);
}

TEST(FurtherWindows, OfOtherProcessesDevicesTimesAndStepsAreOtherRuns) {
    const auto runs_with = [](const Recorded& later) {
        const TempFolder folder;
        folder.write("run/node1_1.1700000000000.pt.trace.json", fileOf({}));
        folder.write("run/node1_1.1700000120000.pt.trace.json", fileOf(later));
        return runsOf(folder).size();
    };
    EXPECT_EQ(runs_with({.ts = 9'000, .first_step = 100}), 1U);
    EXPECT_EQ(runs_with({.pid = "77", .ts = 9'000, .first_step = 100}), 2U);
    EXPECT_EQ(runs_with({.ts = 9'000, .first_step = 100, .device = 1}), 2U);
    EXPECT_EQ(runs_with({.ts = 1'010, .first_step = 100}), 2U) << "at the same time";
    EXPECT_EQ(runs_with({.ts = 9'000, .first_step = 0}), 2U) << "a profiler that continues counts on";
}

}  // namespace
}  // namespace rankscope::test
