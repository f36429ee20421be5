// SPDX-License-Identifier: GPL-3.0-or-later
// The map of all steps of all ranks: which ranks stand on top, and what a click and the keys do.
#include "tests/support/durations.h"
#include "tests/ui/holds.h"
#include "ui/panels/steps/step_map_view.h"

#include <gtest/gtest.h>

#include <QSet>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>

namespace rankscope::ui {
namespace {

using test::kMs;

/// 300 ranks of 4 steps of 100 ms with 50 ms of compute each; rank 7 takes 60, rank 200 takes 80 in its last step.
std::shared_ptr<const StepTable> table() {
    auto made = std::make_shared<StepTable>();
    made->steps = {5, 6, 7, 8};
    for (int rank = 0; rank < 300; ++rank) {
        made->ranks.emplace_back(rank);
        for (std::size_t step = 0; step < made->steps.size(); ++step) {
            StepTableCell cell{100 * kMs, 50 * kMs + rank * 1'000, 10 * kMs, 40 * kMs, true};
            cell.compute_ns += rank == 7 ? 10 * kMs : rank == 200 && step == 3 ? 30 * kMs : 0;
            made->cells.push_back(cell);
        }
    }
    return made;
}

TEST(StepMap, RanksThatDifferAreOnTopSlowestFirstAndTheOthersShareARow) {
    const auto map = table();
    const StepMapRows rows = rowsOf(*map, StepMapMeasure::Compute);
    EXPECT_EQ(rows.apart, (std::vector<std::size_t>{7, 200})) << "40 ms in all before 30";
    EXPECT_EQ(rows.alike.size(), 298U);
    EXPECT_EQ(rows.scale_ns, 30'000'000 + 200'000 - 150'000) << "the furthest above the median of its step";
    EXPECT_DOUBLE_EQ(*rows.heat(*map, 200, 3), 1.0);
    EXPECT_LT(*rows.heat(*map, 0, 0), 0.01);
    const StepMapRows by_length = rowsOf(*map, StepMapMeasure::Length);
    EXPECT_TRUE(by_length.apart.empty()) << "all wait for one another";
}

TEST(StepMap, AStepThatARankDoesNotHaveIsNoLengthOfZero) {
    auto map = std::make_shared<StepTable>(*table());
    map->cells[3].known = false;
    const StepMapRows rows = rowsOf(*map, StepMapMeasure::Compute);
    EXPECT_EQ(rows.heat(*map, 0, 3), std::nullopt);
    EXPECT_EQ(std::ranges::count(rows.apart, std::size_t{0}), 0);
}

class StepMapOnScreen : public testing::Test {
  protected:
    StepMapOnScreen() {
        view.resize(800, 400);
        view.show();
        view.setMap(table(), StepMapMeasure::Compute);
        EXPECT_TRUE(QTest::qWaitFor([this] { return view.rows() != nullptr && !view.busy(); }, 10'000));
    }
    StepMapView view{Theme::darkTheme()};
};

TEST_F(StepMapOnScreen, AClickGoesToTheStepOfTheRankBelowThePointer) {
    const QSignalSpy spy(&view, &StepMapView::cellActivated);
    const QRect place = view.placeOf({200, 3});
    EXPECT_EQ(view.cellAt(place.center()), (StepMapView::Cell{200, 3}));
    QTest::mouseClick(&view, Qt::LeftButton, {}, place.center());
    ASSERT_EQ(spy.size(), 1);
    EXPECT_EQ(spy.at(0).at(0).value<RankNumber>(), RankNumber(200));
    EXPECT_EQ(spy.at(0).at(1).toLongLong(), 8);
    EXPECT_LT(view.placeOf({7, 0}).top(), place.top()) << "the worst stands on top";
    EXPECT_LT(place.top(), view.placeOf({12, 0}).top()) << "those that are alike stand below";
    EXPECT_EQ(view.placeOf({12, 0}), view.placeOf({13, 0})) << "as one row";
}

TEST_F(StepMapOnScreen, ArrowsWalkFromTheWorstAndEnterGoesThere) {
    const QSignalSpy spy(&view, &StepMapView::cellActivated);
    view.setFocus();
    QTest::keyClick(&view, Qt::Key_Down);
    QTest::keyClick(&view, Qt::Key_Down);
    QTest::keyClick(&view, Qt::Key_Right);
    QTest::keyClick(&view, Qt::Key_Return);
    ASSERT_EQ(spy.size(), 1);
    EXPECT_EQ(spy.at(0).at(0).value<RankNumber>(), RankNumber(200));
    EXPECT_EQ(spy.at(0).at(1).toLongLong(), 6);
    EXPECT_TRUE(test::begins(view.spokenContent(), "rank 200, step 6"));
    EXPECT_EQ(view.spokenParts(), 2U);
}

TEST_F(StepMapOnScreen, ATipShowsTheCellAndTheUsualValue) {
    const QString tip = view.tipOf({7, 0});
    EXPECT_TRUE(test::holds(tip, {"rank 7, step 5", "60.0 ms", "50.2 ms"}));
}

TEST_F(StepMapOnScreen, TheHottestCellsAreStripedWhereTheyAreLargeEnough) {
    ASSERT_TRUE(view.striped());
    const auto colours = [this](const StepMapView::Cell& cell) {
        const QRect place = view.placeOf(cell).adjusted(3, 2, -3, -2);
        const QImage image = view.grab().toImage().copy(place);
        QSet<QRgb> seen;
        for (int x = 0; x < image.width(); ++x) {
            seen.insert(image.pixel(x, image.height() / 2));
        }
        return seen.size();
    };
    EXPECT_GT(colours({200, 3}), 1) << "the hottest";
    EXPECT_EQ(colours({200, 0}), 1);
    auto many = std::make_shared<StepTable>(*table());
    many->steps.clear();
    many->cells.clear();
    for (std::int64_t step = 0; step < 400; ++step) {
        many->steps.push_back(step);
    }
    for (std::size_t rank = 0; rank < many->ranks.size(); ++rank) {
        for (std::size_t step = 0; step < many->steps.size(); ++step) {
            many->cells.push_back({100'000'000, rank == 7 ? 90'000'000 : 50'000'000, 0, 0, true});
        }
    }
    view.setMap(many, StepMapMeasure::Compute);
    ASSERT_TRUE(QTest::qWaitFor([this] { return !view.busy() && view.rows()->apart.size() == 1; }, 10'000));
    EXPECT_FALSE(view.striped()) << "of two pixels there is no telling stripes";
}

}  // namespace
}  // namespace rankscope::ui
