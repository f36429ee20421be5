// SPDX-License-Identifier: GPL-3.0-or-later
// What the user says of a job: typed into the real dialog, checked while it is, and kept in the session.
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <algorithm>

#include "tests/ui/window/compare_fixture.h"
#include "ui/panels/clocks_panel.h"
#include "ui/panels/memory_panel.h"
#include "ui/window/job_dialog.h"
#include "ui/window/job_document.h"
#include "ui/window/session_keeper.h"
#include "ui/window/workspace.h"

namespace rankscope::ui {
namespace {

class JobInTheWindow : public CompareWindow {
  protected:
    void openSample() {
        drop({zero()});
        ASSERT_TRUE(waitUntilIdle());
        window().workspace().timeline().settle();
    }
    JobDialog* dialog() {
        trigger("job.describe");
        return window().findChild<JobDialog*>();
    }
    static QLineEdit& field(JobDialog& of, const char* name) {
        const QList<QLineEdit*> all = of.findChildren<QLineEdit*>();
        return **std::ranges::find(all, QLatin1String(name), &QWidget::accessibleName);
    }
    static void type(JobDialog& of, const char* name, const char* typed) {
        QLineEdit& edit = field(of, name);
        edit.setFocus();
        edit.selectAll();
        QTest::keyClick(&edit, Qt::Key_Delete);
        QTest::keyClicks(&edit, QLatin1String(typed));
    }
    static QPushButton& button(JobDialog& of, const char* words) {
        const QList<QPushButton*> all = of.findChildren<QPushButton*>();
        return **std::ranges::find(all, QLatin1String(words), &QPushButton::text);
    }
    static QString said(JobDialog& of) {
        QString all;
        for (const QLabel* label : of.findChildren<QLabel*>()) {
            all += label->text() + QLatin1Char('\n');
        }
        return all;
    }
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
    openSample();
    JobDialog* asked = dialog();
    ASSERT_NE(asked, nullptr);
    type(*asked, "Parameters", "25.6M");
    pressEnter(field(*asked, "Parameters"));
    waitUntilAnalysed();
    EXPECT_EQ(window().findChild<JobDialog*>(), nullptr) << "it has closed by itself";
    EXPECT_EQ(run().facts.memory.model.parameters, 25'600'000);
}

TEST_F(JobInTheWindow, WhatIsTypedIsWhatTheRunIsAnalysedBy) {
    openSample();
    JobDialog* asked = dialog();
    ASSERT_NE(asked, nullptr);
    type(*asked, "Parameters", "25.6M");
    type(*asked, "Batch", "32");
    type(*asked, "Model FLOPs", "2.45e10");
    type(*asked, "Peak of a device", "15.7");
    type(*asked, "Link across hosts", "50");
    EXPECT_TRUE(said(*asked).contains(QStringLiteral("A step of all ranks is 784 GFLOP")))
        << said(*asked).toStdString();
    analyse(*asked);
    EXPECT_EQ(window().findChild<JobDialog*>(), nullptr) << "it has closed by itself";
    EXPECT_EQ(run().facts.memory.model.parameters, 25'600'000);
    EXPECT_EQ(run().links.across_gb_per_s, 50.0);
    EXPECT_EQ(window().session().choices()[0].job.peak_tflops, 15.7);
    EXPECT_EQ(window().session().choices()[0].job.batch, 32.0);
    window().workspace().showBelow(window().workspace().memory());
    ASSERT_TRUE(QTest::qWaitFor([this] { return !window().workspace().busy(); }, kPatience));
    EXPECT_TRUE(window().workspace().memory().summary().contains(QStringLiteral("25,600,000 parameters, as entered")))
        << window().workspace().memory().summary().toStdString();
}

TEST_F(JobInTheWindow, WhatIsNoNumberOrDoesNotGoTogetherIsSaidWhileItIsTyped) {
    openSample();
    JobDialog* asked = dialog();
    type(*asked, "Layers", "many");
    EXPECT_TRUE(said(*asked).contains(QStringLiteral("Layers: “many” is no number"))) << said(*asked).toStdString();
    EXPECT_FALSE(button(*asked, "Analyse").isEnabled());
    type(*asked, "Layers", "32");
    EXPECT_TRUE(button(*asked, "Analyse").isEnabled());
    type(*asked, "Tokens", "2048");
    EXPECT_TRUE(said(*asked).contains(QStringLiteral("The tokens go with the parameters")));
    EXPECT_FALSE(button(*asked, "Analyse").isEnabled());
    type(*asked, "Parameters", "7B");
    EXPECT_TRUE(button(*asked, "Analyse").isEnabled());
    type(*asked, "Model FLOPs", "1e15");
    EXPECT_TRUE(said(*asked).contains(QStringLiteral("either the model's FLOPs or the tokens")));
    QTest::mouseClick(&button(*asked, "Clear All"), Qt::LeftButton);
    EXPECT_TRUE(button(*asked, "Analyse").isEnabled());
    QTest::keyClick(asked, Qt::Key_Escape);
    EXPECT_FALSE(window().session().reanalysis().busy());
    EXPECT_EQ(window().session().choices()[0].job, JobChoice());
}

TEST_F(JobInTheWindow, TheTextbooksJobIsCountedAsThere) {
    openSample();
    JobDialog* asked = dialog();
    type(*asked, "Parameters", "175B");
    type(*asked, "Tokens", "2048");
    EXPECT_TRUE(said(*asked).contains(QStringLiteral("That is of 1 sample: enter the batch.")))
        << said(*asked).toStdString();
    type(*asked, "Batch", "1024");
    EXPECT_FALSE(said(*asked).contains(QStringLiteral("1 sample"))) << said(*asked).toStdString();
    // 6 x 175e9 x 2048 x 1024 operations
    EXPECT_TRUE(said(*asked).contains(QStringLiteral("2.20 EFLOP"))) << said(*asked).toStdString();
}

TEST_F(JobInTheWindow, TheSessionKeepsItAndForgettingClocksDoesToo) {
    openSample();
    JobDialog* asked = dialog();
    type(*asked, "Heads", "16");
    type(*asked, "Peak of a device", "312.5");
    analyse(*asked);
    const QString file = QString::fromStdString((folder().path() / "mine.rankscope").string());
    window().sessions().save(file);
    window().session().closeAll();
    drop({file});
    ASSERT_TRUE(waitUntilIdle());
    waitUntilAnalysed();
    EXPECT_EQ(run().facts.memory.model.heads, 16);
    EXPECT_EQ(window().session().choices()[0].job.peak_tflops, 312.5);
    asked = dialog();
    EXPECT_EQ(field(*asked, "Peak of a device").text(), QStringLiteral("312.5")) << "it stands there to be changed";
    QTest::keyClick(asked, Qt::Key_Escape);
    ClockChoice choice = window().session().choices()[0].clocks;
    choice.typed_offset_ns[RankNumber(0)] = 5'000;
    window().session().setClocks(0, choice);
    waitUntilAnalysed();
    window().workspace().showBelow(window().workspace().clocks());
    for (QPushButton* each : window().workspace().clocks().findChildren<QPushButton*>()) {
        if (each->text() == QStringLiteral("Forget what I typed")) {
            QTest::mouseClick(each, Qt::LeftButton);
        }
    }
    waitUntilAnalysed();
    EXPECT_TRUE(window().session().choices()[0].clocks.typed_offset_ns.empty());
    EXPECT_EQ(run().facts.memory.model.heads, 16);
}

TEST_F(JobInTheWindow, CancelGivesTheAnalysisUpAndNothingIsKept) {
    openSample();
    JobDialog* asked = dialog();
    type(*asked, "Heads", "16");
    QTest::mouseClick(&button(*asked, "Analyse"), Qt::LeftButton);
    QTest::mouseClick(&button(*asked, "Cancel"), Qt::LeftButton);
    waitUntilAnalysed();
    const bool kept = window().session().choices()[0].job != JobChoice();
    EXPECT_EQ(kept, run().facts.memory.model.heads.has_value()) << "what is kept is what the run was analysed by";
}

TEST_F(JobInTheWindow, WithoutARunThereIsNothingToDescribe) {
    EXPECT_FALSE(window().commands().action(QStringLiteral("job.describe"))->isEnabled());
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
