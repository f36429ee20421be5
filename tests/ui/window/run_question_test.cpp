// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that nothing tells apart or together: the window asks once, and the session keeps the answer.
#include <QPushButton>

#include "tests/support/trace_text.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/window/opening/run_question.h"

namespace rankscope::ui {
namespace {

class RunQuestionTest : public test::WindowTest {
  protected:
    /// Two traces at the same time, without ranks and steps, in folders of their own.
    void openUnclear() {
        for (const char* pid : {"1", "2"}) {
            test::EventLine line;
            line.pid = pid;
            line.ts = "1700000000000010";
            folder().write("job/of" + std::string(pid) + "/trace.json", test::traceJson({test::eventJson(line)}));
        }
        ASSERT_TRUE(openAndWait({inFolder("job")}));
    }
    [[nodiscard]] bool isAsked() { return window().findChild<RunQuestion*>()->isVisibleTo(&window()); }
    void answer(const char* words) {
        for (QPushButton* button : window().findChild<RunQuestion*>()->findChildren<QPushButton*>()) {
            if (button->text() == QLatin1String(words)) {
                button->click();
            }
        }
        ASSERT_TRUE(waitUntilIdle());
    }
};

TEST_F(RunQuestionTest, OneRunIsKeptByTheSession) {
    openUnclear();
    ASSERT_EQ(window().session().runs().size(), 2U);
    ASSERT_TRUE(isAsked());
    answer("One Run");
    EXPECT_FALSE(isAsked());
    ASSERT_EQ(window().session().runs().size(), 1U);
    EXPECT_EQ(ranksOf(), 2);
    EXPECT_EQ(window().session().runs()[0]->run->name, "job");
    saveAndReopen();
    ASSERT_EQ(window().session().runs().size(), 1U);
    EXPECT_EQ(ranksOf(), 2);
    EXPECT_FALSE(isAsked());
}

TEST_F(RunQuestionTest, SeveralRunsAreNotAskedAboutAgain) {
    openUnclear();
    answer("Several Runs");
    EXPECT_FALSE(isAsked());
    ASSERT_TRUE(openAndWait({zero()}, OpenMode::Beside));
    EXPECT_EQ(window().session().runs().size(), 3U);
    EXPECT_FALSE(isAsked());
    saveAndReopen();
    EXPECT_EQ(window().session().runs().size(), 3U);
    EXPECT_FALSE(isAsked());
}

TEST_F(RunQuestionTest, FilesThatSayWhatTheyAreAreNotAskedAbout) {
    ASSERT_TRUE(openAndWait({zero()}));
    ASSERT_TRUE(openAndWait({four()}, OpenMode::Beside));
    EXPECT_FALSE(isAsked());
}

}  // namespace
}  // namespace rankscope::ui
