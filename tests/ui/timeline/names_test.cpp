// SPDX-License-Identifier: GPL-3.0-or-later
// The column of names is kept as a picture: it must never be an old one.
#include <gtest/gtest.h>

#include <QScrollBar>
#include <QTest>

#include "tests/ui/timeline/timeline_fixture.h"
#include "tests/ui/widget_parts.h"
#include "ui/timeline/rows/row_layout.h"
#include "ui/timeline/timeline_widget.h"

namespace rankscope::ui {
namespace {

constexpr QSize kNamesSize(900, 420);

class Names : public testing::Test {
  protected:
    Names() { fill(timeline); }

    static void fill(TimelineWidget& widget) {
        widget.resize(kNamesSize);
        widget.setRuns({test::makeRun({.ranks = 4})});
        widget.show();
        widget.settle();
    }
    static QImage namesOf(TimelineWidget& widget) {
        const QRect tracks = widget.tracksArea();
        const QImage all = widget.grab().toImage();
        return all.copy(0, tracks.top(), tracks.left(), tracks.height());
    }
    QImage names() { return namesOf(timeline); }
    // As a timeline paints them that never showed anything else.
    [[nodiscard]] QImage namesAnew(const Theme& theme = Theme::darkTheme()) const {
        TimelineWidget fresh(theme);
        fill(fresh);
        fresh.setState(timeline.state());
        fresh.settle();
        return namesOf(fresh);
    }
    void hoverAt(const QPoint& at) { test::moveTo(timeline, at); }

    TimelineWidget timeline{Theme::darkTheme()};
};

TEST_F(Names, StayWhereTheyAreWhileTheViewMovesThroughTime) {
    const QImage before = names();
    timeline.showWindow({test::kStepNs, 2 * test::kStepNs});
    EXPECT_EQ(names(), before);
    EXPECT_EQ(names(), namesAnew());
}

TEST_F(Names, MoveWithTheRows) {
    const QImage before = names();
    TimelineState scrolled = timeline.state();
    scrolled.scroll = 50;
    timeline.setState(scrolled);
    EXPECT_NE(names(), before);
    EXPECT_EQ(names(), namesAnew());
}

TEST_F(Names, OfADeepTrackStaysInSightWhileItsRowsScroll) {
    const LayoutRow* thread = timeline.rowLayout().find(0, RankPosition(0), TrackId(0));
    ASSERT_GE(thread->rows, 3);
    const auto inked = [this] {
        const QImage first_line = names().copy(30, 0, 150, 16);
        int pixels = 0;
        for (int y = 0; y < first_line.height(); ++y) {
            for (int x = 0; x < first_line.width(); ++x) {
                pixels += first_line.pixel(x, y) != first_line.pixel(first_line.width() - 1, 0) ? 1 : 0;
            }
        }
        return pixels;
    };
    TimelineState scrolled = timeline.state();
    scrolled.scroll = thread->y + thread->row_height + 1;  // its own first row is away
    timeline.setState(scrolled);
    ASSERT_EQ(timeline.state().scroll, scrolled.scroll);
    EXPECT_GT(inked(), 40);
}

TEST_F(Names, AreThoseOfTheRowsThatAreLeftAfterFolding) {
    const QImage before = names();
    const QPoint rank_header = timeline.tracksArea().topLeft() + QPoint(-timeline.tracksArea().left() / 2, 50);
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, rank_header);
    hoverAt({500, 300});
    EXPECT_NE(names(), before);
    EXPECT_EQ(names(), namesAnew());
}

TEST_F(Names, FollowTheTheme) {
    timeline.setTheme(Theme::lightTheme());
    EXPECT_EQ(names(), namesAnew(Theme::lightTheme()));
}

TEST_F(Names, LightUpUnderThePointerAndGoDarkBehindIt) {
    const QImage before = names();
    const QPoint corner = timeline.tracksArea().topLeft();
    hoverAt(corner + QPoint(-timeline.tracksArea().left() / 2, 50));
    const QImage lit = names();
    EXPECT_NE(lit, before);
    hoverAt(corner + QPoint(-timeline.tracksArea().left() / 2, 100));
    EXPECT_NE(names(), lit);
    hoverAt(corner + QPoint(200, 100));
    EXPECT_EQ(names(), before);
}

class PaintCounter : public QObject {
  public:
    bool eventFilter(QObject* watched, QEvent* event) override {
        count += event->type() == QEvent::Paint ? 1 : 0;
        return QObject::eventFilter(watched, event);
    }
    int count = 0;
};

TEST_F(Names, AndTracksArePaintedWithoutTheScrollBarWhileTheViewMoves) {
    const auto tick = [this] {
        QEvent next(QEvent::UpdateRequest);
        QApplication::sendEvent(&timeline, &next);
    };
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&timeline));
    tick();
    PaintCounter of_bar;
    PaintCounter of_timeline;
    auto* bar = timeline.findChild<QScrollBar*>();
    ASSERT_NE(bar, nullptr);
    bar->installEventFilter(&of_bar);
    timeline.installEventFilter(&of_timeline);
    timeline.showWindow({test::kStepNs, 2 * test::kStepNs});
    tick();
    EXPECT_EQ(of_bar.count, 0);
    EXPECT_EQ(of_timeline.count, 1);
}

}  // namespace
}  // namespace rankscope::ui
