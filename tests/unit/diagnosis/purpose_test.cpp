// SPDX-License-Identifier: GPL-3.0-or-later
// What is advised for runs that train, only run forward, or serve.

#include "core/diagnosis/frame/advice.h"
#include "core/diagnosis/frame/wording.h"
#include "tests/support/analysed.h"
#include "tests/support/real_traces.h"
#include "tests/support/testing.h"

namespace rankscope {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

std::string actions(const Advice& advice, FindingId id) {
    std::string text;
    for (const Remedy& remedy : advice.everyRemedy(id)) {
        text += remedy.action + "\n";
    }
    return text;
}

TEST(Purpose, RemediesAreThoseOfTheRunsPurpose) {
    const Advice& all = Wording::builtIn()->advice;
    const std::string serving = actions(all.of(RunPurpose::Serving), FindingId::LaunchBound);
    EXPECT_THAT(serving, HasSubstr("--enforce-eager"));
    EXPECT_THAT(serving, Not(HasSubstr("torch.compile(model)")));
    for (const RunPurpose purpose : {RunPurpose::Training, RunPurpose::Forward}) {
        const std::string text = actions(all.of(purpose), FindingId::LaunchBound);
        EXPECT_THAT(text, HasSubstr("torch.compile(model)"));
        EXPECT_THAT(text, Not(HasSubstr("--enforce-eager")));
    }
    EXPECT_THAT(actions(all.of(RunPurpose::Forward), FindingId::MemoryPressure), Not(HasSubstr("gradient")));
}

TEST(Recorders, WhatToRecordIsSaidInTheOptionsOfTheRunsRecorder) {
    const Advice& all = Wording::builtIn()->advice;
    const Advice nsight = all.of(RunPurpose::Training, Recorder::NsightSystems);
    const Advice torch = all.of(RunPurpose::Training, Recorder::TorchProfiler);
    for (std::size_t i = 0; i < kFindingIds; ++i) {
        const auto id = static_cast<FindingId>(i);
        SCOPED_TRACE(findingName(id));
        EXPECT_EQ(nsight.title(id), torch.title(id));
        EXPECT_THAT(nsight.record(id), Not(HasSubstr("ProfilerActivity")));
        EXPECT_THAT(torch.record(id), Not(AnyOf(HasSubstr("nsys"), HasSubstr("nvtx"))));
        EXPECT_THAT(actions(torch, id), Not(AnyOf(HasSubstr("nsys"), HasSubstr("nvtx"))));
        EXPECT_EQ(nsight.everyRemedy(id).empty(), torch.everyRemedy(id).empty());
    }
    EXPECT_THAT(actions(nsight, FindingId::UnexplainedIdle), HasSubstr("torch.cuda.nvtx.range"));
    EXPECT_THAT(actions(torch, FindingId::UnexplainedIdle), HasSubstr("with_stack=True"));
    rankscope::Run run;
    auto rank = std::make_shared<RankTrace>();
    run.ranks = {rank};
    EXPECT_EQ(recorderOf(run), Recorder::TorchProfiler);
    rank->metadata["nsight_systems"] = "2026.2";
    EXPECT_EQ(recorderOf(run), Recorder::NsightSystems);
}

TEST(Purpose, ARunThatServesHasARemedyForAllThatARunThatTrainsHas) {
    const Advice& all = Wording::builtIn()->advice;
    for (const FindingId id : {FindingId::HostSync, FindingId::AllocatorStall, FindingId::LaunchBound,
                               FindingId::MemoryPressure, FindingId::StragglerRank, FindingId::TraceHealth}) {
        EXPECT_FALSE(all.of(RunPurpose::Serving).everyRemedy(id).empty()) << findingName(id);
    }
}

TEST(Purpose, OnlyOfRunsThatTrainHostStallsAreAdvisedWithAutogradAndWorkers) {
    const Advice& all = Wording::builtIn()->advice;
    for (const RunPurpose purpose : {RunPurpose::Forward, RunPurpose::Serving}) {
        for (const char* const kind : {"cores", "unknown"}) {
            const std::vector<Remedy> remedies = all.of(purpose).remedies(FindingId::HostStall, {kind});
            EXPECT_GE(remedies.size(), 2U);
            for (const Remedy& remedy : remedies) {
                EXPECT_THAT(remedy.action + remedy.detail, Not(AnyOf(HasSubstr("autograd"), HasSubstr("DataLoader"))));
            }
        }
    }
    EXPECT_THAT(actions(all.of(RunPurpose::Training), FindingId::HostStall), HasSubstr("DataLoader's workers"));
}

TEST(Purpose, ExpertsAreOverlappedByTheOptionsOfTheFramework) {
    const Advice& all = Wording::builtIn()->advice;
    for (const Remedy& remedy : all.remedies(FindingId::ExpertImbalance, {"inference"})) {
        EXPECT_THAT(remedy.action + remedy.detail, Not(HasSubstr("Megatron")));
    }
    for (const Remedy& remedy : all.remedies(FindingId::ExpertImbalance, {"training"})) {
        EXPECT_THAT(remedy.action + remedy.detail, Not(HasSubstr("sglang")));
    }
}

TEST(Purpose, OfRealRunsIsWhatTheyDo) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const auto purpose = [](const char* path) {
        return purposeOf(test::loadAndAnalyse(test::realTraces() / path).facts);
    };
    EXPECT_EQ(purpose("tracelens/eager_trace.json.gz"), RunPurpose::Serving);
    EXPECT_EQ(purpose("unseen_1/expert_8ranks"), RunPurpose::Serving);
    EXPECT_EQ(purpose("tracelens/xdit_flux_stress.json.gz"), RunPurpose::Forward);
    EXPECT_EQ(purpose("unseen_1/fsdp2_4ranks"), RunPurpose::Training);
}

TEST(Purpose, IterationsOfRealServersAreWhatTheirRawEventsSay) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const AnalysedRun vllm = test::loadAndAnalyse(test::realTraces() / "tracelens/eager_trace.json.gz");
    const IterationSums* const prefill = vllm.facts.iterations.of(IterationKind::Prefill);
    ASSERT_NE(prefill, nullptr);
    EXPECT_EQ(prefill->prompt_tokens, 888) << "execute_context_1(888_788544)_generation_0(0)";
    EXPECT_EQ(prefill->graph_launches, 0U);
    // Each rank launches one graph: all but 38 of the kernels and copies in its file have the correlation of that call.
    const AnalysedRun experts = test::loadAndAnalyse(test::realTraces() / "unseen_1/expert_8ranks");
    const IterationSums* const decode = experts.facts.iterations.of(IterationKind::Decode);
    ASSERT_NE(decode, nullptr);
    EXPECT_EQ(decode->graph_launches, 8U);
    EXPECT_EQ(decode->kernels, 20'576U);
    EXPECT_EQ(decode->graph_kernels, 20'272U);
}

}  // namespace
}  // namespace rankscope
