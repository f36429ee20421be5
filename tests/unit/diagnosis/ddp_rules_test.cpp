// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/analysed.h"
#include "tests/support/model_builder.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

constexpr auto kSearch = "torch.distributed.ddp.reducer::search_unused_parameters";
constexpr auto kCopyBack = "torch.distributed.ddp.reducer::copy_bucket_to_grad";

/// Five steps of a DDP rank: 10 kernels of 300 us, a search for unused parameters, 10 kernels more, and copies of
/// gradients out of their buckets at the end.
struct DdpLoop {
    double search_us = 0;
    int copies = 0;
    double copy_us = 20;
    bool hidden = false;  ///< the copies run on a stream of their own, beside the last kernels

    [[nodiscard]] std::shared_ptr<const RankTrace> build() const {
        ModelBuilder model;
        const auto main = model.thread("1");
        const auto stream = model.stream("7");
        const auto side = model.stream("9");
        double host_us = 0;
        double device_us = 0;
        const auto launch = [&] {
            const double start_us = std::max(host_us + 10, device_us + 1);
            model.kernel(main, host_us + 2, 5, stream, "gemm", start_us, 300);
            device_us = start_us + 300;
            host_us += 12;
        };
        for (int s = 0; s < 5; ++s) {
            const double begin_us = host_us;
            model.slice(main, Category::UserAnnotation, "DistributedDataParallel.forward", host_us + 1, 11 * 12.0);
            host_us += 10;
            for (int k = 0; k < 10; ++k) {
                launch();
            }
            if (search_us > 0) {
                model.op(main, kSearch, host_us + 3, search_us);
                host_us += search_us + 6;
            }
            for (int k = 0; k < 10; ++k) {
                launch();
            }
            for (int c = 0; c < copies; ++c) {
                model.op(main, kCopyBack, host_us, 8);
                model.op(main, "aten::copy_", host_us + 1, 6);
                const auto call = model.call(main, "cudaMemcpyAsync", host_us + 2, 4);
                const double start_us = hidden ? device_us - 3'000 + c * copy_us : device_us + 1;
                const auto copy = model.slice(hidden ? side : stream, Category::Memcpy,
                                              "Memcpy DtoD (Device -> Device)", start_us, copy_us);
                device_us = hidden ? device_us : start_us + copy_us;
                model.launch(call, copy);
                model.bytes(copy, 1'000'000);
                host_us += 10;
            }
            model.step(main, s, begin_us, host_us - begin_us);
        }
        return model.build();
    }
};

AnalysedRun analyseDdpLoop(const DdpLoop& loop) {
    return analyse(runOf({loop.build()}));
}

double inMicroseconds(DurationNs ns) {
    return static_cast<double>(ns) / 1e3;
}

TEST(FindUnusedParameters, IsTheSearchAsFarAsItBlocksTheDevice) {
    const AnalysedRun run = analyseDdpLoop({.search_us = 8'000});
    const Finding& unused = findingIn(run, "find-unused-parameters");
    const DurationNs idle_ns = run.facts.ranks[0].steps[2].partition->idle_ns;
    EXPECT_GT(inMicroseconds(idle_ns), 1'000);
    EXPECT_NEAR(inMicroseconds(unused.blocked_ns), inMicroseconds(idle_ns), 60);
    EXPECT_NEAR(inMicroseconds(unused.saving_ns), inMicroseconds(idle_ns), 80);
    EXPECT_EQ(run.run->ranks[0]->name(unused.evidence.at(0).slice), kSearch);
    EXPECT_NE(unused.remedies.at(0).action.find("find_unused_parameters=False"), std::string::npos);
    EXPECT_EQ(findingOf(run, "host-code"), nullptr) << "no time belongs to two findings";
    EXPECT_EQ(findingOf(run, "launch-bound"), nullptr);
}

TEST(FindUnusedParameters, IsNoneWhereTheSearchHidesBehindTheDevice) {
    EXPECT_EQ(findingOf(analyseDdpLoop({.search_us = 1'000}), "find-unused-parameters"), nullptr);
}

TEST(GradientCopies, AreThePriceOfTheCopiesOutOfTheBuckets) {
    const AnalysedRun run = analyseDdpLoop({.copies = 30});
    const Finding& copies = findingIn(run, "gradient-copies");
    EXPECT_NEAR(inMicroseconds(copies.blocked_ns), 600, 1);
    EXPECT_NEAR(inMicroseconds(copies.saving_ns), 630, 10) << "with the pause before each copy";
    EXPECT_NE(copies.why.find("30 copies per step out of its buckets (30.0 MB)"), std::string::npos) << copies.why;
    EXPECT_NE(copies.remedies.at(0).action.find("gradient_as_bucket_view=True"), std::string::npos);
    EXPECT_EQ(run.run->ranks[0]->name(copies.evidence.at(0).slice), kCopyBack);
    EXPECT_EQ(findingOf(run, "unpinned-memcpy"), nullptr);
}

TEST(GradientCopies, ThatComputationHidesCostNothing) {
    EXPECT_EQ(findingOf(analyseDdpLoop({.copies = 30, .hidden = true}), "gradient-copies"), nullptr);
}

TEST(DdpMarks, CountWhatEachPartOfTheReducerDid) {
    const AnalysedRun run = analyseDdpLoop({.search_us = 500, .copies = 30});
    const DdpMarks& marks = run.facts.ranks[0].ddp;
    EXPECT_TRUE(marks.in_use);
    ASSERT_EQ(marks.steps.size(), 5U);
    EXPECT_EQ(marks.steps[2].search_unused.calls, 1U);
    EXPECT_EQ(marks.steps[2].search_unused.host_ns, 500'000);
    EXPECT_EQ(marks.steps[2].copy_to_gradient.calls, 30U);
    EXPECT_EQ(marks.steps[2].copy_to_gradient.host_ns, 240'000);
    EXPECT_EQ(marks.steps[2].copy_to_gradient.device_ns, 600'000);
    EXPECT_EQ(marks.steps[2].copy_to_gradient.bytes, 30'000'000);
    EXPECT_EQ(marks.steps[2].copy_to_bucket.calls, 0U);
}

TEST(DdpMarks, AreNoneWithoutDdp) {
    auto [model, main, stream] = threadAndStream();
    model.step(main, 1, 0, 1000);
    model.kernel(main, 10, 5, stream, "gemm", 20, 900);
    EXPECT_FALSE(analyse(runOf({model.build()})).facts.ranks[0].ddp.in_use);
}

}  // namespace
}  // namespace rankscope::test
