// SPDX-License-Identifier: GPL-3.0-or-later
// Where the keyboard stands when runs appear, take the place of others, and go.
#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QTabBar>
#include <variant>

#include "tests/ui/window/window_fixture.h"
#include "ui/panels/compute/tables_panel.h"
#include "ui/panels/diagnosis/diagnoses_panel.h"
#include "ui/panels/diagnosis/finding_card.h"
#include "ui/panels/diagnosis/verdict_card.h"
#include "ui/window/opening/loading_strip.h"
#include "ui/window/opening/passing_notice.h"
#include "ui/window/opening/samples.h"
#include "ui/window/opening/welcome_page.h"
#include "ui/window/places/panel_places.h"
#include "ui/window/places/panel_tabs.h"
#include "ui/window/session/session_keeper.h"

namespace rankscope::ui {
namespace {

class KeyboardFocus : public test::WindowTest {
  protected:
    void openAndLook(const QStringList& paths) {
        drop(paths);
        waitUntilOpen();
    }
    void waitUntilOpen() {
        ASSERT_TRUE(waitUntilIdle());
        waitUntilQuiet();
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
    openAndLook({sampleRuns().front()});
    EXPECT_TRUE(timeline().hasFocus()) << focused();
}

TEST_F(KeyboardFocus, IsOnTheTimelineAfterTheRunWhoseCardOrVerdictHadItIsReplaced) {
    openAndLook({sampleRuns().front()});
    workspace().findChild<FindingCard*>()->setFocus();
    openAndLook({sampleRuns().back()});
    EXPECT_TRUE(timeline().hasFocus()) << "from a card: " << focused();
    workspace().findChild<VerdictCard*>()->stops().front()->setFocus();
    openAndLook({sampleRuns().front()});
    EXPECT_TRUE(timeline().hasFocus()) << "from the verdict: " << focused();
}

// Qt would give it to what comes first, whatever that is.
TEST_F(KeyboardFocus, ReturnsToTheTimelineOfAWindowThatLostIt) {
    openAndLook({sampleRuns().front()});
    workspace().findChild<FindingCard*>()->setFocus();
    QWidget other;
    other.show();
    other.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&other));
    openAndLook({sampleRuns().back()});
    window().activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window()));
    QCoreApplication::processEvents();
    EXPECT_TRUE(timeline().hasFocus()) << focused();
}

TEST_F(KeyboardFocus, StaysInThePanelThatARunIsOpenedFrom) {
    openAndLook({sampleRuns().front()});
    workspace().setBottomPanelVisible(true);
    QWidget* tabs = workspace().places().dock(PanelPlace::Below).tabBar();
    tabs->setFocus();
    openAndLook({sampleRuns().back()});
    EXPECT_TRUE(tabs->hasFocus()) << focused();
}

TEST_F(KeyboardFocus, GoesToTheTimelineFromWhatIsFoldedOrHidden) {
    openAndLook({sampleRuns().front()});
    workspace().showBelow(workspace().tables());
    workspace().tables().findChild<QLineEdit*>()->setFocus();
    ASSERT_FALSE(timeline().hasFocus());
    workspace().setBottomPanelVisible(false);
    EXPECT_TRUE(timeline().hasFocus()) << focused();
    workspace().findChild<FindingCard*>()->setFocus();
    ASSERT_FALSE(timeline().hasFocus());
    workspace().setSidePanelVisible(false);
    EXPECT_TRUE(timeline().hasFocus()) << focused();
}

TEST_F(KeyboardFocus, IsOnTheTimelineOfASessionThatIsOpened) {
    openAndLook({sampleRuns().front()});
    workspace().showBelow(workspace().tables());
    const QString path = inFolder("mine.rankscope");
    window().sessions().save(path);
    workspace().tables().findChild<QLineEdit*>()->setFocus();
    window().sessions().open(path);
    waitUntilOpen();
    EXPECT_TRUE(timeline().hasFocus()) << focused();
}

TEST_F(KeyboardFocus, GoesWithAPanelThatACommandMoves) {
    openAndLook({sampleRuns().front()});
    const PanelPlaces& places = workspace().places();
    trigger("view.tables");
    trigger("view.panel-side");
    EXPECT_EQ(places.current(), &workspace().tables()) << focused();
    trigger("view.panel-side");
    EXPECT_NE(notice(), QString()) << "why nothing happened is said";
    trigger("view.panel-back");
    EXPECT_EQ(notice(), QString()) << "and not beside what has happened since";
    EXPECT_TRUE(places.allHome());
    EXPECT_EQ(places.current(), &workspace().tables()) << focused();
    trigger("view.panel-side");
    trigger("view.panel-below");
    EXPECT_TRUE(places.allHome()) << "it is the one that was moved, not the one in front below";
}

TEST_F(KeyboardFocus, TheDiagnosesComeToTheFrontWhereTheyAreAskedFor) {
    openAndLook({sampleRuns().front()});
    const PanelPlaces& places = workspace().places();
    QWidget& check = *places.find(QStringLiteral("check"));
    QAction* side = action("view.side");
    workspace().showBelow(check);
    ASSERT_FALSE(places.isInFront(workspace().diagnoses()));
    side->trigger();
    EXPECT_TRUE(places.isInFront(workspace().diagnoses())) << "they were hidden behind another panel";
    EXPECT_TRUE(workspace().sidePanelVisible() && side->isChecked());
    side->trigger();
    EXPECT_FALSE(workspace().sidePanelVisible() || side->isChecked());
    side->trigger();
    workspace().showBelow(check);
    trigger("go.next-finding");
    EXPECT_TRUE(places.isInFront(workspace().diagnoses()));
    workspace().showBelow(check);
    trigger("view.usual-layout");
    EXPECT_TRUE(places.isInFront(workspace().diagnoses()));
}

TEST_F(KeyboardFocus, AtTheLastGapTheWindowSaysThatThereIsNoOther) {
    openAndLook({sampleRuns().front()});
    timeline().settle();
    for (int gaps = 0; gaps < 10'000 && window().findChild<PassingNotice*>() == nullptr; ++gaps) {
        timeline().trigger(TimelineAction::NextGap);
    }
    EXPECT_TRUE(notice().contains(QStringLiteral("gap"))) << notice().toStdString();
    EXPECT_TRUE(std::holds_alternative<GapSelection>(timeline().selection())) << "the last one stays selected";
}

TEST_F(KeyboardFocus, AStripAboutFilesGoesWithTheLastOfThem) {
    const std::string broken = folder().write("broken.json", "{\"traceEvents\": [");
    for (const char* close : {"file.close", "file.close-all"}) {
        openAndLook({sampleRuns().front(), QString::fromStdString(broken)});
        ASSERT_TRUE(window().loadingStrip().isVisible());
        trigger(close);
        EXPECT_TRUE(window().session().runs().empty());
        EXPECT_FALSE(window().loadingStrip().isVisible()) << close;
    }
}

TEST_F(KeyboardFocus, GoesToTheTimelineFromAStripThatGoes) {
    const std::string broken = folder().write("broken.json", "{\"traceEvents\": [");
    openAndLook({sampleRuns().front(), QString::fromStdString(broken)});
    auto* close = window().loadingStrip().findChild<QPushButton*>();
    ASSERT_TRUE(close->isVisible());
    close->setFocus();
    QTest::mouseClick(close, Qt::LeftButton);
    ASSERT_FALSE(close->isVisible());
    QCoreApplication::processEvents();
    EXPECT_TRUE(timeline().hasFocus()) << focused();
}

TEST_F(KeyboardFocus, TheNoteOfACommandGoesWithTheNextOne) {
    openAndLook({sampleRuns().front()});
    timeline().settle();
    trigger("go.rank-9");
    EXPECT_EQ(notice(), QStringLiteral("There is no rank 9 here."));
    trigger("go.rank-1");
    EXPECT_EQ(notice(), QString());
    for (const char* id : {"copy.name", "copy.times", "search.next", "search.selection", "mark.next"}) {
        trigger(id);
        EXPECT_NE(notice(), QString()) << id;
        trigger("go.rank-1");
        EXPECT_EQ(notice(), QString()) << id;
    }
    trigger("mark.next");
    timeline().setFocus();
    QTest::keyClick(&timeline(), Qt::Key_Escape);
    EXPECT_EQ(notice(), QString());
}

TEST_F(KeyboardFocus, TheKeysOfWhatCannotBeDoneNowSayWhy) {
    QTest::keyClick(&window(), Qt::Key_G);
    EXPECT_EQ(notice(), QStringLiteral("No run is open."));
    openAndLook({sampleRuns().front()});
    QTest::keyClick(&window(), Qt::Key_L);
    EXPECT_EQ(notice(), QStringLiteral("No runs are being compared."));
    QTest::keyClick(&window(), Qt::Key_D, Qt::ControlModifier);
    EXPECT_EQ(notice(), QStringLiteral("Two runs must be open to be compared."));
    EXPECT_FALSE(action("file.reopen")->isEnabled());
    QTest::keyClick(&window(), Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(notice(), QStringLiteral("No closed run to open again."));
}

TEST_F(KeyboardFocus, OnTheTimelineRightAndLeftGoFromSliceToSlice) {
    openAndLook({sampleRuns().front()});
    timeline().settle();
    timeline().setFocus();
    QAction* next_slice = action("go.next-slice");
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
    openAndLook({sampleRuns().front()});
    workspace().showBelow(workspace().tables());
    timeline().select(SliceSelection{0, RankPosition(0), SliceRef{TrackId(0), 0}});
    const Selection selected = timeline().selection();
    QComboBox* box = nullptr;
    for (auto* each : workspace().tables().findChildren<QComboBox*>()) {
        box = each->isVisible() ? each : box;
    }
    ASSERT_NE(box, nullptr);
    QWidget* const tabs = workspace().places().dock(PanelPlace::Below).tabBar();
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
