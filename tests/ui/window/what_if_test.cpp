// SPDX-License-Identifier: GPL-3.0-or-later
// From the verdict to the page of forecasts, and from there to a forecast that is open as a run.
#include "tests/ui/window/window_fixture.h"
#include "ui/compare/compare_view.h"
#include "ui/panels/diagnosis/diagnoses_panel.h"
#include "ui/panels/whatif/change_list.h"
#include "ui/panels/whatif/what_if_panel.h"
#include "ui/window/comparison/comparing.h"
#include "ui/window/places/panel_places.h"
#include "ui/window/session/session_keeper.h"

namespace rankscope::ui {
namespace {

class WhatIfWindow : public test::WindowTest {
  protected:
    void SetUp() override { ASSERT_TRUE(openAndWait({zero()})); }

    [[nodiscard]] WhatIfPanel& page() { return workspace().whatIf(); }
    /// Makes a change as a link below the verdict does.
    void ask(const char* change) {
        Q_EMIT workspace().diagnoses().whatIfAsked(0, change);
        waitUntilQuiet();
    }
    void openForecast() {
        ask("loader:ready");
        trigger("what-if.open");
        ASSERT_TRUE(QTest::qWaitFor([&] { return window().comparing().active(); }, kPatience));
        waitUntilQuiet();
    }
};

TEST_F(WhatIfWindow, ALinkBelowTheVerdictMakesItsChangeOnThePage) {
    ask("loader:ready");
    EXPECT_TRUE(workspace().places().isInFront(page()));
    ASSERT_EQ(page().changes().changes().size(), 1U);
    EXPECT_EQ(page().changes().changes()[0].text, "loader:ready");
}

TEST_F(WhatIfWindow, TheForecastOpensAsARunThatIsComparedWithTheMeasuredOne) {
    openForecast();
    const OpenRuns& runs = window().session().runs();
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_EQ(runs[1]->run->name, runs[0]->run->name + " (forecast)");
    EXPECT_TRUE(window().session().isForecast(1));
    EXPECT_FALSE(window().session().isForecast(0));
    EXPECT_LT(runs[1]->facts.pricedStep(), runs[0]->facts.pricedStep());
    const auto compared = window().comparing().runs();
    ASSERT_TRUE(compared);
    EXPECT_EQ((*compared)[0], 0U) << "the measured one is A";
    EXPECT_EQ((*compared)[1], 1U);
}

TEST_F(WhatIfWindow, WithoutAChangeNothingIsOpened) {
    trigger("what-if.open");
    waitUntilQuiet();
    EXPECT_EQ(window().session().runs().size(), 1U);
    EXPECT_TRUE(workspace().places().isInFront(page()));
    EXPECT_EQ(notice(), QStringLiteral("No change is on."));
}

TEST_F(WhatIfWindow, AForecastIsInNoSessionAndIsNotReopened) {
    openForecast();
    saveAndReopen();
    ASSERT_EQ(window().session().runs().size(), 1U);
    EXPECT_FALSE(window().session().isForecast(0));
    EXPECT_FALSE(window().comparing().active());
    openForecast();
    window().session().close(1);
    EXPECT_EQ(window().session().runs().size(), 1U);
    EXPECT_FALSE(window().session().isForecast(0));
    EXPECT_FALSE(window().comparing().active());
}

TEST_F(WhatIfWindow, ARunThatIsOpenedLaterComesBeforeTheForecast) {
    openForecast();
    ASSERT_TRUE(openAndWait({four()}, OpenMode::Beside));
    ASSERT_EQ(window().session().runs().size(), 3U);
    EXPECT_TRUE(window().session().isForecast(2));
    EXPECT_FALSE(window().session().isForecast(1));
}

TEST_F(WhatIfWindow, ClosingTheRunWhileItIsPreparedIsSafe) {
    Q_EMIT workspace().diagnoses().whatIfAsked(0, "loader:ready");
    QTest::qWait(1);
    window().session().closeAll();
    waitUntilQuiet();
    EXPECT_FALSE(page().busy());
    EXPECT_TRUE(page().changes().changes().empty());
}

}  // namespace
}  // namespace rankscope::ui
