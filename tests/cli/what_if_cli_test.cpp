// SPDX-License-Identifier: GPL-3.0-or-later
// Forecasts of the real program: the step with changes, alone and together, what is wrong with a change, and the
// predicted run.

#include <fstream>
#include <nlohmann/json.hpp>

#include "app/exit_code.h"
#include "tests/cli/run_cli.h"
#include "tests/support/places.h"
#include "tests/support/process.h"
#include "tests/support/temp_files.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

std::string waitingRun() {
    return sourceFolder() / "resources/samples/ZeroWorkers";
}

nlohmann::json whatIf(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"what-if", waitingRun()});
    arguments.insert(arguments.end(), {"--json", "-"});
    const ProcessResult result = cli(std::move(arguments));
    EXPECT_EQ(result.code, kDone) << result.err;
    return nlohmann::json::parse(result.out, nullptr, false);
}

/// The median step of a run in the JSON report of analyze.
std::int64_t medianStep(const std::string& path) {
    const ProcessResult result = cli({"analyze", path, "--json", "-"});
    EXPECT_EQ(result.code, kDone) << result.err;
    return nlohmann::json::parse(result.out)["runs"][0]["median_step_ns"].get<std::int64_t>();
}

TEST(WhatIfCommand, ForecastsWorkersWithinARangeThatHoldsTheRunThatHasThem) {
    const nlohmann::json forecast = whatIf({"--set", "loader:workers=4"});
    EXPECT_EQ(forecast["step_ns"], medianStep(waitingRun()));
    const std::int64_t with_workers = medianStep(sourceFolder() / "resources/samples/FourWorkers");
    EXPECT_LE(forecast["low_ns"], with_workers);
    EXPECT_GE(forecast["high_ns"], with_workers);
    EXPECT_EQ(forecast["next_bound"], "compute");
    EXPECT_FALSE(forecast["assumes"].empty());
}

TEST(WhatIfCommand, HasPartsThatAddUpToTheForecast) {
    int forecasts = 0;
    for (const char* change : {"loader:ready", "link:x2", "host:x0.5", "host:x2", "launch:graphs", "overlap:perfect",
                               "kernels:gemm|conv|sgemm:x0.5", "class:copy:x3"}) {
        const ProcessResult result = cli({"what-if", waitingRun(), "--set", change, "--json", "-"});
        if (result.code == kWrongUsage) {
            continue;  // this run cannot tell it
        }
        ++forecasts;
        const nlohmann::json forecast = nlohmann::json::parse(result.out);
        std::int64_t sum = 0;
        for (const auto& [part, ns] : forecast["parts"].items()) {
            sum += ns.get<std::int64_t>();
        }
        EXPECT_EQ(sum, forecast["forecast_ns"]) << change;
        EXPECT_LE(forecast["low_ns"], forecast["forecast_ns"]) << change;
        EXPECT_GE(forecast["high_ns"], forecast["forecast_ns"]) << change;
    }
    EXPECT_GE(forecasts, 6) << "most of them can be told";
}

TEST(WhatIfCommand, ListsEachChangeAloneTheShortestStepFirstAndSaysWhatItCannotTell) {
    const nlohmann::json all = whatIf({});
    ASSERT_GE(all["singles"].size(), 3U);
    EXPECT_EQ(all["singles"][0]["changes"][0], "loader:ready");
    for (std::size_t i = 1; i < all["singles"].size(); ++i) {
        EXPECT_LE(all["singles"][i - 1]["forecast_ns"], all["singles"][i]["forecast_ns"]);
    }
    for (const nlohmann::json& refused : all["refused"]) {
        EXPECT_TRUE(refused["reason"].get<std::string>().ends_with(".")) << refused;
    }
    const ProcessResult screen = cli({"what-if", waitingRun()});
    EXPECT_NE(screen.out.find("Each change alone:"), std::string::npos) << screen.out;
    EXPECT_NE(screen.out.find("4 worker processes"), std::string::npos) << "values stand in the words: " << screen.out;
}

TEST(WhatIfCommand, WritesARunThatOpensLikeARecordedOne) {
    const TempFolder folder;
    const std::string digest = folder.path() / "predicted.digest";
    const nlohmann::json forecast = whatIf({"--set", "loader:ready", "--run", digest});
    const std::int64_t cost = forecast["parts"]["added_ns"].get<std::int64_t>();
    const std::int64_t replayed = forecast["forecast_ns"].get<std::int64_t>() - cost;
    EXPECT_NEAR(static_cast<double>(medianStep(digest)), static_cast<double>(replayed),
                0.005 * static_cast<double>(replayed));
    const ProcessResult compared = cli({"compare", waitingRun(), digest});
    EXPECT_EQ(compared.code, kDone) << compared.err;
    EXPECT_NE(compared.out.find("Forecast: "), std::string::npos) << compared.out;
    EXPECT_NE(compared.out.find("less per step"), std::string::npos) << compared.out;
    EXPECT_NE(compared.out.find("does not show what a re-run changes"), std::string::npos) << compared.out;
    EXPECT_EQ(compared.out.find("One recording each"), std::string::npos) << compared.out;
    const ProcessResult full = cli({"compare", waitingRun(), digest, "--full"});
    EXPECT_EQ(full.out.find("make several recordings"), std::string::npos) << full.out;
}

TEST(WhatIfCommand, AForecastStaysOneInItsDigestAndInForecastsOfIt) {
    const TempFolder folder;
    const std::string first = folder.path() / "first.digest";
    const std::string second = folder.path() / "second.digest";
    ASSERT_EQ(cli({"what-if", waitingRun(), "--set", "loader:ready", "--run", first}).code, kDone);
    ASSERT_EQ(cli({"what-if", first, "--set", "host:x2", "--run", second}).code, kDone);
    const ProcessResult shown = cli({"analyze", second, "--full"});
    EXPECT_NE(shown.out.find("This is a forecast, not a recording. Changes: loader:ready; host:x2."), std::string::npos)
        << shown.out;
    EXPECT_EQ(shown.out.find("Changes: loader:ready."), std::string::npos) << "the older note is replaced";
    const ProcessResult sides = cli({"compare", waitingRun(), first, "--against", waitingRun(), "--full"});
    EXPECT_NE(sides.out.find("it is a forecast, not a recording"), std::string::npos) << sides.out;
}

TEST(WhatIfCommand, FindsTheFewestChangesThatReachAStep) {
    EXPECT_EQ(whatIf({"--search", "30 ms"})["changes"], nlohmann::json({"loader:ready"}));
    const ProcessResult none = cli({"what-if", waitingRun(), "--search", "1us"});
    EXPECT_EQ(none.code, kWrongUsage);
    EXPECT_NE(none.err.find("No set of up to three changes reaches 1.00 µs"), std::string::npos) << none.err;
}

TEST(WhatIfCommand, SaysWhatIsWrongWithAChange) {
    const std::vector<std::pair<std::vector<std::string>, std::string>> wrong = {
        {{"link:x0"}, "a factor is a number from 0.001 to 1,000, not \"0\""},
        {{"link:x-2"}, "not \"-2\""},
        {{"link:xinf"}, "not \"inf\""},
        {{"link:xnan"}, "not \"nan\""},
        {{"host:x"}, "not nothing"},
        {{"lonk:x2"}, "did you mean link:xF?"},
        {{"loader:fast"}, "it is written loader:ready, loader:workers=xF, loader:workers=W"},
        {{"loader:workers=0"}, "a whole number from 1"},
        {{"loader:ready", "loader:workers=2"}, "exclude each other"},
        {{"rank=99:like-median"}, "The run has no rank 99."},
        {{"kernels:(:x2"}, "is not a regular expression"},
        {{"kernels:no such kernel:x2"}, "No kernel matches"},
        {{"algorithm:star"}, "use ring or tree"},
        {{"precision:int3"}, "is no number type here"}};
    for (const auto& [changes, text] : wrong) {
        std::vector<std::string> arguments = {"what-if", waitingRun()};
        for (const std::string& change : changes) {
            arguments.insert(arguments.end(), {"--set", change});
        }
        const ProcessResult result = cli(std::move(arguments));
        EXPECT_EQ(result.code, kWrongUsage) << changes.front();
        EXPECT_NE(result.err.find(text), std::string::npos) << changes.front() << ": " << result.err;
        EXPECT_TRUE(result.out.empty()) << result.out;
    }
}

TEST(WhatIfCommand, DoesNotOverwriteAnInputAndWritesRunsOnlyAsDigests) {
    const TempFolder folder;
    const std::string digest = folder.path() / "a.digest";
    ASSERT_EQ(cli({"what-if", waitingRun(), "--set", "loader:ready", "--run", digest}).code, kDone);
    EXPECT_EQ(cli({"what-if", digest, "--set", "host:x2", "--run", digest}).code, kWrongUsage);
    EXPECT_EQ(cli({"what-if", waitingRun(), "--set", "host:x2", "--run", folder.path() / "a.json"}).code, kWrongUsage);
    EXPECT_EQ(cli({"what-if", waitingRun(), "--run", folder.path() / "b.digest"}).code, kWrongUsage)
        << "nothing is set";
    const ProcessResult two = cli({"what-if", (sourceFolder() / "resources/samples").string(), "--set", "host:x2"});
    EXPECT_EQ(two.code, kWrongUsage);
    EXPECT_NE(two.err.find("name one of them"), std::string::npos) << two.err;
}

TEST(WhatIfCommand, WritesJsonThatItsSchemaDescribes) {
    const TempFolder folder;
    const std::string json = folder.path() / "what_if.json";
    for (const std::vector<std::string>& set : {std::vector<std::string>{},
                                                {"--set", "loader:workers=2", "--set", "link:x2"},
                                                {"--set", "bucket_cap_mb=10"}}) {
        std::vector<std::string> arguments = {"what-if", waitingRun(), "--json", json};
        arguments.insert(arguments.end(), set.begin(), set.end());
        ASSERT_EQ(cli(std::move(arguments)).code, kDone);
        const ProcessResult held =
            runProcess({"python3", (sourceFolder() / "tests/support/validate_report.py").string(),
                        (sourceFolder() / "resources/what_if.schema.json").string(), json});
        if (held.code == 77) {
            GTEST_SKIP() << "skipped: " << held.out;
        }
        EXPECT_EQ(held.code, 0) << held.out << held.err;
    }
}

TEST(WhatIfCommand, IsATableFunctionOfQueries) {
    const ProcessResult result = cli({"query", waitingRun(), "--format", "json",
                                      "SELECT changes, forecast_ns FROM what_if('loader:ready; link:x2')"});
    ASSERT_EQ(result.code, kDone) << result.err;
    const nlohmann::json rows = nlohmann::json::parse(result.out);
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0]["forecast_ns"], whatIf({"--set", "loader:ready", "--set", "link:x2"})["forecast_ns"]);
    const ProcessResult wrong = cli({"query", waitingRun(), "SELECT * FROM what_if('linc:x2')"});
    EXPECT_EQ(wrong.code, kWrongUsage);
    EXPECT_NE(wrong.err.find("did you mean link:xF?"), std::string::npos) << wrong.err;
}

}  // namespace
}  // namespace rankscope::test
