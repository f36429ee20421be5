// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/paint/ruler.h"

#include <gtest/gtest.h>

#include <QStringList>

namespace rankscope::ui {
namespace {

std::vector<RulerTick> majorsOf(const Ruler& ruler) {
    std::vector<RulerTick> majors;
    for (const RulerTick& tick : ruler.ticks) {
        if (tick.major) {
            majors.push_back(tick);
        }
    }
    return majors;
}

QStringList labelsOf(const Ruler& ruler) {
    QStringList labels;
    for (const RulerTick& tick : majorsOf(ruler)) {
        labels << tick.label;
    }
    return labels;
}

TEST(Ruler, HasTwoToTwelveLabelsAtAnyZoom) {
    for (DurationNs length = 10; length < 4'000'000'000'000; length = length * 7 / 4 + 1) {
        for (const TimeNs start : {TimeNs{-50}, TimeNs{0}, TimeNs{123'456'789'123}}) {
            const Ruler ruler = makeRuler({start, start + length}, 1'200, 110);
            const auto majors = majorsOf(ruler);
            EXPECT_GE(majors.size(), 2U) << length << " ns from " << start;
            EXPECT_LE(majors.size(), 12U) << length << " ns from " << start;
            for (std::size_t i = 1; i < ruler.ticks.size(); ++i) {
                ASSERT_LT(ruler.ticks[i - 1].at_ns, ruler.ticks[i].at_ns);
            }
            for (const RulerTick& tick : ruler.ticks) {
                ASSERT_GE(tick.at_ns, start);
                ASSERT_LT(tick.at_ns, start + length);
            }
        }
    }
}

TEST(Ruler, GivesEachLabelItsRoom) {
    for (DurationNs length = 100; length < 4'000'000'000'000; length = length * 7 / 4 + 1) {
        const auto majors = majorsOf(makeRuler({0, length}, 1'200, 110));
        for (std::size_t i = 1; i < majors.size(); ++i) {
            const auto step = static_cast<double>(majors[i].at_ns - majors[i - 1].at_ns);
            EXPECT_GE(step * 1'200 / static_cast<double>(length), 109.0) << length;
        }
    }
}

TEST(Ruler, CountsFromTheRunsStartInTheUnitOfItsStep) {
    EXPECT_EQ(labelsOf(makeRuler({-1'000'000, 4'500'000}, 600, 110)), (QStringList{"0 ms", "2 ms", "4 ms"}));
    EXPECT_EQ(labelsOf(makeRuler({0, 900}, 600, 110)), (QStringList{"0 ns", "200 ns", "400 ns", "600 ns", "800 ns"}));
    EXPECT_EQ(
        labelsOf(makeRuler({-3'000'000'000, 1'000'000'000}, 600, 110)),
        (QStringList{QStringLiteral("\u22123 s"), QStringLiteral("\u22122 s"), QStringLiteral("\u22121 s"), "0 s"}));
}

TEST(Ruler, SetsThousandsApart) {
    EXPECT_EQ(labelsOf(makeRuler({1'990'000'000, 2'015'000'000}, 300, 110)),
              (QStringList{"1,990 ms", "2,000 ms", "2,010 ms"}));
}

TEST(Ruler, HasTwoLabelsWhereTextIsLargeAndTheyFitNearerToEachOther) {
    // In text of twice the size labels are 220 pixels apart; "50 ms" takes no half of that.
    EXPECT_EQ(labelsOf(makeRuler({10'000'000, 90'000'000}, 560, 220)),
              (QStringList{"20 ms", "40 ms", "60 ms", "80 ms"}));
    for (DurationNs length = 1'000; length < 4'000'000'000'000; length = length * 7 / 4 + 1) {
        const auto majors = majorsOf(makeRuler({length / 3, length / 3 + length}, 560, 220));
        EXPECT_GE(majors.size(), 2U) << length;
    }
    EXPECT_LE(labelsOf(makeRuler({10'000'000, 90'000'000}, 100, 220)).size(), 1) << "there is room for one";
}

TEST(Ruler, CountsFromAnAnchorWhereTheFullTimeWouldHaveTooManyDigits) {
    const Ruler ruler = makeRuler({12'345'678'000, 12'345'679'500}, 600, 110);
    EXPECT_EQ(ruler.anchor, "12.345678 s");
    EXPECT_EQ(labelsOf(ruler), (QStringList{"+0 ns", "+500 ns", "+1,000 ns"}));
}

}  // namespace
}  // namespace rankscope::ui
