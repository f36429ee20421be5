// SPDX-License-Identifier: GPL-3.0-or-later
// Which iterations of a server medians and prices are of, chosen in the window.
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>

#include "tests/tracegen/machine/job_faults.h"
#include "tests/tracegen/machine/trace_files.h"
#include "tests/ui/widget_parts.h"
#include "tests/ui/window/compare_fixture.h"
#include "ui/commands/command_palette.h"
#include "ui/panels/diagnosis/diagnoses_panel.h"
#include "ui/panels/shared/iterations_choice.h"
#include "ui/panels/steps/steps_panel.h"

namespace rankscope::ui {
namespace {

class IterationsInTheWindow : public CompareWindow {
  protected:
    IterationsChoice& choice() { return workspace().steps().iterations(); }
    QAction& command() { return *action("view.iterations"); }
    void openServer() {
        const std::filesystem::path to = folder().path() / "server";
        std::filesystem::create_directories(to);
        tracegen::machine::writeFiles(tracegen::machine::simulate(tracegen::machine::jobConfig("serving", 3)), {}, to,
                                      false);
        ASSERT_TRUE(dropAndWait({QString::fromStdString(to.string())}));
        trigger("view.steps");
        waitUntilQuiet();
    }
    QComboBox& kinds() { return test::named<QComboBox>(choice(), QStringLiteral("Iterations for medians and prices")); }
    void choose(const QString& kind) {
        kinds().setFocus();
        QTest::keyClick(&kinds(), Qt::Key_Home);
        waitUntilQuiet();
        while (!kinds().currentText().startsWith(kind) && kinds().currentIndex() + 1 < kinds().count()) {
            QTest::keyClick(&kinds(), Qt::Key_Down);
            waitUntilQuiet();
        }
        ASSERT_TRUE(kinds().currentText().startsWith(kind)) << kinds().currentText().toStdString();
    }
    std::optional<IterationKind> priced() {
        const IterationSums* sums = window().session().runs()[0]->facts.iterations.priced();
        return sums == nullptr ? std::nullopt : sums->kind;
    }
    /// Whether the diagnoses say what their prices are of.
    bool told(const QString& words) { return test::labelWords(workspace().diagnoses()).contains(words); }
};

TEST_F(IterationsInTheWindow, ATrainingRunHasNothingToChoose) {
    EXPECT_FALSE(command().isEnabled());
    ASSERT_TRUE(dropAndWait({zero()}));
    trigger("view.steps");
    EXPECT_FALSE(choice().isVisible());
    EXPECT_FALSE(command().isEnabled());
    EXPECT_TRUE(command().toolTip().contains(QStringLiteral("No open run is of an LLM server")));
}

TEST_F(IterationsInTheWindow, MediansAndPricesAreOfTheChosenKindAndThenOfMostTimeAgain) {
    ASSERT_NO_FATAL_FAILURE(openServer());
    ASSERT_TRUE(choice().isVisible());
    ASSERT_EQ(priced(), IterationKind::Decode);
    EXPECT_TRUE(told(QStringLiteral("median decode iteration ")));
    const DurationNs of_decodes = window().session().runs()[0]->facts.pricedStep();
    ASSERT_NO_FATAL_FAILURE(choose(QStringLiteral("prefill")));
    EXPECT_EQ(priced(), IterationKind::Prefill);
    EXPECT_GT(window().session().runs()[0]->facts.pricedStep(), of_decodes) << "a prompt takes longer than a token";
    EXPECT_TRUE(kinds().currentText().startsWith(QStringLiteral("prefill"))) << "it stays chosen";
    EXPECT_TRUE(told(QStringLiteral("median prefill iteration ")));
    ASSERT_NO_FATAL_FAILURE(choose(QStringLiteral("what takes most time")));
    EXPECT_EQ(priced(), IterationKind::Decode);
    EXPECT_EQ(window().session().runs()[0]->facts.pricedStep(), of_decodes);
}

TEST_F(IterationsInTheWindow, ACommandChoosesThemTooAndTheSessionKeepsThem) {
    ASSERT_NO_FATAL_FAILURE(openServer());
    ASSERT_TRUE(command().isEnabled());
    command().trigger();
    auto* palette = window().findChild<CommandPalette*>();
    ASSERT_NE(palette, nullptr);
    auto* field = palette->findChild<QLineEdit*>();
    QTest::keyClicks(field, QStringLiteral("prefill"));
    QTest::keyClick(field, Qt::Key_Return);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    waitUntilQuiet();
    EXPECT_EQ(priced(), IterationKind::Prefill);
    saveAndReopen();
    EXPECT_EQ(priced(), IterationKind::Prefill);
    EXPECT_TRUE(kinds().currentText().startsWith(QStringLiteral("prefill")));
}

TEST_F(IterationsInTheWindow, ARoleThatIsSetDuringAnAnalysisIsKept) {
    ASSERT_NO_FATAL_FAILURE(openServer());
    const std::string group = window().session().runs()[0]->facts.parallelism.groups[0].label();
    window().session().setIterations(0, IterationKind::Prefill);
    window().session().setRole(0, group, Role::Data);  // while the other is being worked out
    waitUntilQuiet();
    EXPECT_EQ(priced(), IterationKind::Prefill);
    EXPECT_EQ(window().session().choices()[0].roles, (RoleChoices{{group, Role::Data}}));
}

}  // namespace
}  // namespace rankscope::ui
