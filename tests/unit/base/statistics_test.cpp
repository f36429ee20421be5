// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/statistics.h"
#include "tests/support/testing.h"

namespace rankscope {
namespace {

using Whole = std::vector<std::int64_t>;
using Real = std::vector<double>;

TEST(Medians, OfAnOddNumberAreTheSame) {
    EXPECT_EQ(lowerMedian(Whole{3, 1, 2}), 2);
    EXPECT_EQ(upperMedian(Whole{3, 1, 2}), 2);
    EXPECT_EQ(midMedian(Whole{3, 1, 2}), 2);
    EXPECT_EQ(midMedian(Real{7.5}), 7.5);
}

TEST(Medians, OfAnEvenNumberAreAsTheirNamesSay) {
    EXPECT_EQ(lowerMedian(Whole{40, 10, 35, 20}), 20);
    EXPECT_EQ(upperMedian(Whole{40, 10, 35, 20}), 35);
    EXPECT_EQ(midMedian(Whole{40, 10, 35, 20}), 27) << "towards the lower one";
    EXPECT_EQ(midMedian(Real{40, 10, 35, 20}), 27.5);
    EXPECT_EQ(midMedian(Whole{-40, -10, -35, -20}), -28);
}

TEST(Medians, OfNothingAreZero) {
    EXPECT_EQ(lowerMedian(Whole()), 0);
    EXPECT_EQ(upperMedian(Whole()), 0);
    EXPECT_EQ(midMedian(Real()), 0);
    EXPECT_EQ(robustDeviation({}), 0);
}

TEST(Medians, OfLargeNumbersDoNotOverflow) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(midMedian(Whole{kMost, kMost - 2}), kMost - 1);
}

TEST(RobustDeviation, IsNotMovedByAFewThatAreFarOff) {
    EXPECT_DOUBLE_EQ(robustDeviation({1, -2, 3, -1, 2}), 1.4826 * 2);
    EXPECT_DOUBLE_EQ(robustDeviation({1, -2, 1e12, -1, 2}), 1.4826 * 2);
}

TEST(TheilSen, FindsTheSlopeThatMostPointsAgreeOn) {
    std::vector<LinePoint> points;
    for (const double x : {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0}) {
        points.push_back({x, 3 * x + 1});
    }
    points[3].y = 1e6;
    EXPECT_DOUBLE_EQ(theilSenSlope(points), 3);
    EXPECT_EQ(theilSenSlope({{1, 1}, {1, 2}}), 0) << "no pair has a slope";
}

TEST(StatisticsOfTimes, AreOfTheValuesThemselves) {
    const Statistics s = statisticsOf({4, 1, 3, 2});
    EXPECT_EQ(s.count, 4U);
    EXPECT_EQ(s.median_ns, 2);
    EXPECT_EQ(s.min_ns, 1);
    EXPECT_EQ(s.max_ns, 4);
    EXPECT_DOUBLE_EQ(s.mean_ns, 2.5);
    EXPECT_DOUBLE_EQ(s.variance_ns2, 1.25);
    EXPECT_EQ(statisticsOf({}).count, 0U);
}

}  // namespace
}  // namespace rankscope
