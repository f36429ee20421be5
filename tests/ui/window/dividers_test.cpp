// SPDX-License-Identifier: GPL-3.0-or-later
// The dividers between the parts of the window, moved by real keys.
#include <QApplication>
#include <QPaintEvent>
#include <QSplitter>
#include <QSplitterHandle>
#include <algorithm>

#include "tests/ui/window/compare_fixture.h"
#include "ui/panels/communication/grid_panel.h"

namespace rankscope::ui {
namespace {

class Dividers : public CompareWindow {
  protected:
    void SetUp() override {
        ASSERT_TRUE(dropAndWait({zero()}));
        window().workspace().showBelow(window().workspace().grid());
        QCoreApplication::processEvents();
        window().workspace().timeline().settle();
        window().activateWindow();
    }
    QSplitterHandle& divider(const QString& name) {
        const QList<QSplitterHandle*> all = window().findChildren<QSplitterHandle*>();
        const auto at = std::ranges::find_if(
            all, [&](const QSplitterHandle* of) { return of->isVisible() && of->accessibleName() == name; });
        EXPECT_NE(at, all.end()) << name.toStdString();
        return **at;
    }
    void tabTo(const QWidget& widget) {
        window().workspace().timeline().setFocus();
        for (int i = 0; i < 120 && QApplication::focusWidget() != &widget; ++i) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        }
        ASSERT_EQ(QApplication::focusWidget(), &widget);
    }
};

TEST_F(Dividers, EachIsReachedByTabAndSaysWhatItDivides) {
    const QList<QSplitterHandle*> all = window().findChildren<QSplitterHandle*>();
    int seen = 0;
    for (const QSplitterHandle* of : all) {
        if (of->isVisible()) {
            ++seen;
            EXPECT_FALSE(of->accessibleName().isEmpty());
            ASSERT_NO_FATAL_FAILURE(tabTo(*of)) << of->accessibleName().toStdString();
        }
    }
    EXPECT_EQ(seen, 4) << "timeline and side, timeline and details, the parts of the side, those of the grid";
}

TEST_F(Dividers, ArrowsMoveItAndWhereItIsLeftTheLayoutKeepsIt) {
    QSplitterHandle& across = divider(QStringLiteral("Timeline and side"));
    ASSERT_NO_FATAL_FAILURE(tabTo(across));
    const int before = across.x();
    QTest::keyClick(&across, Qt::Key_Left);
    const int after = across.x();
    EXPECT_LT(after, before);
    EXPECT_EQ(workspace().layout().side_width, across.splitter()->sizes().back()) << "as a drag is kept";
    QTest::keyClick(&across, Qt::Key_Right, Qt::ShiftModifier);
    EXPECT_EQ(across.x(), after + 1) << "with Shift by a pixel";
    QTest::keyClick(&across, Qt::Key_Right);
    EXPECT_EQ(across.x(), before + 1);
    const TimeSpan view = workspace().timeline().viewport().window();
    QTest::keyClick(&across, Qt::Key_Up);
    EXPECT_EQ(across.x(), before + 1) << "it goes from left to right";
    EXPECT_EQ(workspace().timeline().viewport().window(), view);
}

TEST_F(Dividers, HomeAndEndMoveItAsFarAsItGoesAndNoPartIsLost) {
    QSplitterHandle& down = divider(QStringLiteral("Timeline and details"));
    ASSERT_NO_FATAL_FAILURE(tabTo(down));
    for (const Qt::Key key : {Qt::Key_Home, Qt::Key_End}) {
        QTest::keyClick(&down, key);
        const int end = down.y();
        QTest::keyClick(&down, key == Qt::Key_Home ? Qt::Key_Up : Qt::Key_Down);
        EXPECT_EQ(down.y(), end);
        for (const int size : down.splitter()->sizes()) {
            EXPECT_GT(size, 0);
        }
    }
}

TEST_F(Dividers, TheOneWithTheKeyboardIsSeen) {
    QSplitterHandle& side = divider(QStringLiteral("Upper and lower part of the side"));
    const auto seen = [&] {
        const QImage shot = window().grab().toImage();
        const QPoint at = side.mapTo(&window(), side.rect().center());
        int lines = 0;
        for (int y = at.y() - 4; y <= at.y() + 4; ++y) {
            lines += shot.pixelColor(at.x(), y) == window().theme().accent ? 1 : 0;
        }
        return lines;
    };
    EXPECT_EQ(seen(), 0);
    ASSERT_NO_FATAL_FAILURE(tabTo(side));
    EXPECT_GE(seen(), 3) << "thicker than the line between the parts";
    workspace().timeline().setFocus();
    EXPECT_EQ(seen(), 0);
}

TEST_F(Dividers, TheOneWithTheKeyboardHasTheColourOfTheThemeAndLeavesNothingBehind) {
    QSplitterHandle& across = divider(QStringLiteral("Timeline and side"));
    ASSERT_NO_FATAL_FAILURE(tabTo(across));
    QCoreApplication::processEvents();
    const QImage focused = across.grab().toImage();
    EXPECT_EQ(focused.pixelColor(focused.rect().center()), window().theme().accent);
    // What lies beside the line is painted again once the keyboard has gone.
    struct Painted : QObject {
        QSplitter* of = nullptr;
        QRegion region;
        bool eventFilter(QObject* watched, QEvent* event) override {
            const auto* widget = qobject_cast<QWidget*>(watched);
            if (event->type() == QEvent::Paint && widget != nullptr && of->isAncestorOf(widget)) {
                region += static_cast<QPaintEvent*>(event)->region().translated(widget->mapTo(of, QPoint()));
            }
            return false;
        }
    } painted;
    painted.of = across.splitter();
    qApp->installEventFilter(&painted);
    workspace().timeline().setFocus();
    QCoreApplication::processEvents();
    const QRegion beside = QRegion(across.geometry()).subtracted(across.contentsRect().translated(across.pos()));
    ASSERT_FALSE(beside.isEmpty());
    EXPECT_TRUE(beside.subtracted(painted.region).isEmpty());
}

}  // namespace
}  // namespace rankscope::ui
