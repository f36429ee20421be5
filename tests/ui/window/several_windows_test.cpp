// SPDX-License-Identifier: GPL-3.0-or-later
// Several windows of the same runs.
#include <QApplication>
#include <QFileInfo>
#include <QPointer>
#include <QSignalSpy>
#include <memory>

#include "tests/ui/widget_parts.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/panels/query/query_panel.h"
#include "ui/timeline/frame/frame.h"
#include "ui/timeline/navigation/viewport.h"
#include "ui/window/appearance.h"
#include "ui/window/comparison/compare_offer.h"
#include "ui/window/opening/open_requests.h"
#include "ui/window/places/panel_places.h"
#include "ui/window/session/session_keeper.h"

namespace rankscope::ui {
namespace {

class SeveralWindows : public test::WindowTest {
  protected:
    void SetUp() override {
        ASSERT_TRUE(dropAndWait({writeRank(0), writeRank(1)}));
        const QSignalSpy loads(&window().session(), &Session::opening);
        QTest::keyClick(&window(), Qt::Key_N, Qt::ControlModifier);
        for (QWidget* each : QApplication::topLevelWidgets()) {
            if (auto* found = qobject_cast<MainWindow*>(each); found != nullptr && found != &window()) {
                further = found;
            }
        }
        ASSERT_NE(further, nullptr);
        ASSERT_TRUE(further->isVisible());
        EXPECT_EQ(loads.count(), 0) << "nothing is read again";
    }
    void TearDown() override { delete further.data(); }

    [[nodiscard]] MainWindow& other() { return *further; }
    static QStringList titles(const MainWindow& of) { return {of.windowTitle()}; }
    static void endClosed() { QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); }
    [[nodiscard]] bool lastSessionIsThere() const { return QFileInfo::exists(inFolder("last-session.json")); }

    QPointer<MainWindow> further;
};

TEST_F(SeveralWindows, AnotherShowsTheSameRunsAtTheSamePlaceAndSaysWhichItIs) {
    ASSERT_EQ(other().session().runs().size(), 1U);
    EXPECT_EQ(other().session().runs(), window().session().runs());
    EXPECT_EQ(other().workspace().timeline().viewport().window(), workspace().timeline().viewport().window());
    EXPECT_TRUE(other().windowTitle().endsWith(QStringLiteral("Rankscope (2)"))) << other().windowTitle().toStdString();
    EXPECT_TRUE(window().windowTitle().endsWith(QStringLiteral("Rankscope")));
    EXPECT_NE(other().pos(), window().pos()) << "one sees that there are two";
    EXPECT_TRUE(other().commands().action(QStringLiteral("go.next-gap"))->isEnabled());
}

TEST_F(SeveralWindows, WhatWasDeclinedInOneIsNotOfferedInTheNext) {
    window().session().open({writeRank(0)}, OpenMode::Beside);
    ASSERT_TRUE(waitUntilIdle());
    auto* offer = window().findChild<CompareOffer*>();
    ASSERT_TRUE(offer->isVisible());
    test::clickButton(*offer, QStringLiteral("Not now"));
    ASSERT_FALSE(offer->isVisible());
    const std::unique_ptr<MainWindow> next(&window().openAnother());
    EXPECT_FALSE(next->findChild<CompareOffer*>()->isVisible());
    EXPECT_TRUE(other().findChild<CompareOffer*>()->isVisible()) << "which was not asked";
}

TEST_F(SeveralWindows, QuestionsOfOneAreInTheHistoryOfTheOther) {
    workspace().query().ask(QStringLiteral("SELECT 1"));
    other().workspace().query().ask(QStringLiteral("SELECT 2"));
    const QStringList both{QStringLiteral("SELECT 2"), QStringLiteral("SELECT 1")};
    EXPECT_EQ(workspace().query().history(), both);
    EXPECT_EQ(other().workspace().query().history(), both);
    MainWindow next(settings());
    EXPECT_EQ(next.workspace().query().history(), both);
}

TEST_F(SeveralWindows, NothingIsIndexedAgain) {
    timeline().settle();
    const Frame drawn = other().workspace().timeline().frame();  // without waiting for an index
    ASSERT_FALSE(drawn.slice_rows.empty());
    EXPECT_FALSE(drawn.items.empty());
}

TEST_F(SeveralWindows, EachHasItsOwnViewSelectionAndLayout) {
    const TimeSpan before = workspace().timeline().viewport().window();
    other().workspace().timeline().showWindow({200'000, 300'000});
    other().workspace().timeline().select(SliceSelection{0, RankPosition(1), {TrackId(0), 3}});
    other().workspace().places().move(*other().workspace().places().find(QStringLiteral("charts")),
                                      PanelPlace::SideBottom);
    EXPECT_EQ(workspace().timeline().viewport().window(), before);
    EXPECT_EQ(workspace().timeline().selection().index(), 0U);
    EXPECT_FALSE(workspace().bottomPanelVisible());
    EXPECT_TRUE(workspace().places().allHome());
}

TEST_F(SeveralWindows, BothFollowWhatIsOpenedClosedAndAnalysedAgainInEither) {
    ClockChoice choice;
    choice.typed_offset_ns[RankNumber(1)] = 7'000;
    other().session().setClocks(0, choice);
    ASSERT_TRUE(QTest::qWaitFor([this] { return !window().session().reanalysis().busy(); }, kPatience));
    EXPECT_EQ(window().session().runs()[0]->clock.ranks[1].offset_ns, 7'000);
    other().open({writeRank(0)});
    ASSERT_TRUE(waitUntilIdle());
    EXPECT_EQ(ranksOf(), 1);
    EXPECT_EQ(window().windowTitle() + QStringLiteral(" (2)"), other().windowTitle());
    EXPECT_EQ(window().requests().recent().entries().size(), 2);
    trigger("file.close");
    EXPECT_TRUE(other().session().runs().empty());
    EXPECT_FALSE(other().workspace().isVisible()) << "it welcomes as well";
    EXPECT_FALSE(other().commands().action(QStringLiteral("go.next-gap"))->isEnabled());
}

TEST_F(SeveralWindows, KeysActInTheWindowThatIsActive) {
    other().activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&other()));
    QTest::keyClick(&other().workspace().timeline(), Qt::Key_Q);
    EXPECT_TRUE(other().workspace().bottomPanelVisible());
    EXPECT_FALSE(workspace().bottomPanelVisible());
    window().commands().setKeys(QStringLiteral("view.bottom"), QKeySequence(Qt::Key_J));
    EXPECT_EQ(other().commands().keysOf(QStringLiteral("view.bottom")), QKeySequence(Qt::Key_J));
    other().commands().setKeys(QStringLiteral("view.bottom"), QKeySequence(Qt::Key_Q));
    EXPECT_EQ(window().commands().keysOf(QStringLiteral("view.bottom")), QKeySequence(Qt::Key_Q));
}

TEST_F(SeveralWindows, ThemeAndTextSizeAreThoseOfTheProgram) {
    other().commands().action(QStringLiteral("view.theme-light"))->trigger();
    EXPECT_FALSE(window().theme().dark);
    EXPECT_TRUE(action("view.theme-light")->isChecked());
    window().appearance().changeTextSize(1);
    EXPECT_DOUBLE_EQ(other().theme().ui_font.pointSizeF(), window().theme().ui_font.pointSizeF());
    window().appearance().changeTextSize(0);
    other().commands().action(QStringLiteral("view.theme-dark"))->trigger();
}

TEST_F(SeveralWindows, ClosingOneLeavesTheOtherWithItsRunsAndTheMarksThatWereKept) {
    workspace().timeline().select(SliceSelection{0, RankPosition(1), {TrackId(0), 3}});
    workspace().timeline().trigger(TimelineAction::KeepMark);
    ASSERT_EQ(workspace().timeline().state().marks.size(), 1U);
    const TimeSpan before = other().workspace().timeline().viewport().window();
    window().close();
    EXPECT_FALSE(lastSessionIsThere()) << "nothing has ended";
    ASSERT_EQ(other().session().runs().size(), 1U);
    EXPECT_TRUE(other().workspace().isVisible());
    EXPECT_EQ(other().workspace().timeline().state().marks.size(), 1U);
    EXPECT_EQ(other().workspace().timeline().viewport().window(), before);
    other().close();
    endClosed();
    EXPECT_TRUE(lastSessionIsThere());
    EXPECT_EQ(further, nullptr) << "a further window ends with its closing";
}

TEST_F(SeveralWindows, QuitClosesAllAndKeepsWhatTheActiveOneShows) {
    MainWindow& third = window().openAnother();
    EXPECT_TRUE(third.windowTitle().endsWith(QStringLiteral("(3)")));
    const QPointer<MainWindow> watched(&third);
    other().workspace().timeline().showWindow({200'000, 300'000});
    other().commands().action(QStringLiteral("file.quit"))->trigger();
    EXPECT_FALSE(window().isVisible());
    endClosed();
    EXPECT_EQ(watched, nullptr);
    MainWindow next(settings());
    next.resize(1280, 720);
    next.show();
    next.sessions().openLast();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !next.session().loader().busy(); }, kPatience));
    EXPECT_EQ(next.workspace().timeline().viewport().window(), (TimeSpan{200'000, 300'000}));
}

TEST_F(SeveralWindows, ANewOneTakesTheNumberThatIsFree) {
    other().close();
    endClosed();
    const QPointer<MainWindow> again(&window().openAnother());
    EXPECT_TRUE(again->windowTitle().endsWith(QStringLiteral("(2)")));
    delete again.data();
}

TEST_F(SeveralWindows, AThemeForThisStartIsThatOfAllWindowsAndIsNotKept) {
    window().appearance().choose(ThemeChoice::Light);
    window().appearance().use(ThemeChoice::Dark);
    EXPECT_EQ(settings().value(QStringLiteral("theme")).toString(), QStringLiteral("light"));
    EXPECT_TRUE(window().theme().dark);
    EXPECT_TRUE(other().theme().dark);
    EXPECT_TRUE(action("view.theme-dark")->isChecked());
    const QPointer<MainWindow> third(&window().openAnother());
    EXPECT_TRUE(third->theme().dark);
    delete third.data();
}

}  // namespace
}  // namespace rankscope::ui
