// SPDX-License-Identifier: GPL-3.0-or-later
#include <ostream>

#include "core/compare/compare_runs.h"
#include "core/report/reports.h"
#include "tests/accuracy/simulated_run.h"
#include "tests/support/fact_checks.h"
#include "tests/support/loading.h"
#include "tests/support/temp_files.h"
#include "tests/support/testing.h"
#include "tests/tracegen/config_of.h"
#include "tests/tracegen/write_run.h"

// Traces whose events are all well-formed, but whose steps, ranks, groups or clocks do not fit together: numbers that
// differ between ranks, marks that are missing or twice there, files of other jobs.

namespace rankscope::test {
namespace {

using Json = nlohmann::json;
using Traces = std::vector<Json>;  // one a rank

/// The files of a run of four ranks with a straggler, since what is late is looked at most closely.
const Traces& soundTraces() {
    static const Traces traces = [] {
        tracegen::Config config = tracegen::configOf(4, 6, {"slow-kernels:ranks=2"});
        config.layers = 4;
        const tracegen::RunResult run = tracegen::simulate(config);
        Traces made;
        for (int rank = 0; rank < config.ranks; ++rank) {
            made.push_back(Json::parse(tracegen::kinetoText(run, rank)));
        }
        return made;
    }();
    return traces;
}

bool isMark(const Json& event) {
    return event.value("name", "").starts_with("ProfilerStep#");
}

std::int64_t numberOf(const Json& mark) {
    return std::stoll(mark["name"].get<std::string>().substr(std::string("ProfilerStep#").size()));
}

/// Calls `change` with each step mark, on the host and on the device.
void forEachMark(Json& trace, const std::function<void(Json&)>& change) {
    for (Json& event : trace["traceEvents"]) {
        if (isMark(event)) {
            change(event);
        }
    }
}

void renumber(Json& trace, std::int64_t by) {
    forEachMark(trace, [by](Json& mark) { mark["name"] = "ProfilerStep#" + std::to_string(numberOf(mark) + by); });
}

/// The number of the mark at this place; negative places count from the last.
std::int64_t stepAt(const Json& trace, int place) {
    std::set<std::int64_t> numbers;
    for (const Json& event : trace["traceEvents"]) {
        if (isMark(event)) {
            numbers.insert(numberOf(event));
        }
    }
    const auto count = static_cast<int>(numbers.size());
    return *std::next(numbers.begin(), ((place % count) + count) % count);
}

void dropStep(Json& trace, int place) {
    const std::int64_t number = stepAt(trace, place);
    Json kept = Json::array();
    for (const Json& event : trace["traceEvents"]) {
        if (!isMark(event) || numberOf(event) != number) {
            kept.push_back(event);
        }
    }
    trace["traceEvents"] = std::move(kept);
}

void doubleStep(Json& trace, int place) {
    const std::int64_t number = stepAt(trace, place);
    std::vector<Json> again;
    forEachMark(trace, [&](Json& mark) {
        if (numberOf(mark) == number) {
            again.push_back(mark);
        }
    });
    for (Json& mark : again) {
        trace["traceEvents"].push_back(std::move(mark));
    }
}

void shift(Json& event, double us) {
    if (event.contains("ts")) {
        event["ts"] = event["ts"].get<double>() + us;
    }
}

void shiftMarks(Json& trace, double us) {
    forEachMark(trace, [us](Json& mark) { shift(mark, us); });
}

void shiftAll(Json& trace, double us) {
    for (Json& event : trace["traceEvents"]) {
        shift(event, us);
    }
}

/// Sets `key` in the args of all collectives.
void setInCollectives(Json& trace, const char* key, const Json& value) {
    for (Json& event : trace["traceEvents"]) {
        if (event.contains("args") && event["args"].contains("Collective name")) {
            event["args"][key] = value;
        }
    }
}

/// Leaves out every `nth` event that is communication.
void dropCollectives(Json& trace, std::size_t nth) {
    Json kept = Json::array();
    std::size_t seen = 0;
    for (const Json& event : trace["traceEvents"]) {
        const bool counts = event.contains("args") && event["args"].contains("Collective name");
        seen += counts ? 1U : 0U;
        if (!counts || seen % nth != 0) {
            kept.push_back(event);
        }
    }
    trace["traceEvents"] = std::move(kept);
}

std::shared_ptr<const Run> loadTraces(const Traces& traces) {
    const TempFolder folder;
    for (std::size_t i = 0; i < traces.size(); ++i) {
        folder.write("rank" + std::to_string(i) + ".pt.trace.json", traces[i].dump());
    }
    return loadRunAt(folder.path());
}

AnalysedRun analyseWith(std::shared_ptr<const Run> run, AnalysisOptions options, unsigned threads) {
    options.threads = threads;
    Result<AnalysedRun> analysed = analyseRun(std::move(run), options, {}, {});
    EXPECT_TRUE(analysed.ok());
    return std::move(analysed).value();
}

std::string reportOf(const AnalysedRun& run, const AnalysedRun& sound) {
    const RunComparison there = compareRuns(sound, run);
    const RunComparison back = compareRuns(run, sound);
    return jsonReport({{&sound, &run}, {}, {{0, 1, &there}, {1, 0, &back}}});
}

/// Analyses and compares the run twice, on one thread and on several: nothing may crash, all sums hold, and both times
/// say the same.
void checkDamaged(const Traces& traces, const AnalysisOptions& options) {
    const std::shared_ptr<const Run> damaged = loadTraces(traces);
    const AnalysedRun sound = analyseWith(loadTraces(soundTraces()), {}, 1);
    const AnalysedRun once = analyseWith(damaged, options, 1);
    checkRunFacts(once.facts);
    const std::string report = reportOf(once, sound);
    for (const unsigned threads : {1U, 3U}) {
        EXPECT_EQ(reportOf(analyseWith(damaged, options, threads), sound), report) << threads << " threads";
    }
}

struct Damage {
    const char* name;
    std::function<void(Traces&)> apply;
    AnalysisOptions options = {};
};

void PrintTo(const Damage& damage, std::ostream* out) {
    *out << damage.name;
}

constexpr double kSecond = 1e6;  // in microseconds

std::vector<Damage> damages() {
    AnalysisOptions offset;
    offset.clock.typed_offset_ns = {1'000'000'000};
    AnalysisOptions file_clocks;
    file_clocks.clock.file_times = true;
    return {
        {"AsItWas", [](Traces&) {}},
        {"StragglersStepsNumberedTwoHigher", [](Traces& t) { renumber(t[2], 2); }},
        {"StragglersStepsNumberedThreeHigher", [](Traces& t) { renumber(t[2], 3); }},
        {"StragglersStepsNumberedLower", [](Traces& t) { renumber(t[2], -1); }},
        {"FirstRanksStepsNumberedHigher", [](Traces& t) { renumber(t[0], 2); }},
        {"NoNumbersInCommon", [](Traces& t) { renumber(t[2], 100); }},
        {"StepMissingOnTheStraggler", [](Traces& t) { dropStep(t[2], 2); }},
        {"StepMissingOnAnother", [](Traces& t) { dropStep(t[0], 2); }},
        {"FirstStepMissing", [](Traces& t) { dropStep(t[2], 0); }},
        {"LastStepMissing", [](Traces& t) { dropStep(t[2], -1); }},
        {"AllStepsMissingOnOneRank",
         [](Traces& t) {
             for (int i = 0; i < 6; ++i) {
                 dropStep(t[2], 0);
             }
         }},
        {"StepTwice", [](Traces& t) { doubleStep(t[2], 3); }},
        {"MarksOfOneRankTooLate", [](Traces& t) { shiftMarks(t[2], 20'000); }},
        {"MarksOfOneRankFarAway", [](Traces& t) { shiftMarks(t[2], 10 * kSecond); }},
        {"RankASecondOff", [](Traces& t) { shiftAll(t[2], kSecond); }},
        {"RankASecondOffWithFileClocks", [](Traces& t) { shiftAll(t[2], kSecond); }, file_clocks},
        {"OffsetOfASecondTyped", [](Traces&) {}, offset},
        {"RankMissing", [](Traces& t) { t.erase(t.begin() + 1); }},
        {"RankTwice", [](Traces& t) { t.push_back(t[2]); }},
        {"TwoRanksOfOneNumber", [](Traces& t) { t[3]["distributedInfo"]["rank"] = 2; }},
        {"WorldSizesDiffer", [](Traces& t) { t[3]["distributedInfo"]["world_size"] = 2; }},
        {"GroupsNamedDifferently", [](Traces& t) { setInCollectives(t[2], "Process Group Name", "7"); }},
        {"GroupOfOtherRanks", [](Traces& t) { setInCollectives(t[2], "Process Group Ranks", "[0, 2]"); }},
        {"GroupSizesDiffer", [](Traces& t) { setInCollectives(t[2], "Group size", 2); }},
        {"CollectivesMissing", [](Traces& t) { dropCollectives(t[2], 5); }},
        {"NumbersAndMarksWrong",
         [](Traces& t) {
             renumber(t[2], 3);
             dropStep(t[1], 1);
             doubleStep(t[3], 2);
             shiftAll(t[0], kSecond);
         }},
    };
}

class DamagedRuns : public testing::TestWithParam<Damage> {};

TEST_P(DamagedRuns, AreAnalysedAndComparedAlikeEachTime) {
    Traces traces = soundTraces();
    GetParam().apply(traces);
    checkDamaged(traces, GetParam().options);
}

INSTANTIATE_TEST_SUITE_P(Of, DamagedRuns, testing::ValuesIn(damages()),
                         [](const auto& damage) { return std::string(damage.param.name); });

class RandomlyDamagedRuns : public testing::TestWithParam<unsigned> {};

TEST_P(RandomlyDamagedRuns, AreAnalysedAndComparedAlikeEachTime) {
    std::mt19937 random(GetParam());
    const auto below = [&random](int bound) { return static_cast<int>(random() % static_cast<unsigned>(bound)); };
    Traces traces = soundTraces();
    for (int i = 0; i < 3; ++i) {
        Json& trace = traces[static_cast<std::size_t>(below(4))];
        switch (below(6)) {
            case 0: renumber(trace, below(7) - 3); break;
            case 1: dropStep(trace, below(6)); break;
            case 2: doubleStep(trace, below(6)); break;
            case 3: shiftMarks(trace, 1000.0 * (below(200) - 100)); break;
            case 4: shiftAll(trace, 10'000.0 * (below(200) - 100)); break;
            default: dropCollectives(trace, 2U + static_cast<unsigned>(below(8))); break;
        }
    }
    AnalysisOptions options;
    options.clock.file_times = below(3) == 0;
    checkDamaged(traces, options);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomlyDamagedRuns, testing::Range(0U, 8U));

}  // namespace
}  // namespace rankscope::test
