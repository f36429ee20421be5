// SPDX-License-Identifier: GPL-3.0-or-later
// Where the keyboard stands when runs appear, take the place of others, and go.
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QTabBar>
#include <QTest>
#include <variant>

#include "tests/ui/window/window_fixture.h"
#include "ui/commands/command_registry.h"
#include "ui/panels/diagnoses_panel.h"
#include "ui/panels/finding_card.h"
#include "ui/panels/tables_panel.h"
#include "ui/panels/verdict_card.h"
#include "ui/timeline/timeline_widget.h"
#include "ui/window/loading_strip.h"
#include "ui/window/panel_places.h"
#include "ui/window/panel_tabs.h"
#include "ui/window/passing_notice.h"
#include "ui/window/samples.h"
#include "ui/window/session_keeper.h"
#include "ui/window/welcome_page.h"
#include "ui/window/workspace.h"

namespace rankscope::ui {
namespace {

class KeyboardFocus : public test::WindowTest {
  protected:
    [[nodiscard]] TimelineWidget& timeline() { return window().workspace().timeline(); }
    void waitUntilQuiet() {
        ASSERT_TRUE(waitUntilIdle());
        ASSERT_TRUE(QTest::qWaitFor([this] { return !window().workspace().busy(); }, kPatience));
        QCoreApplication::processEvents();
    }
    static std::string focused() {
        const QWidget* at = QApplication::focusWidget();
        return at == nullptr ? "nothing has it" : at->metaObject()->className();
    }
};

TEST_F(KeyboardFocus, IsOnTheTimelineOfARunThatIsOpened) {
    for (QPushButton* button : window().findChild<WelcomePage*>()->findChildren<QPushButton*>()) {
        button->setFocus(Qt::TabFocusReason);
    }
    drop({sampleRuns().front()});
    waitUntilQuiet();
    EXPECT_TRUE(timeline().hasFocus()) << focused();
}

TEST_F(KeyboardFocus, IsOnTheTimelineWhereARunTakesThePlaceOfOneWhoseCardHadIt) {
    drop({sampleRuns().front()});
    waitUntilQuiet();
    window().workspace().findChild<FindingCard*>()->setFocus();
    drop({sampleRuns().back()});
    waitUntilQuiet();
    EXPECT_TRUE(timeline().hasFocus()) << focused();
}

TEST_F(KeyboardFocus, IsOnTheTimelineWhereARunTakesThePlaceOfOneWhoseVerdictHadIt) {
    drop({sampleRuns().front()});
    waitUntilQuiet();
    window().workspace().findChild<VerdictCard*>()->stops().front()->setFocus();
    drop({sampleRuns().back()});
    waitUntilQuiet();
    EXPECT_TRUE(timeline().hasFocus()) << focused();
}

// Qt would give it to what comes first, whatever that is.
TEST_F(KeyboardFocus, ComesBackToTheTimelineOfAWindowThatLostItMeanwhile) {
    drop({sampleRuns().front()});
    waitUntilQuiet();
    window().workspace().findChild<FindingCard*>()->setFocus();
    QWidget other;
    other.show();
    other.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&other));
    drop({sampleRuns().back()});
    waitUntilQuiet();
    window().activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window()));
    QCoreApplication::processEvents();
    EXPECT_TRUE(timeline().hasFocus()) << focused();
}

TEST_F(KeyboardFocus, StaysInThePanelThatARunIsOpenedFrom) {
    drop({sampleRuns().front()});
    waitUntilQuiet();
    window().workspace().setBottomPanelVisible(true);
    QWidget* tabs = window().workspace().places().dock(PanelPlace::Below).tabBar();
    tabs->setFocus();
    drop({sampleRuns().back()});
    waitUntilQuiet();
    EXPECT_TRUE(tabs->hasFocus()) << focused();
}

TEST_F(KeyboardFocus, GoesToTheTimelineFromWhatIsFoldedOrHidden) {
    drop({sampleRuns().front()});
    waitUntilQuiet();
    Workspace& workspace = window().workspace();
    workspace.showBelow(workspace.tables());
    workspace.tables().findChild<QLineEdit*>()->setFocus();
    ASSERT_FALSE(timeline().hasFocus());
    workspace.setBottomPanelVisible(false);
    EXPECT_TRUE(timeline().hasFocus()) << focused();
    workspace.findChild<FindingCard*>()->setFocus();
    ASSERT_FALSE(timeline().hasFocus());
    workspace.setSidePanelVisible(false);
    EXPECT_TRUE(timeline().hasFocus()) << focused();
}

TEST_F(KeyboardFocus, IsOnTheTimelineOfASessionThatIsOpened) {
    drop({sampleRuns().front()});
    waitUntilQuiet();
    Workspace& workspace = window().workspace();
    workspace.showBelow(workspace.tables());
    const QString path = QString::fromStdString((folder().path() / "mine.rankscope").string());
    window().sessions().save(path);
    workspace.tables().findChild<QLineEdit*>()->setFocus();
    window().sessions().open(path);
    waitUntilQuiet();
    EXPECT_TRUE(timeline().hasFocus()) << focused();
}

TEST_F(KeyboardFocus, GoesWithAPanelThatACommandMoves) {
    drop({sampleRuns().front()});
    waitUntilQuiet();
    const PanelPlaces& places = window().workspace().places();
    const auto trigger = [this](const char* id) { window().commands().action(QLatin1String(id))->trigger(); };
    trigger("view.tables");
    trigger("view.panel-side");
    EXPECT_EQ(places.current(), &window().workspace().tables()) << focused();
    trigger("view.panel-side");
    const auto* said = window().findChild<PassingNotice*>();
    ASSERT_NE(said, nullptr);
    EXPECT_TRUE(said->isVisible()) << "why nothing happened is said";
    trigger("view.panel-back");
    EXPECT_FALSE(said->isVisible()) << "and not beside what has happened since";
    EXPECT_TRUE(places.allHome());
    EXPECT_EQ(places.current(), &window().workspace().tables()) << focused();
    trigger("view.panel-side");
    trigger("view.panel-below");
    EXPECT_TRUE(places.allHome()) << "it is the one that was moved, not the one in front below";
}

TEST_F(KeyboardFocus, TheDiagnosesComeToTheFrontWhereTheyAreAskedFor) {
    drop({sampleRuns().front()});
    waitUntilQuiet();
    Workspace& workspace = window().workspace();
    const PanelPlaces& places = workspace.places();
    QWidget& check = *places.find(QStringLiteral("check"));
    QAction* side = window().commands().action(QStringLiteral("view.side"));
    workspace.showBelow(check);
    ASSERT_FALSE(places.isInFront(workspace.diagnoses()));
    side->trigger();
    EXPECT_TRUE(places.isInFront(workspace.diagnoses())) << "they were hidden behind another panel";
    EXPECT_TRUE(workspace.sidePanelVisible() && side->isChecked());
    side->trigger();
    EXPECT_FALSE(workspace.sidePanelVisible() || side->isChecked());
    side->trigger();
    workspace.showBelow(check);
    window().commands().action(QStringLiteral("go.next-finding"))->trigger();
    EXPECT_TRUE(places.isInFront(workspace.diagnoses()));
    workspace.showBelow(check);
    window().commands().action(QStringLiteral("view.usual-layout"))->trigger();
    EXPECT_TRUE(places.isInFront(workspace.diagnoses()));
}

TEST_F(KeyboardFocus, AtTheLastGapItIsSaidThatThereIsNoOther) {
    drop({sampleRuns().front()});
    waitUntilQuiet();
    timeline().settle();
    for (int gaps = 0; gaps < 10'000 && window().findChild<PassingNotice*>() == nullptr; ++gaps) {
        timeline().trigger(TimelineAction::NextGap);
    }
    const auto* said = window().findChild<PassingNotice*>();
    ASSERT_NE(said, nullptr);
    EXPECT_TRUE(said->isVisible() && said->text().contains(QStringLiteral("gap"))) << said->text().toStdString();
    EXPECT_TRUE(std::holds_alternative<GapSelection>(timeline().selection())) << "the last one stays selected";
}

TEST_F(KeyboardFocus, AStripAboutFilesGoesWithTheLastOfThem) {
    const std::string broken = folder().write("broken.json", "{\"traceEvents\": [");
    for (const char* close : {"file.close", "file.close-all"}) {
        drop({sampleRuns().front(), QString::fromStdString(broken)});
        waitUntilQuiet();
        ASSERT_TRUE(window().loadingStrip().isVisible());
        window().commands().action(QLatin1String(close))->trigger();
        EXPECT_TRUE(window().session().runs().empty());
        EXPECT_FALSE(window().loadingStrip().isVisible()) << close;
    }
}

TEST_F(KeyboardFocus, GoesToTheTimelineFromAStripThatGoes) {
    const std::string broken = folder().write("broken.json", "{\"traceEvents\": [");
    drop({sampleRuns().front(), QString::fromStdString(broken)});
    waitUntilQuiet();
    auto* close = window().loadingStrip().findChild<QPushButton*>();
    ASSERT_TRUE(close->isVisible());
    close->setFocus();
    QTest::mouseClick(close, Qt::LeftButton);
    ASSERT_FALSE(close->isVisible());
    QCoreApplication::processEvents();
    EXPECT_TRUE(timeline().hasFocus()) << focused();
}

TEST_F(KeyboardFocus, WhatIsSaidOfACommandGoesWithTheNextOne) {
    drop({sampleRuns().front()});
    waitUntilQuiet();
    timeline().settle();
    const auto trigger = [this](const char* id) { window().commands().action(QLatin1String(id))->trigger(); };
    trigger("go.rank-9");
    const auto* said = window().findChild<PassingNotice*>();
    ASSERT_NE(said, nullptr);
    EXPECT_TRUE(said->isVisible());
    EXPECT_EQ(said->text(), QStringLiteral("There is no rank 9 here."));
    trigger("go.rank-1");
    EXPECT_FALSE(said->isVisible());
    for (const char* id : {"copy.name", "copy.times", "search.next", "search.selection", "mark.next"}) {
        trigger(id);
        EXPECT_TRUE(said->isVisible()) << id;
        trigger("go.rank-1");
        EXPECT_FALSE(said->isVisible()) << id;
    }
    trigger("mark.next");
    timeline().setFocus();
    QTest::keyClick(&timeline(), Qt::Key_Escape);
    EXPECT_FALSE(said->isVisible());
}

TEST_F(KeyboardFocus, TheKeysOfWhatCannotBeDoneNowSayWhy) {
    QTest::keyClick(&window(), Qt::Key_G);
    const auto* said = window().findChild<PassingNotice*>();
    ASSERT_NE(said, nullptr);
    EXPECT_TRUE(said->isVisible());
    EXPECT_EQ(said->text(), QStringLiteral("No run is open."));
    drop({sampleRuns().front()});
    waitUntilQuiet();
    QTest::keyClick(&window(), Qt::Key_L);
    EXPECT_EQ(said->text(), QStringLiteral("No runs are being compared."));
    QTest::keyClick(&window(), Qt::Key_D, Qt::ControlModifier);
    EXPECT_EQ(said->text(), QStringLiteral("Two runs must be open to be compared."));
    EXPECT_FALSE(window().commands().action(QStringLiteral("file.reopen"))->isEnabled());
    QTest::keyClick(&window(), Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(said->text(), QStringLiteral("No run was closed that could be opened again."));
}

TEST_F(KeyboardFocus, OnTheTimelineRightAndLeftGoFromSliceToSlice) {
    drop({sampleRuns().front()});
    waitUntilQuiet();
    timeline().settle();
    timeline().setFocus();
    QAction* next_slice = window().commands().action(QStringLiteral("go.next-slice"));
    next_slice->trigger();
    const Selection first = timeline().selection();  // in sight
    next_slice->trigger();
    const Selection next = timeline().selection();
    ASSERT_NE(next, first);
    timeline().select(first);
    QTest::keyClick(&timeline(), Qt::Key_Right);
    EXPECT_EQ(timeline().selection(), next);
    QTest::keyClick(&timeline(), Qt::Key_Left);
    EXPECT_EQ(timeline().selection(), first);
}

TEST_F(KeyboardFocus, EscGivesItBackToTheTimelineFromAPanelAndFromABoxInOne) {
    drop({sampleRuns().front()});
    waitUntilQuiet();
    Workspace& workspace = window().workspace();
    workspace.showBelow(workspace.tables());
    timeline().select(SliceSelection{0, RankPosition(0), SliceRef{TrackId(0), 0}});
    const Selection selected = timeline().selection();
    QComboBox* box = nullptr;
    for (auto* each : workspace.tables().findChildren<QComboBox*>()) {
        box = each->isVisible() ? each : box;
    }
    ASSERT_NE(box, nullptr);
    QWidget* const tabs = workspace.places().dock(PanelPlace::Below).tabBar();
    for (QWidget* from : {static_cast<QWidget*>(box), tabs}) {
        from->setFocus();
        ASSERT_FALSE(timeline().hasFocus());
        QTest::keyClick(from, Qt::Key_Escape);
        EXPECT_TRUE(timeline().hasFocus()) << focused();
        EXPECT_EQ(timeline().selection(), selected) << "it is the next Esc that clears it";
    }
}

}  // namespace
}  // namespace rankscope::ui
