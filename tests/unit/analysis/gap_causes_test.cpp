// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/stages.h"
#include "tests/support/fact_checks.h"
#include "tests/support/model_builder.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

/// A step from 0 to 1000 us. The device runs from 20 to 100 and, launched at 400, from 410 to 900: what the host does
/// between 100 and 400 is up to the test.
class LateHost : public testing::Test {
  protected:
    LateHost() : main(model.thread("1")), stream(model.stream("7")) {
        model.step(main, 1, 0, 1000);
        model.kernel(main, 10, 5, stream, "first", 20, 80);
    }
    /// The parts of the gap from `start_us` to 410 as "cause microseconds label", one after another.
    std::string parts(TimeNs start_us = 100) {
        model.kernel(main, 400, 5, stream, "second", 410, 490);
        return partsAt(start_us);
    }
    /// The same of the gap behind a copy, which begins at 100 and was launched by a call inside of an operator.
    std::string partsBehindCopy(std::string_view op, std::string_view call, double call_us, std::string_view copy,
                                TimeNs copy_us) {
        model.op(main, op, 15, 110);
        const auto host = model.call(main, call, 18, call_us);
        model.launch(host, model.slice(stream, Category::Memcpy, copy, 100, static_cast<double>(copy_us)));
        return parts(100 + copy_us);
    }
    std::string partsAt(TimeNs start_us) {
        const AnalysedRank analysed = analyseRank(model.build(), NameRules::builtIn());
        checkFacts(analysed.facts);
        for (const Gap& gap : analysed.facts.steps.at(0).gaps) {
            if (gap.span.start_ns == start_us * 1000) {
                std::string text;
                for (const GapPart& part : gap.parts) {
                    text += text.empty() ? "" : ", ";
                    text += causeName(part.cause);
                    text += " " + std::to_string(part.span.length() / 1000);
                    text += part.label.empty() ? "" : " ";
                    text += part.label;
                }
                return text;
            }
        }
        return "no gap there";
    }

    ModelBuilder model;
    std::uint32_t main;
    std::uint32_t stream;
};

TEST_F(LateHost, TheDataLoaderOwnsItsWholeWaitWithAllThatIsInside) {
    model.slice(main, Category::UserAnnotation, "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 50, 330);
    model.op(main, "aten::stack", 200, 100);
    EXPECT_EQ(
        parts(),
        "dataloader 280 enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__, unrecorded 20, launch-latency 10");
}

TEST_F(LateHost, ADataLoaderKnownOnlyFromPythonStacksIsOneToo) {
    model.python(main, "torch/utils/data/dataloader.py(630): __next__", 50, 350);
    EXPECT_EQ(parts(), "dataloader 300 torch/utils/data/dataloader.py(630): __next__, launch-latency 10");
}

TEST_F(LateHost, ADataLoaderCallWithoutLengthTakesNoTimeAndComesToAnEnd) {
    constexpr const char* kNext = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__";
    model.slice(main, Category::UserAnnotation, kNext, 150, 0);
    model.slice(main, Category::UserAnnotation, kNext, 200, 100);
    model.slice(main, Category::UserAnnotation, kNext, 200, 0);  // inside the one that has a length
    model.slice(main, Category::UserAnnotation, kNext, 300, 0);  // where that one ends
    EXPECT_EQ(parts(),
              "unrecorded 100, dataloader 100 enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__, "
              "unrecorded 100, launch-latency 10");
}

TEST_F(LateHost, APartOfDdpsReducerGivesItsNameToAllItDoes) {
    constexpr const char* kCopies = "torch.distributed.ddp.reducer::copy_bucket_to_grad";
    model.op(main, kCopies, 90, 330);
    model.op(main, "aten::copy_", 100, 200);
    model.call(main, "cudaLaunchKernel", 150, 20);
    // Operator code, a launch, operator code again, then the latency of the launch that ends the gap.
    const std::string name = kCopies;
    EXPECT_EQ(parts(),
              "operator 50 " + name + ", launch 20 " + name + ", operator 230 " + name + ", launch-latency 10 " + name);
}

TEST_F(LateHost, ASyncThatDrainedTheQueueOwnsTheLateLaunchBehindIt) {
    model.op(main, "aten::item", 20, 100);
    model.op(main, "aten::_local_scalar_dense", 21, 98);
    model.call(main, "cudaStreamSynchronize", 30, 85);
    model.op(main, "aten::add", 200, 150);
    EXPECT_EQ(parts(), "host-sync 300 aten::item, launch-latency 10");
}

TEST_F(LateHost, ASyncThatFoundTheDeviceIdleOwnsOnlyItself) {
    model.op(main, "aten::add", 90, 210);
    model.call(main, "cudaDeviceSynchronize", 300, 5);
    EXPECT_EQ(parts(), "operator 200 aten::add, host-sync 5 cudaDeviceSynchronize, unrecorded 95, launch-latency 10");
}

TEST_F(LateHost, ASyncThatReturnedWhileTheDeviceWorkedIsNotToBlame) {
    model.call(main, "cudaEventSynchronize", 20, 20);
    model.op(main, "aten::add", 90, 310);
    EXPECT_EQ(parts(), "operator 300 aten::add, launch-latency 10");
}

TEST_F(LateHost, ACallThatWaitsForItsOwnCopyToTheDeviceIsABlockingCopy) {
    EXPECT_EQ(partsBehindCopy("aten::to", "hipMemcpyWithStream", 100, "Memcpy HtoD (Host -> Device)", 10),
              "blocking-copy 290 aten::to, launch-latency 10");
}

TEST_F(LateHost, ACopyFromPageableMemoryIsABlockingCopyAlsoWhereTheCallReturnsFirst) {
    EXPECT_EQ(partsBehindCopy("aten::to", "cudaMemcpyAsync", 85, "Memcpy HtoD (Pageable -> Device)", 150),
              "blocking-copy 150 aten::to, launch-latency 10");
}

TEST_F(LateHost, ACopyOfAValueToTheHostIsASync) {
    EXPECT_EQ(partsBehindCopy("aten::item", "hipMemcpyWithStream", 100, "Memcpy DtoH (Device -> Host)", 10),
              "host-sync 290 aten::item, launch-latency 10");
}

TEST_F(LateHost, TheAllocatorOwnsItsCalls) {
    model.op(main, "aten::empty", 90, 310);
    model.call(main, "cudaMalloc", 120, 200);
    EXPECT_EQ(parts(), "operator 20 aten::empty, allocator 200 cudaMalloc, operator 80 aten::empty, launch-latency 10");
}

TEST_F(LateHost, AnOperatorIsNamedByTheOutermostOneOfAten) {
    model.op(main, "aten::linear", 90, 310);
    model.op(main, "aten::addmm", 100, 290);
    EXPECT_EQ(parts(), "operator 300 aten::linear, launch-latency 10");
}

TEST_F(LateHost, PythonIsNamedByTheLineOfTheUser) {
    model.python(main, "train.py(54): step", 5, 990);
    model.python(main, "torch/optim/adam.py(10): step", 100, 290);
    EXPECT_EQ(parts(), "python 300 train.py(54): step, launch-latency 10");
}

TEST_F(LateHost, AStepMarkWithNothingInsideExplainsNothing) {
    EXPECT_EQ(parts(), "unrecorded 300, launch-latency 10");
}

TEST_F(LateHost, AnOperatorInThousandsOfOthersIsNamedByTheOutermostAndTheUsersLine) {
    constexpr int kDepth = 20'000;  // each gap would climb all of it
    model.python(main, "train.py(7): step", 90, 320);
    model.op(main, "aten::outer", 90.5, 319);
    for (int i = 0; i < kDepth; ++i) {
        model.op(main, "aten::inner", 91 + i * 0.002, 309 - i * 0.004);
    }
    EXPECT_EQ(parts(), "operator 300 aten::outer, launch-latency 10");
}

TEST_F(LateHost, ANamedRangeAroundTheWholeRecordingExplainsNothing) {
    model.slice(main, Category::UserAnnotation, "training", 0, 1000);
    EXPECT_EQ(parts(), "unrecorded 300, launch-latency 10");
}

TEST_F(LateHost, ANamedRangeWithNothingInsideIsItsName) {
    model.slice(main, Category::UserAnnotation, "Optimizer.step#SGD.step", 90, 320);
    EXPECT_EQ(parts(), "operator 300 Optimizer.step#SGD.step, launch-latency 10");
}

TEST_F(LateHost, AnotherThreadAtWorkIsFollowedWhereTheLaunchingOneIsNot) {
    const std::uint32_t autograd = model.thread("2");
    model.kernel(autograd, 12, 2, stream, "other", 100, 1);
    model.op(autograd, "AddmmBackward0", 150, 200);
    EXPECT_EQ(parts(101), "unrecorded 49, operator 200 AddmmBackward0, unrecorded 50, launch-latency 10");
}

TEST_F(LateHost, AThreadOfAnotherProcessIsNotFollowed) {
    const std::uint32_t other = model.thread("2", "200");
    model.kernel(other, 12, 2, stream, "other", 100, 1);
    model.op(other, "AddmmBackward0", 150, 200);
    EXPECT_EQ(parts(101), "unrecorded 299, launch-latency 10");
}

TEST_F(LateHost, WorkLaunchedInTimeWasQueued) {
    model.kernel(main, 16, 4, stream, "second", 150, 850);
    EXPECT_EQ(partsAt(100), "queued 50");
}

TEST_F(LateHost, AShortPauseBetweenQueuedKernelsIsTheDevicesOwn) {
    model.kernel(main, 16, 4, stream, "second", 104, 896);
    EXPECT_EQ(partsAt(100), "kernel-to-kernel 4");
}

TEST_F(LateHost, WorkWithoutALaunchCannotBeExplained) {
    model.slice(stream, Category::Kernel, "second", 150, 850);
    EXPECT_EQ(partsAt(100), "unrecorded 50");
}

TEST_F(LateHost, AfterTheLastWorkOfTheTraceTheMainThreadIsToBlame) {
    model.op(main, "aten::add", 600, 400);
    EXPECT_EQ(partsAt(100), "unrecorded 500, operator 400 aten::add");
}

/// The causes of the gap that a step begins with: its first work is launched 15 us on, and starts at `start_us`.
std::string causesOfTheOpening(double start_us) {
    ModelBuilder model;
    const auto main = model.thread("1");
    model.step(main, 1, 0, 1'000);
    model.kernel(main, 15, 5, model.stream("7"), "first", start_us, 10);
    const AnalysedRank analysed = analyseRank(model.build(), NameRules::builtIn());
    std::string text;
    for (const GapPart& part : analysed.facts.steps.at(0).gaps.at(0).parts) {
        text += std::string(causeName(part.cause)) + " " + std::to_string(part.span.length() / 1000) + " ";
    }
    return text;
}

TEST(Gaps, TheFirstWorkOfAFileMayStandBehindSomeThatWasNotRecorded) {
    EXPECT_EQ(causesOfTheOpening(50), "unrecorded 15 launch-latency 35 ");
    EXPECT_EQ(causesOfTheOpening(900), "unrecorded 15 launch-latency 5 queued 880 ");
}

TEST(Gaps, SlicesWithoutANameAreNoReasonToStumble) {
    auto [model, main, stream] = threadAndStream();
    model.step(main, 1, 0, 200);
    model.op(main, "", 5, 150);
    const auto call = model.call(main, "cudaMemcpyAsync", 10, 20);
    model.launch(call, model.slice(stream, Category::Memcpy, "", 20, 80));
    model.kernel(main, 140, 5, stream, "", 150, 50);
    checkFacts(analyseRank(model.build(), NameRules::builtIn()).facts);
}

TEST(Gaps, AGapThatCrossesAStepIsExplainedAsOneAndCutAtTheBound) {
    auto [model, main, stream] = threadAndStream();
    model.step(main, 1, 0, 200);
    model.step(main, 2, 200, 300);
    model.kernel(main, 10, 5, stream, "first", 20, 80);
    model.op(main, "aten::item", 20, 90);
    model.call(main, "cudaStreamSynchronize", 30, 75);
    model.kernel(main, 300, 5, stream, "second", 310, 190);
    const AnalysedRank analysed = analyseRank(model.build(), NameRules::builtIn());
    checkFacts(analysed.facts);
    ASSERT_EQ(analysed.facts.steps.size(), 2U);
    // The sync of the first step drained the queue for the first launch of the second.
    EXPECT_EQ(analysed.facts.steps[0].idle_causes[Cause::HostSync], 100'000);
    EXPECT_EQ(analysed.facts.steps[1].idle_causes[Cause::HostSync], 100'000);
    EXPECT_EQ(analysed.facts.steps[1].idle_causes[Cause::LaunchLatency], 10'000);
}

TEST(Gaps, AHandOverFromWorkThatWasNotReadIsTheDevicesOwn) {
    auto [model, main, stream] = threadAndStream();
    model.step(main, 2, 200, 300);
    model.kernel(main, 210, 5, stream, "first", 302, 180);
    const auto trace = std::const_pointer_cast<RankTrace>(model.build());
    const auto idle = [&] { return analyseRank(trace, NameRules::builtIn()).facts.steps.at(0).idle_causes; };
    // The steps before this one were left out; their last work ended where its first gap begins.
    trace->earlier = {.number = 1, .host_end_ns = 200'000, .devices = {{.device = 0, .work_ns = 300'000}}};
    EXPECT_EQ(idle()[Cause::KernelToKernel], 2'000);
    EXPECT_EQ(idle()[Cause::Queued], 0);
}

}  // namespace
}  // namespace rankscope::test
