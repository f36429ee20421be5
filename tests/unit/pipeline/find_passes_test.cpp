// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/pipeline/find_passes.h"

#include "core/analysis/stages.h"
#include "tests/support/model_builder.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

TEST(FindPasses, DivideARangeThatRunsTwoAtOnceByWhoLaunched) {
    ModelBuilder model;
    const std::uint32_t main = model.thread("main");
    const std::uint32_t autograd = model.thread("autograd");
    const std::uint32_t stream = model.stream("7");
    const std::uint32_t beside = model.stream("8");
    model.step(main, 5, 0, 1000);
    model.slice(main, Category::UserAnnotation, "PP:(0F1;3B0)OVERLAP_F_B", 10, 100);
    model.op(main, "aten::mm", 20, 10);
    model.kernel(main, 22, 2, stream, "gemm", 100, 300);
    model.op(autograd, "autograd::engine::evaluate_function: MmBackward0", 40, 10);
    model.kernel(autograd, 42, 2, beside, "gemm", 200, 400);
    const AnalysedRank rank = analyseRank(model.build(), NameRules::builtIn());
    const auto passes = passesByName(rank.work, PassSource::Actions, rank.facts.steps.size());
    ASSERT_EQ(passes.size(), 1U);
    ASSERT_EQ(passes[0].size(), 2U);
    EXPECT_EQ(passes[0][0].kind, PassKind::Forward);
    EXPECT_EQ(passes[0][0].stage, 0);
    EXPECT_EQ(passes[0][0].span, (TimeSpan{100 * kUs, 400 * kUs}));
    EXPECT_EQ(passes[0][1].kind, PassKind::Backward);
    EXPECT_EQ(passes[0][1].stage, 3);
    EXPECT_EQ(passes[0][1].span, (TimeSpan{200 * kUs, 600 * kUs}));
    EXPECT_TRUE(passes[0][0].overlapped && passes[0][1].overlapped);
}

TEST(FindPasses, CountTheOuterOfRangesInsideOneAnother) {
    auto [model, main, stream] = threadAndStream("main");
    model.step(main, 5, 0, 1000);
    model.python(main, "megatron/core/pipeline_parallel/schedules.py(297): forward_step", 10, 100);
    model.python(main, "pretrain_gpt.py(120): forward_step", 20, 50);
    model.kernel(main, 30, 2, stream, "gemm", 100, 300);
    model.kernel(main, 90, 2, stream, "loss", 400, 10);
    const AnalysedRank rank = analyseRank(model.build(), NameRules::builtIn());
    const auto passes = passesByName(rank.work, PassSource::Ranges, rank.facts.steps.size());
    ASSERT_EQ(passes[0].size(), 1U);
    EXPECT_EQ(passes[0][0].pieces, 2U);
    EXPECT_EQ(passes[0][0].span, (TimeSpan{100 * kUs, 410 * kUs}));
}

TEST(FindPasses, DivideBackwardsOfSeveralForwardsThatFollowOneAnother) {
    ModelBuilder model;
    const std::uint32_t main = model.thread("main");
    const std::uint32_t autograd = model.thread("autograd");
    const std::uint32_t stream = model.stream("7");
    model.step(main, 5, 0, 1000);
    std::vector<ModelBuilder::Handle> forwards;
    for (int pass = 0; pass < 2; ++pass) {
        forwards.push_back(model.op(main, "aten::mm", 10 + 20 * pass, 10));
        model.kernel(main, 12 + 20 * pass, 2, stream, "gemm", 100 + 50 * pass, 50);
    }
    for (int pass = 0; pass < 2; ++pass) {
        const auto node = model.op(autograd, "autograd::engine::evaluate_function: MmBackward0", 60 + 20 * pass, 10);
        model.flow(forwards[static_cast<std::size_t>(pass)], node);
        model.kernel(autograd, 62 + 20 * pass, 2, stream, "gemm", 300 + 50 * pass, 50);
        model.kernel(autograd, 75 + 20 * pass, 2, stream, "add", 330 + 50 * pass, 20);
    }
    const AnalysedRank rank = analyseRank(model.build(), NameRules::builtIn());
    const auto passes = passesBetween(rank.work, {25 * kUs}, rank.facts.steps.size());
    ASSERT_EQ(passes[0].size(), 4U) << "two forwards with a send between, two backwards without";
    EXPECT_EQ(passes[0][2].kind, PassKind::Backward);
    EXPECT_EQ(passes[0][2].span, (TimeSpan{300 * kUs, 350 * kUs}));
    EXPECT_EQ(passes[0][3].span, (TimeSpan{350 * kUs, 400 * kUs}));
}

TEST(FindPasses, LastAsLongAsTheirRangesOnARankWithoutADevice) {
    ModelBuilder model;
    const std::uint32_t main = model.thread("main");
    model.step(main, 5, 0, 1000);
    model.slice(main, Category::UserAnnotation, "PP:1B2", 10, 100);
    const AnalysedRank rank = analyseRank(model.build(), NameRules::builtIn());
    const auto passes = passesByName(rank.work, PassSource::Actions, rank.facts.steps.size());
    ASSERT_EQ(passes[0].size(), 1U);
    EXPECT_EQ(passes[0][0].span, (TimeSpan{10 * kUs, 110 * kUs}));
}

}  // namespace
}  // namespace rankscope::test
