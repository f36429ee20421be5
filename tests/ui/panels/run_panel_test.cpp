// SPDX-License-Identifier: GPL-3.0-or-later
// The frame that panels of a run share: which run is shown, when, and what is said where none can be.
#include "ui/panels/shared/run_panel.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QLayout>
#include <QTest>
#include <algorithm>

#include "tests/ui/panels/hand_made_run.h"
#include "ui/theme/plain_text.h"
#include "ui/widgets/panel_page.h"

namespace rankscope::ui {
namespace {

using test::HandMadeRun;

/// Says the name of the run, which is found out on the thread.
class NamePanel : public RunPanel {
  public:
    NamePanel() : RunPanel(Theme::darkTheme()), title(plainLabel()) {
        setPage(makePanelHead(*title, {&runBox()}), {new QLabel, new QWidget});
    }
    QComboBox& box() { return runBox(); }

    QLabel* title;
    int offers = 0;

  private:
    void offerChoices(const AnalysedRun* /*of*/) override { ++offers; }
    void showRun(const std::shared_ptr<const AnalysedRun>& of) override {
        work([of] { return QString::fromStdString(of->run->name); },
             [this](const QString& name) { title->setText(name); });
    }
    void showNothing(const QString& why) override { title->setText(why); }
};

class RunPanelTest : public testing::Test {
  protected:
    void settle() {
        panel.job().finish();
        QCoreApplication::processEvents();
    }
    const OpenRuns two{HandMadeRun::make("first"), HandMadeRun::make("second")};
    NamePanel panel;
};

TEST_F(RunPanelTest, SaysWhyNothingIsShownUntilTheRunIsAnalysed) {
    panel.show();
    EXPECT_EQ(panel.title->text(), QStringLiteral("No run is open."));
    auto unread = std::make_shared<AnalysedRun>(*two.front());
    unread->facts.ranks.clear();
    panel.setRuns({unread});
    EXPECT_EQ(panel.title->text(), QStringLiteral("The run is being analysed."));
    panel.setRuns({two.front()});
    settle();
    EXPECT_EQ(panel.title->text(), QStringLiteral("first"));
    EXPECT_FALSE(panel.busy());
    panel.setRuns({});
    EXPECT_EQ(panel.title->text(), QStringLiteral("No run is open."));
}

TEST_F(RunPanelTest, TheKeyboardChoosesTheRunWhichStaysAsLongAsItIsOpen) {
    panel.show();
    panel.setRuns({two.front()});
    EXPECT_TRUE(panel.box().isHidden()) << "there is no choice";
    panel.setRuns(two);
    ASSERT_FALSE(panel.box().isHidden());
    panel.box().setFocus();
    QTest::keyClick(&panel.box(), Qt::Key_Down);
    settle();
    EXPECT_EQ(panel.title->text(), QStringLiteral("second"));
    panel.setRuns(two);
    settle();
    EXPECT_EQ(panel.title->text(), QStringLiteral("second"));
    panel.setRuns({two.front()});
    settle();
    EXPECT_EQ(panel.title->text(), QStringLiteral("first"));
}

TEST_F(RunPanelTest, WhatARunHasIsOfferedOnceAndOnlyWhenItIsSeen) {
    panel.setRuns(two);
    EXPECT_EQ(panel.offers, 0) << "nobody looks at it yet";
    panel.show();
    EXPECT_EQ(panel.offers, 1);
    panel.setRuns({two.front()});
    EXPECT_EQ(panel.offers, 1) << "the same run";
    panel.setRuns({two.back()});
    EXPECT_EQ(panel.offers, 2);
}

TEST_F(RunPanelTest, TheLastPartOfThePageFillsTheRest) {
    panel.resize(600, 400);
    panel.setRuns(two);
    panel.show();
    settle();
    auto* rest = panel.title->parentWidget()->layout();
    const QList<QWidget*> parts = panel.title->parentWidget()->findChildren<QWidget*>(Qt::FindDirectChildrenOnly);
    const auto highest = std::ranges::max_element(parts, {}, [](const QWidget* part) { return part->height(); });
    ASSERT_NE(rest, nullptr);
    const auto last = std::ranges::max_element(parts, {}, [rest](QWidget* part) { return rest->indexOf(part); });
    EXPECT_EQ(*highest, *last);
    EXPECT_GT((*highest)->height(), 300);
    (*last)->hide();
    settle();
    EXPECT_LT(panel.title->geometry().bottom(), 60) << "what is above it stays there while it is hidden";
}

}  // namespace
}  // namespace rankscope::ui
