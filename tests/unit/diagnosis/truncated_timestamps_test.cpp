// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/evidence/truncated_timestamps.h"

#include "core/analysis/stages.h"
#include "tests/support/model_builder.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

struct Kernel {
    double start_us = 0;
    double length_us = 0;
};

AnalysedRank rankWith(const std::vector<Kernel>& kernels) {
    auto [builder, main, stream] = threadAndStream();
    builder.step(main, 0, 0, 1'000);
    double call_us = 1;
    for (const Kernel& kernel : kernels) {
        builder.kernel(main, call_us, 1, stream, "add", kernel.start_us, kernel.length_us);
        call_us += 2;
    }
    return analyseRank(builder.build(), NameRules::builtIn());
}

struct OfRank {
    explicit OfRank(const std::vector<Kernel>& kernels) : rank(rankWith(kernels)) {}
    [[nodiscard]] TruncatedTimestamps cut() const { return {rank.work, rank.facts.work_classes}; }

    AnalysedRank rank;
    ReplayModel model = makeReplayModel(rank.work);
};

TEST(TruncatedTimestamps, GiveHalfAMicrosecondToWorkOfWholeOnes) {
    const OfRank one({{20, 3}, {30, 5}});
    EXPECT_TRUE(one.cut().whole());
    EXPECT_EQ(one.cut().withoutLength(), 0U);
    ASSERT_EQ(one.model.events.size(), 2U);
    EXPECT_EQ(one.cut().likelyLength(one.model.events[0]), 3 * kUs + kUs / 2);
    EXPECT_EQ(one.cut().likelyLength(one.model.events[1]), 5 * kUs + kUs / 2);
}

TEST(TruncatedTimestamps, CountTheWorkWithoutLengthBehindWhatHasOne) {
    const OfRank one({{20, 3}, {24, 0}, {26, 0}, {30, 5}});
    EXPECT_EQ(one.cut().withoutLength(), 2U);
    ASSERT_EQ(one.model.events.size(), 2U);
    EXPECT_EQ(one.cut().likelyLength(one.model.events[0]), 3 * kUs + 3 * kUs / 2);
}

TEST(TruncatedTimestamps, NeverReachIntoTheNextWork) {
    const OfRank one({{20, 3}, {23, 5}});
    EXPECT_EQ(one.cut().likelyLength(one.model.events[0]), 3 * kUs);
}

TEST(TruncatedTimestamps, AreNotThoseOfFilesWithFractions) {
    const OfRank one({{20, 3}, {30, 5.25}});
    EXPECT_FALSE(one.cut().whole());
    EXPECT_EQ(one.cut().likelyLength(one.model.events[0]), 3 * kUs);
}

}  // namespace
}  // namespace rankscope::test
