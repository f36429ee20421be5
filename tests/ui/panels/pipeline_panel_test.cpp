// SPDX-License-Identifier: GPL-3.0-or-later
// A step of a pipeline as people draw it: real events on the real panel.
#include "ui/panels/communication/pipeline_panel.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QEnterEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>
#include <QVBoxLayout>

#include "core/analysis/pipeline/typical_step.h"
#include "tests/support/analysed.h"
#include "tests/support/pipeline_job.h"
#include "tests/ui/holds.h"
#include "tests/ui/widget_parts.h"
#include "ui/panels/communication/pass_look.h"
#include "ui/panels/communication/pipeline_legend.h"

namespace rankscope::ui {
namespace {

using Place = PipelineView::Place;

std::shared_ptr<const AnalysedRun> analysed(const test::PipelineJob& job) {
    return std::make_shared<const AnalysedRun>(test::analyse(test::runOf(job)));
}

class PipelinePanelTest : public testing::Test {
  protected:
    PipelinePanelTest() : panel(Theme::darkTheme()) {
        panel.resize(1000, 320);
        panel.show();
    }
    void open(const test::PipelineJob& job) {
        run = analysed(job);
        panel.setRuns({run});
        QCoreApplication::processEvents();
    }
    PipelineView& view() { return panel.view(); }
    [[nodiscard]] const PipelinePicture& picture() const { return *panel.picture(); }
    [[nodiscard]] QPoint middleOf(const Place& at) { return view().placeOf(at).center().toPoint(); }
    [[nodiscard]] QColor drawnAt(const QPointF& at) {
        return view().grab().toImage().pixelColor((at * view().devicePixelRatioF()).toPoint());
    }

    std::shared_ptr<const AnalysedRun> run;
    PipelinePanel panel;
};

TEST_F(PipelinePanelTest, ShowsARowForEachRankTheFirstStageOnTopAndABoxForEachPass) {
    open(test::oneFOneBJob());
    ASSERT_NE(panel.picture(), nullptr);
    ASSERT_EQ(picture().rows.size(), 3U);
    for (std::size_t row = 0; row < 3; ++row) {
        EXPECT_EQ(picture().rows[row].passes.size(), 10U) << "five micro-batches, forward and backward";
        for (std::size_t box = 0; box < 10; ++box) {
            const QRectF place = view().placeOf({row, box});
            EXPECT_GT(place.width(), 5) << row << ' ' << box;
            EXPECT_EQ(drawnAt({place.left() + 2, place.center().y()}),
                      passColour(picture().pass(row, box).kind, Theme::darkTheme()))
                << row << ' ' << box;
        }
    }
    EXPECT_LT(view().placeOf({0, 0}).top(), view().placeOf({1, 0}).top());
    EXPECT_LT(view().placeOf({0, 0}).left(), view().placeOf({1, 0}).left()) << "the second stage waits for the first";
    EXPECT_TRUE(test::holds(panel.summary(), {"3 stages", "5 micro-batches", "1F1B"}));
}

TEST_F(PipelinePanelTest, EveryBoxAndStretchOfBubbleIsFoundWhereItIsDrawn) {
    open(test::interleavedJob());
    for (std::size_t row = 0; row < picture().rows.size(); ++row) {
        for (std::size_t box = 0; box < picture().rows[row].passes.size(); ++box) {
            EXPECT_TRUE(test::tipAt(view(), middleOf({row, box}))
                            .contains(QStringLiteral("of micro-batch %1").arg(picture().pass(row, box).micro_batch)))
                << QToolTip::text().toStdString();
        }
    }
    QToolTip::hideText();
}

TEST_F(PipelinePanelTest, AClickLeadsToThePassOnItsRank) {
    open(test::gpipeJob());
    const QSignalSpy activated(&panel, &PipelinePanel::sliceActivated);
    QTest::mouseClick(&view(), Qt::LeftButton, {}, middleOf({2, 3}));
    ASSERT_EQ(activated.count(), 1);
    const auto slice = activated.at(0).at(0).value<SliceSelection>();
    EXPECT_EQ(slice.rank, picture().facts().ranks[2]);
    EXPECT_EQ(slice.slice, picture().pass(2, 3).work);
}

TEST_F(PipelinePanelTest, TheMicroBatchThatIsPointedAtIsOutlinedOnAllRanks) {
    open(test::gpipeJob());
    QTest::mouseMove(&view(), middleOf({1, 2}));
    QCoreApplication::processEvents();
    const std::int32_t micro = picture().pass(1, 2).micro_batch;
    for (std::size_t row = 0; row < picture().rows.size(); ++row) {
        for (std::size_t box = 0; box < picture().rows[row].passes.size(); ++box) {
            const QRectF place = view().placeOf({row, box});
            const bool outlined =
                drawnAt({place.center().x(), place.top()}) != drawnAt({place.left() + 3, place.center().y()});
            EXPECT_EQ(outlined, picture().pass(row, box).micro_batch == micro) << row << ' ' << box;
        }
    }
}

TEST_F(PipelinePanelTest, TheKeysOfTheTimelineZoomAndPanAndZoomingBackRestores) {
    open(test::oneFOneBJob());
    view().setFocus();
    const RunSpan whole = view().inSight();
    EXPECT_EQ(whole.plain().length(), picture().window.plain().length());
    for (const auto key : {Qt::Key_W, Qt::Key_W, Qt::Key_D}) {
        QTest::keyClick(&view(), key);
    }
    EXPECT_LT(view().inSight().plain().length(), whole.plain().length());
    EXPECT_GT(view().inSight().plain().start_ns, whole.plain().start_ns);
    for (int i = 0; i < 6; ++i) {
        QTest::keyClick(&view(), Qt::Key_S);
    }
    EXPECT_EQ(view().inSight(), whole);
    const QPointF at = view().rect().center();
    test::turnWheel(view(), at, 240, Qt::ControlModifier);
    EXPECT_LT(view().inSight().plain().length(), whole.plain().length());
    QTest::keyClick(&view(), Qt::Key_F);
    EXPECT_EQ(view().inSight(), whole);
}

TEST_F(PipelinePanelTest, TheArrowsGoFromPassToPassAndFromRankToRankAndEnterGoesThere) {
    open(test::gpipeJob());
    view().setFocus();
    const QSignalSpy activated(&panel, &PipelinePanel::sliceActivated);
    QTest::keyClick(&view(), Qt::Key_Right);
    EXPECT_EQ(view().current(), (Place{0, 0}));
    QTest::keyClick(&view(), Qt::Key_Right);
    EXPECT_EQ(view().current(), (Place{0, 1}));
    QTest::keyClick(&view(), Qt::Key_Down);
    EXPECT_EQ(view().current()->row, 1U);
    QTest::keyClick(&view(), Qt::Key_Up);
    QTest::keyClick(&view(), Qt::Key_Up);
    EXPECT_EQ(view().current()->row, 0U) << "there is none above";
    QTest::keyClick(&view(), Qt::Key_Return);
    EXPECT_EQ(activated.count(), 1);
    EXPECT_TRUE(view().spokenContent().contains(QStringLiteral("micro-batch")));
}

TEST_F(PipelinePanelTest, ARankWithoutAFileKeepsItsRow) {
    test::PipelineJob job = test::oneFOneBJob();
    job.named = true;
    job.missing = 1;
    open(job);
    ASSERT_NE(panel.picture(), nullptr);
    ASSERT_EQ(picture().rows.size(), 3U);
    EXPECT_FALSE(picture().rows[1].rank.has_value());
    EXPECT_TRUE(picture().rows[1].passes.empty());
    EXPECT_FALSE(view().spokenPart(1).name.isEmpty());
}

TEST_F(PipelinePanelTest, TheBubbleOfAPartOfAPipelineIsTheLeastThatItMayBe) {
    test::PipelineJob job = test::oneFOneBJob();
    job.named = true;
    open(job);
    EXPECT_TRUE(panel.summary().contains(QRegularExpression(QStringLiteral("bubble [0-9.]+\u00a0% here"))))
        << panel.summary().toStdString();
    EXPECT_FALSE(panel.summary().contains(QStringLiteral("at least")));
    job.missing = 2;
    open(job);
    EXPECT_TRUE(test::holds(panel.summary(), {"bubble of these ranks at least", "of all ranks with equal stages"}));
}

TEST_F(PipelinePanelTest, WithoutAPipelineItSaysSo) {
    open(test::oneFOneBJob());
    panel.setRuns({});
    EXPECT_EQ(panel.picture(), nullptr);
    EXPECT_TRUE(panel.summary().contains(QStringLiteral("No run is open.")));
    auto plain = std::make_shared<AnalysedRun>(*run);
    plain->facts.pipeline = {};
    panel.setRuns({plain});
    EXPECT_EQ(panel.picture(), nullptr);
    EXPECT_TRUE(panel.summary().contains(QStringLiteral("No pipeline found"))) << panel.summary().toStdString();
    EXPECT_FALSE(panel.findChild<QScrollArea*>(QStringLiteral("picture"))->isVisible())
        << "an empty frame has the desktop's colour";
    panel.setRuns({run});
    QCoreApplication::processEvents();
    EXPECT_TRUE(panel.findChild<QScrollArea*>(QStringLiteral("picture"))->isVisible());
}

TEST_F(PipelinePanelTest, TheTypicalStepComesFirstAndEachOtherCanBeChosen) {
    open(test::gpipeJob());
    EXPECT_EQ(picture().step, typicalStepOf(picture().facts()));
    panel.setStep(2);
    QCoreApplication::processEvents();
    EXPECT_EQ(picture().step, 2U);
}

TEST_F(PipelinePanelTest, TheLegendHasOneEntryPerLookAndSaysWhoseTimesItShows) {
    open(test::gpipeJob());
    const QString said = panel.findChild<PipelineLegend*>()->spokenContent();
    EXPECT_TRUE(said.startsWith(QStringLiteral("Bubble, mean of a rank: "))) << said.toStdString();
    EXPECT_TRUE(said.contains(QStringLiteral("warm-up and drain "))) << said.toStdString();
    EXPECT_EQ(said.count(QStringLiteral("drain")), 1) << said.toStdString();
}

TEST_F(PipelinePanelTest, LaterStagesOfARankArePaler) {
    open(test::interleavedJob());
    const Theme theme = Theme::darkTheme();
    bool has_later = false;
    for (std::size_t box = 0; box < picture().rows[0].passes.size(); ++box) {
        const PipelinePass& pass = picture().pass(0, box);
        const bool later = pass.stage >= picture().facts().size;
        has_later = has_later || later;
        const QRectF place = view().placeOf({0, box});
        EXPECT_EQ(drawnAt({place.left() + 2, place.center().y()}), passColour(pass.kind, theme, later)) << box;
    }
    EXPECT_TRUE(has_later);
    EXPECT_NE(passColour(PassKind::Forward, theme, true), passColour(PassKind::Forward, theme));
}

TEST_F(PipelinePanelTest, ATipNamesTheStageOnceAndItsRank) {
    open(test::gpipeJob());
    const QPoint at = middleOf({1, 0});
    const QString tip = test::tipAt(view(), at);
    EXPECT_EQ(tip.count(QStringLiteral("stage")), 1) << tip.toStdString();
    EXPECT_TRUE(tip.contains(QStringLiteral("stage 1 · rank "))) << tip.toStdString();
    QToolTip::hideText();
}

TEST_F(PipelinePanelTest, ItsKeysTakePrecedenceOverTheWindows) {
    open(test::oneFOneBJob());
    const auto takes = [&](Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        QKeyEvent asked(QEvent::ShortcutOverride, key, modifiers);
        asked.ignore();
        QCoreApplication::sendEvent(&view(), &asked);
        return asked.isAccepted();
    };
    EXPECT_TRUE(takes(Qt::Key_F) && takes(Qt::Key_F, Qt::ShiftModifier) && takes(Qt::Key_W));
    EXPECT_FALSE(takes(Qt::Key_N)) << "that is the window's";
    const RunSpan whole = view().inSight();
    for (const Qt::KeyboardModifiers modifiers : {Qt::KeyboardModifiers(), Qt::KeyboardModifiers(Qt::ShiftModifier)}) {
        QTest::keyClick(&view(), Qt::Key_W);
        EXPECT_LT(view().inSight().plain().length(), whole.plain().length());
        QTest::keyClick(&view(), Qt::Key_F, modifiers);
        EXPECT_EQ(view().inSight().plain().length(), whole.plain().length());
    }
}

TEST_F(PipelinePanelTest, ItsKeysFollowThePointerAndTheKeyboardIsBackWhenThatLeaves) {
    QWidget window;
    auto* lines = new QVBoxLayout(&window);
    auto* before = new QPushButton;
    auto* typed = new QLineEdit;
    auto* held = new PipelinePanel(Theme::darkTheme());
    for (QWidget* each : {static_cast<QWidget*>(before), static_cast<QWidget*>(typed), static_cast<QWidget*>(held)}) {
        lines->addWidget(each);
    }
    held->setRuns({analysed(test::oneFOneBJob())});
    window.resize(900, 500);
    window.show();
    window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
    PipelineView& shown = held->view();
    const auto enter = [&shown] {
        QEnterEvent event(QPointF(20, 20), QPointF(20, 20), shown.mapToGlobal(QPointF(20, 20)));
        QCoreApplication::sendEvent(&shown, &event);
    };
    const auto leave = [&shown] {
        QEvent event(QEvent::Leave);
        QCoreApplication::sendEvent(&shown, &event);
    };
    before->setFocus();
    enter();
    ASSERT_EQ(QApplication::focusWidget(), &shown);
    const DurationNs whole = shown.inSight().plain().length();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_W);
    EXPECT_LT(shown.inSight().plain().length(), whole) << "the first key already";
    leave();
    EXPECT_EQ(QApplication::focusWidget(), before);
    typed->setFocus();
    enter();
    EXPECT_EQ(QApplication::focusWidget(), typed) << "who types goes on";
    leave();
    before->setFocus();
    enter();
    QTest::mouseClick(&shown, Qt::LeftButton, {}, shown.rect().bottomLeft() - QPoint(0, 1));
    leave();
    EXPECT_EQ(QApplication::focusWidget(), &shown) << "who clicks stays";
}

}  // namespace
}  // namespace rankscope::ui
