// SPDX-License-Identifier: GPL-3.0-or-later
// What the user says of a job: typed into the real dialog, checked while it is, and kept in the session.
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <utility>

#include "tests/ui/holds.h"
#include "tests/ui/widget_parts.h"
#include "tests/ui/window/compare_fixture.h"
#include "ui/panels/memory/memory_panel.h"
#include "ui/panels/trace/clocks_panel.h"
#include "ui/window/opening/job_dialog.h"
#include "ui/window/session/job_document.h"

namespace rankscope::ui {
namespace {

class JobInTheWindow : public CompareWindow {
  protected:
    void openSample() {
        ASSERT_TRUE(dropAndWait({zero()}));
        window().workspace().timeline().settle();
    }
    JobDialog* dialog() {
        trigger("job.describe");
        return window().findChild<JobDialog*>();
    }
    JobDialog* dialogOfSample() {
        openSample();
        return dialog();
    }
    static QLineEdit& field(JobDialog& of, const char* name) { return test::named<QLineEdit>(of, QLatin1String(name)); }
    static void type(JobDialog& of, std::initializer_list<std::pair<const char*, const char*>> all) {
        for (const auto& [name, typed] : all) {
            QLineEdit& edit = field(of, name);
            edit.setFocus();
            edit.selectAll();
            QTest::keyClick(&edit, Qt::Key_Delete);
            QTest::keyClicks(&edit, QLatin1String(typed));
        }
    }
    static QPushButton& button(JobDialog& of, const char* words) { return *test::buttonIn(of, QLatin1String(words)); }
    void analyse(JobDialog& of) {
        QTest::mouseClick(&button(of, "Analyse"), Qt::LeftButton);
        waitUntilAnalysed();
    }
    void waitUntilAnalysed() {
        ASSERT_TRUE(QTest::qWaitFor([this] { return !window().session().reanalysis().busy(); }, kPatience));
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QCoreApplication::processEvents();
    }
    const AnalysedRun& run() { return *window().session().runs()[0]; }
};

TEST_F(JobInTheWindow, EnterInAFieldAnalyses) {
    JobDialog* asked = dialogOfSample();
    ASSERT_NE(asked, nullptr);
    type(*asked, {{"Parameters", "25.6M"}});
    pressEnter(field(*asked, "Parameters"));
    waitUntilAnalysed();
    EXPECT_EQ(window().findChild<JobDialog*>(), nullptr) << "it has closed by itself";
    EXPECT_EQ(run().facts.memory.model.parameters, 25'600'000);
}

TEST_F(JobInTheWindow, TypedValuesAreUsedInTheAnalysis) {
    JobDialog* asked = dialogOfSample();
    ASSERT_NE(asked, nullptr);
    type(*asked, {{"Parameters", "25.6M"},
                  {"Batch", "32"},
                  {"Model FLOPs", "2.45e10"},
                  {"Peak of a GPU", "15.7"},
                  {"Link across hosts", "50"}});
    EXPECT_TRUE(test::holds(test::labelWords(*asked), {"A step of all ranks has 784 GFLOP"}));
    analyse(*asked);
    EXPECT_EQ(window().findChild<JobDialog*>(), nullptr) << "it has closed by itself";
    EXPECT_EQ(run().facts.memory.model.parameters, 25'600'000);
    EXPECT_EQ(run().links.across_gb_per_s, 50.0);
    EXPECT_EQ(window().session().choices()[0].job.peak_tflops, 15.7);
    EXPECT_EQ(window().session().choices()[0].job.batch, 32.0);
    workspace().showBelow(workspace().memory());
    ASSERT_TRUE(QTest::qWaitFor([this] { return !workspace().busy(); }, kPatience));
    EXPECT_TRUE(test::holds(workspace().memory().summary(), {"25,600,000 parameters, as entered"}));
}

TEST_F(JobInTheWindow, InvalidOrIncompatibleValuesAreReportedWhileTyping) {
    JobDialog* asked = dialogOfSample();
    ASSERT_NE(asked, nullptr);
    type(*asked, {{"Layers", "many"}});
    EXPECT_TRUE(test::holds(test::labelWords(*asked), {"Layers: “many” is not a number above 0"}));
    EXPECT_FALSE(button(*asked, "Analyse").isEnabled());
    type(*asked, {{"Layers", "32"}});
    EXPECT_TRUE(button(*asked, "Analyse").isEnabled());
    type(*asked, {{"Tokens", "2048"}});
    EXPECT_TRUE(test::labelWords(*asked).contains(QStringLiteral("Enter tokens and parameters together")));
    EXPECT_FALSE(button(*asked, "Analyse").isEnabled());
    type(*asked, {{"Parameters", "7B"}});
    EXPECT_TRUE(button(*asked, "Analyse").isEnabled());
    type(*asked, {{"Model FLOPs", "1e15"}});
    EXPECT_TRUE(test::labelWords(*asked).contains(QStringLiteral("either the model's FLOPs or the tokens")));
    QTest::mouseClick(&button(*asked, "Clear All"), Qt::LeftButton);
    EXPECT_TRUE(button(*asked, "Analyse").isEnabled());
    QTest::keyClick(asked, Qt::Key_Escape);
    EXPECT_FALSE(window().session().reanalysis().busy());
    EXPECT_EQ(window().session().choices()[0].job, JobChoice());
}

TEST_F(JobInTheWindow, TheTextbooksJobIsCountedAsThere) {
    JobDialog* asked = dialogOfSample();
    ASSERT_NE(asked, nullptr);
    type(*asked, {{"Parameters", "175B"}, {"Tokens", "2048"}});
    EXPECT_TRUE(test::holds(test::labelWords(*asked), {"This is 1 sample: enter the batch."}));
    type(*asked, {{"Batch", "1024"}});
    EXPECT_FALSE(test::labelWords(*asked).contains(QStringLiteral("1 sample")))
        << test::labelWords(*asked).toStdString();
    // 6 x 175e9 x 2048 x 1024 operations
    EXPECT_TRUE(test::holds(test::labelWords(*asked), {"2.20 EFLOP"}));
}

TEST_F(JobInTheWindow, TheSessionKeepsItAndForgettingClocksDoesToo) {
    JobDialog* asked = dialogOfSample();
    ASSERT_NE(asked, nullptr);
    type(*asked, {{"Heads", "16"}, {"Peak of a GPU", "312.5"}});
    analyse(*asked);
    saveAndReopen();
    EXPECT_EQ(run().facts.memory.model.heads, 16);
    EXPECT_EQ(window().session().choices()[0].job.peak_tflops, 312.5);
    asked = dialog();
    EXPECT_EQ(field(*asked, "Peak of a GPU").text(), QStringLiteral("312.5")) << "it stands there to be changed";
    QTest::keyClick(asked, Qt::Key_Escape);
    ClockChoice choice = window().session().choices()[0].clocks;
    choice.typed_offset_ns[RankNumber(0)] = 5'000;
    window().session().setClocks(0, choice);
    waitUntilAnalysed();
    workspace().showBelow(workspace().clocks());
    test::clickButton(workspace().clocks(), QStringLiteral("Clear my offsets"));
    waitUntilAnalysed();
    EXPECT_TRUE(window().session().choices()[0].clocks.typed_offset_ns.empty());
    EXPECT_EQ(run().facts.memory.model.heads, 16);
}

TEST_F(JobInTheWindow, CancelGivesTheAnalysisUpAndNothingIsKept) {
    JobDialog* asked = dialogOfSample();
    ASSERT_NE(asked, nullptr);
    type(*asked, {{"Heads", "16"}});
    QTest::mouseClick(&button(*asked, "Analyse"), Qt::LeftButton);
    QTest::mouseClick(&button(*asked, "Cancel"), Qt::LeftButton);
    waitUntilAnalysed();
    const bool kept = window().session().choices()[0].job != JobChoice();
    EXPECT_EQ(kept, run().facts.memory.model.heads.has_value()) << "what is kept is what the run was analysed by";
}

TEST(JobDocument, WritesWhatItReadsAndLeavesOutWhatCannotBe) {
    JobChoice job;
    job.model.parameters = 7'000'000'000;
    job.tokens = 2048;
    job.peak_tflops = 312.5;
    EXPECT_EQ(jobFromJson(jobJson(job)), job);
    EXPECT_TRUE(jobJson({}).empty());
    EXPECT_EQ(jobFromJson(Json::parse(R"({"layers": -3, "batch": "nan", "heads": 8})")).model.heads, 8);
    EXPECT_EQ(jobFromJson(Json::parse(R"({"layers": -3})")), JobChoice());
    EXPECT_EQ(jobFromJson(Json::parse(R"({"tokens": "5"})")), JobChoice()) << "tokens alone say nothing";
    EXPECT_THROW((void)jobFromJson(Json::parse(R"({"tokens": 5})")), Json::exception);
}

}  // namespace
}  // namespace rankscope::ui
