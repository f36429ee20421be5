// SPDX-License-Identifier: GPL-3.0-or-later
// A run that was closed comes back as it was, and the side stays as it is where the user goes back and forth.
#include <QLabel>
#include <QLineEdit>
#include <algorithm>

#include "tests/ui/widget_parts.h"
#include "tests/ui/window/compare_fixture.h"
#include "ui/panels/diagnosis/explanation_panel.h"
#include "ui/timeline/rows/row_choices.h"
#include "ui/window/opening/loading_strip.h"
#include "ui/window/opening/recent_paths.h"

namespace rankscope::ui {
namespace {

class Reopened : public CompareWindow {
  protected:
    TimelineWidget& shown() { return window().workspace().timeline(); }
    [[nodiscard]] std::string nameOf(std::size_t run) { return window().session().runs()[run]->run->name; }
};

TEST_F(Reopened, ARunComesBackInItsPlaceWithItsMarksAndRows) {
    ASSERT_TRUE(dropAndWait({zero()}));
    window().session().open({four()}, OpenMode::Beside);
    ASSERT_TRUE(waitUntilIdle());
    ASSERT_EQ(window().session().runs().size(), 2U);
    shown().settle();
    const auto tracks = shown().tracks();
    const auto track = std::ranges::find_if(tracks, [](const NamedTrack& t) { return t.run == 0 && t.rank == 1U; });
    ASSERT_NE(track, tracks.end());
    shown().pinTrack(*track);
    shown().showTrack(*track);
    shown().trigger(TimelineAction::KeepMark);
    auto* note = shown().findChild<QLineEdit*>();
    ASSERT_NE(note, nullptr);
    QTest::keyClicks(note, QStringLiteral("look here"));
    QTest::keyClick(note, Qt::Key_Return);
    const TimelineState before = shown().state();
    ASSERT_EQ(before.pinned.size(), 1U);
    ASSERT_EQ(before.marks.size(), 1U);
    window().session().close(0);
    EXPECT_TRUE(shown().state().pinned.empty() && shown().state().marks.empty());
    trigger("file.reopen");
    ASSERT_TRUE(waitUntilIdle());
    ASSERT_EQ(window().session().runs().size(), 2U);
    EXPECT_EQ(nameOf(0), "ZeroWorkers");
    EXPECT_EQ(nameOf(1), "FourWorkers");
    EXPECT_EQ(shown().state().pinned, before.pinned);
    EXPECT_EQ(shown().state().marks, before.marks);
    // Opened anew it is as any other.
    window().session().close(0);
    window().session().open({zero()}, OpenMode::Beside);
    ASSERT_TRUE(waitUntilIdle());
    EXPECT_EQ(nameOf(1), "ZeroWorkers");
    EXPECT_TRUE(shown().state().pinned.empty());
}

TEST_F(Reopened, WithNothingSelectedTheRunInViewIsClosed) {
    ASSERT_TRUE(dropAndWait({zero()}));
    window().session().open({four()}, OpenMode::Beside);
    ASSERT_TRUE(waitUntilIdle());
    shown().select({});
    shown().trigger(TimelineAction::FitAll);
    shown().settle();
    ASSERT_TRUE(shown().stepInView().has_value());
    ASSERT_EQ(shown().stepInView()->run, 0U) << "it stands on top";
    EXPECT_EQ(window().active().currentRun(), 0U);
    trigger("file.close");
    ASSERT_EQ(window().session().runs().size(), 1U);
    EXPECT_EQ(nameOf(0), "FourWorkers");
}

TEST_F(Reopened, OneRunThatIsOpenCanBeClosedAsAll) {
    QAction* close_all = action("file.close-all");
    EXPECT_FALSE(close_all->isEnabled());
    ASSERT_TRUE(dropAndWait({zero()}));
    ASSERT_TRUE(close_all->isEnabled());
    close_all->trigger();
    EXPECT_TRUE(window().session().runs().empty());
}

TEST_F(Reopened, GoingBackAndForthLeavesTheExplanationAndTheFoldedPartAlone) {
    ASSERT_TRUE(dropAndWait({zero()}));
    shown().fitAll();  // the typical step is the last one: no gap follows it
    shown().settle();
    QTest::keyClick(&shown(), Qt::Key_G);  // a gap is explained
    shown().settle();
    ASSERT_TRUE(std::holds_alternative<GapSelection>(shown().selection()));
    ExplanationPanel& explanation = workspace().explanation();
    const QString gap = explanation.text();
    const AnalysedRun& run = *window().session().runs()[0];
    const auto at = std::get<GapSelection>(shown().selection());
    const SliceRef launch = run.facts.ranks[at.rank].steps[at.step].gaps[at.gap].launch;
    ASSERT_TRUE(launch.valid());
    Q_EMIT explanation.sliceActivated({0, at.rank, launch});
    EXPECT_EQ(explanation.text(), gap) << "a link leaves it";
    QTest::keyClick(&shown(), Qt::Key_Period);
    shown().settle();
    QTest::qWait(700);  // another jump, not one of the same walk
    trigger("go.next-gap");
    shown().settle();
    const QString second = explanation.text();
    EXPECT_NE(second, gap);
    workspace().setBottomPanelVisible(false);
    trigger("go.back");
    ASSERT_TRUE(std::holds_alternative<SliceSelection>(shown().selection()));
    EXPECT_EQ(explanation.text(), second);
    EXPECT_FALSE(workspace().bottomPanelVisible());
}

TEST(RecentTitles, OfFoldersThatAreGoneNameThemAndCountNoFiles) {
    EXPECT_EQ(RecentPaths::title({QStringLiteral("/nowhere/s1/a"), QStringLiteral("/nowhere/s1/b")}),
              QStringLiteral("a + b"));
    EXPECT_EQ(RecentPaths::title({QStringLiteral("/nowhere/s1/a.json"), QStringLiteral("/nowhere/s1/b.json")}),
              QStringLiteral("2 files of s1"));
}

TEST(RecentTitles, DistinguishEqualNamesByTheFoldersAbove) {
    const QString a = QStringLiteral("/jobs/a/traces");
    const QString b = QStringLiteral("/jobs/b/traces");
    EXPECT_EQ(RecentPaths::title({a, b}), QStringLiteral("a/traces + b/traces"));
    EXPECT_EQ(RecentPaths::title({a, QStringLiteral("/jobs/b/other")}), QStringLiteral("traces + other"));
    EXPECT_EQ(RecentPaths::title({QStringLiteral("/x/a/traces"), QStringLiteral("/y/a/traces")}),
              QStringLiteral("x/a/traces + y/a/traces"));
    const QStringList of_a = {a + QStringLiteral("/0.json"), a + QStringLiteral("/1.json")};
    const QStringList of_b = {b + QStringLiteral("/0.json"), b + QStringLiteral("/1.json")};
    EXPECT_EQ(RecentPaths::titles({of_a, of_b}),
              QStringList({QStringLiteral("2 files of a/traces"), QStringLiteral("2 files of b/traces")}));
    EXPECT_EQ(RecentPaths::titles({of_a, of_a}).front(), QStringLiteral("2 files of traces")) << "they are the same";
}

TEST_F(Reopened, TheStripDistinguishesFoldersOfTheSameName) {
    LoadingStrip& strip = window().loadingStrip();
    strip.begin({QStringLiteral("/jobs/a/traces")});
    strip.begin({QStringLiteral("/jobs/b/traces")}, true);
    const QStringList words = test::labelWords(strip).split(u'\n');
    EXPECT_TRUE(words.contains(QStringLiteral("Opening a/traces + b/traces"))) << words.join(u'|').toStdString();
}

}  // namespace
}  // namespace rankscope::ui
