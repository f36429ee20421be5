// SPDX-License-Identifier: GPL-3.0-or-later
// A run of hundreds of ranks in one digest: what is seen first, and what comes up by itself.
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <algorithm>
#include <functional>

#include "core/digest/step_table.h"
#include "tests/bench/many_digests.h"
#include "tests/ui/widget_parts.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/panels/communication/grid_panel.h"
#include "ui/panels/shared/heat_legend.h"
#include "ui/panels/steps/step_map_view.h"
#include "ui/timeline/rows/row_layout.h"
#include "ui/window/opening/loading_strip.h"
#include "ui/window/opening/locate_offer.h"
#include "ui/window/opening/run_loader.h"
#include "ui/window/step_map_page.h"

namespace rankscope::ui {
namespace {

class ManyRanks : public test::WindowTest {
  protected:
    [[nodiscard]] QString digestOf(int replicas, int steps = 2) const {
        const bench::ManyDigests job{.data = replicas, .steps = steps};
        const auto simulated = folder().path() / "simulated.digest";
        const auto file = folder().path() / "job.digest";
        bench::writeSimulatedDigests(job.steps, simulated);
        (void)bench::writeManyDigests(job, simulated, file);
        return QString::fromStdString(file.string());
    }
    /// Opens `digest`; `look` sees the complete map when the steps are known, before any rank can arrive.
    void openAndLook(const QString& digest, const std::function<void(StepMapView&)>& look) {
        bool seen = false;
        const auto connection = QObject::connect(&window().session().loader(), &RunLoader::stepsKnown, &window(), [&] {
            seen = true;
            StepMapView& view = window().stepMap().view();
            view.settle();
            look(view);
        });
        window().open({digest});
        EXPECT_TRUE(waitUntilIdle());
        EXPECT_TRUE(seen) << "the steps of a digest are known first";
        QObject::disconnect(connection);
    }
};

TEST_F(ManyRanks, AreSeenAsAMapOfAllTheirStepsBeforeASliceIsReadAndThenOnTheTimeline) {
    const QString digest = digestOf(18);
    const QSignalSpy first_rank(&window().session(), &Session::opened);
    StepMapRows rows;
    openAndLook(digest, [&](const StepMapView& view) {
        EXPECT_TRUE(view.isVisible());
        EXPECT_EQ(first_rank.size(), 0) << "no rank is there yet";
        EXPECT_FALSE(window().stepMap().findChild<QPushButton*>()->isEnabled()) << "nor is the timeline";
        ASSERT_NE(view.rows(), nullptr);
        rows = *view.rows();
    });
    EXPECT_EQ(rows.apart.size() + rows.alike.size(), 288U);
    EXPECT_EQ(ranksOf(), 288);
    EXPECT_TRUE(workspace().isVisible()) << "the timeline comes when all is analysed";
    EXPECT_FALSE(window().stepMap().isVisible());
    EXPECT_EQ(workspace().timeline().rankOrder(), RankOrder::Lateness) << "the latest on top";
    EXPECT_TRUE(workspace().timeline().alikeFolded());
    EXPECT_EQ(workspace().panelInFront(), QStringLiteral("grid"));
    EXPECT_TRUE(workspace().grid().isVisible());

    // The map comes back, and leads to a step of a rank.
    QAction* command = action("go.step-map");
    ASSERT_TRUE(command->isEnabled());
    command->trigger();
    EXPECT_TRUE(window().stepMap().isVisible());
    EXPECT_TRUE(command->isChecked());
    StepMapView& view = window().stepMap().view();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !view.busy() && view.rows() != nullptr; }, kPatience));
    const std::size_t rank = rows.apart.empty() ? rows.alike.front() : rows.apart.front();
    const auto cell = view.cellAt(view.placeOf({rank, 1}).center());
    ASSERT_TRUE(cell.has_value());
    const TimeSpan before = workspace().timeline().viewport().window();
    QTest::mouseClick(&view, Qt::LeftButton, {}, view.placeOf({rank, 1}).center());
    EXPECT_TRUE(workspace().isVisible());
    EXPECT_TRUE(QTest::qWaitFor([&] { return workspace().timeline().viewport().window() != before; }, kPatience));
    workspace().timeline().settle();
    EXPECT_TRUE(workspace().timeline().stepInView().has_value());
    const LayoutRow* marked = workspace().timeline().namedRow();
    ASSERT_NE(marked, nullptr) << "which of 288 ranks it is can be seen";
    EXPECT_EQ(marked->kind, RowKind::Rank);
    EXPECT_EQ(marked->rank, RankPosition(cell->first));
}

TEST_F(ManyRanks, ACellThatIsClickedBeforeItsSlicesAreThereIsGoneToWhenTheyAre) {
    TimeSpan before;
    openAndLook(digestOf(18), [&](StepMapView& view) {
        ASSERT_NE(view.rows(), nullptr);
        const std::size_t rank = view.rows()->apart.empty() ? view.rows()->alike.front() : view.rows()->apart.front();
        QTest::mouseClick(&view, Qt::LeftButton, {}, view.placeOf({rank, 1}).center());
        EXPECT_TRUE(view.isVisible()) << "there is nothing to go to yet";
        before = workspace().timeline().viewport().window();
    });
    EXPECT_TRUE(workspace().isVisible());
    workspace().timeline().settle();
    EXPECT_NE(workspace().timeline().viewport().window(), before);
    EXPECT_LT(workspace().timeline().viewport().window().length(), workspace().timeline().viewport().limits().length());
}

TEST_F(ManyRanks, AStepThatDidNotFitIntoMemoryIsOpenedFromItsTraceOrNamesItsPath) {
    qputenv("RANKSCOPE_MEMORY", "0.08");
    const QString digest = digestOf(18, 8);
    window().open({digest});
    const bool idle = waitUntilIdle();
    qunsetenv("RANKSCOPE_MEMORY");
    ASSERT_TRUE(idle);
    const AnalysedRun& run = *window().session().runs().front();
    ASSERT_NE(run.run->chosen_steps, nullptr);
    trigger("go.step-map");
    StepMapView& view = window().stepMap().view();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !view.busy() && view.rows() != nullptr; }, kPatience));
    const Result<StepTable> table = readStepTable({digest.toStdString()});
    ASSERT_TRUE(table.ok());
    const std::vector<std::int64_t>& steps = table.value().steps;
    ASSERT_EQ(steps.size(), 8U) << "the map has all of them";
    const auto is_read = [&](std::int64_t step) {
        return std::ranges::find(run.facts.steps, step, &RunStep::index) != run.facts.steps.end();
    };
    const auto unread = std::ranges::find_if_not(steps, is_read);
    ASSERT_NE(unread, steps.end());
    const std::size_t rank = view.rows()->apart.empty() ? view.rows()->alike.front() : view.rows()->apart.front();
    QTest::mouseClick(&view, Qt::LeftButton, {},
                      view.placeOf({rank, static_cast<std::size_t>(unread - steps.begin())}).center());
    const auto told = [this] {
        return std::ranges::any_of(window().findChildren<LocateOffer*>(), &QWidget::isVisible);
    };
    EXPECT_TRUE(QTest::qWaitFor(told, kPatience)) << "these ranks have no traces";
}

TEST(StepMapPageTest, OneRankThatDiffersIsOne) {
    auto table = std::make_shared<StepTable>();
    table->steps = {1, 2};
    for (int rank = 0; rank < 300; ++rank) {
        table->ranks.emplace_back(rank);
        for (std::size_t step = 0; step < table->steps.size(); ++step) {
            table->cells.push_back({100'000'000, rank == 7 ? 90'000'000 : 50'000'000, 0, 0, true});
        }
    }
    StepMapPage page(Theme::darkTheme());
    page.resize(800, 400);
    page.show();
    page.setTable(QStringLiteral("job"), table);
    ASSERT_TRUE(QTest::qWaitFor([&] { return page.view().rows() != nullptr && !page.view().busy(); }, 10'000));
    const QString words = test::labelWords(page);
    EXPECT_TRUE(words.contains(QStringLiteral("1 rank differs from"))) << words.toStdString();
    EXPECT_TRUE(page.view().spokenContent().contains(QStringLiteral("1 rank is far from the median")))
        << page.view().spokenContent().toStdString();
    EXPECT_EQ(page.findChild<HeatLegend*>()->striped(), page.view().striped()) << "the legend is of this map";
}

TEST_F(ManyRanks, AFewRanksAreShownAsEver) {
    ASSERT_TRUE(dropAndWait({writeRank(0), writeRank(1)}));
    EXPECT_TRUE(workspace().isVisible());
    EXPECT_EQ(workspace().timeline().rankOrder(), RankOrder::Number);
    EXPECT_FALSE(action("go.step-map")->isEnabled());
}

}  // namespace
}  // namespace rankscope::ui
