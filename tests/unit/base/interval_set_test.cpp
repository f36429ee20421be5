// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/interval_set.h"
#include "tests/support/testing.h"

namespace rankscope {
namespace {

IntervalSet setOf(std::vector<TimeSpan> spans) {
    return IntervalSet::unionOf(std::move(spans));
}

std::vector<TimeSpan> spansOf(const IntervalSet& set) {
    return {set.spans().begin(), set.spans().end()};
}

TEST(IntervalSet, AUnionJoinsWhatOverlapsOrTouchesAndDropsWhatIsEmpty) {
    const IntervalSet set = setOf({{30, 40}, {0, 10}, {5, 12}, {12, 15}, {20, 20}, {50, 45}});
    EXPECT_EQ(spansOf(set), (std::vector<TimeSpan>{{0, 15}, {30, 40}}));
    EXPECT_EQ(set.length(), 25);
}

TEST(IntervalSet, ParallelWorkCountsOnce) {
    EXPECT_EQ(setOf({{0, 100}, {0, 100}, {20, 30}}).length(), 100);
}

TEST(IntervalSet, SubtractingItselfLeavesNothing) {
    const IntervalSet set = setOf({{0, 10}, {20, 30}});
    EXPECT_TRUE(set.subtract(set).empty());
}

TEST(IntervalSet, SubtractingCutsHoles) {
    EXPECT_EQ(spansOf(setOf({{0, 100}}).subtract(setOf({{-5, 10}, {20, 30}, {90, 200}}))),
              (std::vector<TimeSpan>{{10, 20}, {30, 90}}));
}

TEST(IntervalSet, OneSpanCanCutSeveral) {
    EXPECT_EQ(spansOf(setOf({{0, 10}, {20, 30}, {40, 50}}).subtract(setOf({{5, 45}}))),
              (std::vector<TimeSpan>{{0, 5}, {45, 50}}));
}

TEST(IntervalSet, IntersectingKeepsWhatBothHave) {
    EXPECT_EQ(spansOf(setOf({{0, 10}, {20, 30}}).intersect(setOf({{5, 25}, {28, 60}}))),
              (std::vector<TimeSpan>{{5, 10}, {20, 25}, {28, 30}}));
}

TEST(IntervalSet, GapsAreWhatAWindowLacks) {
    const IntervalSet set = setOf({{0, 10}, {20, 30}});
    EXPECT_EQ(spansOf(set.gapsIn({5, 40})), (std::vector<TimeSpan>{{10, 20}, {30, 40}}));
    EXPECT_EQ(spansOf(set.gapsIn({10, 20})), (std::vector<TimeSpan>{{10, 20}}));
    EXPECT_TRUE(set.gapsIn({22, 28}).empty());
    EXPECT_TRUE(set.gapsIn({15, 15}).empty());
}

TEST(IntervalSet, HoldsItsStartsAndNotItsEnds) {
    const IntervalSet set = setOf({{10, 20}});
    EXPECT_FALSE(set.contains(9));
    EXPECT_TRUE(set.contains(10));
    EXPECT_TRUE(set.contains(19));
    EXPECT_FALSE(set.contains(20));
}

/// The operations against a bitmap, on random sets.
class RandomSets : public testing::TestWithParam<unsigned> {
  protected:
    static constexpr TimeNs kEnd = 200;
    RandomSets() : dice(GetParam()) {}

    IntervalSet draw() {
        std::vector<TimeSpan> spans;
        std::uniform_int_distribution<TimeNs> at(0, kEnd);
        for (int i = 0; i < 12; ++i) {
            const TimeNs start = at(dice);
            spans.push_back({start, std::min(kEnd, start + at(dice) / 8)});
        }
        return setOf(std::move(spans));
    }
    std::mt19937 dice;
};

TEST_P(RandomSets, AgreeWithABitmap) {
    const IntervalSet a = draw();
    const IntervalSet b = draw();
    const IntervalSet both = a.unite(b);
    const IntervalSet common = a.intersect(b);
    const IntervalSet left = a.subtract(b);
    const IntervalSet inside = a.clip({40, 120});
    const IntervalSet gaps = a.gapsIn({40, 120});
    for (TimeNs t = 0; t < kEnd; ++t) {
        EXPECT_EQ(both.contains(t), a.contains(t) || b.contains(t)) << t;
        EXPECT_EQ(common.contains(t), a.contains(t) && b.contains(t)) << t;
        EXPECT_EQ(left.contains(t), a.contains(t) && !b.contains(t)) << t;
        EXPECT_EQ(inside.contains(t), a.contains(t) && t >= 40 && t < 120) << t;
        EXPECT_EQ(gaps.contains(t), !a.contains(t) && t >= 40 && t < 120) << t;
    }
    EXPECT_EQ(left.length() + common.length(), a.length());
}

TEST_P(RandomSets, AreAsLongInsideAWindowAsWhatIsClippedByIt) {
    const IntervalSet set = draw();
    for (TimeNs start = 0; start < kEnd; start += 7) {
        for (TimeNs end = start; end < kEnd; end += 11) {
            EXPECT_EQ(set.lengthIn({start, end}), set.clip({start, end}).length()) << start << " to " << end;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomSets, testing::Range(0U, 30U));

}  // namespace
}  // namespace rankscope
