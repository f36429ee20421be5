// SPDX-License-Identifier: GPL-3.0-or-later
// Findings that cost no time: memory that is nearly full, and traces that are incomplete.

#include "tests/support/analysed.h"
#include "tests/support/model_builder.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

constexpr std::int64_t kGigabyte = 1'000'000'000;

/// Four healthy steps of 1 ms, and what `spoil` does to the trace.
AnalysedRun analyseSpoilt(const std::function<void(ModelBuilder&, std::uint32_t)>& spoil) {
    auto [model, main, stream] = threadAndStream();
    for (int s = 0; s < 4; ++s) {
        model.step(main, s, 1000.0 * s, 990);
        model.op(main, "aten::mm", 1000.0 * s + 5, 400);
        for (int k = 0; k < 10; ++k) {
            model.kernel(main, 1000.0 * s + 10 + k, 0.5, stream, "gemm", 1000.0 * s + 20 + 97 * k, 96);
        }
    }
    spoil(model, main);
    return analyse(runOf({model.build()}));
}

void addMemory(ModelBuilder& model, std::int64_t allocated_gb, std::int64_t reserved_gb) {
    for (int s = 0; s < 4; ++s) {
        model.memory(1000.0 * s + 100, kGigabyte * allocated_gb / 2, kGigabyte * reserved_gb / 2);
        model.memory(1000.0 * s + 200, kGigabyte * (s >= 2 ? allocated_gb : allocated_gb / 2),
                     kGigabyte * (s >= 2 ? reserved_gb : reserved_gb / 2));
    }
}

const CannotTell* unknownOf(const AnalysedRun& run, FindingId id) {
    const auto at = std::ranges::find(run.diagnosis.cannot_tell, id, &CannotTell::id);
    return at == run.diagnosis.cannot_tell.end() ? nullptr : &*at;
}

TEST(MemoryPressure, IsMoreThanNineTenthsOfTheDeviceHeld) {
    const AnalysedRun run = analyseSpoilt([](ModelBuilder& model, std::uint32_t) {
        model.device({.id = 0, .name = "NVIDIA A100", .total_memory_bytes = 80 * kGigabyte});
        addMemory(model, 50, 76);
    });
    const Finding& pressure = findingIn(run, "memory-pressure");
    EXPECT_EQ(pressure.severity, Severity::Low);
    EXPECT_EQ(pressure.saving_ns, 0);
    EXPECT_EQ(pressure.steps, (std::vector<std::int64_t>{2, 3}));
    EXPECT_NE(pressure.why.find("76.0 GB of the GPU's 80.0 GB (95 %)"), std::string::npos) << pressure.why;
    EXPECT_NE(pressure.why.find("34 % of the reserved memory is unused"), std::string::npos) << pressure.why;
    EXPECT_NE(pressure.remedies.at(0).action.find("expandable_segments"), std::string::npos);
    EXPECT_EQ(run.run->ranks[0]->name(pressure.evidence.at(0).slice), "aten::mm");
    EXPECT_EQ(unknownOf(run, FindingId::MemoryPressure), nullptr);
}

TEST(MemoryPressure, IsNoneWithRoomLeft) {
    const AnalysedRun run = analyseSpoilt([](ModelBuilder& model, std::uint32_t) {
        model.device({.id = 0, .name = "NVIDIA A100", .total_memory_bytes = 80 * kGigabyte});
        addMemory(model, 50, 70);
    });
    EXPECT_EQ(findingOf(run, "memory-pressure"), nullptr);
    EXPECT_EQ(unknownOf(run, FindingId::MemoryPressure), nullptr);
}

TEST(MemoryPressure, CannotBeToldWithoutEventsOrCapacity) {
    const AnalysedRun no_events = analyseSpoilt([](ModelBuilder&, std::uint32_t) {});
    ASSERT_NE(unknownOf(no_events, FindingId::MemoryPressure), nullptr);
    EXPECT_NE(unknownOf(no_events, FindingId::MemoryPressure)->record.find("profile_memory=True"), std::string::npos);
    const AnalysedRun no_capacity = analyseSpoilt([](ModelBuilder& model, std::uint32_t) { addMemory(model, 50, 76); });
    EXPECT_EQ(findingOf(no_capacity, "memory-pressure"), nullptr);
    EXPECT_NE(unknownOf(no_capacity, FindingId::MemoryPressure), nullptr);
}

TEST(MemoryUse, KnowsThePeaksOfEachStep) {
    const AnalysedRun run = analyseSpoilt([](ModelBuilder& model, std::uint32_t) { addMemory(model, 50, 76); });
    ASSERT_EQ(run.facts.ranks[0].memory.size(), 1U);
    const DeviceMemory& memory = run.facts.ranks[0].memory[0];
    EXPECT_EQ(memory.peak.reserved_bytes, 76 * kGigabyte);
    EXPECT_EQ(memory.peak.allocated_bytes, 50 * kGigabyte);
    EXPECT_EQ(memory.peak.at_ns, 2'200'000);
    ASSERT_EQ(memory.steps.size(), 4U);
    EXPECT_EQ(memory.steps[0]->reserved_bytes, 38 * kGigabyte);
    EXPECT_EQ(memory.steps[0]->at_ns, 100'000);
    EXPECT_EQ(memory.steps[0]->allocated_then, 25 * kGigabyte);
}

TEST(TraceHealth, OfAWholeTraceIsNoFinding) {
    EXPECT_EQ(findingOf(analyseSpoilt([](ModelBuilder&, std::uint32_t) {}), "trace-health"), nullptr);
}

TEST(TraceHealth, SaysWhatCouldNotBeRead) {
    const AnalysedRun run = analyseSpoilt([](ModelBuilder& model, std::uint32_t) {
        model.health().truncated = true;
        model.health().events = 97;
        model.health().skipped = 3;
    });
    const Finding& health = findingIn(run, "trace-health");
    EXPECT_EQ(health.severity, Severity::Low);
    EXPECT_EQ(health.ranks, (std::vector{RankPosition()}));
    EXPECT_NE(health.why.find("is truncated"), std::string::npos) << health.why;
    EXPECT_NE(health.why.find("3 of 100 events could not be read"), std::string::npos) << health.why;
}

TEST(TraceHealth, SaysHowManyLaunchesHaveNoDeviceRecord) {
    const AnalysedRun run = analyseSpoilt([](ModelBuilder& model, std::uint32_t main) {
        for (int k = 0; k < 5; ++k) {
            model.call(main, "cudaLaunchKernel", 3500 + k, 0.5);
        }
    });
    const Finding& health = findingIn(run, "trace-health");
    EXPECT_NE(health.why.find("5 of 45 kernel launches have no GPU record"), std::string::npos) << health.why;
    EXPECT_EQ(run.run->ranks[0]->name(health.evidence.at(0).slice), "cudaLaunchKernel");
    EXPECT_EQ(health.steps, (std::vector<std::int64_t>{3})) << "that step has lost its records";
}

TEST(TraceHealth, OfAMissingRankNamesItAndAdvisesToOpenIt) {
    const AnalysedRun first = analyseSpoilt([](ModelBuilder& model, std::uint32_t) { model.rank(0, 4); });
    const AnalysedRun second = analyseSpoilt([](ModelBuilder& model, std::uint32_t) { model.rank(1, 4); });
    rankscope::Run part = *first.run;
    part.ranks.push_back(second.run->ranks.front());
    part.missing_ranks = {RankNumber(2), RankNumber(3)};
    part.missing_count = 2;
    const AnalysedRun run = analyse(std::make_shared<const rankscope::Run>(part));
    const Finding& health = findingIn(run, "trace-health");
    EXPECT_NE(health.why.find("Ranks 2 and 3 of the job's 4 ranks are missing."), std::string::npos) << health.why;
    EXPECT_EQ(health.why.find("prices are not affected"), std::string::npos) << "who waits for them is not known";
    ASSERT_EQ(health.remedies.size(), 1U) << "four full steps are there, and the files are whole";
    EXPECT_EQ(health.remedies.front().action, "Open the files of the missing ranks too, or digests of them.");
}

TEST(TraceHealth, OfAFileThatBreaksOffAdvisesToLetItBeWrittenToItsEnd) {
    const AnalysedRun run = analyseSpoilt([](ModelBuilder& model, std::uint32_t) { model.health().truncated = true; });
    const Finding& health = findingIn(run, "trace-health");
    ASSERT_EQ(health.remedies.size(), 1U);
    EXPECT_NE(health.remedies.front().action.find("finish writing"), std::string::npos);
}

TEST(TraceHealth, SaysThatKernelsStartBeforeTheirLaunch) {
    const AnalysedRun run = analyseSpoilt([](ModelBuilder& model, std::uint32_t main) {
        const auto stream = model.stream("8");
        for (int k = 0; k < 5; ++k) {
            model.kernel(main, 3500 + 2 * k, 1, stream, "early", 3400 + 2 * k, 1);
        }
    });
    const Finding& health = findingIn(run, "trace-health");
    EXPECT_NE(health.why.find("5 of 45 pieces of GPU work start up to "), std::string::npos) << health.why;
    EXPECT_EQ(run.run->ranks[0]->name(health.evidence.at(0).slice), "early");
}

}  // namespace
}  // namespace rankscope::test
