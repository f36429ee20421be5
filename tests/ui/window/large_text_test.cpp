// SPDX-License-Identifier: GPL-3.0-or-later
// What the panels look like with the largest text in a small window, and where there is little room for them.
#include <gtest/gtest.h>

#include <QAction>
#include <QCoreApplication>
#include <QLabel>
#include <QLayout>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QTest>

#include "tests/support/places.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/commands/command_registry.h"
#include "ui/panels/elided_label.h"
#include "ui/window/panel_places.h"
#include "ui/window/panel_tabs.h"
#include "ui/window/workspace.h"

namespace rankscope::ui {
namespace {

QString nameOf(const QWidget& widget) {
    const auto* label = qobject_cast<const QLabel*>(&widget);
    const QString words = label != nullptr ? label->text() : widget.accessibleName();
    return QStringLiteral("%1 '%2'").arg(QLatin1String(widget.metaObject()->className()), words.left(60));
}

/// What is wrong with how the layouts in a widget place what is seen of it: parts over one another, or cut.
QStringList misplacedIn(const QWidget& widget) {
    QStringList wrong;
    QList<const QWidget*> placed;
    for (const QObject* child : widget.children()) {
        const auto* part = qobject_cast<const QWidget*>(child);
        if (part == nullptr || !part->isVisible() || part->isWindow()) {
            continue;
        }
        wrong += misplacedIn(*part);
        if (widget.layout() != nullptr && widget.layout()->indexOf(part) >= 0) {
            placed.append(part);
        }
        const auto* label = qobject_cast<const QLabel*>(part);
        const bool whole = label == nullptr || label->wordWrap() ||
                           qobject_cast<const ElidedLabel*>(label) != nullptr ||
                           label->width() >= label->minimumSizeHint().width();
        if (!whole) {
            wrong.append(QStringLiteral("%1 is cut within a letter").arg(nameOf(*label)));
        }
        if (label != nullptr && label->wordWrap() && label->height() < label->heightForWidth(label->width())) {
            wrong.append(QStringLiteral("%1 has no room for its last line").arg(nameOf(*label)));
        }
    }
    for (const QWidget* part : placed) {
        if (!widget.rect().contains(part->geometry())) {
            wrong.append(QStringLiteral("%1 is cut by %2").arg(nameOf(*part), nameOf(widget)));
        }
        for (const QWidget* other : placed) {
            if (part < other && part->geometry().intersects(other->geometry())) {
                wrong.append(QStringLiteral("%1 is over %2").arg(nameOf(*part), nameOf(*other)));
            }
        }
    }
    return wrong;
}

constexpr int kMoment = 5'000;  // milliseconds

class LargeText : public test::WindowTest {
  protected:
    void SetUp() override {
        window().resize(1280, 720);
        window().open({QString::fromStdString(test::sample("ZeroWorkers").string())});
        ASSERT_TRUE(waitUntilIdle());
    }

    void enlarge() {
        for (int times = 0; times < 10; ++times) {  // to the largest there is
            command("view.text-larger").trigger();
        }
        QCoreApplication::processEvents();
    }
    [[nodiscard]] PanelPlaces& places() { return window().workspace().places(); }
    [[nodiscard]] QAction& command(const char* id) { return *window().commands().action(QLatin1String(id)); }
    /// All that is wrong with where the parts of panels stand, each in front of the others once.
    QStringList misplaced() {
        QStringList wrong;
        for (const PanelPlace place : {PanelPlace::Below, PanelPlace::SideTop, PanelPlace::SideBottom}) {
            PanelTabs& tabs = places().dock(place);
            for (int tab = 0; tab < tabs.count(); ++tab) {
                QWidget& panel = *tabs.widget(tab);
                places().toFront(panel);
                EXPECT_TRUE(waitUntilIdle());
                // What is found out on a thread comes in a moment.
                static_cast<void>(QTest::qWaitFor([&] { return misplacedIn(panel).isEmpty(); }, kMoment));
                for (const QString& each : misplacedIn(panel)) {
                    wrong.append(panel.objectName() + QStringLiteral(": ") + each);
                }
            }
        }
        return wrong;
    }
};

TEST_F(LargeText, IsPaintedOverNothingAndCutNowhereInASmallWindow) {
    command("area.of-all").trigger();
    command("view.bucket-sizes").trigger();
    enlarge();
    EXPECT_EQ(misplaced().join(QLatin1Char('\n')).toStdString(), "");
}

TEST_F(LargeText, OfStripsAboveTheTimelinesEndsInAnEllipsisWhereItHasNoRoom) {
    window().open({QString::fromStdString(test::sample("FourWorkers").string())}, OpenMode::Beside);
    ASSERT_TRUE(waitUntilIdle());
    enlarge();
    EXPECT_EQ(misplacedIn(window()).join(QLatin1Char('\n')).toStdString(), "") << "with the offer to compare";
    command("compare.open-runs").trigger();
    ASSERT_TRUE(waitUntilIdle());
    static_cast<void>(QTest::qWaitFor([&] { return misplacedIn(window()).isEmpty(); }, kMoment));
    EXPECT_EQ(misplacedIn(window()).join(QLatin1Char('\n')).toStdString(), "") << "compared";
}

TEST_F(LargeText, OfTheUsualSizeIsNeitherWhereAPanelIsAsLowAsItMayBe) {
    places().toFront(*places().find(QStringLiteral("efficiency")));
    auto* down = window().findChild<QSplitter*>(QStringLiteral("down"));
    ASSERT_NE(down, nullptr);
    down->setSizes({1'000, 0});
    EXPECT_EQ(misplaced().join(QLatin1Char('\n')).toStdString(), "");
}

TEST_F(LargeText, LeavesEachPartOfAPageToBeScrolledToWithWheelOrTab) {
    command("view.efficiency").trigger();
    enlarge();
    QWidget& panel = *places().find(QStringLiteral("efficiency"));
    const auto* page = panel.findChild<QScrollArea*>(QString(), Qt::FindDirectChildrenOnly);
    ASSERT_NE(page, nullptr);
    QScrollBar& bar = *page->verticalScrollBar();
    ASSERT_GT(bar.maximum(), 0);
    bar.setValue(bar.maximum());
    EXPECT_EQ(page->widget()->geometry().bottom(), page->viewport()->rect().bottom());
    bar.setValue(0);
    command("view.text-usual").trigger();
    QCoreApplication::processEvents();
    EXPECT_EQ(bar.maximum(), 0) << "where there is room nothing scrolls";
    EXPECT_FALSE(bar.isVisible());
}

}  // namespace
}  // namespace rankscope::ui
