// SPDX-License-Identifier: GPL-3.0-or-later
// A what-if forecast and the price of the finding that it remedies are one number, but for the chance by which today's
// step differs from the steps that are replayed.
#include "core/analysis/steps/run_steps.h"
#include "tests/support/analysed.h"
#include "tests/support/places.h"
#include "tests/support/real_traces.h"
#include "tests/support/testing.h"
#include "tests/unit/whatif/prepared.h"

namespace rankscope::test {
namespace {

DurationNs chanceOf(const RunFacts& facts) {
    std::vector<DurationNs> replayed;
    for (const RunStep* const step : pricedSteps(facts.steps)) {
        replayed.push_back(step->duration_ns);
    }
    return std::abs(facts.pricedStep() - typicalOf(facts.basis, replayed));
}

TEST(WhatIfForecasts, OfReadyBatchesSaveWhatTheFindingAboutTheLoaderSaves) {
    for (const auto& path : {sample("ZeroWorkers"), corpusRun("no_workers")}) {
        SCOPED_TRACE(path.string());
        const AnalysedRun analysed = loadAndAnalyse(path);
        const Finding& finding = findingIn(analysed, "dataloader-stall");
        ASSERT_TRUE(finding.cost.has_value());
        const auto run = prepareAt(path);
        const Forecast forecast = forecastOf(*run, {"loader:ready"});
        const DurationNs replayed_ns = forecast.step_ns - (forecast.forecast_ns - forecast.after.added_ns);
        EXPECT_LE(std::abs(replayed_ns - finding.saving_ns - finding.cost->likely_ns), chanceOf(run->facts()));
        ASSERT_EQ(forecast.costs.size(), 1U);
        EXPECT_EQ(forecast.costs.front().added.likely_ns, finding.cost->likely_ns);
        EXPECT_EQ(forecast.costs.front().added.high_ns, finding.cost->high_ns);
    }
}

TEST(WhatIfForecasts, OfBucketSizesAreThoseOfTheBucketForecast) {
    const auto path = corpusRun("modern_cuda");
    AnalysisOptions options;
    options.bucket_sizes = true;
    const auto prepared = prepareAt(path);
    const auto analysed =
        analyseRun(std::shared_ptr<const rankscope::Run>(prepared, &prepared->run()), options, {}, {});
    ASSERT_TRUE(analysed.ok() && analysed.value().diagnosis.buckets);
    std::size_t compared = 0;
    for (const BucketCap& cap : analysed.value().diagnosis.buckets->caps) {
        const Forecast forecast = forecastOf(*prepared, {"bucket_cap_mb=" + std::to_string(cap.mb)});
        EXPECT_LE(std::abs(forecast.forecast_ns - cap.step_ns), chanceOf(prepared->facts())) << cap.mb;
        ++compared;
    }
    EXPECT_EQ(compared, kBucketCaps.size());
}

}  // namespace
}  // namespace rankscope::test
