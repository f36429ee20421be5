// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QComboBox>
#include <QFontMetrics>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>
#include <algorithm>
#include <set>

#include "tests/support/analysed.h"
#include "tests/support/model_builder.h"
#include "tests/ui/holds.h"
#include "tests/ui/widget_parts.h"
#include "ui/panels/compute/calls_panel.h"
#include "ui/panels/compute/flame_view.h"
#include "ui/theme/slice_colors.h"
#include "ui/widgets/elided_label.h"

namespace rankscope::ui {
namespace {

using test::ModelBuilder;

/// Two ranks of two steps each, or of as many from `first` on: Python frames that only pass on, an operator twice, a
/// kernel of it, many tiny calls.
std::shared_ptr<const AnalysedRun> makeRun(double mm_us = 300, int first = 0, int steps = 2) {
    std::vector<std::shared_ptr<const RankTrace>> ranks;
    for (int r = 0; r < 2; ++r) {
        ModelBuilder b;
        b.rank(r, 2);
        const auto thread = b.thread("python");
        const auto stream = b.stream("7");
        for (int step = 0; step < steps; ++step) {
            const double from = 2'000.0 * step;
            b.step(thread, first + step, from, 1'990);
            b.python(thread, "main.py(1): <module>", from + 1, 1'988);
            b.python(thread, "main.py(5): train", from + 1, 1'988);
            b.op(thread, "aten::mm", from + 10, mm_us);
            b.kernel(thread, from + 20, 4, stream, "gemm", from + 30, 250);
            b.op(thread, "aten::add", from + 700, 200);
            for (int i = 0; i < 40; ++i) {
                b.op(thread, "tiny::op" + std::to_string(i), from + 1'000 + i, 0.1);
            }
        }
        ranks.push_back(b.build());
    }
    return std::make_shared<const AnalysedRun>(test::analyse(test::runOf(std::move(ranks))));
}

class Calls : public testing::Test {
  protected:
    Calls() : panel(Theme::darkTheme()), run(makeRun()) {
        panel.resize(1'000, 300);
        panel.show();
        panel.setRuns({run});
        wait();
    }

    void wait() {
        ASSERT_TRUE(QTest::qWaitFor([this] { return !panel.job().busy(); }, 60'000));
    }
    /// The node of that name which is drawn, found by looking at each pixel of the picture.
    [[nodiscard]] std::optional<QPoint> placeOf(const QString& name) {
        const FlameView& flame = panel.flame();
        for (int y = 2; y < flame.viewport()->height(); y += 4) {
            for (int x = 0; x < flame.viewport()->width(); x += 2) {
                if (const auto hit = flame.hitAt({x, y}); hit && hit->hidden == 0) {
                    QTest::mouseClick(flame.viewport(), Qt::LeftButton, {}, {x, y});
                    if (panel.summary().startsWith(name)) {
                        return QPoint(x, y);
                    }
                    x = std::max(x, flame.placeOf(hit->node).right());
                }
            }
        }
        return {};
    }
    QComboBox* box(const QString& name) { return &test::named<QComboBox>(panel, name); }
    void choose(const QString& name, int entry) {
        box(name)->setCurrentIndex(entry);
        wait();
    }
    QPushButton* button(const QString& words) { return test::buttonIn(panel, words); }

    CallsPanel panel;
    std::shared_ptr<const AnalysedRun> run;
};

TEST_F(Calls, AllRanksAreAddedUpAtFirst) {
    EXPECT_TRUE(test::begins(panel.summary(), "All calls  ·  CPU time 7.96 ms"));
}

TEST_F(Calls, AClickOnACallLeadsToItsLongestSlice) {
    const QSignalSpy gone(&panel, &CallsPanel::sliceActivated);
    ASSERT_TRUE(placeOf(QStringLiteral("aten::mm")).has_value());
    const auto slice = gone.back().front().value<SliceSelection>();
    EXPECT_EQ(run->run->ranks[slice.rank]->name(slice.slice), "aten::mm");
    EXPECT_TRUE(test::holds(panel.summary(), {"CPU time 1.20 ms, 15 % of all", "4 calls"}));
}

TEST_F(Calls, FramesThatOnlyPassOnAreFoldedUntilTheyAreWanted) {
    EXPECT_FALSE(placeOf(QStringLiteral("main.py(1): <module>")).has_value());
    EXPECT_TRUE(placeOf(QStringLiteral("main.py(5): train")).has_value());
    QTest::mouseClick(button(QStringLiteral("Fold")), Qt::LeftButton);
    wait();
    EXPECT_TRUE(placeOf(QStringLiteral("main.py(1): <module>")).has_value());
}

TEST_F(Calls, ADoubleClickShowsACallAloneAndBackspaceLeadsOutAgain) {
    FlameView& flame = panel.flame();
    const auto at = placeOf(QStringLiteral("aten::mm"));
    ASSERT_TRUE(at.has_value());
    const std::uint32_t node = *flame.chosen();
    EXPECT_LT(flame.placeOf(node).width(), 400);
    QTest::mouseDClick(flame.viewport(), Qt::LeftButton, {}, *at);
    EXPECT_EQ(flame.top(), node);
    EXPECT_EQ(flame.placeOf(node).width(), flame.viewport()->width());
    while (flame.top() != 0) {
        QTest::keyClick(&flame, Qt::Key_Backspace);
    }
    EXPECT_LT(flame.placeOf(node).width(), 400) << "as it was";
}

TEST_F(Calls, ArrowsLeadFromACallToItsCalleesNeighboursAndCaller) {
    FlameView& flame = panel.flame();
    QTest::keyClick(&flame, Qt::Key_Down);
    EXPECT_TRUE(panel.summary().startsWith(QStringLiteral("All calls")));
    QTest::keyClick(&flame, Qt::Key_Down);
    EXPECT_TRUE(panel.summary().startsWith(QStringLiteral("ProfilerStep*")));
    QTest::keyClick(&flame, Qt::Key_Down);
    QTest::keyClick(&flame, Qt::Key_Down);
    EXPECT_TRUE(panel.summary().startsWith(QStringLiteral("aten::mm"))) << panel.summary().toStdString();
    QTest::keyClick(&flame, Qt::Key_Right);
    EXPECT_TRUE(panel.summary().startsWith(QStringLiteral("aten::add")));
    QTest::keyClick(&flame, Qt::Key_Left);
    QTest::keyClick(&flame, Qt::Key_Up);
    EXPECT_TRUE(panel.summary().startsWith(QStringLiteral("main.py(5): train")));
}

TEST_F(Calls, EveryPixelThatIsDrawnCanBeHit) {
    const FlameView& flame = panel.flame();
    const QImage picture = flame.viewport()->grab().toImage();
    const QRgb empty = Theme::darkTheme().surface.rgb();
    int drawn = 0;
    for (int y = 0; y < picture.height(); ++y) {
        for (int x = 0; x < picture.width(); ++x) {
            if (picture.pixel(x, y) != empty) {
                ++drawn;
                ASSERT_TRUE(flame.hitAt({x, y}).has_value()) << x << ", " << y;
            }
        }
    }
    EXPECT_GT(drawn, 10'000);
}

TEST_F(Calls, CallsTooSmallToDrawAreOneStripWithTheirNumber) {
    const FlameView& flame = panel.flame();
    std::uint32_t most = 0;
    for (int y = 2; y < flame.viewport()->height(); y += 4) {
        for (int x = 0; x < flame.viewport()->width(); ++x) {
            if (const auto hit = flame.hitAt({x, y})) {
                most = std::max(most, hit->hidden);
            }
        }
    }
    EXPECT_EQ(most, 40U);
}

TEST_F(Calls, DeviceTimeHasTheKernelsUnderTheCallsThatLaunchedThem) {
    choose(QStringLiteral("Measure"), 1);
    EXPECT_TRUE(panel.summary().contains(QStringLiteral("GPU time 1.00 ms"))) << panel.summary().toStdString();
    const auto at = placeOf(QStringLiteral("gemm"));
    ASSERT_TRUE(at.has_value());
    QTest::keyClick(&panel.flame(), Qt::Key_Up);
    QTest::keyClick(&panel.flame(), Qt::Key_Up);
    EXPECT_TRUE(panel.summary().startsWith(QStringLiteral("aten::mm"))) << panel.summary().toStdString();
}

TEST_F(Calls, CommunicationHasTheColourThatItHasOnTheTimeline) {
    auto [b, thread, stream] = test::threadAndStream("python");
    b.kernel(thread, 0, 4, stream, "ncclDevKernel_AllReduce_Sum_f32_RING_LL", 10, 500);
    panel.setRuns({std::make_shared<const AnalysedRun>(test::analyse(test::runOf({b.build()})))});
    choose(QStringLiteral("Measure"), 1);
    const auto at = placeOf(QStringLiteral("ncclDevKernel_AllReduce"));
    ASSERT_TRUE(at.has_value());
    const QRgb colour = panel.flame().viewport()->grab().toImage().pixel(*at + QPoint(600, 3));
    const SliceColors& colours = SliceColors::of(Theme::darkTheme());
    EXPECT_EQ(colour, colours.fill(Hue::Communication, shadeOf("ncclDevKernel_AllReduce_Sum_f32_RING_LL")));
}

TEST_F(Calls, BottomUpBeginsWithWhatSpentTheTime) {
    choose(QStringLiteral("Direction"), 1);
    ASSERT_TRUE(placeOf(QStringLiteral("aten::add")).has_value());
    QTest::keyClick(&panel.flame(), Qt::Key_Down);
    EXPECT_TRUE(panel.summary().startsWith(QStringLiteral("ProfilerStep*"))) << panel.summary().toStdString();
}

TEST_F(Calls, BottomUpHasNoColumnOfOwnTimesAsAllOfARowIsItsOwn) {
    QTest::mouseClick(button(QStringLiteral("Call tree")), Qt::LeftButton);
    auto* tree = panel.findChild<QTreeView*>();
    const auto hides_own = [&] {
        for (int column = 0; column < tree->model()->columnCount(); ++column) {
            if (tree->model()->headerData(column, Qt::Horizontal).toString() == QStringLiteral("Self")) {
                return tree->isColumnHidden(column);
            }
        }
        return false;
    };
    EXPECT_FALSE(hides_own());
    choose(QStringLiteral("Direction"), 1);
    EXPECT_TRUE(hides_own());
    choose(QStringLiteral("Direction"), 0);
    EXPECT_FALSE(hides_own());
}

TEST_F(Calls, NumbersOfTheTreeAreWholeInLargeText) {
    const auto* tree = panel.findChild<QTreeView*>();
    const int usual = tree->columnWidth(1);
    const Theme large = Theme::darkTheme().withTextSize(2);
    panel.setTheme(large);
    for (int column = 1; column < tree->model()->columnCount(); ++column) {
        EXPECT_GE(tree->columnWidth(column),
                  QFontMetrics(large.ui_font).horizontalAdvance(QStringLiteral("888.8 ms")) + 22)
            << column;
    }
    panel.setTheme(Theme::darkTheme());
    EXPECT_EQ(tree->columnWidth(1), usual);
}

TEST_F(Calls, TheLineBelowEndsInDotsWhereItHasNoRoom) {
    const auto labels = panel.findChildren<QLabel*>();
    const auto said = std::ranges::find(labels, panel.summary(), &QLabel::text);
    ASSERT_TRUE(said != labels.end());
    EXPECT_NE(qobject_cast<const ElidedLabel*>(*said), nullptr);
}

TEST_F(Calls, TheTreeHasTheSameRowsTheLongestFirst) {
    QTest::mouseClick(button(QStringLiteral("Call tree")), Qt::LeftButton);
    auto* tree = panel.findChild<QTreeView*>();
    ASSERT_TRUE(tree->isVisible());
    const QAbstractItemModel& model = *tree->model();
    const QModelIndex step = model.index(0, 0);
    EXPECT_EQ(step.data().toString(), QStringLiteral("ProfilerStep*"));
    EXPECT_EQ(step.siblingAtColumn(1).data().toString(), QStringLiteral("7.96 ms"));
    const QModelIndex train = model.index(0, 0, step);
    EXPECT_EQ(train.data().toString(), QStringLiteral("main.py(5): train"));
    EXPECT_EQ(model.index(0, 0, train).data().toString(), QStringLiteral("aten::mm"));
    EXPECT_EQ(model.parent(model.index(1, 0, train)), train);
    EXPECT_EQ(model.rowCount(train), 42);
}

TEST_F(Calls, ASelectedSliceIsFoundInTheGraphOfItsRank) {
    const RankTrace& trace = *run->run->ranks[1];
    const auto& slices = trace.tracks[0].slices;
    SliceIndex add = 0;
    while (trace.strings.view(slices.name[add]) != "aten::add") {
        ++add;
    }
    panel.showSlice({0, RankPosition(1), {TrackId(0), add}});
    wait();
    EXPECT_TRUE(panel.summary().startsWith(QStringLiteral("aten::add  ·  CPU time 400 µs")))
        << panel.summary().toStdString();
    EXPECT_EQ(box(QStringLiteral("Rank"))->currentText(), QStringLiteral("rank 1"));
    ASSERT_TRUE(panel.flame().chosen().has_value());
    EXPECT_EQ(panel.flame().top(), *panel.flame().chosen());
}

TEST_F(Calls, AStepAndADrawnAreaCanBeLookedAtAlone) {
    panel.setSlice({0, RankPosition(0), {TrackId(0), 0}});
    QComboBox* time = box(QStringLiteral("Time range of the calls"));
    ASSERT_EQ(time->itemText(1), QStringLiteral("Step 0"));
    time->setCurrentIndex(1);
    wait();
    EXPECT_TRUE(panel.summary().contains(QStringLiteral("CPU time 3.98 ms"))) << panel.summary().toStdString();
    const TimeNs base = run->clock.base_ns;
    panel.setArea(AreaSelection{0, {{base + 10'000, base + 110'000}, {{RankPosition(0), TrackId(0)}}}});
    time->setCurrentIndex(2);
    wait();
    EXPECT_TRUE(panel.summary().contains(QStringLiteral("CPU time 100 µs"))) << panel.summary().toStdString();
    panel.setArea({});
    wait();
    EXPECT_EQ(time->currentText(), QStringLiteral("All time")) << "the area is gone";
    EXPECT_TRUE(panel.summary().contains(QStringLiteral("CPU time 7.96 ms")));
}

TEST_F(Calls, EachCallIsNextToThatOfAnotherRunScaledToTheSameNumberOfSteps) {
    panel.setRuns({run, makeRun(100)});
    wait();
    QComboBox* before = box(QStringLiteral("Another run to compare with"));
    ASSERT_TRUE(before->isVisible());
    before->setCurrentIndex(1);
    wait();
    EXPECT_TRUE(test::holds(panel.summary(), {"both runs have as many steps"}));
    ASSERT_TRUE(placeOf(QStringLiteral("aten::mm")).has_value());
    EXPECT_TRUE(test::holds(panel.summary(), {"400 µs in the other run: 800 µs more"}));
}

TEST_F(Calls, AnotherRunOfMoreStepsIsMarkedAsScaled) {
    panel.setRuns({run, makeRun(300, 0, 4)});
    wait();
    choose(QStringLiteral("Another run to compare with"), 1);
    EXPECT_TRUE(test::holds(panel.summary(), {"other run scaled to this step count"}));
}

TEST_F(Calls, AStepThatNoRankOfTheOpenRunHasIsNotOffered) {
    panel.setSlice({0, RankPosition(0), {TrackId(0), 0}});
    QComboBox* time = box(QStringLiteral("Time range of the calls"));
    time->setCurrentIndex(time->findText(QStringLiteral("Step 0")));
    wait();
    ASSERT_EQ(time->currentText(), QStringLiteral("Step 0"));
    panel.setRuns({run, makeRun(300, 7)});
    wait();
    EXPECT_EQ(time->currentText(), QStringLiteral("Step 0")) << "its run is still open";
    panel.setRuns({makeRun(300, 7)});
    wait();
    EXPECT_EQ(time->currentText(), QStringLiteral("All time"));
    EXPECT_EQ(time->count(), 1);
    EXPECT_TRUE(panel.summary().contains(QStringLiteral("CPU time 7.96 ms"))) << panel.summary().toStdString();
}

TEST_F(Calls, CallsThatTookLessThanInTheOtherRunAreStripedInAnyColour) {
    const auto longer = makeRun(600);
    const auto shorter = makeRun(300);
    for (const bool less : {false, true}) {
        panel.setRuns(less ? OpenRuns{shorter, longer} : OpenRuns{longer, shorter});
        wait();
        choose(QStringLiteral("Another run to compare with"), 1);
        const auto place = placeOf(QStringLiteral("aten::mm"));
        ASSERT_TRUE(place.has_value());
        const QImage drawn = panel.flame().viewport()->grab().toImage();
        const auto hit = panel.flame().hitAt(*place);
        const QRect box = panel.flame().placeOf(hit->node).adjusted(4, 4, -4, -4);
        std::set<QRgb> above_text;  // along the upper edge, where no letter is
        for (int x = box.left(); x < box.right(); ++x) {
            above_text.insert(drawn.pixel(x, box.top() - 2));
        }
        EXPECT_EQ(above_text.size() > 1, less);
    }
}

TEST_F(Calls, AFilterDimsAllOthers) {
    const auto at = placeOf(QStringLiteral("aten::add"));
    ASSERT_TRUE(at.has_value());
    const QPoint inside = *at + QPoint(3, 3);
    const QRgb before = panel.flame().viewport()->grab().toImage().pixel(inside);
    QTest::keyClicks(panel.findChild<QLineEdit*>(), QStringLiteral("MM"));
    EXPECT_NE(panel.flame().viewport()->grab().toImage().pixel(inside), before);
    panel.findChild<QLineEdit*>()->clear();
    EXPECT_EQ(panel.flame().viewport()->grab().toImage().pixel(inside), before);
}

TEST_F(Calls, WithoutARunThePanelSaysSo) {
    panel.setRuns({});
    EXPECT_EQ(panel.summary(), QStringLiteral("Open a run to see its calls."));
}

}  // namespace
}  // namespace rankscope::ui
