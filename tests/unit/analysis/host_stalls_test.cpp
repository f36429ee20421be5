// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/gaps/host_stalls.h"
#include "core/analysis/stages.h"
#include "tests/support/fact_checks.h"
#include "tests/support/model_builder.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

/// The one rank of a run.
std::vector<RankContext> oneRankOf(ModelBuilder& model) {
    std::vector<RankContext> work;
    work.push_back(analyseRank(model.build(), NameRules::builtIn()).work);
    return work;
}

/// One thread that goes through operators of 10 us, each with a call of 4 us inside, 20 us from start to start; one of
/// them takes `long_us` instead, all of it in the call or in the operator behind it.
struct Operators {
    std::size_t count = 20;
    std::size_t slow = 10;  ///< which of them
    double long_us = 5'000;
    std::string op = "aten::empty";
    std::string call = "cudaEventRecord";
    bool in_call = true;

    [[nodiscard]] RankContext build() const {
        auto [model, main, stream] = threadAndStream();
        double at_us = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const double more_us = i == slow ? long_us : 0;
            model.op(main, op, at_us, 10 + more_us);
            model.call(main, call, at_us + 2, 4 + (in_call ? more_us : 0));
            at_us += 20 + more_us;
        }
        model.kernel(main, at_us, 5, stream, "k", at_us + 20, 50);
        model.op(main, "aten::add", at_us + 30, 5);
        return analyseRank(model.build(), NameRules::builtIn()).work;
    }
};

/// "1:cudaEventRecord 5004 usually 4": the rank, where it stood, and microseconds.
std::vector<std::string> stallsOf(const std::vector<RankContext>& work) {
    std::vector<std::string> texts;
    const std::vector<std::vector<HostStall>> stalls = findHostStalls(work, 2);
    for (std::size_t r = 0; r < stalls.size(); ++r) {
        for (const HostStall& stall : stalls[r]) {
            const std::string name =
                stall.slice == kNoSlice ? "-" : std::string(work[r].trace->name({stall.track, stall.slice}));
            texts.push_back(std::to_string(r) + ":" + name + " " + std::to_string(stall.span.length() / 1000) +
                            " usually " + std::to_string(stall.baseline_ns / 1000));
        }
    }
    return texts;
}

using Texts = std::vector<std::string>;

std::vector<RankContext> ranksOf(const std::vector<Operators>& ranks) {
    std::vector<RankContext> work;
    for (const Operators& rank : ranks) {
        work.push_back(rank.build());
    }
    return work;
}

constexpr std::size_t kNone = 1'000;

TEST(HostStalls, ACallThatTakesAHundredTimesWhatItUsuallyTakesIsOne) {
    EXPECT_EQ(stallsOf(ranksOf({{}})), Texts{"0:cudaEventRecord 5004 usually 4"});
}

TEST(HostStalls, AnOperatorStallsBetweenTheCallsInIt) {
    EXPECT_EQ(stallsOf(ranksOf({{.in_call = false}})), Texts{"0:aten::empty 5004 usually 2"});
}

TEST(HostStalls, WhatIsUsualIsKnownFromAllRanks) {
    // One rank alone makes the call too seldom to tell.
    const Operators few{.count = 3, .slow = 1};
    EXPECT_EQ(stallsOf(ranksOf({few})), Texts{});
    EXPECT_EQ(stallsOf(ranksOf({few, {.slow = kNone}})), Texts{"0:cudaEventRecord 5004 usually 4"});
}

TEST(HostStalls, OneMillisecondIsTooShort) {
    EXPECT_EQ(stallsOf(ranksOf({{.long_us = 990}})), Texts{});
}

TEST(HostStalls, CallsThatBlockAreNone) {
    for (const char* call : {"cudaFree", "cudaMalloc", "cudaHostAlloc"}) {
        EXPECT_EQ(stallsOf(ranksOf({{.call = call}})), Texts{}) << call;
    }
    for (const char* op : {"c10d::barrier", "_c10d_functional::wait_tensor", "gloo:all_reduce", "aten::item"}) {
        EXPECT_EQ(stallsOf(ranksOf({{.op = op, .in_call = false}})), Texts{}) << op;
    }
}

/// A kernel of 5 ms, and a call that waits for it and returns so much later.
std::vector<RankContext> waitThatReturns(const char* call, double late_us) {
    auto [model, main, stream] = threadAndStream();
    model.op(main, "aten::mm", 0, 20);
    model.kernel(main, 5, 6, stream, "k", 15, 5'000);
    model.call(main, call, 30, 4'985 + late_us);
    model.op(main, "aten::add", 5'020 + late_us, 5);
    return oneRankOf(model);
}

TEST(HostStalls, AWaitThatReturnsLongAfterTheDeviceWasDoneIsAStallEvenIfRare) {
    EXPECT_EQ(stallsOf(waitThatReturns("cudaStreamSynchronize", 70'000)),
              Texts{"0:cudaStreamSynchronize 70000 usually 10"});
    EXPECT_EQ(stallsOf(waitThatReturns("cudaDeviceSynchronize", 1'500)),
              Texts{"0:cudaDeviceSynchronize 1500 usually 10"});
    for (const char* call : {"cudaStreamSynchronize", "cudaDeviceSynchronize", "hipMemcpyWithStream"}) {
        EXPECT_EQ(stallsOf(waitThatReturns(call, 20)), Texts{}) << call;
    }
}

/// Thirty steps in which the main thread waits for autograd's, which works for 3 ms; in one of them it goes on so much
/// later than usual.
std::vector<RankContext> handedBack(double late_us) {
    ModelBuilder model;
    const auto main = model.thread("1");
    const auto autograd = model.thread("2");
    const auto stream = model.stream("7");
    double at_us = 0;
    for (int step = 0; step < 30; ++step) {
        const double start_us = at_us;
        model.op(main, "aten::mm", at_us, 20);
        model.kernel(main, at_us + 4, 6, stream, "f", at_us + 15, 50);
        at_us += 50;
        for (int i = 0; i < 100; ++i) {
            model.op(autograd, "MmBackward0", at_us, 25);
            model.kernel(autograd, at_us + 4, 6, stream, "b", at_us + 20, 10);
            at_us += 30;
        }
        at_us += 30 + (step == 13 ? late_us : 0);
        model.op(main, "aten::add_", at_us, 20);
        model.kernel(main, at_us + 4, 6, stream, "o", at_us + 15, 50);
        at_us += 80;
        model.step(main, step, start_us, at_us - start_us);
        at_us += 1;
    }
    return oneRankOf(model);
}

TEST(HostStalls, AThreadThatGoesOnLateAfterAnotherOneHadWorkedForItIsOne) {
    EXPECT_EQ(stallsOf(handedBack(9'000)), Texts{"0:ProfilerStep#13 9035 usually 5"});
    EXPECT_EQ(stallsOf(handedBack(0)), Texts{}) << "3 ms of waiting for the backward are none";
}

TEST(HostStalls, WhatTakesLongEachTimeAtItsPlaceIsWork) {
    // The same operator is quick a hundred times, and slow behind another one: on other tensors.
    auto [model, main, stream] = threadAndStream();
    double at_us = 0;
    for (std::size_t i = 0; i < 100; ++i) {
        const bool slow = i % 10 == 9;
        model.op(main, slow ? "aten::cat" : "aten::view", at_us, 10);
        model.op(main, "aten::copy_", at_us + 10, slow ? 3'000 : 5);
        at_us += slow ? 3'020 : 20;
    }
    model.kernel(main, at_us, 5, stream, "k", at_us + 20, 50);
    EXPECT_EQ(stallsOf(oneRankOf(model)), Texts{});
}

TEST(HostStalls, TheDataLoaderAndWhatItDoesAreNone) {
    auto [model, main, stream] = threadAndStream();
    double at_us = 0;
    for (std::size_t i = 0; i < 20; ++i) {
        const double load_us = i == 7 ? 9'000 : 10;
        model.slice(main, Category::UserAnnotation, "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__",
                    at_us, load_us + 10);
        model.op(main, "aten::stack", at_us + 2, load_us);
        at_us += load_us + 30;
    }
    model.kernel(main, at_us, 5, stream, "k", at_us + 20, 50);
    EXPECT_EQ(stallsOf(oneRankOf(model)), Texts{});
}

/// A step whose device is idle while the host stands still for 5 ms, in the call before the launch that ends the gap,
/// or in that launch itself.
std::string gapOf(bool in_launch) {
    auto [model, main, stream] = threadAndStream();
    model.step(main, 1, 0, 12'000);
    double at_us = 10;
    for (int i = 0; i < 40; ++i) {
        const double more_us = i == 20 ? 5'000 : 0;
        model.op(main, "aten::add", at_us, 30 + more_us);
        model.call(main, "cudaEventRecord", at_us + 2, 4 + (in_launch ? 0 : more_us));
        const double launch_us = at_us + 10 + (in_launch ? 0 : more_us);
        const double call_us = 6 + (in_launch ? more_us : 0);
        model.kernel(main, launch_us, call_us, stream, "k", launch_us + call_us + 4, 15);
        at_us += 40 + more_us;
    }
    const AnalysedRank rank = analyseRank(model.build(), NameRules::builtIn());
    checkFacts(rank.facts);
    std::string text;
    for (const Gap& gap : rank.facts.steps.at(0).gaps) {
        for (const GapPart& part : gap.parts) {
            if (gap.span.length() > 4'000'000 && gap.releasing.valid()) {
                text += text.empty() ? "" : ", ";
                text += std::string(causeName(part.cause)) + " " + std::to_string(part.span.length() / 1000) + " " +
                        std::string(part.label);
                EXPECT_TRUE(part.cause != Cause::HostStall || part.evidence.size() == 1);
                EXPECT_FALSE(part.cause == Cause::HostStall && part.long_stretch);
            }
        }
    }
    return text;
}

TEST(HostStalls, OwnTheTimeInWhichTheDeviceHasNothingToDo) {
    EXPECT_NE(gapOf(false).find("host-stall 5004 cudaEventRecord"), std::string::npos) << gapOf(false);
}

TEST(HostStalls, InsideTheLaunchCallAreNoLatency) {
    EXPECT_NE(gapOf(true).find("host-stall 5006 cudaLaunchKernel, launch-latency 4 "), std::string::npos)
        << gapOf(true);
}

}  // namespace
}  // namespace rankscope::test
