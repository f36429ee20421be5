// SPDX-License-Identifier: GPL-3.0-or-later
// Commands act on the workspace or on the comparison, without a window around these.
#include <QAction>
#include <QMenu>
#include <QMenuBar>
#include <QTest>
#include <QVBoxLayout>

#include "tests/support/places.h"
#include "tests/ui/theme/heard_notices.h"
#include "ui/commands/command_registry.h"
#include "ui/compare/compare_view.h"
#include "ui/panels/search/search.h"
#include "ui/timeline/timeline_widget.h"
#include "ui/window/active_view.h"
#include "ui/window/commands/go_commands.h"
#include "ui/window/commands/view_commands.h"
#include "ui/window/comparison/comparing.h"
#include "ui/window/selection_flow.h"
#include "ui/window/workspace.h"

namespace rankscope::ui {
namespace {

class ActiveViewTest : public testing::Test {
  protected:
    void SetUp() override {
        auto* layout = new QVBoxLayout(&window);
        layout->addWidget(workspace);
        layout->addWidget(pair);
        addGoCommands(commands, view, session);
        addSearchCommands(commands, view, session);
        addPanelCommands(commands, *workspace, view);
        QObject::connect(&session, &Session::runsChanged, workspace,
                         [this] { workspace->setRuns(session.runs(), session.choices()); });
        window.resize(1400, 1000);
        window.show();
        window.activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
    }
    void open(const QStringList& paths) {
        session.open(paths, OpenMode::Replace);
        ASSERT_TRUE(QTest::qWaitFor([this] { return !session.loader().busy(); }, 60'000));
        workspace->timeline().settle();
        workspace->timeline().setFocus();
    }
    void trigger(const char* id) { commands.action(QLatin1String(id))->trigger(); }
    [[nodiscard]] static QString sampleAt(const char* name) {
        return QString::fromStdString(test::sample(name).string());
    }

    QWidget window;
    test::HeardNotices* notices = new test::HeardNotices(&window);
    std::shared_ptr<IndexStore> indices = std::make_shared<IndexStore>();
    Session session;
    CommandRegistry commands{&window};
    Workspace* workspace = new Workspace(Theme::darkTheme(), indices);
    CompareView* pair = new CompareView(Theme::darkTheme(), indices);
    Comparing comparing{session, *pair};
    ActiveView view{*workspace, comparing};
};

TEST_F(ActiveViewTest, IsTheWorkspaceUntilTwoRunsAreCompared) {
    EXPECT_EQ(view.timelines().size(), 3U);
    EXPECT_EQ(&view.timeline(), &workspace->timeline());
    EXPECT_EQ(&view.search(), &workspace->search());
    open({sampleAt("ZeroWorkers"), sampleAt("FourWorkers")});
    ASSERT_EQ(session.runs().size(), 2U);
    for (const std::uint32_t run : {1U, 0U}) {
        workspace->flow().pointAt({run, RankPosition(0), {TrackId(0), 0}});
        EXPECT_EQ(view.currentRun(), run) << "the one of the selection";
    }
    ASSERT_TRUE(comparing.startOnlyTwo());
    EXPECT_TRUE(view.comparing());
    EXPECT_EQ(&view.timeline(), &pair->activeTimeline());
    EXPECT_EQ(&view.search(), &pair->search());
    comparing.leave();
    EXPECT_EQ(&view.timeline(), &workspace->timeline());
}

TEST_F(ActiveViewTest, GoesAlongSlicesAndFindingsByKeys) {
    QTest::keyClick(&window, Qt::Key_N);
    EXPECT_EQ(notices->heard.value(0), QStringLiteral("No findings."));
    open({sampleAt("ZeroWorkers")});
    QTest::keyClick(&workspace->timeline(), Qt::Key_Period);
    EXPECT_TRUE(std::holds_alternative<SliceSelection>(workspace->timeline().selection()));
    trigger("go.previous-gap");
    trigger("go.next-gap");
    EXPECT_TRUE(std::holds_alternative<GapSelection>(workspace->timeline().selection()));
}

TEST_F(ActiveViewTest, SearchesForTheNameOfTheSelection) {
    trigger("search.next");
    EXPECT_EQ(notices->heard.value(0), QStringLiteral("No search is active."));
    open({sampleAt("ZeroWorkers")});
    trigger("search.selection");
    EXPECT_EQ(notices->heard.value(0), QStringLiteral("Nothing is selected."));
    trigger("go.next-slice");
    trigger("search.selection");
    EXPECT_EQ(workspace->search().query(), workspace->timeline().selectionWords().value(0));
    trigger("search.hits");
    EXPECT_EQ(workspace->panelInFront(), QStringLiteral("hits"));
}

TEST_F(ActiveViewTest, ShowsPanelsByTheirCommands) {
    open({sampleAt("ZeroWorkers")});
    trigger("calls.of-selection");
    EXPECT_EQ(notices->heard.value(0), QStringLiteral("No slice is selected."));
    EXPECT_EQ(workspace->panelInFront(), QStringLiteral("calls"));
    trigger("view.grid");
    EXPECT_EQ(workspace->panelInFront(), QStringLiteral("grid"));
    QAction* bottom = commands.action(QStringLiteral("view.bottom"));
    EXPECT_TRUE(bottom->isChecked());
    QTest::keyClick(&workspace->timeline(), Qt::Key_Q);
    EXPECT_FALSE(workspace->bottomPanelVisible());
    EXPECT_FALSE(bottom->isChecked());
    workspace->setSidePanelVisible(false);
    EXPECT_FALSE(commands.action(QStringLiteral("view.side"))->isChecked());
}

TEST_F(ActiveViewTest, HasMenusOfCommandsThatThereAre) {
    QMenuBar bar;
    addGoMenu(commands, bar);
    QMenu menu;
    addPanelMenus(commands, menu);
    EXPECT_EQ(bar.actions().size(), 1);
    EXPECT_GT(menu.actions().size(), 10);
    addTimelineHints(commands);
    EXPECT_FALSE(commands.hints().empty());
}

}  // namespace
}  // namespace rankscope::ui
