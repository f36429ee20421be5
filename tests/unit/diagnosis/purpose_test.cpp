// SPDX-License-Identifier: GPL-3.0-or-later
// What is advised for runs that train, only run forward, or serve.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "core/diagnosis/advice.h"
#include "core/diagnosis/wording.h"
#include "tests/support/analysed.h"
#include "tests/support/real_traces.h"

namespace rankscope {
namespace {

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

TEST(Purpose, ARunThatServesHasARemedyForAllThatARunThatTrainsHas) {
    const Advice& all = Wording::builtIn()->advice;
    for (const FindingId id : {FindingId::HostSync, FindingId::AllocatorStall, FindingId::LaunchBound,
                               FindingId::MemoryPressure, FindingId::StragglerRank, FindingId::TraceHealth}) {
        EXPECT_FALSE(all.of(RunPurpose::Serving).everyRemedy(id).empty()) << findingName(id);
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

}  // namespace
}  // namespace rankscope
