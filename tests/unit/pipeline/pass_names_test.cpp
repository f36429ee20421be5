// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/pipeline/pass_names.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

TEST(PassNames, OfSchedulesSayStageKindAndMicroBatch) {
    EXPECT_THAT(passesOfAction("PP:2F5"), ElementsAre(PassName{PassKind::Forward, 2, 5}));
    EXPECT_THAT(passesOfAction("11B0"), ElementsAre(PassName{PassKind::Backward, 11, 0}));
    EXPECT_THAT(passesOfAction("PP:0I3"), ElementsAre(PassName{PassKind::Backward, 0, 3}));
    EXPECT_THAT(passesOfAction("PP:0W3"), ElementsAre(PassName{PassKind::WeightGradient, 0, 3}));
    EXPECT_THAT(passesOfAction("PP:(0F1;7B0)OVERLAP_F_B"),
                ElementsAre(PassName{PassKind::Forward, 0, 1}, PassName{PassKind::Backward, 7, 0}));
    for (const char* other : {"PP:2SEND_F5", "PP:2RECV_B5", "PP:2UNSHARD", "PP:2REDUCE_GRAD", "2F", "F5", "PP:", "",
                              "PP:2F5x", "PP:99999999999F0", "PP:2000000000F0", "(0F1;1F2)OVERLAP_F_B", "MLP(F)"}) {
        EXPECT_THAT(passesOfAction(other), IsEmpty()) << other;
    }
}

TEST(PassNames, OfSchedulesWithOneStageSayTheMicroBatch) {
    EXPECT_EQ(numberedPass("Forward 12"), (PassName{PassKind::Forward, -1, 12}));
    EXPECT_EQ(numberedPass("Backward 0"), (PassName{PassKind::Backward, -1, 0}));
    EXPECT_EQ(numberedPass("Forward Linear"), std::nullopt);
    EXPECT_EQ(numberedPass("Forward 1 of 2"), std::nullopt);
}

TEST(PassNames, OfFrameworksSayTheKind) {
    const auto kind_of = [](std::string_view name, Category category) {
        const auto pass = plainPass(name, category);
        return pass ? std::optional(pass->kind) : std::nullopt;
    };
    constexpr auto kPython = Category::PythonFunction;
    EXPECT_EQ(kind_of("megatron/core/pipeline_parallel/schedules.py(297): forward_step", kPython), PassKind::Forward);
    EXPECT_EQ(kind_of("megatron/core/pipeline_parallel/schedules.py(412): backward_step", kPython), PassKind::Backward);
    EXPECT_EQ(kind_of("deepspeed/runtime/pipe/engine.py(700): _exec_backward_pass", kPython), PassKind::Backward);
    EXPECT_EQ(kind_of("torch/nn/modules/linear.py(114): forward", kPython), std::nullopt) << "one module of many";
    EXPECT_EQ(kind_of("forward_step", Category::UserAnnotation), PassKind::Forward);
    EXPECT_EQ(kind_of("backward-compute", Category::UserAnnotation), PassKind::Backward);
    EXPECT_EQ(kind_of("forward-recv", Category::UserAnnotation), std::nullopt);
}

}  // namespace
}  // namespace rankscope::test
