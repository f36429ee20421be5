// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replay/replay.h"
#include "core/analysis/run_facts.h"
#include "core/analysis/stages.h"
#include "tests/support/fact_checks.h"
#include "tests/support/model_builder.h"
#include "tests/support/testing.h"
#include "tests/support/whole_replay.h"

namespace rankscope::test {
namespace {

/// A rank that does at random what hosts and devices do: launches from two threads to three streams, copies, waits,
/// loader waits, allocations, with records lost and work that overlaps.
std::shared_ptr<const RankTrace> randomRank(unsigned seed) {
    std::mt19937 dice(seed);
    const auto roll = [&](double most) { return std::uniform_real_distribution<double>(0, most)(dice); };
    ModelBuilder model;
    const std::uint32_t threads[] = {model.thread("1"), model.thread("2")};
    const std::uint32_t streams[] = {model.stream("7"), model.stream("8"), model.stream("20")};
    const char* kernels[] = {"gemm", "ncclDevKernel_AllReduce", "elementwise"};
    double at_us = 0;
    for (int step = 0; step < 4; ++step) {
        const double begin_us = at_us;
        for (int i = 0; i < 40; ++i) {
            const std::uint32_t thread = threads[roll(1) < 0.7 ? 0 : 1];
            const auto lane = static_cast<std::size_t>(roll(2.999));
            const double kind = roll(1);
            const double start_us = at_us + roll(20);
            const double length_us = 1 + roll(60);
            if (kind < 0.6) {
                model.op(thread, "aten::add", at_us, 15);
                model.kernel(thread, at_us + 2, 5, streams[lane], kernels[lane], start_us, length_us);
                at_us += 16;
            } else if (kind < 0.7) {
                const auto call = model.call(thread, "cudaMemcpyAsync", at_us, length_us);
                model.launch(call, model.slice(streams[lane], Category::Memcpy, "Memcpy HtoD (Pageable -> Device)",
                                               start_us, length_us));
                at_us += length_us;
            } else if (kind < 0.8) {
                model.call(thread, "cudaStreamSynchronize", at_us, length_us);
                at_us += length_us;
            } else if (kind < 0.85) {
                model.slice(thread, Category::UserAnnotation,
                            "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", at_us, length_us);
                at_us += length_us;
            } else if (kind < 0.9) {
                model.call(thread, "cudaLaunchKernel", at_us, 3);  // its record is lost
                at_us += 3 + roll(30);
            } else {
                model.slice(streams[lane], Category::Kernel, "unlinked", start_us, roll(1) < 0.2 ? 0 : length_us);
                at_us += roll(100);
            }
        }
        model.step(threads[0], step, begin_us, at_us - begin_us);
        at_us += roll(10);
    }
    return model.build();
}

class RandomModels : public testing::TestWithParam<unsigned> {};

TEST_P(RandomModels, AddUpToTheNanosecond) {
    const auto run = runOf({randomRank(GetParam()), randomRank(GetParam() + 1000)});
    const auto analysed = analyseFacts(*run, {.threads = 1}, {}, {});
    ASSERT_TRUE(analysed.ok());
    checkRunFacts(analysed.value().facts);
}

TEST_P(RandomModels, AreReplayedAsTheyWereWhereNothingChanges) {
    const AnalysedRank analysed = analyseRank(randomRank(GetParam()), NameRules::builtIn());
    const auto steps = replay(makeReplayModel(analysed.work), kReplayWhole);
    ASSERT_EQ(steps.size(), analysed.facts.steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
        EXPECT_EQ(steps[i], analysed.facts.steps[i].span) << "step " << i;
    }
}

TEST_P(RandomModels, GetNoSlowerWithoutWaits) {
    const AnalysedRank analysed = analyseRank(randomRank(GetParam()), NameRules::builtIn());
    const ReplayModel model = makeReplayModel(analysed.work);
    const auto without = replay(model, {.ready_batches = true, .no_wait = [](const ReplayWait&) { return true; }});
    EXPECT_LE(without.back().end_ns, analysed.facts.steps.back().span.end_ns);
}

TEST_P(RandomModels, AreTheSameOnManyThreadsAsOnOne) {
    const auto run = runOf({randomRank(GetParam()), randomRank(GetParam() + 1), randomRank(GetParam() + 2)});
    const auto one = analyseFacts(*run, {.threads = 1}, {}, {});
    const auto many = analyseFacts(*run, {.threads = 3}, {}, {});
    ASSERT_TRUE(one.ok() && many.ok());
    ASSERT_EQ(one.value().facts.ledger.size(), many.value().facts.ledger.size());
    for (std::size_t i = 0; i < one.value().facts.ledger.size(); ++i) {
        EXPECT_EQ(one.value().facts.ledger[i].ns, many.value().facts.ledger[i].ns);
        EXPECT_EQ(one.value().facts.ledger[i].label, many.value().facts.ledger[i].label);
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomModels, testing::Range(0U, 40U));

}  // namespace
}  // namespace rankscope::test
