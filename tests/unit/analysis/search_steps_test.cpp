// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/tables/search_steps.h"

#include <string_view>

#include "tests/support/testing.h"

namespace rankscope {
namespace {

TEST(SearchSteps, ReadsAStepAndItsRankInEitherOrder) {
    const StepInWords on_all{7, std::nullopt};
    for (const std::string_view text : {"step 7", "Step 7", " step7 ", "step #7"}) {
        EXPECT_EQ(stepInWords(text), on_all) << text;
    }
    const StepInWords on_one{7, RankNumber(3)};
    for (const std::string_view text :
         {"step 7 rank 3", "step 7 of rank 3", "step 7 on rank 3", "rank 3 step 7", "rank 3, step 7"}) {
        EXPECT_EQ(stepInWords(text), on_one) << text;
    }
}

TEST(SearchSteps, ReadsNothingFromOtherWords) {
    for (const std::string_view text :
         {"", "step", "step x", "7", "rank 3", "step -7", "step 7 rank", "step 7 step 8", "steps 7", "step 7 gemm",
          "of step 7", "step 99999999999999999999", "optimizer.step 7"}) {
        EXPECT_EQ(stepInWords(text), std::nullopt) << text;
    }
}

}  // namespace
}  // namespace rankscope
