// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/loading.h"
#include "tests/support/real_traces.h"
#include "tests/support/temp_files.h"
#include "tests/support/testing.h"
#include "tests/support/trace_text.h"

namespace rankscope::test {
namespace {

using TextOf = std::function<std::string(int)>;

/// A trace of `count` slices; `ts` and `dur` say what is written of each.
std::string traceOf(int count, const TextOf& ts, const TextOf& dur, const std::string& category = "kernel",
                    std::string_view header = "") {
    std::vector<std::string> events;
    for (int i = 0; i < count; ++i) {
        EventLine line;
        line.category = category;
        line.ts = ts(i);
        line.dur = dur(i);
        line.args = category == "kernel" ? R"("device": 0, "stream": 7)" : "";
        events.push_back(eventJson(line));
    }
    return traceJson(events, header);
}

DurationNs resolutionOf(const std::string& text) {
    return loadText(text)->health.time_resolution_ns;
}

/// Epoch microseconds with these fractions in turn, 10 us apart.
TextOf epoch(std::vector<std::string> fractions) {
    return [fractions = std::move(fractions)](int i) {
        return std::to_string(1'723'142'623'460'112 + 10 * i) +
               fractions[static_cast<std::size_t>(i) % fractions.size()];
    };
}

TextOf same(const std::string& text) {
    return [text](int) { return text; };
}

const TextOf kNanoseconds = [](int i) { return std::to_string(3 + i % 5) + ".00" + std::to_string(1 + i % 9); };

TEST(TimeResolution, IsTheCoarsestStepThatAllTimesAreMultiplesOf) {
    EXPECT_EQ(resolutionOf(traceOf(64, epoch({""}), same("5"))), 1000);
    EXPECT_EQ(resolutionOf(traceOf(64, epoch({".5", ""}), kNanoseconds)), 500);
    EXPECT_EQ(resolutionOf(traceOf(64, epoch({".125", ".25", ".5"}), kNanoseconds)), 125);
    EXPECT_EQ(resolutionOf(traceOf(64, epoch({".1", ".2", ".9"}), kNanoseconds)), 100);
    EXPECT_EQ(resolutionOf(traceOf(64, epoch({".01", ".24"}), kNanoseconds)), 10);
    EXPECT_EQ(resolutionOf(traceOf(64, epoch({".001", ".247"}), kNanoseconds)), 1);
}

TEST(TimeResolution, TimesWrittenThroughADoubleAreMultiplesOfAQuarterInAnySpelling) {
    EXPECT_EQ(resolutionOf(traceOf(64, epoch({".25", ".5", ".75", ".0"}), kNanoseconds)), 250);
    EXPECT_EQ(resolutionOf(traceOf(64, epoch({".2", ".5", ".8", ".0"}), kNanoseconds)), 250);
}

TEST(TimeResolution, IsThatOfDurationsWhereTheyAreCoarser) {
    EXPECT_EQ(resolutionOf(traceOf(64, epoch({".001", ".247"}), same("5"))), 1000);
}

TEST(TimeResolution, IsJudgedOnTimesAsWrittenNotWithTheirBase) {
    const auto relative = [](int i) { return std::to_string(5000 + 10 * i); };
    const std::string header = "\"baseTimeNanoseconds\": 1723142623460112007,\n  ";
    EXPECT_EQ(resolutionOf(traceOf(64, relative, same("5"), "kernel", header)), 1000);
}

TEST(TimeResolution, AppliesToTimesBeforeTheBase) {
    const auto before = [](int i) { return "-" + std::to_string(5000 - 10 * i) + ".75"; };
    EXPECT_EQ(resolutionOf(traceOf(64, before, kNanoseconds)), 250);
}

TEST(TimeResolution, OneTimeOffTheGridDecides) {
    const auto odd_last = [](int i) { return std::to_string(5000 + 10 * i) + (i == 999 ? ".001" : ""); };
    EXPECT_EQ(resolutionOf(traceOf(1000, odd_last, kNanoseconds)), 1);
    EXPECT_EQ(resolutionOf(traceOf(999, odd_last, kNanoseconds)), 1000);
}

TEST(TimeResolution, IsUnknownForFewSlices) {
    EXPECT_EQ(resolutionOf(traceOf(31, epoch({""}), same("5"))), 1);
    EXPECT_EQ(resolutionOf(traceOf(32, epoch({""}), same("5"))), 1000);
}

TEST(TimeResolution, IsThatOfTheHostWhereThereIsNoDeviceWork) {
    EXPECT_EQ(resolutionOf(traceOf(64, epoch({""}), same("5"), "cpu_op")), 1000);
}

TEST(TimeResolution, OfSeveralFilesTheCoarsestCounts) {
    const TempFolder folder;
    const std::string rank = "\"distributedInfo\": {\"backend\": \"nccl\", \"rank\": 0, \"world_size\": 1},\n  ";
    const auto at = [](int first, const std::string& fraction) {
        return [first, fraction](int i) { return std::to_string(first + 10 * i) + fraction; };
    };
    folder.write("run/a.json", traceOf(64, at(1000, ".001"), kNanoseconds, "cpu_op", rank));
    folder.write("run/b.json", traceOf(64, at(9000, ".5"), kNanoseconds, "cpu_op", rank));
    const auto run = loadRunAt((folder.path() / "run").string());
    ASSERT_EQ(run->ranks.size(), 1U);
    EXPECT_EQ(run->ranks[0]->health.time_resolution_ns, 500);
}

}  // namespace
}  // namespace rankscope::test
