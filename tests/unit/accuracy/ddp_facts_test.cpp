// SPDX-License-Identifier: GPL-3.0-or-later
// What a simulated run says of DDP, against what it was made from.

#include "core/analysis/collectives/ddp_messages.h"
#include "tests/accuracy/simulated_run.h"
#include "tests/support/testing.h"
#include "tests/tracegen/config_of.h"

namespace rankscope::accuracy {
namespace {

tracegen::Config configWith(bool broadcast_buffers) {
    tracegen::Config config = tracegen::configOf(2, 6);
    config.warmup_steps = 2;
    config.kernel_scale = 0.4;
    config.broadcast_buffers = broadcast_buffers;
    return config;
}

struct Simulated {
    explicit Simulated(const tracegen::Config& config)
        : truth(tracegen::simulate(config)), run(analyseAlone(loadSimulated(truth))) {}
    [[nodiscard]] std::vector<DdpMessage> messages(DdpMessageKind kind) const {
        std::vector<DdpMessage> all = ddpMessages(*run.run, run.facts);
        std::erase_if(all, [kind](const DdpMessage& message) { return message.kind != kind; });
        return all;
    }
    [[nodiscard]] const Collective& of(const DdpMessage& message) const {
        return run.facts.collectives.collectives[message.collective];
    }

    tracegen::RunResult truth;
    AnalysedRun run;
};

TEST(DdpMessages, AreTheBucketsOfEachBackwardWithTheirBytes) {
    const Simulated simulated(configWith(false));
    std::map<std::int64_t, std::int64_t> bytes_of_steps;
    for (const DdpMessage& message : simulated.messages(DdpMessageKind::Bucket)) {
        const Collective& bucket = simulated.of(message);
        ASSERT_EQ(bucket.members.size(), 2U);
        ASSERT_TRUE(bucket.bytes);
        for (const CollectiveMember& member : bucket.members) {
            EXPECT_LE(member.call.start_ns, member.span.start_ns);
            ASSERT_TRUE(member.ready_ns);
            EXPECT_LE(*member.ready_ns, member.span.start_ns);
        }
        const CollectiveMember& first = bucket.members.front();
        const auto& steps = simulated.run.facts.ranks[first.rank].steps;
        const auto step = std::ranges::find_if(steps, [&](const RankStep& s) {
            return s.host.start_ns <= first.call.start_ns && first.call.start_ns < s.host.end_ns;
        });
        ASSERT_NE(step, steps.end());
        bytes_of_steps[step->index] += *bucket.bytes;
    }
    ASSERT_EQ(bytes_of_steps.size(), 6U);
    for (const auto& [step, bytes] : bytes_of_steps) {
        EXPECT_EQ(bytes, bytes_of_steps.begin()->second) << "the gradients are the same in each step";
    }
    EXPECT_TRUE(simulated.messages(DdpMessageKind::Buffers).empty());
    EXPECT_TRUE(simulated.run.diagnosis.ddp.empty());
}

TEST(DdpMessages, AreTheBroadcastsOfBuffersWithWhatTheyCost) {
    const Simulated simulated(configWith(true));
    EXPECT_GE(simulated.messages(DdpMessageKind::Buffers).size(), 6U);
    const auto price = std::ranges::find(simulated.run.diagnosis.ddp, DdpPartKind::BroadcastBuffers, &DdpPrice::part);
    ASSERT_NE(price, simulated.run.diagnosis.ddp.end());
    const Simulated without(configWith(false));
    const DurationNs step_ns = simulated.run.facts.median_step_ns;
    const DurationNs truth_ns = step_ns - without.run.facts.median_step_ns;
    EXPECT_NEAR(static_cast<double>(price->saving_ns), static_cast<double>(truth_ns),
                0.005 * static_cast<double>(step_ns));
}

}  // namespace
}  // namespace rankscope::accuracy
