// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/check/protocol.h"

#include "core/base/format.h"
#include "core/compare/compare_runs.h"
#include "core/report/reports.h"
#include "tests/support/analysed.h"
#include "tests/support/places.h"
#include "tests/support/testing.h"
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
    EXPECT_EQ(last.command, "rankscope-cli compare BEFORE1 BEFORE2 BEFORE3 --against AFTER1 AFTER2 AFTER3");
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
    const RankTrace& rank = *run.run->ranks[seen.rank];
    EXPECT_NE(text.find("\"" + std::string(rank.name(seen.slice)) + "\" on rank "), std::string::npos) << text;
    EXPECT_NE(text.find(rank.track(seen.slice).name + ": " + seen.note + "; "), std::string::npos) << text;
}

TEST(Protocol, SaysHowLongTheRootCauseTakesOnce) {
    AnalysedRun run = plantedJob({"dataloader"});
    Evidence& seen = run.diagnosis.findings.front().evidence.front();
    const std::string length = formatDuration(run.run->ranks[seen.rank]->span(seen.slice).length());
    const auto times_told = [&] {
        std::string text = stepOf(protocolOf(run), ProtocolStage::RootCause).text;
        text.resize(text.find("; the first of"));
        std::size_t told = 0;
        for (std::size_t at = text.find(length); at != std::string::npos; at = text.find(length, at + 1)) {
            ++told;
        }
        return told;
    };
    seen.note = "takes the CPU " + length;
    EXPECT_EQ(times_told(), 1U);
    seen.note = "keeps the GPU idle";
    EXPECT_EQ(times_told(), 1U);
}

TEST(Protocol, LeadsToTheFindingWithAHigherUpperBoundToo) {
    AnalysedRun run = plantedJob({"dataloader"});
    Finding bound = run.diagnosis.findings.front();
    bound.at_most = true;
    bound.share = 0.99;
    run.diagnosis.findings.push_back(bound);
    const std::size_t last = run.diagnosis.findings.size() - 1;
    const ProtocolStep detail = stepOf(protocolOf(run), ProtocolStage::Detail);
    EXPECT_NE(detail.text.find("An upper bound is higher"), std::string::npos) << detail.text;
    EXPECT_EQ(detail.place.finding, 0U);
    EXPECT_EQ(detail.other_finding, last);
}

TEST(Protocol, OfALaterRunNamesItsBaseline) {
    const AnalysedRun before = plantedJob({"dataloader"});
    const AnalysedRun after = plantedJob({});
    const RunComparison comparison = compareRuns(before, after);
    ReportInput input{{&before, &after}, {}};
    input.comparisons.push_back({.a = 0, .b = 1, .comparison = &comparison});
    const auto baseline_of = [&](std::size_t run) {
        return protocolOf(*input.runs[run], report::validationOf(input, run)).steps.front().text;
    };
    EXPECT_NE(baseline_of(0).find("This run is the baseline"), std::string::npos) << baseline_of(0);
    EXPECT_EQ(baseline_of(1).find("This run is the baseline"), std::string::npos) << baseline_of(1);
    EXPECT_NE(baseline_of(1).find("The baseline is \"" + before.run->name + "\""), std::string::npos) << baseline_of(1);
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
