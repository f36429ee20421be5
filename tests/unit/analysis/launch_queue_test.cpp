// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replay/rank_dependencies.h"

#include "core/analysis/replay/replay.h"
#include "core/analysis/stages.h"
#include "tests/support/model_builder.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

constexpr int kKernels = 800;
constexpr double kKernelUs = 100;
constexpr double kCallUs = 5;

/// A step of 800 kernels of 100 us, launched one behind the other in calls of 5 us, 10 us apart. A call that finds
/// `depth` launches waiting ends 2 us after the first of them has. Only one in `with_length` has a length in the file.
std::shared_ptr<const RankTrace> rankWithQueueOf(int depth, int with_length = 1) {
    auto [builder, main, stream] = threadAndStream();
    double host_us = 0;
    double device_us = 10;
    std::vector<double> ends_us;
    for (int i = 0; i < kKernels; ++i) {
        const double room_us = i < depth ? 0 : ends_us[static_cast<std::size_t>(i - depth)];
        const double end_us = room_us > host_us ? room_us + 2 : host_us + kCallUs;
        builder.kernel(main, host_us, end_us - host_us, stream, "gemm", device_us,
                       i % with_length == 0 ? kKernelUs : 0);
        device_us += kKernelUs;
        ends_us.push_back(device_us);
        host_us = end_us + 5;
    }
    builder.step(main, 0, 0, host_us);
    return builder.build();
}

std::vector<BlockedLaunch> blockedIn(std::shared_ptr<const RankTrace> rank) {
    const AnalysedRank analysed = analyseRank(std::move(rank), NameRules::builtIn());
    std::vector<const DeviceEvent*> launched;
    for (const DeviceEvent& event : analysed.work.device.events) {
        launched.push_back(&event);
    }
    return findBlockedLaunches(launched, analysed.work.device.empty_events);
}

TEST(FullQueues, BlockTheLaunchesThatFindThem) {
    const std::vector<BlockedLaunch> blocked = blockedIn(rankWithQueueOf(300));
    // The host needs 10 us for a launch and the device 100 for a kernel: the 334th is the first to find 300 waiting.
    ASSERT_EQ(blocked.size(), kKernels - 333U);
    EXPECT_EQ(blocked.back().event, kKernels - 1U);
    EXPECT_EQ(blocked.back().released_by, kKernels - 301U);
}

TEST(FullQueues, AreNoneWhereAllLaunchesFindRoom) {
    EXPECT_TRUE(blockedIn(rankWithQueueOf(kKernels)).empty());
}

TEST(FullQueues, AreNoneWhereLittleWaits) {
    // Calls are as long, but with sixteen launches ahead it is something else that holds them up.
    EXPECT_TRUE(blockedIn(rankWithQueueOf(16)).empty());
}

TEST(FullQueues, HoldWorkWithoutLengthToo) {
    // 200 of the 800 kernels have a length; counted alone, never 256 of them are in the queue.
    const std::vector<BlockedLaunch> blocked = blockedIn(rankWithQueueOf(300, 4));
    ASSERT_EQ(blocked.size(), (kKernels - 333U) / 4);
    EXPECT_EQ(blocked.back().event, kKernels / 4 - 1U);
    EXPECT_EQ(blocked.back().released_by, kKernels / 4 - 1U - 300 / 4);
}

DurationNs stepWithHalfTheDeviceTime(int depth) {
    const AnalysedRank analysed = analyseRank(rankWithQueueOf(depth), NameRules::builtIn());
    const ReplayModel model = makeReplayModel(analysed.work);
    ReplayChange change;
    change.length = [](const ReplayEvent& event) { return event.span.length() / 2; };
    return replay(model, change).front().length();
}

TEST(FullQueues, HoldTheHostUpNoLongerWhereTheDeviceIsFaster) {
    const auto half = static_cast<double>(stepWithHalfTheDeviceTime(300));
    const double all_device_ns = kKernels * kKernelUs * 1e3;
    EXPECT_NEAR(half, all_device_ns / 2, 0.01 * all_device_ns);
    EXPECT_NEAR(half, static_cast<double>(stepWithHalfTheDeviceTime(kKernels)), 0.01 * all_device_ns);
}

}  // namespace
}  // namespace rankscope::test
