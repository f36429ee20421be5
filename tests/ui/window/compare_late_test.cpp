// SPDX-License-Identifier: GPL-3.0-or-later
// A rank that holds the others up in one of two compared runs, clicked.
#include <algorithm>

#include "tests/tracegen/write_run.h"
#include "tests/ui/window/compare_fixture.h"

namespace rankscope::ui {
namespace {

/// A run with a straggler against the same without.
class CompareLate : public CompareWindow {
  protected:
    [[nodiscard]] QString written(const char* name, const char* fault) {
        tracegen::Config config;
        config.ranks = 4;
        config.steps = 5;
        config.layers = 6;
        if (*fault != '\0') {
            config.faults.push_back(tracegen::parseFault(fault));
        }
        const std::filesystem::path path = folder().path() / name;
        tracegen::writeRun(config, path, false);
        return QString::fromStdString(path.string());
    }
    void comparePair(const char* fault_of_b) {
        window().compare({written("Slow", "slow-kernels:ranks=2,amount=1.5")}, {written("Even", fault_of_b)});
        ASSERT_TRUE(waitUntilCompared());
    }
    /// Clicks on the bar of an outline in the middle of what is in sight of A.
    void clickOutline() {
        TimelineWidget& a = timeline(Side::A);
        a.showRank(RankNumber(2));
        a.settle();
        const Frame frame = a.frame();
        ASSERT_FALSE(frame.stragglers.empty());
        const auto widest = std::ranges::max_element(frame.stragglers, {},
                                                     [](const FrameStraggler& late) { return late.x1 - late.x0; });
        clickAt(a, QRectF(widest->x0, widest->y, widest->x1 - widest->x0, 2));
        ASSERT_TRUE(waitUntilFound());
        ASSERT_NE(std::get_if<StragglerSelection>(&a.selection()), nullptr);
    }
};

TEST_F(CompareLate, ARankThatIsLateInOneRunSaysWhatItDoesInTheOther) {
    comparePair("");
    clickOutline();
    const QString words = panel().pairText();
    EXPECT_TRUE(words.contains(QStringLiteral("rank 2 delays the others"), Qt::CaseInsensitive)) << words.toStdString();
    EXPECT_TRUE(words.contains(QStringLiteral("rank 2 delays no rank"), Qt::CaseInsensitive)) << words.toStdString();
    EXPECT_TRUE(words.contains(QStringLiteral("B − A"))) << words.toStdString();
    const auto* in_b = std::get_if<SliceSelection>(&timeline(Side::B).selection());
    ASSERT_NE(in_b, nullptr) << "the collective that it is ready for";
    EXPECT_EQ(in_b->rank, 2U);
    const Collective* ends = nullptr;
    for (const Collective& one : view().compared()->b->facts.collectives.collectives) {
        const CollectiveMember* member = one.memberOf(RankPosition(2));
        ends = member != nullptr && member->slices.front() == in_b->slice ? &one : ends;
    }
    EXPECT_NE(ends, nullptr);
}

TEST_F(CompareLate, TheLineOfAStragglerLeadsToWhenItWasLate) {
    comparePair("");
    timeline(Side::A).setFocus();
    QTest::keyClick(&timeline(Side::A), Qt::Key_N);
    ASSERT_TRUE(waitUntilFound());
    EXPECT_NE(std::get_if<StragglerSelection>(&timeline(Side::A).selection()), nullptr)
        << panel().pairText().toStdString();
    EXPECT_TRUE(panel().pairText().contains(QStringLiteral("delays no rank"))) << panel().pairText().toStdString();
}

TEST_F(CompareLate, LateInBothTheOneLeadsToTheOther) {
    comparePair("slow-kernels:ranks=2,amount=1.3");
    clickOutline();
    const auto* in_b = std::get_if<StragglerSelection>(&timeline(Side::B).selection());
    ASSERT_NE(in_b, nullptr) << panel().pairText().toStdString();
    EXPECT_EQ(in_b->rank, 2U);
    EXPECT_NEAR(startX(Side::A), startX(Side::B), 1.5) << "both begin behind the same collective";
}

}  // namespace
}  // namespace rankscope::ui
