// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/check/protocol.h"

#include <gtest/gtest.h>

#include <string>

#include "core/compare/compare_runs.h"
#include "core/report/model/summary.h"
#include "tests/support/analysed.h"
#include "tests/support/places.h"
#include "tests/unit/check/planted.h"

namespace rankscope::test {
namespace {

using report::Protocol;
using report::protocolOf;
using report::ProtocolStage;
using report::ProtocolState;
using report::ProtocolStep;

const ProtocolStep& stepOf(const Protocol& protocol, ProtocolStage stage) {
    return protocol.steps.at(static_cast<std::size_t>(stage));
}

TEST(Protocol, FillsItselfFromTheRunAndLeavesTheValidation) {
    const AnalysedRun run = plantedJob({"dataloader"});
    const Protocol protocol = protocolOf(run);
    ASSERT_EQ(protocol.steps.size(), report::kProtocolStages);
    EXPECT_EQ(stepOf(protocol, ProtocolStage::Baseline).state, ProtocolState::Done);
    EXPECT_EQ(stepOf(protocol, ProtocolStage::Category).state, ProtocolState::Done);
    EXPECT_NE(stepOf(protocol, ProtocolStage::Category).text.find("input-bound"), std::string::npos);
    EXPECT_EQ(stepOf(protocol, ProtocolStage::Detail).place.finding, 0U);
    EXPECT_TRUE(stepOf(protocol, ProtocolStage::RootCause).place.slice.valid());
    const ProtocolStep& last = stepOf(protocol, ProtocolStage::Validate);
    EXPECT_EQ(last.state, ProtocolState::Next);
    EXPECT_EQ(last.command, "rankscope-cli compare BEFORE AFTER");
    EXPECT_TRUE(protocol.significant_ns.has_value());
    for (const ProtocolStep& step : protocol.steps) {
        EXPECT_EQ(step.text.find('{'), std::string::npos) << step.text;
        EXPECT_EQ(step.record.empty(), step.state != ProtocolState::Record);
    }
}

TEST(Protocol, NamesThePlaceOfTheRootCauseAndWhatItShows) {
    const AnalysedRun run = plantedJob({"dataloader"});
    const Evidence& seen = run.diagnosis.findings.front().evidence.front();
    ASSERT_FALSE(seen.note.empty());
    const std::string text = stepOf(protocolOf(run), ProtocolStage::RootCause).text;
    EXPECT_NE(text.find(report::evidencePlace(run, seen) + ": " + seen.note + "; "), std::string::npos) << text;
}

TEST(Protocol, SaysWhatToRecordWhereStepsAreTooFew) {
    const Protocol protocol = protocolOf(plantedJob({}, 2, 1));
    EXPECT_EQ(stepOf(protocol, ProtocolStage::Baseline).state, ProtocolState::Record);
    EXPECT_NE(stepOf(protocol, ProtocolStage::Baseline).record.find("schedule("), std::string::npos);
    EXPECT_FALSE(protocol.significant_ns.has_value());
}

TEST(Protocol, IsValidatedByALaterRun) {
    const AnalysedRun before = loadAndAnalyse(sample("ZeroWorkers"));
    const AnalysedRun after = loadAndAnalyse(sample("FourWorkers"));
    const RunComparison comparison = compareRuns(before, after);
    const ProtocolStep last = protocolOf(before, {&after, &comparison}).steps.back();
    EXPECT_NE(last.state, ProtocolState::Next);
    EXPECT_NE(last.text.find(comparisonVerdict(comparison)), std::string::npos);
    EXPECT_TRUE(last.command.empty());
}

TEST(LeastSignificant, IsWhatAComparisonCallsFaster) {
    const std::vector<DurationNs> steps = {100'000'000, 101'300'000, 99'200'000, 100'700'000, 98'900'000,
                                           100'100'000, 102'000'000, 99'500'000, 100'400'000, 99'800'000};
    const std::optional<DurationNs> least = report::leastSignificant(steps);
    ASSERT_TRUE(least.has_value());
    const auto verdict_at = [&steps](DurationNs by_ns) {
        std::vector<DurationNs> shorter = steps;
        for (DurationNs& step : shorter) {
            step -= by_ns;
        }
        return differenceOf(steps, shorter).verdict;
    };
    EXPECT_EQ(verdict_at(*least), StepVerdict::Faster);
    EXPECT_NE(verdict_at(*least - *least / 100), StepVerdict::Faster);
}

TEST(LeastSignificant, IsUnknownWhereNoOrderOfStepsProvesAnything) {
    EXPECT_FALSE(report::leastSignificant({100, 100}).has_value());
}

}  // namespace
}  // namespace rankscope::test
