// SPDX-License-Identifier: GPL-3.0-or-later
// The grid of a job in the window: from the map to the timeline, from a group to its collectives, and what the user
// says of groups, which the session keeps.
#include <QComboBox>
#include <QLineEdit>
#include <QTableView>
#include <QTableWidget>
#include <algorithm>
#include <filesystem>

#include "core/analysis/collectives/collective_index.h"
#include "tests/tracegen/machine/job_faults.h"
#include "tests/tracegen/machine/trace_files.h"
#include "tests/ui/widget_parts.h"
#include "tests/ui/window/compare_fixture.h"
#include "ui/commands/command_palette.h"
#include "ui/panels/communication/collectives_panel.h"
#include "ui/panels/communication/grid_panel.h"
#include "ui/panels/communication/pipeline_panel.h"
#include "ui/panels/trace/clocks_panel.h"
#include "ui/timeline/rows/row_layout.h"
#include "ui/window/places/panel_places.h"
#include "ui/window/places/place_pages.h"
#include "ui/window/selection_flow.h"

namespace rankscope::ui {
namespace {

class GridInTheWindow : public CompareWindow {
  protected:
    GridPanel& grid() { return workspace().grid(); }
    void openSample() {
        ASSERT_TRUE(dropAndWait({zero()}));
        workspace().timeline().settle();
        trigger("view.grid");
        waitUntilQuiet();
    }
    const JobGrid& facts() { return window().session().runs()[0]->facts.parallelism.grid; }
    QTableWidget& groups() { return *grid().findChild<QTableWidget*>(); }
    void chooseTheGroup() {
        const QTableWidget& table = groups();
        ASSERT_GE(table.rowCount(), 1);
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualItemRect(table.item(0, 1)).center());
    }
    QComboBox& role() { return test::named<QComboBox>(grid(), QStringLiteral("Role of the group")); }
    // As the keys do it: from "As found" down to an entry.
    void say(const QString& entry) {
        role().setFocus();
        while (role().currentText() != entry && role().currentIndex() + 1 < role().count()) {
            QTest::keyClick(&role(), Qt::Key_Down);
            waitUntilQuiet();
        }
        ASSERT_EQ(role().currentText(), entry);
    }
};

TEST_F(GridInTheWindow, ACellLeadsToItsRankAndFoldedRanksAreUnfolded) {
    openSample();
    TimelineState state = timeline().state();
    state.hidden.push_back({0, RankPosition(3), static_cast<std::uint8_t>(RowKind::Rank), 0});
    timeline().setState(state);
    ASSERT_EQ(timeline().rowLayout().findRank(0, RankPosition(3)), nullptr);
    GridMap& map = grid().map();
    ASSERT_EQ(map.spokenParts(), 4U);
    QTest::mouseClick(&map, Qt::LeftButton, {}, map.placeOf(3).center().toPoint());
    EXPECT_NE(timeline().rowLayout().findRank(0, RankPosition(3)), nullptr);
}

TEST_F(GridInTheWindow, ThePagePipelineShowsThePipelineOfTheSelectedRank) {
    const std::filesystem::path job = folder().path() / "grid";
    std::filesystem::create_directories(job);
    tracegen::machine::writeFiles(tracegen::machine::simulate(tracegen::machine::jobConfig("grid", 1)), {}, job, false);
    ASSERT_TRUE(dropAndWait({QString::fromStdString(job.string())}));
    const PipelinePanel& panel = workspace().pipeline();
    const PlacePages& place = *workspace().places().findPlace(QStringLiteral("place-communication"));
    EXPECT_TRUE(place.isListed(panel)) << "the run has pipelines";
    trigger("view.pipeline");
    waitUntilQuiet();
    for (const std::int32_t rank : {5, 0, 7}) {
        workspace().flow().pointAt({0, RankPosition(rank), {TrackId(0), 5}});
        waitUntilQuiet();
        ASSERT_NE(panel.picture(), nullptr);
        const auto& ranks = panel.picture()->facts().ranks;
        EXPECT_NE(std::ranges::find(ranks, RankPosition(rank)), ranks.end()) << rank;
    }
    // A slice of another step than the typical one, which is shown by itself.
    const Pipeline& pipeline = panel.picture()->facts();
    const std::size_t wanted = panel.picture()->step == 0 ? 1 : 0;
    ASSERT_LT(wanted, pipeline.steps.size());
    workspace().flow().pointAt({0, pipeline.ranks[0], pipeline.steps[wanted].ranks[0].passes.front().work});
    waitUntilQuiet();
    EXPECT_EQ(panel.picture()->step, wanted);
}

TEST_F(GridInTheWindow, WhatIsSelectedOnTheTimelineIsOutlinedOnTheMap) {
    openSample();
    workspace().flow().pointAt({0, RankPosition(2), {TrackId(0), 5}});
    trigger("go.next-slice");
    std::size_t chosen = 0;
    for (std::size_t i = 0; i < grid().map().spokenParts(); ++i) {
        chosen += grid().map().spokenPart(i).chosen ? i + 1 : 0;
    }
    EXPECT_EQ(chosen, 3U) << "rank 2 alone";
}

TEST_F(GridInTheWindow, TheCommandsForHeadingsSayWhyTheyCannotBeUsed) {
    EXPECT_FALSE(action("rows.by-pipeline")->isEnabled());
    EXPECT_TRUE(action("rows.by-pipeline")->toolTip().contains(QStringLiteral("No run is open")));
    openSample();
    EXPECT_TRUE(action("rows.by-data")->isEnabled());
    EXPECT_FALSE(action("rows.by-pipeline")->isEnabled());
    EXPECT_TRUE(action("rows.by-pipeline")->toolTip().contains(QStringLiteral("No open run has groups")))
        << action("rows.by-pipeline")->toolTip().toStdString();
    trigger("rows.by-data");
    EXPECT_EQ(workspace().timeline().groupedBy(), Role::Data);
    EXPECT_TRUE(action("rows.by-data")->isChecked());
    trigger("edit.undo");
    EXPECT_TRUE(action("rows.no-headings")->isChecked());
}

TEST_F(GridInTheWindow, AGroupLeadsToItsCollectivesAndTheseToTheTimeline) {
    openSample();
    chooseTheGroup();
    QTest::keyClick(&groups(), Qt::Key_Return);
    waitUntilQuiet();
    EXPECT_EQ(workspace().panelInFront(), QStringLiteral("collectives"));
    auto& table = *workspace().collectives().findChild<QTableView*>();
    ASSERT_GT(table.model()->rowCount(), 0);
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(table.model()->index(0, 2)).center());
    const auto* slice = std::get_if<SliceSelection>(&workspace().timeline().selection());
    ASSERT_NE(slice, nullptr);
    const AnalysedRun& run = *window().session().runs()[0];
    EXPECT_TRUE(CollectiveIndex(run.facts.collectives).ofKernel(slice->rank, slice->slice).has_value())
        << run.run->ranks[slice->rank]->name(slice->slice);
}

TEST_F(GridInTheWindow, ARoleFromTheUserIsUsedAndKeptByTheSession) {
    openSample();
    ASSERT_EQ(facts().text(), "data 4");
    chooseTheGroup();
    say(QStringLiteral("Set to: shard"));
    waitUntilQuiet();
    EXPECT_EQ(facts().text(), "shard 4");
    EXPECT_TRUE(grid().summary().startsWith(QStringLiteral("shard 4"))) << grid().summary().toStdString();
    ASSERT_TRUE(grid().groups().chosen()) << "the group stays chosen";
    EXPECT_EQ(groups().item(0, 4)->text(), QStringLiteral("your entry"));
    trigger("rows.by-shard");
    saveAndReopen();
    EXPECT_EQ(facts().text(), "shard 4");
    EXPECT_EQ(workspace().timeline().groupedBy(), Role::Shard);
    EXPECT_TRUE(action("rows.by-shard")->isChecked());
    chooseTheGroup();
    role().setFocus();
    QTest::keyClick(&role(), Qt::Key_Home);
    waitUntilQuiet();
    EXPECT_EQ(facts().text(), "data 4") << "what is found holds again";
}

TEST_F(GridInTheWindow, ACommandSaysWhatAGroupIsForToo) {
    openSample();
    trigger("rows.group-role");
    const auto choose = [this](const QString& letters) {
        auto* palette = window().findChild<CommandPalette*>();
        auto* field = palette != nullptr ? palette->findChild<QLineEdit*>() : nullptr;
        ASSERT_NE(field, nullptr);
        QTest::keyClicks(field, letters);
        QTest::keyClick(field, Qt::Key_Return);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QCoreApplication::processEvents();
    };
    choose(QString());
    choose(QStringLiteral("expert"));
    waitUntilQuiet();
    EXPECT_EQ(facts().text(), "expert 4");
}

TEST_F(GridInTheWindow, ForgettingTypedClocksKeepsTheRolesOfGroups) {
    openSample();
    const std::string group = window().session().runs()[0]->facts.parallelism.groups[0].label();
    window().session().setRole(0, group, Role::Shard);
    ClockChoice clocks;
    clocks.typed_offset_ns[RankNumber(1)] = 5'000;
    window().session().setClocks(0, clocks);  // while the other is being worked out
    waitUntilQuiet();
    workspace().showBelow(workspace().clocks());
    test::clickButton(workspace().clocks(), QStringLiteral("Clear my offsets"));
    waitUntilQuiet();
    EXPECT_TRUE(window().session().choices()[0].clocks.typed_offset_ns.empty());
    EXPECT_EQ(window().session().choices()[0].roles, (RoleChoices{{group, Role::Shard}}));
}

TEST_F(GridInTheWindow, ItsControlsStayWhereTheyAreAfterItIsMoved) {
    openSample();
    PanelPlaces& places = workspace().places();
    const auto stand = [this] {
        QCoreApplication::processEvents();
        std::vector<QRect> where;
        for (const QComboBox* box : grid().findChildren<QComboBox*>()) {
            where.emplace_back(box->mapTo(&grid(), QPoint()), box->size());
        }
        return where;
    };
    for (const PanelPlace to : {PanelPlace::Window, PanelPlace::SideBottom, PanelPlace::Window, PanelPlace::Below}) {
        places.move(grid(), to);
        workspace().showBelow(grid());
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        waitUntilQuiet();
        const std::vector<QRect> first = stand();
        const QSize size = grid().size();
        grid().resize(size + QSize(7, 0));
        (void)stand();
        grid().resize(size);
        EXPECT_EQ(stand(), first) << static_cast<int>(to);
    }
}

TEST_F(GridInTheWindow, TheSessionKeepsWhatColoursTheMapAndItsAxes) {
    openSample();
    auto& colour = test::named<QComboBox>(grid(), QStringLiteral("Colour cells by"));
    const QString by_itself = colour.currentText();
    EXPECT_EQ(grid().choice(), GridChoice()) << "nothing was chosen";
    colour.setFocus();
    QTest::keyClick(&colour, Qt::Key_End);
    waitUntilQuiet();
    const QString chosen = colour.currentText();
    ASSERT_NE(chosen, by_itself);
    const GridChoice left = grid().choice();
    const QString file = saveAndClose();
    grid().setMeasure(RankMeasure::Lateness);
    ASSERT_TRUE(dropAndWait({file}));
    trigger("view.grid");
    waitUntilQuiet();
    EXPECT_EQ(colour.currentText(), chosen);
    EXPECT_EQ(grid().choice(), left);
}

TEST_F(GridInTheWindow, AFindingLeavesThePanelBelowInFrontUnlessThatIsFolded) {
    openSample();
    ASSERT_EQ(workspace().panelInFront(), QStringLiteral("grid"));
    workspace().flow().stepFinding(1);
    EXPECT_EQ(workspace().panelInFront(), QStringLiteral("grid"));
    workspace().flow().stepFinding(1);
    EXPECT_EQ(workspace().panelInFront(), QStringLiteral("grid"));
    EXPECT_TRUE(workspace().grid().isVisible());
    EXPECT_TRUE(rankOf(workspace().timeline().selection()).has_value()) << "its evidence is selected all the same";
    workspace().setBottomPanelVisible(false);
    workspace().flow().stepFinding(1);  // on its step
    workspace().flow().stepFinding(1);
    EXPECT_EQ(workspace().panelInFront(), QStringLiteral("details"));
}

}  // namespace
}  // namespace rankscope::ui
