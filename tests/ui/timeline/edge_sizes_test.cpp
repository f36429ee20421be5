// SPDX-License-Identifier: GPL-3.0-or-later
// What stands beside the tracks follows the size of the desktop's text.
#include <gtest/gtest.h>

#include <QFontMetrics>
#include <QPushButton>

#include "tests/ui/timeline/shown_rows.h"
#include "tests/ui/timeline/timeline_fixture.h"
#include "ui/timeline/frame/frame.h"
#include "ui/timeline/overview.h"
#include "ui/timeline/paint/ruler.h"
#include "ui/timeline/rows/row_layout.h"
#include "ui/timeline/timeline_widget.h"

namespace rankscope::ui {
namespace {

Theme withText(double points) {
    Theme theme = Theme::darkTheme();
    theme.ui_font.setPointSizeF(points);
    return theme;
}

class EdgeSizesTest : public ShownTimeline {
  protected:
    EdgeSizesTest() : ShownTimeline({1600, 900}, test::makeRun({.ranks = 4})) {}
};

TEST_F(EdgeSizesTest, LargerTextGetsAWiderColumnAndAHigherRuler) {
    const QRect before = timeline.tracksArea();
    const int overview_before = timeline.overview().height();
    const int rows_before = timeline.rowLayout().height();
    timeline.setTheme(withText(20));
    timeline.settle();
    EXPECT_EQ(timeline.tracksArea().left(), 2 * before.left());
    EXPECT_GT(timeline.rowLayout().height(), rows_before);
    EXPECT_GT(timeline.overview().height(), overview_before * 3 / 2);
    EXPECT_EQ(timeline.tracksArea().top() - timeline.overview().height(), 2 * (before.top() - overview_before));
    EXPECT_EQ(timeline.overview().busyArea().left(), timeline.tracksArea().left()) << "both axes begin in one column";
    timeline.setTheme(Theme::darkTheme());
    EXPECT_EQ(timeline.tracksArea(), before);
}

TEST_F(EdgeSizesTest, LabelsOfTheRulerDoNotTouchAtAnySize) {
    for (const double points : {8.0, 10.0, 15.0, 20.0, 30.0}) {
        const Theme theme = withText(points);
        timeline.setTheme(theme);
        timeline.settle();
        QFont font = theme.ui_font;
        font.setPixelSize(scaled(11, theme));
        const QFontMetrics metrics(font);
        int until = 0;
        for (const RulerTick& tick : timeline.frame().ruler.ticks) {
            if (tick.major) {
                const int x = timeline.frame().scale.pixelAt(tick.at_ns);
                EXPECT_GE(x, until) << points << " pt, " << tick.label.toStdString();
                until = x + 5 + metrics.horizontalAdvance(tick.label);
            }
        }
    }
}

TEST_F(EdgeSizesTest, ButtonsAreAsHighAsTheirText) {
    const Theme theme = withText(20);
    timeline.setFont(theme.ui_font);
    timeline.setTheme(theme);
    timeline.settle();
    for (const QPushButton* button : timeline.findChildren<QPushButton*>()) {
        EXPECT_GE(button->height(), QFontMetrics(theme.ui_font).height()) << button->text().toStdString();
        EXPECT_LE(button->mapTo(&timeline, button->rect().topRight()).x(), timeline.tracksArea().left())
            << button->text().toStdString();
    }
}

}  // namespace
}  // namespace rankscope::ui
