// SPDX-License-Identifier: GPL-3.0-or-later
// What the panels look like with the largest text in a small window, and where there is little room for them.
#include <QApplication>
#include <QCoreApplication>
#include <QLabel>
#include <QLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QTableWidget>
#include <algorithm>

#include "tests/support/places.h"
#include "tests/ui/widget_parts.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/theme/theme.h"
#include "ui/timeline/rows/row_layout.h"
#include "ui/widgets/elided_label.h"
#include "ui/window/appearance.h"
#include "ui/window/places/page_list.h"
#include "ui/window/places/panel_places.h"
#include "ui/window/places/panel_tabs.h"
#include "ui/window/places/place_pages.h"

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
        ASSERT_TRUE(openAndWait({sample("ZeroWorkers")}));
    }

    [[nodiscard]] PanelPlaces& places() { return window().workspace().places(); }
    /// All that is wrong with where the parts of panels stand, each in front of the others once.
    QStringList misplaced() {
        QStringList wrong;
        for (const PanelPlace dock : {PanelPlace::Below, PanelPlace::SideTop, PanelPlace::SideBottom}) {
            PanelTabs& tabs = places().dock(dock);
            for (int tab = 0; tab < tabs.count(); ++tab) {
                QWidget& panel = *tabs.widget(tab);
                const auto* place = qobject_cast<const PlacePages*>(&panel);
                const auto pages = place == nullptr ? QList<QPushButton*>{nullptr}
                                                    : place->findChild<PageList*>()->findChildren<QPushButton*>();
                for (QPushButton* page : pages) {
                    tabs.setCurrentWidget(&panel);
                    if (page != nullptr && page->isEnabled()) {
                        page->click();
                    }
                    EXPECT_TRUE(waitUntilIdle());
                    // What is found out on a thread comes in a moment.
                    static_cast<void>(QTest::qWaitFor([&] { return misplacedIn(panel).isEmpty(); }, kMoment));
                    for (const QString& each : misplacedIn(panel)) {
                        wrong.append(panel.objectName() + QStringLiteral(": ") + each);
                    }
                }
            }
        }
        return wrong;
    }
};

TEST_F(LargeText, IsPaintedOverNothingAndCutNowhereInASmallWindow) {
    trigger("area.of-all");
    trigger("view.bucket-sizes");
    enlargeText();
    EXPECT_EQ(misplaced().join(QLatin1Char('\n')).toStdString(), "");
}

TEST_F(LargeText, OfStripsAboveTheTimelinesEndsInAnEllipsisWhereItHasNoRoom) {
    ASSERT_TRUE(openAndWait({sample("FourWorkers")}, OpenMode::Beside));
    enlargeText();
    EXPECT_EQ(misplacedIn(window()).join(QLatin1Char('\n')).toStdString(), "") << "with the offer to compare";
    trigger("compare.open-runs");
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
    trigger("view.efficiency");
    enlargeText();
    const QWidget& panel = *places().find(QStringLiteral("efficiency"));
    const auto* page = panel.findChild<QScrollArea*>(QString(), Qt::FindDirectChildrenOnly);
    ASSERT_NE(page, nullptr);
    QScrollBar& bar = *page->verticalScrollBar();
    ASSERT_GT(bar.maximum(), 0);
    bar.setValue(bar.maximum());
    EXPECT_EQ(page->widget()->geometry().bottom(), page->viewport()->rect().bottom());
    bar.setValue(0);
    trigger("view.text-usual");
    QCoreApplication::processEvents();
    EXPECT_EQ(bar.maximum(), 0) << "where there is room nothing scrolls";
    EXPECT_FALSE(bar.isVisible());
}

TEST_F(LargeText, LeavesTheSelectionInView) {
    trigger("rows.one-rank");  // else all rows fit, and none is scrolled to
    trigger("go.next-finding");
    trigger("go.next-finding");
    timeline().settle();
    const auto* slice = std::get_if<SliceSelection>(&timeline().selection());
    ASSERT_NE(slice, nullptr);
    const auto y = [&] {
        const LayoutRow* row = timeline().rowLayout().find(slice->run, slice->rank, slice->slice.track);
        return row == nullptr ? -1 : row->y - timeline().state().scroll;
    };
    ASSERT_GT(timeline().state().scroll, 0) << "rows above it grow too";
    for (int times = 0; times < 7; ++times) {
        trigger("view.text-larger");
        timeline().settle();
        EXPECT_GE(y(), 0) << times;
        EXPECT_LT(y(), timeline().tracksArea().height()) << times;
    }
    trigger("view.text-usual");
}

TEST_F(LargeText, ThatWasChosenIsThatOfAllWordsFromTheStart) {
    enlargeText();
    ASSERT_TRUE(settings().contains(QStringLiteral("text_size")));
    QApplication::setFont(Theme::darkTheme().ui_font);  // as where the program starts
    MainWindow next(settings());
    next.resize(1280, 720);
    next.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&next));
    next.open({sample("ZeroWorkers")});
    ASSERT_TRUE(QTest::qWaitFor([&next] { return !next.session().runs().empty(); }, kPatience));
    const auto sizes = [&next] {
        std::vector<std::pair<QWidget*, double>> all;
        for (QWidget* part : next.findChildren<QWidget*>()) {
            if (part->isVisible()) {
                all.emplace_back(part, part->font().pointSizeF());
            }
        }
        return all;
    };
    const auto before = sizes();
    next.appearance().use(next.appearance().choice());
    const auto after = sizes();
    ASSERT_EQ(before.size(), after.size());
    QStringList wrong;
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (before[i].second != after[i].second) {
            wrong.append(QStringLiteral("%1: %2 pt for %3 pt")
                             .arg(nameOf(*before[i].first))
                             .arg(before[i].second)
                             .arg(after[i].second));
        }
    }
    EXPECT_EQ(wrong.join(QLatin1Char('\n')).toStdString(), "");
    trigger("view.text-usual");
}

TEST_F(LargeText, OfTheUsualSizeLeavesAllColumnsOfTheSumsOfAnAreaInSight) {
    trigger("area.of-all");
    trigger("view.area");
    ASSERT_TRUE(waitUntilIdle());
    const auto& sums = test::named<QTableWidget>(window(), QStringLiteral("Grouped slices"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return sums.rowCount() > 0; }, kMoment));
    ASSERT_TRUE(sums.isVisible());
    QCoreApplication::processEvents();
    EXPECT_EQ(sums.horizontalScrollBar()->maximum(), 0);
}

TEST_F(LargeText, OrSmallTheButtonThatSavesAChartIsInTheRowOfTheCharts) {
    window().resize(1440, 720);  // in a narrower one it has a row of its own
    trigger("view.charts");
    QCoreApplication::processEvents();
    QWidget& panel = *places().find(QStringLiteral("charts"));
    const QList<QPushButton*> buttons = panel.findChildren<QPushButton*>();
    const auto middle_of = [&](const QString& words) {
        const auto button = std::ranges::find(buttons, words, &QPushButton::text);
        return button != buttons.end() ? (*button)->mapTo(&panel, (*button)->rect().center()).y() : -1;
    };
    ASSERT_GE(middle_of(QStringLiteral("Memory")), 0);
    EXPECT_NEAR(middle_of(QStringLiteral("Save picture...")), middle_of(QStringLiteral("Memory")), 1);
}

}  // namespace
}  // namespace rankscope::ui
