// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <algorithm>
#include <optional>

#include "tests/support/places.h"
#include "tests/ui/widget_parts.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/panels/compute/calls_panel.h"
#include "ui/panels/compute/flame_view.h"
#include "ui/window/selection_flow.h"

namespace rankscope::test {
namespace {

using namespace rankscope::ui;

class CallsInTheWindow : public WindowTest {
  protected:
    void SetUp() override {
        ASSERT_TRUE(openAndWait({writeRank(0), writeRank(1)}));
        window().show();
        QCoreApplication::processEvents();
        workspace().timeline().settle();
    }
    void wait() {
        ASSERT_TRUE(QTest::qWaitFor([this] { return !workspace().calls().job().busy(); }, kPatience));
    }
};

TEST_F(CallsInTheWindow, AKeyShowsTheSelectedKernelUnderTheCallsThatLaunchedIt) {
    const RankTrace& trace = *window().session().runs().front()->run->ranks[1];
    const SliceRef kernel = trace.launches.all().front().device;
    workspace().flow().reveal({0, RankPosition(1), kernel});
    QTest::keyClick(&workspace().timeline(), Qt::Key_G, Qt::ControlModifier);
    wait();
    EXPECT_EQ(workspace().panelInFront(), QStringLiteral("calls"));
    EXPECT_TRUE(workspace().bottomPanelVisible());
    ASSERT_TRUE(workspace().calls().flame().chosen().has_value());
    EXPECT_NE(*workspace().calls().flame().chosen(), 0U) << workspace().calls().summary().toStdString();
}

TEST_F(CallsInTheWindow, AClickOnACallSelectsItsSliceAndThePanelStays) {
    trigger("view.calls");
    wait();
    const FlameView& flame = workspace().calls().flame();
    const std::uint32_t first = 1;
    ASSERT_FALSE(flame.placeOf(first).isEmpty());
    QTest::mouseClick(flame.viewport(), Qt::LeftButton, {}, flame.placeOf(first).center());
    EXPECT_TRUE(std::holds_alternative<SliceSelection>(workspace().timeline().selection()));
    EXPECT_EQ(workspace().panelInFront(), QStringLiteral("calls"));
}

TEST_F(CallsInTheWindow, TheStepOfASliceThatAnyPanelLedToCanBeChosen) {
    ASSERT_TRUE(openAndWait({sample("ZeroWorkers")}));
    const AnalysedRun& run = *window().session().runs().front();
    const RankStep& step = run.facts.ranks[RankPosition(0)].steps.front();
    const RankTrace& rank = *run.run->ranks[0];
    std::optional<SliceRef> inside;
    for (std::uint32_t track = 0; track < rank.tracks.size() && !inside; ++track) {
        for (SliceIndex i = 0; i < rank.tracks[track].slices.size() && !inside; ++i) {
            const SliceRef slice{TrackId(track), i};
            const TimeNs at_ns = rank.span(slice).start_ns;
            inside = at_ns >= step.span.start_ns && at_ns < step.span.end_ns ? std::optional(slice) : std::nullopt;
        }
    }
    ASSERT_TRUE(inside.has_value());
    const auto& time = named<QComboBox>(workspace().calls(), QStringLiteral("Time range of the calls"));
    ASSERT_EQ(time.count(), 1);
    workspace().flow().pointAt({0, RankPosition(0), *inside});  // as the flame graph and the table of steps do
    EXPECT_EQ(time.itemText(1), QStringLiteral("Step %1").arg(step.index));
}

TEST_F(CallsInTheWindow, TheStepOfAMarkOfAHostThatRunsAheadIsTheOneThatItNames) {
    ASSERT_TRUE(openAndWait({sample("FourWorkers")}));
    const AnalysedRun& run = *window().session().runs().front();
    const auto& steps = run.facts.ranks[RankPosition(0)].steps;
    const auto ahead = std::ranges::find_if(steps, [](const RankStep& step) {
        return step.mark.valid() && step.host.start_ns + step.host.length() / 2 < step.span.start_ns;
    });
    ASSERT_NE(ahead, steps.end()) << "under the bar of the step before";
    workspace().flow().pointAt({0, RankPosition(0), ahead->mark});
    const auto& time = named<QComboBox>(workspace().calls(), QStringLiteral("Time range of the calls"));
    EXPECT_EQ(time.itemText(1), QStringLiteral("Step %1").arg(ahead->index));
    const auto in_view = workspace().timeline().stepInView();
    ASSERT_TRUE(in_view.has_value());
    EXPECT_EQ(run.facts.steps[in_view->step].index, ahead->index) << "as what is opened from its trace";
}

}  // namespace
}  // namespace rankscope::test
