// SPDX-License-Identifier: GPL-3.0-or-later
// The search, typed into the real window.
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <algorithm>

#include "tests/support/places.h"
#include "tests/ui/widget_parts.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/panels/search/hits_model.h"
#include "ui/panels/search/hits_panel.h"
#include "ui/panels/search/search.h"
#include "ui/timeline/frame/frame.h"
#include "ui/timeline/overview.h"
#include "ui/widgets/search_bar.h"

namespace rankscope::ui {
namespace {

class SearchInWindow : public test::WindowTest {
  protected:
    void SetUp() override {
        ASSERT_TRUE(dropAndWait(files()));
        QTest::keyClick(&timeline(), Qt::Key_Slash);
        bar = window().workspace().findChild<SearchBar*>();
        field = bar->findChild<QLineEdit*>();
    }

    [[nodiscard]] virtual QStringList files() { return {writeRank(0), writeRank(1)}; }
    [[nodiscard]] Search& search() { return window().workspace().search(); }
    void type(const QString& words) {
        QTest::keyClicks(field, words);
        ASSERT_TRUE(QTest::qWaitFor([this] { return !search().busy(); }, kPatience));
    }
    [[nodiscard]] SliceSelection selected() {
        const auto* slice = std::get_if<SliceSelection>(&timeline().selection());
        return slice == nullptr ? SliceSelection{} : *slice;
    }

    SearchBar* bar = nullptr;
    QLineEdit* field = nullptr;
};

TEST_F(SearchInWindow, SlashOpensItWithTheKeyboardInTheField) {
    EXPECT_TRUE(bar->isVisible());
    EXPECT_TRUE(field->hasFocus());
    EXPECT_EQ(field->text(), QString()) << "the slash itself is not typed";
}

TEST_F(SearchInWindow, HitsAreCountedOnAllRanks) {
    type(QStringLiteral("gemm"));
    EXPECT_TRUE(test::labelWords(*bar).contains(QStringLiteral("40 hits"))) << test::labelWords(*bar).toStdString();
    type(QStringLiteral("xyz"));
    EXPECT_TRUE(test::labelWords(*bar).contains(QStringLiteral("no hits"))) << test::labelWords(*bar).toStdString();
}

/// The same in a run whose steps are marked.
class SearchOfSteps : public SearchInWindow {
  protected:
    [[nodiscard]] QStringList files() override {
        return {QString::fromStdString(test::sample("ZeroWorkers").string())};
    }
};

TEST_F(SearchOfSteps, AStepIsFoundByItsNumberOnAllRanksOrOnOne) {
    const RunStep& step = window().session().runs().front()->facts.steps.front();
    const auto mark = [&](RankPosition rank) {
        return SliceSelection{0, rank, window().session().runs().front()->facts.stepOf(step, rank)->mark};
    };
    const QString words = QStringLiteral("step %1").arg(step.index);
    type(words);
    EXPECT_TRUE(test::labelWords(*bar).contains(QStringLiteral("4 hits"))) << test::labelWords(*bar).toStdString();
    type(QStringLiteral(" of rank 1"));
    EXPECT_TRUE(test::labelWords(*bar).contains(QStringLiteral("1 hit"))) << test::labelWords(*bar).toStdString();
    QTest::keyClick(field, Qt::Key_Return);
    EXPECT_EQ(selected(), mark(RankPosition(1)));
}

TEST_F(SearchInWindow, EnterWalksOnAndShiftEnterBackRoundTheEnd) {
    type(QStringLiteral("gemm"));
    QTest::keyClick(field, Qt::Key_Return);
    EXPECT_EQ(selected(), search().results()->at(0));
    EXPECT_TRUE(test::labelWords(*bar).contains(QStringLiteral("1 of 40"))) << test::labelWords(*bar).toStdString();
    QTest::keyClick(field, Qt::Key_Return);
    EXPECT_EQ(selected(), search().results()->at(1));
    QTest::keyClick(field, Qt::Key_Return, Qt::ShiftModifier);
    QTest::keyClick(field, Qt::Key_Return, Qt::ShiftModifier);
    EXPECT_EQ(selected(), search().results()->at(39));
    EXPECT_TRUE(field->hasFocus()) << "one may go on typing";
}

TEST_F(SearchInWindow, EnterOnTheTimelineWalksTooFromWhatIsSelectedThere) {
    type(QStringLiteral("gemm"));
    QTest::keyClick(field, Qt::Key_Return);
    timeline().setFocus();
    QTest::keyClick(&timeline(), Qt::Key_Return);
    EXPECT_EQ(selected(), search().results()->at(1));
}

TEST_F(SearchInWindow, TheFirstHitStaysInSightWhenTheDetailsUnfoldForIt) {
    window().session().closeAll();
    ASSERT_TRUE(openAndWait({sample("ZeroWorkers")}));
    QCoreApplication::processEvents();  // the strip of the files has gone
    timeline().settle();
    QTest::keyClick(&timeline(), Qt::Key_Slash);
    ASSERT_FALSE(workspace().bottomPanelVisible());
    const int before = timeline().frame().height;
    type(QStringLiteral("nccl"));
    QTest::keyClick(field, Qt::Key_Return);
    ASSERT_TRUE(workspace().bottomPanelVisible());
    timeline().settle();
    const Frame& after = timeline().frame();
    ASSERT_LT(after.height, before);
    const SliceSelection hit = selected();
    EXPECT_TRUE(std::ranges::any_of(after.slice_rows, [&](const FrameSliceRow& row) {
        const auto is_it = [&](const FrameItem& item) { return item.count == 1 && item.slice == hit.slice.slice; };
        return row.rank == hit.rank && row.track == hit.slice.track && row.y >= 0 &&
               row.y + row.height <= after.height &&
               std::any_of(after.items.begin() + row.first, after.items.begin() + row.last, is_it);
    }));
}

TEST_F(SearchInWindow, TheTableListsTheHitsAndGoesToTheOneThatIsClicked) {
    type(QStringLiteral("gemm"));
    workspace().showBelow(workspace().hits());
    auto* panel = workspace().findChild<HitsPanel*>();
    auto* table = panel->findChild<QTableView*>();
    ASSERT_EQ(table->model()->rowCount(), 40);
    EXPECT_EQ(table->model()->index(4, HitsModel::kName).data().toString(), QStringLiteral("gemm"));
    const QRect cell = table->visualRect(table->model()->index(4, HitsModel::kName));
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, cell.center());
    EXPECT_EQ(selected(), search().results()->at(4));
    EXPECT_EQ(workspace().panelInFront(), QStringLiteral("hits")) << "the table stays";
}

TEST_F(SearchInWindow, TheBarLeadsToTheListOfItsHits) {
    ASSERT_FALSE(test::buttonIn(*bar, QStringLiteral("List"))->isEnabled()) << "nothing is searched for";
    type(QStringLiteral("gemm"));
    test::clickButton(*bar, QStringLiteral("List"));
    EXPECT_TRUE(workspace().hits().isVisible());
    EXPECT_EQ(workspace().panelInFront(), QStringLiteral("hits"));
}

TEST_F(SearchInWindow, TheTableFollowsWhileOneWalks) {
    type(QStringLiteral("gemm"));
    for (int i = 0; i < 30; ++i) {
        QTest::keyClick(field, Qt::Key_Return);
    }
    auto* panel = workspace().findChild<HitsPanel*>();
    workspace().showBelow(*panel);
    QCoreApplication::processEvents();
    const auto* table = panel->findChild<QTableView*>();
    EXPECT_EQ(table->currentIndex().row(), 29);
    EXPECT_TRUE(table->selectionModel()->isRowSelected(29));
    EXPECT_TRUE(table->viewport()->rect().intersects(table->visualRect(table->currentIndex())));
    EXPECT_EQ(selected(), search().results()->at(29)) << "the table only follows";
}

TEST_F(SearchInWindow, TheNewestTextWinsAndOldHitsStayUntilNewOnesAreThere) {
    type(QStringLiteral("gemm"));
    const auto before = search().results();
    QTest::keyClicks(field, QStringLiteral("q"));
    EXPECT_EQ(search().results(), before) << "until the thread has answered";
    QTest::keyClick(field, Qt::Key_Backspace);
    QTest::keyClick(field, Qt::Key_Backspace);
    ASSERT_TRUE(QTest::qWaitFor([this] { return !search().busy(); }, kPatience));
    EXPECT_EQ(search().results()->text, QStringLiteral("gem"));
    EXPECT_EQ(search().results()->total(), 40U);
}

TEST_F(SearchInWindow, HitsAreMarkedInTheOverviewAndGoWithTheSearch) {
    type(QStringLiteral("gemm"));
    ASSERT_NE(search().results(), nullptr);
    EXPECT_TRUE(std::ranges::is_sorted(search().results()->timelines.front().on_axis));
    EXPECT_GE(timeline().overview().hitPixels(), 20) << "20 kernels apart, on two ranks at the same times";
    EXPECT_LE(timeline().overview().hitPixels(), 40);
    QTest::keyClick(field, Qt::Key_Escape);
    EXPECT_EQ(timeline().overview().hitPixels(), 0);
    EXPECT_FALSE(bar->isVisible());
    EXPECT_EQ(search().results(), nullptr);
    EXPECT_TRUE(timeline().hasFocus());
}

TEST_F(SearchInWindow, ALongTextMakesTheWindowNoWider) {
    window().resize(1280, 720);
    type(QString(300, QLatin1Char('q')));
    workspace().showBelow(workspace().hits());
    QCoreApplication::processEvents();
    EXPECT_EQ(window().size(), QSize(1280, 720));
    EXPECT_LE(window().minimumSizeHint().width(), 1280);
    const QString said = test::labelWords(workspace().hits());
    EXPECT_TRUE(said.contains(QStringLiteral("qqq…qqq"))) << said.toStdString();
    EXPECT_LT(said.size(), 200) << said.toStdString();
}

TEST_F(SearchInWindow, ClosingTheRunForgetsItsHits) {
    type(QStringLiteral("gemm"));
    window().session().closeAll();
    EXPECT_EQ(search().results(), nullptr);
}

}  // namespace
}  // namespace rankscope::ui
