// SPDX-License-Identifier: GPL-3.0-or-later
// Iterations of servers of language models: found as steps, prefill and decode told apart and not mixed.

#include "core/analysis/serving/iterations.h"
#include "core/analysis/run_facts.h"
#include "core/analysis/steps/step_spread.h"
#include "core/trace/iteration_names.h"
#include "tests/support/model_builder.h"
#include "tests/support/real_traces.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

std::string kindOf(std::string_view name) {
    const std::optional<IterationName> found = iterationOf(name);
    return found ? std::string(iterationTitle(found->kind)) : "no iteration";
}

TEST(Iterations, AreToldByTheNamesThatServersGiveThem) {
    struct Named {
        std::string_view name;
        std::string_view kind;
    };
    constexpr std::array<Named, 24> kNames = {{
        {"execute_context_1(888_788544)_generation_0(0)", "prefill"},
        {"execute_context_0(0)_generation_16(16)", "decode"},
        {"execute_context_2(512)_generation_14(14)", "mixed"},
        {"execute_context_0(0)_generation_0(0)", "cannot tell"},
        {"execute_77_context_3(sq128sk256sqsq1sqsk1)_generation_0(sq0sk0sqsq0sqsk0)", "prefill"},
        {"execute_new_2_cached_0", "prefill"},
        {"execute_new_2_cached_6", "cannot tell"},  // those that were there may still read their prompt
        {"execute_new_0_cached_8", "cannot tell"},
        {"gpu_model_runner: forward", "cannot tell"},
        {"step[DECODE bs=16]", "decode"},
        {"step[EXTEND bs=2 toks=4096]", "prefill"},
        {"step[EXTEND bs=2 toks=12 c_sqsq=80 c_sqsk=120 c_sk=20]", "prefill"},
        {"step[MIXED bs=8 ext=512 dec=7]", "mixed"},
        {"step[TARGET_VERIFY bs=4]", "decode"},
        {"step[IDLE]", "cannot tell"},
        {"sglang/srt/model_executor/model_runner.py(2211): forward_decode", "decode"},
        {"sglang/srt/model_executor/model_runner.py(2150): forward_extend", "cannot tell"},
        {"prefill[bs=2 tok=16384]", "prefill"},
        {"prefill[bs=9 tok=520 p=1 d=8]", "mixed"},
        {"decode[bs=64 tok=64 d=64]", "decode"},
        {"execute_diffusion_1_256x256", "no iteration"},
        {"execute_context_menu_item", "no iteration"},
        {"step[3]", "no iteration"},
        {"decode", "no iteration"},  // of what?
    }};
    for (const Named& named : kNames) {
        EXPECT_EQ(kindOf(named.name), named.kind) << named.name;
    }
}

TEST(Iterations, HaveTheTokensThatTheirNamesCount) {
    const auto tokens_of = [](std::string_view name) {
        const IterationName found = iterationOf(name).value();
        return std::pair(found.prompt_tokens, found.new_tokens);
    };
    using Tokens = std::pair<std::optional<std::int64_t>, std::optional<std::int64_t>>;
    EXPECT_EQ(tokens_of("execute_context_1(888_788544)_generation_2(2)"), (Tokens{888, 2}));
    EXPECT_EQ(tokens_of("execute_9_context_1(sq128sk256)_generation_2(sq2sk300)"), (Tokens{128, 2}));
    EXPECT_EQ(tokens_of("step[EXTEND bs=2 toks=4096]"), (Tokens{4096, 0}));
    EXPECT_EQ(tokens_of("step[DECODE bs=16]"), (Tokens{0, 16}));
    EXPECT_EQ(tokens_of("step[MIXED bs=8 ext=512 dec=7]"), (Tokens{512, 7}));
    EXPECT_EQ(tokens_of("execute_new_2_cached_0"), (Tokens{std::nullopt, std::nullopt}));
    EXPECT_EQ(tokens_of("step[TARGET_VERIFY bs=4]").second, std::nullopt) << "drafts may be refused";
}

TEST(Iterations, AreToldByKernelsThatAreMadeForOneKindOnly) {
    EXPECT_EQ(attentionSignOf("void vllm::paged_attention_v1_kernel<__half, 128>(__half*)"), AttentionSign::Decode);
    EXPECT_EQ(attentionSignOf("void flash::flash_fwd_splitkv_mla_kernel<Traits>(Params)"), AttentionSign::Decode);
    EXPECT_EQ(attentionSignOf("void flash::flash_fwd_splitkv_kernel<Traits>(Params)"), AttentionSign::Either);
    EXPECT_EQ(attentionSignOf("fmhaSm100aKernel_QkvE4m3OBfloat16H64PagedKvCausalP16VarSeqQ128Kv128PersistentContext"),
              AttentionSign::Prefill);
    EXPECT_EQ(attentionSignOf("void at::native::elementwise_kernel<128, 4>()"), AttentionSign::None);
}

/// A server on one rank: iterations follow one another, each in a range of some name, with one kernel that lasts as
/// long as the iteration, of some other.
struct Made {
    std::string range;  ///< empty: none
    double us = 0;
    std::string kernel = "gemm";
};

std::shared_ptr<const RankTrace> rankOf(const std::vector<Made>& iterations) {
    auto [model, main, stream] = threadAndStream();
    double at_us = 0;
    for (const Made& made : iterations) {
        if (!made.range.empty()) {
            model.slice(main, Category::UserAnnotation, made.range, at_us, 40);
        }
        model.kernel(main, at_us + 10, 5, stream, made.kernel, at_us + 20, made.us - 20);
        at_us += made.us;
    }
    return model.build();
}

std::shared_ptr<const Run> serverOf(const std::vector<Made>& iterations) {
    return runOf({rankOf(iterations)});
}

AnalysisResult analysed(const std::shared_ptr<const Run>& run) {
    Result<AnalysisResult> facts = analyseFacts(*run, {.threads = 1}, {}, {});
    EXPECT_TRUE(facts.ok());
    return std::move(facts).value();
}

constexpr const char* kPrefill = "execute_context_1(512)_generation_0(0)";
constexpr const char* kDecode = "execute_context_0(0)_generation_8(8)";

TEST(Iterations, LastFromTheStartOfARangeToTheStartOfTheNext) {
    const AnalysisResult result = analysed(serverOf({{kPrefill, 3000}, {kDecode, 1000}, {kDecode, 1100}}));
    const RankFacts& rank = result.facts.ranks.front();
    EXPECT_EQ(rank.step_source, StepSource::Iteration);
    ASSERT_EQ(rank.steps.size(), 2U) << "where the last one ends nothing says";
    EXPECT_EQ(rank.steps[0].host, (TimeSpan{0, 3'000 * kUs}));
    EXPECT_EQ(rank.steps[1].host, (TimeSpan{3'000 * kUs, 4'000 * kUs}));
    EXPECT_EQ(rank.steps[0].iteration->kind, IterationKind::Prefill);
    EXPECT_EQ(rank.steps[1].iteration->kind, IterationKind::Decode);
    EXPECT_EQ(rank.steps[1].iteration->told_by, kDecode);
}

TEST(Iterations, OfWhichThereIsOneLastsAsLongAsItsRange) {
    const AnalysisResult result = analysed(serverOf({{kDecode, 30}}));
    ASSERT_EQ(result.facts.ranks.front().steps.size(), 1U);
    EXPECT_EQ(result.facts.ranks.front().steps.front().host, (TimeSpan{0, 40 * kUs}));
}

TEST(Iterations, OfOneKindAreNoFastOrSlowOnesOfAnother) {
    std::vector<Made> made;
    for (int i = 0; i < 24; ++i) {
        const bool prefill = i % 8 == 0;
        made.push_back({prefill ? kPrefill : kDecode, prefill ? 3'000.0 : 1'000.0 + i % 3});
    }
    made[12].us = 1'600;  // long for a decode, short for a prefill
    const AnalysisResult result = analysed(serverOf(made));
    const RunFacts& facts = result.facts;
    EXPECT_NEAR(static_cast<double>(facts.median_step_ns), 1'001'000, 2'000);
    EXPECT_EQ(facts.basis, StepBasis::Median);
    EXPECT_LT(stepSpread(facts).upper_quartile_ns, 1'100'000);
    for (const RunStep& step : facts.steps) {
        const bool prefill = step.index % 8 == 0;
        EXPECT_EQ(step.other_kind, prefill) << step.index;
        EXPECT_EQ(step.outlier, prefill || step.index == 12) << step.index;
        EXPECT_EQ(step.kind, prefill ? IterationKind::Prefill : IterationKind::Decode) << step.index;
    }
    EXPECT_THAT(facts.steps[8].outlier_reason, HasSubstr("it is a prefill iteration; only decode"));
    EXPECT_THAT(facts.steps[12].outlier_reason, HasSubstr("(median 1.00 ms)"));
    const IterationSums* const prefill = facts.iterations.of(IterationKind::Prefill);
    ASSERT_NE(prefill, nullptr);
    EXPECT_EQ(prefill->median_ns, 3'000 * kUs);
    EXPECT_FALSE(prefill->priced);
    EXPECT_EQ(prefill->prompt_tokens, 3 * 512);
    EXPECT_TRUE(facts.iterations.of(IterationKind::Decode)->priced);
    EXPECT_EQ(facts.iterations.decodes_held_up, 3U);
}

TEST(Iterations, ArePricedOfTheKindThatIsAskedFor) {
    std::vector<Made> made;
    for (int i = 0; i < 24; ++i) {
        const bool prefill = i % 8 == 0;
        made.push_back({prefill ? kPrefill : kDecode, prefill ? 3'000.0 : 1'000.0});
    }
    const auto run = serverOf(made);
    const auto median_of = [&run](std::optional<IterationKind> kind) {
        return analyseFacts(*run, {.threads = 1, .iterations = kind}, {}, {}).value().facts.median_step_ns;
    };
    EXPECT_NEAR(static_cast<double>(median_of(IterationKind::Prefill)), 3'000'000, 1'000);
    EXPECT_NEAR(static_cast<double>(median_of(IterationKind::Decode)), 1'000'000, 1'000);
    EXPECT_EQ(median_of(IterationKind::Mixed), median_of({})) << "there is none of it";
}

TEST(Iterations, CountNoTokensWhereReplicasCannotBeToldFromPartsOfOne) {
    const std::vector<Made> made = {{kDecode, 1000}, {kDecode, 1000}, {kDecode, 1000}};
    const AnalysisResult one = analysed(serverOf(made));
    EXPECT_EQ(one.facts.iterations.of(IterationKind::Decode)->new_tokens, 2 * 8);
    const AnalysisResult two = analysed(runOf({rankOf(made), rankOf(made)}));
    EXPECT_FALSE(two.facts.iterations.of(IterationKind::Decode)->new_tokens) << "nothing tells how they share the work";
}

TEST(Iterations, PartsOfEachKindAddUpToItsSteps) {
    const AnalysisResult result =
        analysed(serverOf({{kPrefill, 3000}, {kDecode, 1000}, {kDecode, 1100}, {kDecode, 900}, {kPrefill, 2000}}));
    DurationNs all_ns = 0;
    for (const IterationSums& sums : result.facts.iterations.kinds) {
        EXPECT_EQ(sums.compute_ns + sums.exposed_comm_ns + sums.exposed_copy_ns + sums.idle_ns, sums.rank_steps_ns);
        all_ns += sums.rank_steps_ns;
    }
    DurationNs steps_ns = 0;
    for (const RankStep& step : result.facts.ranks.front().steps) {
        steps_ns += step.span.length();
    }
    EXPECT_EQ(all_ns, steps_ns);
}

TEST(Iterations, WithoutATellingNameAreToldByTheirKernels) {
    const std::string range = "gpu_model_runner: forward";
    const std::string paged = "void vllm::paged_attention_v1_kernel<__half>()";
    const std::string flash = "void flash::flash_fwd_splitkv_kernel<>()";
    const AnalysisResult result = analysed(serverOf({{range, 1000, paged}, {range, 1000, flash}, {range, 1000}}));
    const std::vector<RankStep>& steps = result.facts.ranks.front().steps;
    ASSERT_EQ(steps.size(), 2U);
    EXPECT_EQ(steps[0].iteration->kind, IterationKind::Decode);
    EXPECT_EQ(steps[0].iteration->sign, IterationSign::Attention);
    ASSERT_TRUE(steps[1].iteration) << "it is an iteration all the same";
    EXPECT_FALSE(steps[1].iteration->kind) << "this kernel runs in both";
    EXPECT_FALSE(result.facts.iterations.notes.empty());
}

TEST(Iterations, AreNotSeenInAJobThatTrains) {
    auto [model, main, stream] = threadAndStream();
    for (int i = 0; i < 4; ++i) {
        model.step(main, i, i * 1000, 1000);
        model.kernel(main, i * 1000 + 10, 5, stream, "void flash_fwd_kernel<Traits>(Params)", i * 1000 + 20, 900);
    }
    const AnalysisResult result = analysed(runOf({model.build()}));
    EXPECT_FALSE(result.facts.iterations.any());
    for (const RunStep& step : result.facts.steps) {
        EXPECT_FALSE(step.other_kind);
    }
}

}  // namespace
}  // namespace rankscope::test
