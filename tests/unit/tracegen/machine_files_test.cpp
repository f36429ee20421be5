// SPDX-License-Identifier: GPL-3.0-or-later
// What the machine's runs look like as files: resolution, clocks, lost records, ranks in one file.

#include "tests/support/testing.h"
#include "tests/tracegen/machine/faults.h"
#include "tests/tracegen/machine/trace_files.h"

namespace rankscope::tracegen::machine {
namespace {

TrueRun smallRun() {
    Config config = healthyConfig(7, 2);
    config.steps = 2;
    config.model.blocks = 2;
    config.model.graphs = false;
    return simulate(config);
}

std::vector<double> startsOf(const std::string& text) {
    std::vector<double> starts;
    const nlohmann::json file = nlohmann::json::parse(text);
    for (const auto& event : file["traceEvents"]) {
        if (event["ph"] == "X") {
            starts.push_back(event["ts"].get<double>());
        }
    }
    return starts;
}

// How many of the times lie on a grid of so many a microsecond.
double shareOnGrid(const std::vector<double>& times, double a_microsecond) {
    const auto on = std::ranges::count_if(times, [a_microsecond](double time) {
        const double at = time * a_microsecond;
        return std::abs(at - std::round(at)) < 1e-3;
    });
    return static_cast<double>(on) / static_cast<double>(times.size());
}

TEST(MachineFiles, HaveTheRequestedResolution) {
    const TrueRun run = smallRun();
    const auto starts = [&run](TimeGrid grid) {
        FileSpec spec;
        spec.grid = grid;
        return startsOf(writeFiles(run, spec).front().text);
    };
    EXPECT_LT(shareOnGrid(starts(TimeGrid::OfDialect), 4), 0.1);
    EXPECT_DOUBLE_EQ(shareOnGrid(starts(TimeGrid::Double), 4), 1);
    EXPECT_LT(shareOnGrid(starts(TimeGrid::Double), 1), 0.5);
    EXPECT_DOUBLE_EQ(shareOnGrid(starts(TimeGrid::Microseconds), 1), 1);
}

TEST(MachineFiles, AreOnClocksThatDriftAndNeverGoBack) {
    const WanderingClock clock({}, 3, 0);
    const WanderingClock other({}, 3, 1);
    TimeNs before = clock.at(0);
    EXPECT_NE(before, other.at(0));
    for (TimeNs time = 1'000'000; time < 2'000'000'000; time += 1'000'000) {
        ASSERT_GT(clock.at(time), before);
        before = clock.at(time);
    }
    const DurationNs gained = clock.at(2'000'000'000) - clock.at(0) - 2'000'000'000;
    EXPECT_LT(std::abs(gained), 100'000);
    EXPECT_NE(gained, 0);
}

TEST(MachineFiles, LoseDeviceRecordsAtTheEdgesOnly) {
    const TrueRun run = smallRun();
    FileSpec spec;
    const std::size_t whole = startsOf(writeFiles(run, spec).front().text).size();
    spec.lost_tail_ns = 2'000'000;
    const std::size_t cut = startsOf(writeFiles(run, spec).front().text).size();
    EXPECT_LT(cut, whole);
    EXPECT_GT(cut, whole * 8 / 10);
}

TEST(MachineFiles, HoldAllRanksApartWhereTheyAreFused) {
    const TrueRun run = smallRun();
    for (const Fusion fusion : {Fusion::TraceFuse, Fusion::OffsetPids}) {
        FileSpec spec;
        spec.fusion = fusion;
        const std::vector<TraceFile> files = writeFiles(run, spec);
        ASSERT_EQ(files.size(), 1U);
        const nlohmann::json file = nlohmann::json::parse(files.front().text);
        std::set<std::int64_t> processes;
        std::set<std::int64_t> ranks;
        for (const auto& event : file["traceEvents"]) {
            if (event["pid"].is_number()) {
                processes.insert(event["pid"].get<std::int64_t>());
            }
            if (event.contains("args") && event["args"].contains("rank")) {
                ranks.insert(event["args"]["rank"].get<std::int64_t>());
            }
        }
        EXPECT_EQ(processes.size(), 4U) << "a process and a device of each rank";
        EXPECT_EQ(ranks.size(), fusion == Fusion::TraceFuse ? 2U : 0U);
    }
}

}  // namespace
}  // namespace rankscope::tracegen::machine
