// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lod/interval_lod.h"
#include "tests/support/testing.h"

namespace rankscope {
namespace {

std::vector<TimeSpan> randomSpans(std::size_t count) {
    std::mt19937_64 random(11);
    std::vector<TimeSpan> spans;
    TimeNs at = 1'700'000'000'000'000'000;
    for (std::size_t i = 0; i < count; ++i) {
        at += 1 + static_cast<TimeNs>(random() % 5'000);
        const auto length = static_cast<DurationNs>(1 + (random() % 100) * (random() % 300));
        spans.push_back({at, at + length});
        at += length;
    }
    return spans;
}

TEST(IntervalLod, KeepsCountAndCoveredTimeAtEveryStepInFewItems) {
    const std::vector<TimeSpan> spans = randomSpans(50'000);
    const IntervalLod lod(spans);
    const TimeSpan all{spans.front().start_ns, spans.back().end_ns};
    DurationNs covered = 0;
    for (const TimeSpan& span : spans) {
        covered += span.length();
    }
    for (DurationNs step = 1; step < all.length(); step *= 4) {
        std::vector<LodItem> scratch;
        const auto items = lod.query(spans, all, step, scratch);
        std::uint64_t count = 0;
        DurationNs busy = 0;
        for (const LodItem& item : items) {
            count += item.count;
            busy += item.busy_ns;
            EXPECT_LT(item.slice, spans.size());
        }
        EXPECT_EQ(count, spans.size());
        EXPECT_EQ(busy, covered);
        EXPECT_LE(items.size(), std::max<std::uint64_t>(64, 2U * static_cast<std::uint64_t>(all.length() / step + 2)));
    }
}

TEST(IntervalLod, AWindowShowsTheIntervalsThatTouchIt) {
    const std::vector<TimeSpan> spans = {{0, 10}, {20, 30}, {40, 50}};
    std::vector<LodItem> scratch;
    const IntervalLod lod(spans);
    const auto items = lod.query(spans, {22, 45}, 1, scratch);
    ASSERT_EQ(items.size(), 2U);
    EXPECT_EQ(items[0].slice, 1U);
    EXPECT_EQ(items[0].span, spans[1]);
    EXPECT_EQ(items[1].slice, 2U);
}

TEST(IntervalLod, AnEmptySetShowsNothing) {
    std::vector<LodItem> scratch;
    EXPECT_TRUE(IntervalLod().query({}, {0, 100}, 1, scratch).empty());
}

}  // namespace
}  // namespace rankscope
