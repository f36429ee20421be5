// SPDX-License-Identifier: GPL-3.0-or-later
// The walk through a run, by real events in a real window.
#include <QLabel>
#include <QPushButton>
#include <algorithm>

#include "tests/support/places.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/timeline/navigation/viewport.h"
#include "ui/window/help/guide_strip.h"

namespace rankscope::ui {
namespace {

class GuideTest : public test::WindowTest {
  protected:
    /// Opens the sample of this name, and begins the walk through it.
    void begin(const char* name) {
        ASSERT_TRUE(dropAndWait({sample(name)}));
        window().show();
        QCoreApplication::processEvents();  // the pages are laid out
        timeline().settle();
        ASSERT_TRUE(action("help.guide")->isEnabled());
        trigger("help.guide");
        timeline().settle();
    }
    GuideStrip& guide() { return window().guide(); }
    QPushButton* button(const QString& words) {
        for (auto* candidate : guide().findChildren<QPushButton*>()) {
            if (candidate->text().remove(QLatin1Char('&')) == words) {
                return candidate;
            }
        }
        return nullptr;
    }
    void press(const QString& words) {
        QPushButton* const found = button(words);
        ASSERT_NE(found, nullptr) << words.toStdString();
        QTest::mouseClick(found, Qt::LeftButton);
        timeline().settle();
    }
    /// Whether the window in sight holds the place of a stop, and is not many times as long.
    bool isFramed(const report::GuideStop& stop) {
        const AnalysedRun& run = *window().session().runs()[0];
        const TimeSpan on_run = run.clock.ranks[stop.rank].toRun(FileSpan(stop.span));
        const TimeSpan place{on_run.start_ns - run.clock.base_ns, on_run.end_ns - run.clock.base_ns};
        const TimeSpan seen = timeline().viewport().window();
        return seen.start_ns <= place.start_ns && place.end_ns <= seen.end_ns && seen.length() < 3 * place.length();
    }
};

TEST_F(GuideTest, FramesThePlaceOfEachStopAndSelectsWhatItIsAbout) {
    begin("ZeroWorkers");
    ASSERT_TRUE(guide().isVisible());
    const auto stops = report::guideOf(*window().session().runs()[0]);
    for (std::size_t i = 0; i < stops.size(); ++i) {
        SCOPED_TRACE(stops[i].question);
        EXPECT_TRUE(guide().words().contains(QString::fromStdString(stops[i].seen)));
        EXPECT_TRUE(guide().words().contains(QStringLiteral("%1 of %2").arg(i + 1).arg(stops.size())));
        EXPECT_EQ(guide().words().contains(QStringLiteral("What to do: nothing here")), stops[i].next.empty());
        EXPECT_TRUE(isFramed(stops[i]));
        const auto* slice = std::get_if<SliceSelection>(&timeline().selection());
        EXPECT_EQ(slice != nullptr, stops[i].slice.valid());
        EXPECT_TRUE(slice == nullptr || slice->slice == stops[i].slice);
        press(i + 1 < stops.size() ? QStringLiteral("Next") : QStringLiteral("Done"));
    }
    EXPECT_FALSE(guide().isVisible()) << "the walk is over";
}

TEST_F(GuideTest, TheCountOfStopsIsOnTheLineOfTheButtons) {
    begin("FourWorkers");
    QCoreApplication::processEvents();
    const auto middle = [this](const QWidget& part) { return part.mapTo(&guide(), part.rect().center()).y(); };
    const QList<QLabel*> labels = guide().findChildren<QLabel*>();
    const auto count = std::ranges::find(labels, QStringLiteral("1 of 6"), &QLabel::text);
    ASSERT_NE(count, labels.end());
    EXPECT_NEAR(middle(**count), middle(*button(QStringLiteral("Next"))), 1);
}

TEST_F(GuideTest, GoesBackAndEndsAtEscape) {
    begin("FourWorkers");
    EXPECT_FALSE(button(QStringLiteral("Back"))->isEnabled());
    const QString first = guide().words();
    QTest::keyClick(button(QStringLiteral("Next")), Qt::Key_Space);
    EXPECT_NE(guide().words(), first);
    press(QStringLiteral("Back"));
    EXPECT_EQ(guide().words(), first);
    QTest::keyClick(button(QStringLiteral("Next")), Qt::Key_Escape);
    EXPECT_FALSE(guide().isVisible());
}

TEST_F(GuideTest, EnterPressesTheButtonThatHasTheKeyboard) {
    begin("FourWorkers");
    const QString first = guide().words();
    ASSERT_TRUE(button(QStringLiteral("Next"))->hasFocus());
    QTest::keyClick(button(QStringLiteral("Next")), Qt::Key_Return);
    EXPECT_NE(guide().words(), first);
    button(QStringLiteral("Back"))->setFocus();
    QTest::keyClick(button(QStringLiteral("Back")), Qt::Key_Enter);
    EXPECT_EQ(guide().words(), first);
}

TEST_F(GuideTest, EndsWithItsRun) {
    begin("ZeroWorkers");
    ASSERT_TRUE(guide().isVisible());
    window().session().closeAll();
    EXPECT_TRUE(waitUntilIdle());
    EXPECT_FALSE(guide().isVisible());
    EXPECT_FALSE(action("help.guide")->isEnabled());
}

TEST_F(GuideTest, SaysWhatToRecordWhereThereIsNoStep) {
    guide().start(std::make_shared<AnalysedRun>(AnalysedRun{std::make_shared<rankscope::Run>(), {}, {}, {}}));
    EXPECT_TRUE(guide().words().contains(QStringLiteral("prof.step()")));
    EXPECT_FALSE(button(QStringLiteral("Next"))->isVisibleTo(&guide()));
}

}  // namespace
}  // namespace rankscope::ui
