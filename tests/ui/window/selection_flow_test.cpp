// SPDX-License-Identifier: GPL-3.0-or-later
// A timeline and the panels, without a window: what is selected in one is shown in the others.
#include <gtest/gtest.h>

#include <QSet>
#include <QTest>

#include "tests/support/analysed.h"
#include "tests/support/places.h"
#include "ui/panels/communication/collectives_panel.h"
#include "ui/panels/compute/tables_panel.h"
#include "ui/panels/diagnosis/diagnoses_panel.h"
#include "ui/panels/diagnosis/explanation_panel.h"
#include "ui/panels/query/query_panel.h"
#include "ui/panels/search/hits_panel.h"
#include "ui/panels/search/search.h"
#include "ui/panels/selection/details_panel.h"
#include "ui/panels/trace/check_panel.h"
#include "ui/timeline/timeline_widget.h"
#include "ui/widgets/search_bar.h"
#include "ui/window/places/dock_area.h"
#include "ui/window/places/panel_places.h"
#include "ui/window/selection_flow.h"

namespace rankscope::ui {
namespace {

class Flow : public testing::Test {
  protected:
    void SetUp() override {
        panels.addTo(docks.places());
        docks.arrange();
        timeline->setRuns(runs);
        panels.setRuns(runs, {AnalysisChoice()});
        flow.setRuns(runs);
        docks.resize(1200, 800);
        docks.show();
        docks.activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(&docks));
        timeline->settle();
        panels.diagnoses->finish();
    }
    /// A kernel of the run.
    [[nodiscard]] SliceSelection kernel() const {
        const RankTrace& rank = *runs[0]->run->ranks[0];
        for (std::uint32_t track = 0; track < rank.tracks.size(); ++track) {
            if (rank.tracks[track].kind == TrackKind::Stream) {
                return {0, RankPosition(0), {TrackId(track), 0}};
            }
        }
        return {};
    }

    const OpenRuns runs = {std::make_shared<const AnalysedRun>(test::loadAndAnalyse(test::sample("ZeroWorkers")))};
    const Theme theme = Theme::darkTheme();
    std::shared_ptr<IndexStore> indices = std::make_shared<IndexStore>();
    TimelineWidget* timeline = new TimelineWidget(theme, nullptr, indices);
    SearchBar* bar = new SearchBar;
    DockArea docks{{timeline, bar, {bar, timeline}}};
    PanelSet panels{theme, indices};
    Search search{*bar, *panels.hits, {{timeline, {}}}};
    SelectionFlow flow{*timeline, panels, docks, search};
};

TEST_F(Flow, ASliceSelectedByTheKeyboardIsInTheDetails) {
    EXPECT_FALSE(docks.bottomPanelVisible());
    timeline->setFocus();
    QTest::keyClick(timeline, Qt::Key_Period);
    ASSERT_TRUE(std::holds_alternative<SliceSelection>(timeline->selection()));
    EXPECT_TRUE(docks.bottomPanelVisible());
    EXPECT_EQ(docks.panelInFront(), QStringLiteral("details"));
    const QString facts = panels.details->factsText();
    QTest::keyClick(timeline, Qt::Key_Escape);
    EXPECT_NE(panels.details->factsText(), facts);
}

TEST_F(Flow, ASliceThatIsChosenInAPanelIsPointedAtAndTheDockStaysFolded) {
    Q_EMIT panels.collectives->sliceActivated(kernel());
    EXPECT_EQ(timeline->selection(), Selection(kernel()));
    EXPECT_FALSE(docks.bottomPanelVisible());
    EXPECT_FALSE(panels.details->factsText().isEmpty());
}

TEST_F(Flow, AGapIsExplainedAndNoFindingStaysMarked) {
    ASSERT_FALSE(runs[0]->diagnosis.findings.empty());
    flow.stepFinding(1);
    EXPECT_TRUE(panels.diagnoses->selected());
    EXPECT_TRUE(docks.places().isInFront(*panels.explanation));
    const QString finding = panels.explanation->text();
    timeline->trigger(TimelineAction::Clear);
    timeline->trigger(TimelineAction::NextGap);
    ASSERT_TRUE(std::holds_alternative<GapSelection>(timeline->selection()));
    EXPECT_FALSE(panels.diagnoses->selected());
    EXPECT_NE(panels.explanation->text(), finding);
}

TEST_F(Flow, TheExplanationOfAGapEndsWhenASliceIsChosenInATable) {
    const QString nothing = panels.explanation->text();
    const auto explain_gap = [&] {
        timeline->trigger(TimelineAction::Clear);
        timeline->trigger(TimelineAction::NextGap);
        return panels.explanation->text();
    };
    ASSERT_NE(explain_gap(), nothing);
    Q_EMIT panels.collectives->sliceActivated(kernel());
    EXPECT_EQ(panels.explanation->text(), nothing);
    ASSERT_NE(explain_gap(), nothing);
    Q_EMIT panels.details->sliceActivated(kernel());
    EXPECT_EQ(panels.explanation->text(), nothing);
    ASSERT_NE(explain_gap(), nothing);
    Q_EMIT panels.query->sliceActivated(kernel());
    EXPECT_EQ(panels.explanation->text(), nothing);
    ASSERT_NE(explain_gap(), nothing);
    Q_EMIT panels.check->sliceActivated(kernel());
    EXPECT_EQ(panels.explanation->text(), nothing);
    const QString gap = explain_gap();
    Q_EMIT panels.explanation->sliceActivated(kernel());
    EXPECT_EQ(panels.explanation->text(), gap) << "whose links are followed";
}

TEST_F(Flow, ThePanelOfTheAreaComesWithItAndGoesWithIt) {
    docks.showBelow(*panels.tables);
    timeline->reveal(kernel());
    timeline->settle();
    timeline->trigger(TimelineAction::AreaOfSelection);
    ASSERT_TRUE(timeline->area());
    EXPECT_EQ(docks.panelInFront(), QStringLiteral("area"));
    timeline->trigger(TimelineAction::Clear);
    EXPECT_EQ(docks.panelInFront(), QStringLiteral("tables"));
}

TEST_F(Flow, ANameIsSearchedForAndItsHitsAreListed) {
    Q_EMIT panels.tables->nameActivated(QStringLiteral("conv"));
    EXPECT_EQ(search.query(), QStringLiteral("conv"));
    EXPECT_EQ(docks.panelInFront(), panels.hits->objectName());
}

TEST_F(Flow, AStepIsShownAndItsRankMarkedByName) {
    flow.showStep(0, RankPosition(0), RankStepPosition(1));
    timeline->settle();
    ASSERT_NE(timeline->namedRow(), nullptr);
    ASSERT_TRUE(timeline->stepInView());
    EXPECT_EQ(timeline->stepInView()->step, 1U);
}

TEST(PanelSet, PutsEachPanelIntoADockWithItsOwnName) {
    auto* centre = new QWidget;
    DockArea docks({centre, nullptr, {centre}});
    const PanelSet panels(Theme::darkTheme(), std::make_shared<IndexStore>());
    panels.addTo(docks.places());
    docks.arrange();
    const std::vector<PanelSummary> summaries = docks.places().summaries();
    QSet<QString> titles;
    for (const PanelSummary& panel : summaries) {
        titles.insert(panel.title);
        EXPECT_FALSE(panel.about.isEmpty());
    }
    EXPECT_EQ(titles.size(), 23);
    EXPECT_EQ(docks.places().placeOf(*panels.diagnoses), PanelPlace::SideTop);
    EXPECT_EQ(docks.places().placeOf(*panels.explanation), PanelPlace::SideBottom);
    EXPECT_TRUE(docks.places().isInFront(*panels.details)) << "the first of those below";
    EXPECT_FALSE(panels.busy());
}

}  // namespace
}  // namespace rankscope::ui
