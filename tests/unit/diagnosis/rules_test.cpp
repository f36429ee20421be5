// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/frame/advice.h"
#include "core/diagnosis/frame/cannot_tell.h"
#include "core/diagnosis/prices/pricing.h"
#include "tests/support/analysed.h"
#include "tests/support/model_builder.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

constexpr auto kNext = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__";

/// A training loop whose host does what the test plants. Each step launches 20 kernels of 500 us, 20 us apart on the
/// host, so that the host runs ahead unless it waits: 10 ms of device work a step.
struct Loop {
    double loader_us = 0;     ///< in the DataLoader, at the start of a step
    bool reads_loss = false;  ///< aten::item after the tenth kernel
    bool blocking = false;    ///< a copy from pageable memory at the start
    double copy_us = 400;
    bool stacks = false;
    int steps = 5;
    const char* loader_name = kNext;

    [[nodiscard]] std::shared_ptr<const RankTrace> build() const {
        auto [model, main, stream] = threadAndStream();
        double host_us = 0;
        double device_us = 0;
        for (int s = 0; s < steps; ++s) {
            const double begin_us = host_us;
            host_us += 10;
            if (loader_us > 0) {
                model.slice(main, Category::UserAnnotation, loader_name, host_us, loader_us);
                host_us += loader_us + 10;
            }
            if (blocking) {
                copy(model, main, stream, host_us, device_us);
            }
            for (int k = 0; k < 20; ++k) {
                model.op(main, "aten::mm", host_us, 15);
                const double start_us = std::max(host_us + 15, device_us + 1);
                model.kernel(main, host_us + 5, 5, stream, "gemm", start_us, 500);
                device_us = start_us + 500;
                host_us += 20;
                if (reads_loss && k == 9) {
                    item(model, main, host_us, device_us);
                }
            }
            model.step(main, s, begin_us, host_us - begin_us);
        }
        return model.build();
    }

    void copy(ModelBuilder& model, std::uint32_t main, std::uint32_t stream, double& host_us, double& device_us) const {
        const double start_us = std::max(host_us + 10, device_us + 1);
        const double end_us = start_us + copy_us;
        model.op(main, "aten::to", host_us, end_us - host_us + 10);
        const auto call = model.call(main, "cudaMemcpyAsync", host_us + 1, end_us - host_us + 2);
        const auto copied =
            model.slice(stream, Category::Memcpy, "Memcpy HtoD (Pageable -> Device)", start_us, copy_us);
        model.launch(call, copied);
        model.bytes(copied, 4'000'000);
        device_us = end_us;
        host_us = end_us + 15;
    }

    void item(ModelBuilder& model, std::uint32_t main, double& host_us, double device_us) const {
        const double end_us = device_us + 8;
        if (stacks) {
            model.python(main, "train.py(54): log_loss", host_us, end_us - host_us + 4);
        }
        model.op(main, "aten::item", host_us + 1, end_us - host_us + 2);
        model.op(main, "aten::_local_scalar_dense", host_us + 2, end_us - host_us);
        model.call(main, "cudaStreamSynchronize", host_us + 3, end_us - host_us - 3);
        host_us = end_us + 200;  // what the host does with the value
    }
};

AnalysedRun analyseLoop(Loop loop) {
    return analyse(runOf({loop.build()}));
}

TEST(Rules, AHostThatRunsAheadHasNoFindings) {
    EXPECT_TRUE(analyseLoop({}).diagnosis.findings.empty());
}

TEST(DataloaderStall, IsPricedByWhatItBlocksAndWhatItCosts) {
    // 400 us of launches and 12 ms of loading against 10 ms of device work: the device waits about 2.4 ms a step.
    const AnalysedRun run = analyseLoop({.loader_us = 12'000});
    const Finding& stall = findingIn(run, "dataloader-stall");
    const double step_us = 12'430;
    EXPECT_NEAR(static_cast<double>(run.facts.median_step_ns) / 1e3, step_us, 50);
    EXPECT_NEAR(static_cast<double>(stall.blocked_ns) / 1e3, step_us - 10'020, 50);
    EXPECT_NEAR(static_cast<double>(stall.saving_ns) / 1e3, step_us - 10'020, 100);
    EXPECT_EQ(stall.severity, Severity::High);
    EXPECT_EQ(stall.ranks, (std::vector{RankPosition()}));
    EXPECT_NE(stall.why.find("num_workers=0"), std::string::npos);
    EXPECT_NE(stall.remedies.at(0).action.find("num_workers"), std::string::npos);
    EXPECT_EQ(run.run->ranks[0]->name(stall.evidence.at(0).slice), kNext);
}

TEST(DataloaderStall, IsNoneWhileTheDeviceStillHasWork) {
    EXPECT_EQ(findingOf(analyseLoop({.loader_us = 9'000}), "dataloader-stall"), nullptr);
}

TEST(DataloaderStall, SavesNoMoreThanTheNextSlowestRankAllows) {
    // Alone, the first rank would save 2.4 ms; the second, with a long copy, needs most of that time itself.
    const AnalysedRun run =
        analyse(runOf({Loop{.loader_us = 12'000}.build(), Loop{.blocking = true, .copy_us = 1'500}.build()}));
    const Finding& stall = findingIn(run, "dataloader-stall");
    const DurationNs other_ns = run.facts.ranks[1].steps[2].span.length();
    EXPECT_NEAR(static_cast<double>(stall.saving_ns), static_cast<double>(run.facts.median_step_ns - other_ns), 50e3);
    EXPECT_LT(stall.saving_ns, stall.blocked_ns / 2);
}

TEST(HostSync, IsNamedByItsOperatorAndItsLine) {
    const AnalysedRun run = analyseLoop({.reads_loss = true, .stacks = true});
    const Finding& sync = findingIn(run, "host-sync");
    EXPECT_NE(sync.title.find("aten::item"), std::string::npos);
    EXPECT_NE(sync.why.find("train.py(54): log_loss"), std::string::npos);
    // The host needs 8 us to return, then 200 us to look at the value, then 15 to launch.
    EXPECT_NEAR(static_cast<double>(sync.blocked_ns) / 1e3, 215, 20);
    EXPECT_NEAR(static_cast<double>(sync.saving_ns) / 1e3, 215, 20);
    EXPECT_EQ(findingOf(run, "unpinned-memcpy"), nullptr);
}

TEST(HostSync, IsNoneWithoutAWait) {
    EXPECT_EQ(findingOf(analyseLoop({}), "host-sync"), nullptr);
}

TEST(UnpinnedMemcpy, CountsTheCopiesAndTheWaitForThem) {
    const AnalysedRun run = analyseLoop({.blocking = true});
    const Finding& copy = findingIn(run, "unpinned-memcpy");
    EXPECT_NEAR(static_cast<double>(copy.blocked_ns) / 1e3, 400 + 30, 20);
    // Pinned, 4 MB take 167 us, and the host launches meanwhile.
    EXPECT_NEAR(static_cast<double>(copy.saving_ns) / 1e3, 400 - 167 + 30, 20);
    EXPECT_NE(copy.why.find("4.00 MB at 10.0 GB/s"), std::string::npos) << copy.why;
    EXPECT_NE(copy.why.find("pageable"), std::string::npos);
    EXPECT_EQ(findingOf(run, "host-sync"), nullptr);
}

TEST(UnpinnedMemcpy, IsNoneWithoutSuchCopies) {
    EXPECT_EQ(findingOf(analyseLoop({.loader_us = 12'000}), "unpinned-memcpy"), nullptr);
}

TEST(UnexplainedIdle, IsWorkThatWasLaunchedInTimeAndYetCameLate) {
    auto [model, main, stream] = threadAndStream();
    for (int s = 0; s < 4; ++s) {
        // The host is far ahead; the device is held up in the middle of each step.
        const double host_us = 100.0 * s;
        const double device_us = 1000.0 * s;
        model.step(main, s, host_us, 100);
        model.kernel(main, host_us + 10, 5, stream, "first", device_us + 20, 400);
        model.kernel(main, host_us + 16, 4, stream, "held up", device_us + 620, 398);
    }
    const AnalysedRun run = analyse(runOf({model.build()}));
    const Finding& idle = findingIn(run, "unexplained-idle");
    EXPECT_EQ(idle.blocked_ns, 200'000);
    EXPECT_EQ(idle.saving_ns, 195'000);  // all but the hand-over between two kernels
    EXPECT_NE(idle.why.find("is idle for 200 \u00b5s although the next work was launched in time."), std::string::npos)
        << idle.why << ": nothing is said of what there is none of";
    EXPECT_EQ(idle.confidence, Confidence::Low);
}

TEST(UnexplainedIdle, IsNoneWhereTheHostWasLate) {
    EXPECT_EQ(findingOf(analyseLoop({.loader_us = 12'000}), "unexplained-idle"), nullptr);
}

TEST(Rules, ACauseBelowOnePercentOfTheStepIsNoFinding) {
    // About 30 us of 10 ms: the copy itself takes 1 us.
    EXPECT_EQ(findingOf(analyseLoop({.blocking = true, .copy_us = 1}), "unpinned-memcpy"), nullptr);
}

TEST(Rules, ASingleStepGivesLowConfidence) {
    const AnalysedRun run = analyseLoop({.loader_us = 12'000, .steps = 1});
    const Finding& stall = findingIn(run, "dataloader-stall");
    EXPECT_EQ(stall.confidence, Confidence::Low);
}

TEST(Rules, TheDearestFindingComesFirst) {
    const AnalysedRun run = analyseLoop({.loader_us = 12'000, .reads_loss = true});
    ASSERT_GE(run.diagnosis.findings.size(), 2U);
    EXPECT_TRUE(std::ranges::is_sorted(run.diagnosis.findings, std::greater<>(), &Finding::saving_ns));
}

TEST(CannotTell, OneRankOfManyIsSaid) {
    auto [model, main, stream] = threadAndStream();
    model.rank(0, RankPosition(8));
    model.step(main, 1, 0, 1000);
    model.kernel(main, 10, 5, stream, "ncclDevKernel_AllReduce", 20, 900);
    const AnalysedRun run = analyse(runOf({model.build()}));
    std::vector<std::string> ids;
    for (const CannotTell& unknown : run.diagnosis.cannot_tell) {
        ids.emplace_back(findingName(unknown.id));
    }
    EXPECT_EQ(ids,
              (std::vector<std::string>{"straggler-rank", "exposed-communication", "host-code", "memory-pressure"}));
}

TEST(CannotTell, TracesWithoutDeviceWorkCannotShowStalls) {
    ModelBuilder model;
    const auto main = model.thread("1");
    model.step(main, 1, 0, 1000);
    model.slice(main, Category::UserAnnotation, kNext, 0, 900);
    const AnalysedRun run = analyse(runOf({model.build()}));
    EXPECT_TRUE(run.diagnosis.findings.empty());
    ASSERT_FALSE(run.diagnosis.cannot_tell.empty());
    EXPECT_EQ(run.diagnosis.cannot_tell.front().id, FindingId::DataloaderStall);
}

TEST(CannotTell, WithoutLaunchesEachReasonIsSaidOnceWithWhatToRecordForAll) {
    auto [model, main, stream] = threadAndStream();
    for (int s = 0; s < 4; ++s) {
        model.step(main, s, 1000.0 * s, 990);
        model.slice(stream, Category::Kernel, "gemm", 1000.0 * s + 20, 800);
    }
    const AnalysedRun run = analyse(runOf({model.build()}));
    const std::vector<CannotTellTogether> together = cannotTellByReason(run.diagnosis.cannot_tell);
    const auto launches = std::ranges::find_if(together, [](const CannotTellTogether& one) {
        return one.reason.find("No launches were recorded") != std::string::npos;
    });
    ASSERT_NE(launches, together.end());
    EXPECT_EQ(launches->names(),
              "dataloader-stall, host-sync, allocator-stall, host-code, launch-bound, find-unused-parameters, "
              "gradient-copies");
    EXPECT_EQ(launches->record, "Record both ProfilerActivity.CPU and ProfilerActivity.CUDA.");
    EXPECT_EQ(std::ranges::count(together, launches->reason, &CannotTellTogether::reason), 1);
}

TEST(Rules, ARunThatIsStoppedIsCancelled) {
    const std::stop_source stop;
    stop.request_stop();
    const auto run = analyseRun(runOf({Loop().build()}), {}, {}, stop.get_token());
    EXPECT_TRUE(run.cancelled());
}

TEST(AdviceTexts, HaveATitleAndRemediesForEveryRule) {
    const Advice advice = Advice::builtIn();
    for (std::size_t i = 0; i < kFindingIds; ++i) {
        const auto id = static_cast<FindingId>(i);
        EXPECT_NE(advice.title(id), findingName(id));
        EXPECT_FALSE(advice.record(id).empty()) << findingName(id);
    }
    EXPECT_LT(advice.remedies(FindingId::DataloaderStall, {}).size(),
              advice.remedies(FindingId::DataloaderStall, {"single-process"}).size());
}

TEST(AdviceTexts, EachRemedyHasABriefForATable) {
    std::size_t remedies = 0;
    std::size_t briefs = 0;
    const Advice walked = Advice::builtIn().translated([&](const std::string& text, const std::string& key) {
        if (key.ends_with(".action")) {
            ++remedies;
        }
        if (key.ends_with(".brief")) {
            ++briefs;
            EXPECT_LE(text.size(), 30U) << key << ": " << text;
            EXPECT_FALSE(text.ends_with('.')) << key << ": " << text;
        }
        return text;
    });
    EXPECT_FALSE(walked.everyRemedy(FindingId::DataloaderStall).empty());
    EXPECT_GT(remedies, kFindingIds);
    EXPECT_EQ(briefs, remedies) << "an empty one is not translated";
}

TEST(AdviceTexts, ATableMayHaveRemediesWithoutABrief) {
    const auto read = Advice::fromJson(R"({"findings": {"host-sync": {
        "title": "T", "pattern": "P", "record": "R", "remedies": [
            {"action": "A", "detail": "D", "brief": "B", "quick": true}, {"action": "C", "detail": "D"}]}}})",
                                       "a.json");
    ASSERT_TRUE(read.ok());
    const std::vector<Remedy> remedies = read.value().remedies(FindingId::HostSync, {});
    ASSERT_EQ(remedies.size(), 2U);
    EXPECT_EQ(remedies[0].brief, "B");
    EXPECT_TRUE(remedies[0].is_quick);
    EXPECT_TRUE(remedies[1].brief.empty());
    EXPECT_FALSE(remedies[1].is_quick);
}

TEST(AdviceTexts, ABadTableIsRefused) {
    EXPECT_TRUE(Advice::fromJson("{", "a.json").failed());
    EXPECT_TRUE(Advice::fromJson(R"({"findings": {"x": {"title": 3}}})", "a.json").failed());
}

}  // namespace
}  // namespace rankscope::test
