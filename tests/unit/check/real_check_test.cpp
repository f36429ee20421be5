// SPDX-License-Identifier: GPL-3.0-or-later
// What the check, its lists and the protocol say of recorded jobs.

#include "core/report/check/check.h"
#include "core/report/check/protocol.h"
#include "tests/support/analysed.h"
#include "tests/support/real_traces.h"
#include "tests/support/testing.h"
#include "tests/unit/check/list_lines.h"

namespace rankscope::test {
namespace {

using report::CheckLine;
using report::CheckStatus;
using report::ListAnswer;
using report::ListLine;

ListLine answerTo(const AnalysedRun& run, const std::string& key) {
    return listLineOf(report::checkListsOf(run), key);
}

CheckLine lineOfCheck(const AnalysedRun& run, const std::string& key) {
    const report::Check check = report::checkOf(run);
    const CheckLine* const line = check.line(key);
    EXPECT_NE(line, nullptr) << key;
    return line == nullptr ? CheckLine() : *line;
}

TEST(RealCheck, OfMemoryEventsWithoutTotalsSaysSoAndWhichRecorderHasThem) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const AnalysedRun run = loadAndAnalyse(realTraces() / "resnet50_workers/ZeroWorkers");
    const CheckLine line = lineOfCheck(run, "memory");
    EXPECT_EQ(line.status, CheckStatus::CannotTell);
    EXPECT_THAT(line.text, HasSubstr("Memory events were recorded"));
    EXPECT_THAT(line.record, HasSubstr("PyTorch 1.12"));
    for (const char* key :
         {"nearly-full", "cached-unused", "activations", "optimizer-state", "temporaries", "growing"}) {
        EXPECT_THAT(answerTo(run, key).text, HasSubstr("Memory events were recorded")) << key;
    }
    const AnalysedRun without = loadAndAnalyse(realTraces() / "unseen_1/megatron_tp8");
    EXPECT_THAT(lineOfCheck(without, "memory").text, HasSubstr("No memory events were recorded"));
}

TEST(RealCheck, DoesNotJudgeTheNumbersOfADeviceThatNobodyKnows) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const AnalysedRun run = loadAndAnalyse(realTraces() / "hta/timeline_analysis");
    ASSERT_TRUE(run.facts.efficiency.any());
    ASSERT_FALSE(run.facts.efficiency.peaks_known);
    const ListLine line = answerTo(run, "numbers-wide");
    EXPECT_EQ(line.answer, ListAnswer::CannotTell);
    EXPECT_THAT(line.text, HasSubstr("GPU is not known"));
}

TEST(RealCheck, AdvisesWhatTheFindingOfThisDeviceDoes) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    // A V100 has no TF32.
    const ListLine line = answerTo(loadAndAnalyse(realTraces() / "resnet50_workers/FourWorkers"), "numbers-wide");
    EXPECT_EQ(line.answer, ListAnswer::Yes);
    EXPECT_THAT(line.advice, HasSubstr("float16"));
    EXPECT_THAT(line.advice, Not(HasSubstr("set_float32_matmul_precision")));
}

TEST(RealCheck, OfAModelInTensorPartsSaysThatNoRankHoldsAllOfIt) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const AnalysedRun run = loadAndAnalyse(realTraces() / "unseen_1/megatron_tp8");
    EXPECT_EQ(answerTo(run, "replicated").answer, ListAnswer::No);
}

TEST(RealCheck, AdvisesNothingOfTrainingToAServer) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const std::vector<AnalysedRun> runs = loadAndAnalyseAll(realTraces() / "tracelens/eager_trace.json.gz");
    ASSERT_FALSE(runs.empty());
    const ListLine line = answerTo(runs.front(), "host-late");
    EXPECT_EQ(line.answer, ListAnswer::Yes);
    EXPECT_THAT(line.advice, Not(HasSubstr("optimizer")));
}

TEST(RealCheck, BeginsWithTheFirstFinding) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    for (const char* const path : {"resnet50_workers/FourWorkers", "unseen_1/fsdp2_4ranks"}) {
        const AnalysedRun run = loadAndAnalyse(realTraces() / path);
        const report::Protocol protocol = report::protocolOf(run);
        const report::ProtocolStep& detail = protocol.steps.at(static_cast<std::size_t>(report::ProtocolStage::Detail));
        EXPECT_THAT(detail.text, HasSubstr("First: \"" + run.diagnosis.findings.front().title));
        EXPECT_EQ(detail.place.finding, 0U);
    }
}

TEST(RealCheck, SaysOfAFindingWithoutAPriceThatItHasNone) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    AnalysedRun run = loadAndAnalyse(realTraces() / "unseen_1/fsdp2_4ranks");
    run.diagnosis.findings.resize(1);
    run.diagnosis.findings.front().saving_ns = 0;
    run.diagnosis.findings.front().share = 0;
    const CheckLine line = lineOfCheck(run, "findings");
    EXPECT_EQ(line.status, CheckStatus::Look);
    EXPECT_THAT(line.text, HasSubstr("without a price"));
    EXPECT_THAT(line.text, Not(HasSubstr("saves 0")));
}

TEST(RealCheck, DoesNotTakeAnMfuAboveThePeakForGood) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    AnalysedRun run = loadAndAnalyse(realTraces() / "unseen_1/megatron_tp8");
    EnteredEfficiency entered;
    entered.step_flops = 3e15;
    entered.devices = run.run->ranks.size();
    entered.peak_tflops = 312;
    entered.mfu = 1.91;
    run.facts.efficiency.entered = entered;
    const CheckLine line = lineOfCheck(run, "mfu");
    EXPECT_EQ(line.status, CheckStatus::CannotTell);
    EXPECT_THAT(line.text, HasSubstr("more than the GPU can do"));
    EXPECT_THAT(line.text, HasSubstr("The counted ones give"));
    EXPECT_FALSE(line.record.empty());
}

TEST(RealCheck, TakesTheOneLinkSpeedThatIsEnteredForGroupsOfHostsThatAreNotNamed) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    AnalysedRun run = loadAndAnalyse(realTraces() / "unseen_1/megatron_tp8");
    EXPECT_EQ(answerTo(run, "link-slow").answer, ListAnswer::CannotTell);
    run.links.inside_gb_per_s = 600;
    EXPECT_NE(answerTo(run, "link-slow").answer, ListAnswer::CannotTell);
    run.links.across_gb_per_s = 25;
    const ListLine both = answerTo(run, "link-slow");
    EXPECT_EQ(both.answer, ListAnswer::CannotTell);
    EXPECT_THAT(both.text, HasSubstr("do not name the hosts"));
}

TEST(RealCheck, WithoutADeviceAsksForNoShapesToTellTheMfu) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const CheckLine no_device = lineOfCheck(loadAndAnalyse(realTraces() / "hta/cpu_only"), "mfu");
    EXPECT_EQ(no_device.status, CheckStatus::CannotTell);
    EXPECT_THAT(no_device.record, Not(HasSubstr("record_shapes")));
}

}  // namespace
}  // namespace rankscope::test
