// SPDX-License-Identifier: GPL-3.0-or-later
// One place alone, with pages that are no panels of the window: by real events.
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "ui/window/places/page_list.h"
#include "ui/window/places/place_pages.h"

namespace rankscope::ui {
namespace {

class PlaceAlone : public testing::Test {
  protected:
    void SetUp() override {
        place.insert(0, *table, QStringLiteral("Table"), QStringLiteral("as a table"));
        place.insert(1, *chart, QStringLiteral("Chart"), QStringLiteral("as a chart"));
        place.insert(2, *path, QStringLiteral("Path & turns"), QStringLiteral("as a path"));
        place.resize(700, 200);
        place.show();
        place.activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(&place));
    }
    [[nodiscard]] QPushButton& button(const QWidget& page) { return *place.list().buttonOf(page); }
    [[nodiscard]] QString words() { return place.findChild<QLabel*>()->text(); }

    PlacePages place{QStringLiteral("Steps"), QStringLiteral("Record steps.")};
    QLineEdit* table = new QLineEdit;
    QLineEdit* chart = new QLineEdit;
    QLineEdit* path = new QLineEdit;
};

TEST_F(PlaceAlone, ShowsItsFirstPageAndThePageWhoseButtonIsClicked) {
    EXPECT_EQ(place.current(), table);
    EXPECT_TRUE(button(*table).isChecked());
    const QSignalSpy changes(&place, &PlacePages::currentChanged);
    QTest::mouseClick(&button(*path), Qt::LeftButton);
    EXPECT_TRUE(path->isVisible());
    EXPECT_FALSE(table->isVisible());
    EXPECT_TRUE(button(*path).isChecked());
    EXPECT_EQ(changes.size(), 1);
    EXPECT_EQ(button(*path).text(), QStringLiteral("Path && turns")) << "no mnemonic";
    EXPECT_EQ(button(*path).accessibleName(), QStringLiteral("Path & turns"));
}

TEST_F(PlaceAlone, HasItsListNextToThePageWithoutScrolling) {
    EXPECT_TRUE(place.list().isVisible());
    EXPECT_LE(place.list().geometry().right(), table->mapTo(&place, QPoint()).x());
    for (const QWidget* page : {table, chart, path}) {
        EXPECT_GE(button(*page).width(), button(*page).sizeHint().width());
        EXPECT_TRUE(place.list().rect().contains(button(*page).geometry()));
    }
}

TEST_F(PlaceAlone, GoesFromPageToPageByArrows) {
    button(*table).setFocus();
    QTest::keyClick(&button(*table), Qt::Key_Down);
    EXPECT_EQ(place.current(), chart);
    EXPECT_TRUE(button(*chart).hasFocus()) << "the next arrow goes on";
    QTest::keyClick(&button(*chart), Qt::Key_Down);
    EXPECT_EQ(place.current(), path);
    QTest::keyClick(&button(*path), Qt::Key_Up);
    EXPECT_EQ(place.current(), chart);
    QTest::keyClick(&button(*chart), Qt::Key_Tab);
    EXPECT_TRUE(chart->hasFocus()) << "the list is one stop";
}

TEST_F(PlaceAlone, StepsRoundTheEndPastWhatDoesNotApply) {
    place.setApplies(*chart, false);
    EXPECT_FALSE(button(*chart).isVisible());
    place.step(1);
    EXPECT_EQ(place.current(), path);
    place.step(1);
    EXPECT_EQ(place.current(), table);
    place.step(-1);
    EXPECT_EQ(place.current(), path);
}

TEST_F(PlaceAlone, ListsAPageThatDoesNotApplyOnlyWhileItIsAskedFor) {
    place.setApplies(*chart, false);
    place.bring(*chart);
    EXPECT_EQ(place.current(), chart) << "it says itself why it is empty";
    EXPECT_TRUE(place.isListed(*chart));
    place.setApplies(*chart, false);
    EXPECT_EQ(place.current(), chart) << "nothing has changed";
    place.bring(*table);
    EXPECT_FALSE(place.isListed(*chart));
    EXPECT_FALSE(button(*chart).isVisible());
}

TEST_F(PlaceAlone, TakesAPageBackThatAppliesAgain) {
    place.bring(*chart);
    place.setApplies(*chart, false);
    EXPECT_EQ(place.current(), table) << "the first that applies";
    place.setApplies(*chart, true);
    EXPECT_EQ(place.current(), chart) << "as the user left it";
}

TEST_F(PlaceAlone, HidesItsListWithOnePageAndSaysWhatWouldBeThereWithNone) {
    place.setApplies(*chart, false);
    place.setApplies(*path, false);
    EXPECT_FALSE(place.list().isVisible());
    EXPECT_TRUE(table->isVisible());
    place.setApplies(*table, false);
    EXPECT_EQ(place.current(), nullptr);
    EXPECT_TRUE(place.findChild<QLabel*>()->isVisible());
    EXPECT_EQ(words(), QStringLiteral("Record steps."));
    place.step(1);
    EXPECT_EQ(place.current(), nullptr);
    place.setApplies(*path, true);
    EXPECT_TRUE(path->isVisible());
}

TEST_F(PlaceAlone, GivesAPageAwayAndTakesItBack) {
    place.bring(*chart);
    place.remove(*chart);
    EXPECT_EQ(place.current(), table);
    EXPECT_FALSE(place.has(*chart));
    EXPECT_EQ(place.count(), 2);
    place.insert(1, *chart, QStringLiteral("Chart"), {});
    place.bring(*chart);
    EXPECT_TRUE(chart->isVisible());
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    EXPECT_GT(button(*path).y(), button(*chart).y()) << "in its order";
    EXPECT_GT(button(*chart).y(), button(*table).y());
}

}  // namespace
}  // namespace rankscope::ui
