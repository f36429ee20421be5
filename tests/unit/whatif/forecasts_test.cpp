// SPDX-License-Identifier: GPL-3.0-or-later
// What holds for every forecast of every run.
#include "tests/support/places.h"
#include "tests/support/real_traces.h"
#include "tests/support/testing.h"
#include "tests/unit/whatif/prepared.h"

namespace rankscope::test {
namespace {

/// How far off a replay is if each piece of work is a nanosecond off.
DurationNs roundingOf(const WhatIfRun& run) {
    DurationNs most_ns = 1;
    for (const ReplayModel& rank : run.model().ranks) {
        most_ns = std::max(most_ns, static_cast<DurationNs>(rank.events.size() + rank.waits.size()));
    }
    return most_ns;
}

void expectWhole(const Forecast& forecast) {
    EXPECT_GE(forecast.low_ns, 0);
    EXPECT_LE(forecast.low_ns, forecast.forecast_ns);
    EXPECT_LE(forecast.forecast_ns, forecast.high_ns);
    EXPECT_EQ(forecast.before.total(), forecast.step_ns);
    EXPECT_EQ(forecast.after.total(), forecast.forecast_ns);
    EXPECT_EQ(forecast.before.added_ns, 0);
    for (const StepParts& parts : {forecast.before, forecast.after}) {
        for (const DurationNs ns : {parts.compute_ns, parts.exposed_comm_ns, parts.exposed_copy_ns, parts.idle_ns}) {
            EXPECT_GE(ns, 0);
        }
    }
    for (const ChangeCost& cost : forecast.costs) {
        EXPECT_LE(cost.added.low_ns, cost.added.likely_ns) << cost.change;
        EXPECT_LE(cost.added.likely_ns, cost.added.high_ns) << cost.change;
    }
}

void expectTodayWithoutAChange(const WhatIfRun& run) {
    const Result<Forecast> told = run.forecast({});
    if (!told.ok()) {
        EXPECT_EQ(told.error().cause, "The run has no complete step, so nothing can be forecast.");
        return;
    }
    expectWhole(told.value());
    EXPECT_EQ(told.value().forecast_ns, run.facts().pricedStep());
    EXPECT_EQ(told.value().low_ns, told.value().forecast_ns);
    EXPECT_EQ(told.value().high_ns, told.value().forecast_ns);
    EXPECT_EQ(told.value().after.compute_ns, told.value().before.compute_ns);
    EXPECT_EQ(told.value().after.exposed_comm_ns, told.value().before.exposed_comm_ns);
    EXPECT_EQ(told.value().after.exposed_copy_ns, told.value().before.exposed_copy_ns);
    EXPECT_EQ(told.value().after.idle_ns, told.value().before.idle_ns);
}

/// Returns the kinds that it can tell.
std::set<std::string> expectEachKindWhole(const WhatIfRun& run) {
    std::set<std::string> told;
    for (const std::string& change : oneOfEachKind(run)) {
        SCOPED_TRACE(change);
        const Result<Forecast> forecast = run.forecast(changesOf({change}));
        if (!forecast.ok()) {
            EXPECT_TRUE(forecast.error().cause.ends_with('.')) << forecast.error().cause;
            continue;
        }
        told.insert(change);
        expectWhole(forecast.value());
        EXPECT_EQ(forecast.value().step_ns, run.facts().pricedStep());
        for (const std::string& note : forecast.value().notes) {
            EXPECT_TRUE(note.ends_with('.')) << note;
        }
    }
    return told;
}

void expectNothingOfFactorOne(const WhatIfRun& run) {
    for (const char* change :
         {"kernels:.:x1", "class:compute:x1", "class:copy:x1", "class:communication:x1", "link:x1", "host:x1"}) {
        SCOPED_TRACE(change);
        if (const Result<Forecast> told = run.forecast(changesOf({change})); told.ok()) {
            EXPECT_LE(std::abs(told.value().forecast_ns - told.value().step_ns), roundingOf(run));
        }
    }
}

/// Forecasts of growing factors, as far as the run can tell them.
std::vector<DurationNs> growing(const WhatIfRun& run, const std::string& before) {
    std::vector<DurationNs> forecasts;
    for (const char* factor : {"0.25", "0.5", "0.8", "1", "1.5", "2", "4"}) {
        if (const Result<Forecast> told = run.forecast(changesOf({before + factor})); told.ok()) {
            forecasts.push_back(told.value().forecast_ns);
        }
    }
    return forecasts;
}

void expectMonotone(const WhatIfRun& run) {
    // Where the CPU is the bound, longer kernels move the ends of steps a little, each by its own last kernels.
    const DurationNs precise_ns = run.facts().pricedStep() / 200;
    const auto longer = [precise_ns](DurationNs a, DurationNs b) { return a > b + precise_ns; };
    for (const char* work : {"kernels:.:x", "class:copy:x", "class:communication:x"}) {
        const std::vector<DurationNs> forecasts = growing(run, work);
        EXPECT_EQ(std::ranges::adjacent_find(forecasts, longer), forecasts.end())
            << work << " " << testing::PrintToString(forecasts);
    }
    for (const char* speed : {"link:x", "host:x"}) {
        std::vector<DurationNs> forecasts = growing(run, speed);
        std::ranges::reverse(forecasts);
        EXPECT_EQ(std::ranges::adjacent_find(forecasts, longer), forecasts.end())
            << speed << " " << testing::PrintToString(forecasts);
    }
}

std::vector<std::filesystem::path> runsAtHand() {
    std::vector<std::filesystem::path> paths = corpusRuns();
    paths.push_back(sample("ZeroWorkers"));
    paths.push_back(sample("FourWorkers"));
    return paths;
}

TEST(WhatIfForecasts, WithoutAChangeAreTodaysStep) {
    for (const auto& path : runsAtHand()) {
        for (const PreparedRun& one : prepareAllAt(path)) {
            SCOPED_TRACE(one.name);
            expectTodayWithoutAChange(*one.run);
        }
    }
}

TEST(WhatIfForecasts, AddUpToTheNanosecondWithTheirRangeAround) {
    std::set<std::string> told;
    for (const auto& path : runsAtHand()) {
        for (const PreparedRun& one : prepareAllAt(path)) {
            SCOPED_TRACE(one.name);
            told.merge(expectEachKindWhole(*one.run));
        }
    }
    for (const char* change :
         {"ranks:equal", "loader:ready", "loader:workers=4", "overlap:perfect", "overlap:none", "link:x2",
          "kernels:.:x0.5", "class:compute:x2", "class:copy:x0.5", "host:x2", "launch:graphs", "sync:none"}) {
        EXPECT_TRUE(told.contains(change)) << change;
    }
}

TEST(WhatIfForecasts, OfFactorOneAreTodaysStep) {
    for (const auto& path : runsAtHand()) {
        for (const PreparedRun& one : prepareAllAt(path)) {
            SCOPED_TRACE(one.name);
            expectNothingOfFactorOne(*one.run);
        }
    }
}

TEST(WhatIfForecasts, GrowWithTheFactorOfTheWork) {
    for (const auto& path : runsAtHand()) {
        for (const PreparedRun& one : prepareAllAt(path)) {
            SCOPED_TRACE(one.name);
            expectMonotone(*one.run);
        }
    }
}

TEST(WhatIfForecasts, MultiplyTheFactorsOfTwoChanges) {
    for (const char* name : {"modern_cuda", "host_sync"}) {
        const auto run = prepareAt(corpusRun(name));
        const Forecast twice = forecastOf(*run, {"kernels:.:x0.5", "kernels:.:x0.5"});
        const Forecast once = forecastOf(*run, {"kernels:.:x0.25"});
        EXPECT_LE(std::abs(twice.forecast_ns - once.forecast_ns), roundingOf(*run));
        EXPECT_LT(once.forecast_ns, once.step_ns);
        const Forecast links = forecastOf(*run, {"kernels:.:x0.5", "kernels:.:x2"});
        EXPECT_LE(std::abs(links.forecast_ns - links.step_ns), roundingOf(*run));
    }
}

TEST(WhatIfForecasts, GiveTheSameOnEveryThread) {
    const auto run = prepareAt(corpusRun("modern_cuda"));
    const Forecast first = forecastOf(*run, {"link:x2", "kernels:.:x0.5"});
    const Forecast again = forecastOf(*run, {"kernels:.:x0.5", "link:x2"});
    EXPECT_EQ(first.forecast_ns, again.forecast_ns);
    EXPECT_EQ(first.low_ns, again.low_ns);
    EXPECT_EQ(first.high_ns, again.high_ns);
    EXPECT_EQ(first.after.total(), again.after.total());
}

TEST(WhatIfForecasts, OfRealRunsHoldAllThat) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    std::set<std::string> told;
    for (const auto& path : realRuns()) {
        for (const PreparedRun& one : prepareAllAt(path)) {
            SCOPED_TRACE(one.name);
            expectTodayWithoutAChange(*one.run);
            expectNothingOfFactorOne(*one.run);
            told.merge(expectEachKindWhole(*one.run));
        }
    }
    for (const char* change : {"loader:ready", "overlap:perfect", "kernels:.:x0.5", "host:x2", "launch:graphs",
                               "sync:none", "class:copy:x0.5"}) {
        EXPECT_TRUE(told.contains(change)) << change;
    }
}

TEST(WhatIfForecasts, StopSoonWhenAskedTo) {
    const auto run = prepareAt(corpusRun("modern_cuda"));
    const std::stop_source source;
    source.request_stop();
    EXPECT_TRUE(run->forecast(changesOf({"link:x2"}), source.get_token()).cancelled());
    EXPECT_TRUE(run->replayed(changesOf({"link:x2"}), source.get_token()).cancelled());
}

TEST(WhatIfForecasts, OfARunThatKeptItsReplaysNeedNoSecondAnalysis) {
    const auto twice = prepareAt(corpusRun("modern_cuda"));
    const auto run = std::make_shared<const rankscope::Run>(twice->run());
    AnalysisOptions options;
    options.keep_replay = true;
    const Result<AnalysedRun> kept = analyseRun(run, options, {}, {});
    ASSERT_TRUE(kept.ok());
    const std::stop_source stopped;
    stopped.request_stop();
    const auto prepared = WhatIfRun::prepare(kept.value(), {}, stopped.get_token());
    ASSERT_TRUE(prepared.ok()) << "an analysis would be cancelled";
    const Forecast once = forecastOf(*prepared.value(), {"kernels:.:x0.5"});
    const Forecast again = forecastOf(*twice, {"kernels:.:x0.5"});
    EXPECT_EQ(once.forecast_ns, again.forecast_ns);
    EXPECT_EQ(once.low_ns, again.low_ns);
    EXPECT_EQ(once.high_ns, again.high_ns);
}

TEST(WhatIfForecasts, OfARunWithFewStepsSayThatTheirRangeIsUnknown) {
    const Forecast forecast = forecastOf(*prepareLoneRank(2), {"kernels:gemm:x0.5"});
    expectWhole(forecast);
    EXPECT_THAT(forecast.notes, testing::Contains(HasSubstr("Fewer than three steps count")));
    EXPECT_GE(forecast.high_ns, forecast.step_ns) << "it may save nothing";
}

}  // namespace
}  // namespace rankscope::test
