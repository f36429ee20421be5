// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/places.h"
#include "tests/support/testing.h"
#include "tests/tracegen/config_json.h"
#include "tests/tracegen/output.h"
#include "tests/tracegen/truth.h"
#include "tests/tracegen/write_run.h"

namespace rankscope::tracegen {
namespace {

const std::filesystem::path kSamples = test::sample();

nlohmann::json readJson(const std::filesystem::path& path) {
    std::ifstream file(path);
    return nlohmann::json::parse(file);
}

Config modelOf(bool zero_workers) {
    Config config = configFromJson(readJson(kSamples / "model.json"));
    if (zero_workers) {
        config.faults.push_back(parseFault("dataloader"));
    }
    return config;
}

class Samples : public testing::TestWithParam<bool> {};

TEST_P(Samples, AreWhatTheGeneratorMakesOfTheirModel) {
    const std::string name = GetParam() ? "ZeroWorkers" : "FourWorkers";
    const RunResult run = simulate(modelOf(GetParam()));
    for (int rank = 0; rank < run.config.ranks; ++rank) {
        // Not ASSERT_EQ: it would print megabytes.
        EXPECT_TRUE(readOutput(kSamples / name / fileName(rank, true)) == kinetoText(run, rank)) << "rank " << rank;
    }
    EXPECT_EQ(readJson(kSamples / (name + ".truth.json")), truthOf(run));
}

INSTANTIATE_TEST_SUITE_P(BothRuns, Samples, testing::Bool());

}  // namespace
}  // namespace rankscope::tracegen
