// SPDX-License-Identifier: GPL-3.0-or-later
// The user says what a kernel is, on the timeline and in the trace health, and takes it back.
#include <QApplication>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTreeWidget>
#include <algorithm>

#include "core/analysis/device/name_rules.h"
#include "tests/ui/widget_parts.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/panels/trace/health_panel.h"
#include "ui/timeline/frame/frame.h"
#include "ui/widgets/linked_label.h"
#include "ui/window/opening/name_rule_strip.h"

namespace rankscope::ui {
namespace {

class NameRulesTest : public test::WindowTest {
  protected:
    void SetUp() override {
        rules = (folder().path() / "own" / "rules.json").string();
        qputenv("RANKSCOPE_NAME_RULES", QByteArray::fromStdString(folder().write("empty.json", R"({"rules": []})")));
    }
    void TearDown() override { qunsetenv("RANKSCOPE_NAME_RULES"); }

    /// Opens a rank whose kernels are all called `kernel`.
    void openWith(const char* kernel) {
        QFile file(writeRank(0));
        ASSERT_TRUE(file.open(QIODevice::ReadOnly));
        QByteArray bytes = file.readAll();
        bytes.replace("gemm", kernel);
        const std::string path = folder().write(
            "named/rank0.json", std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
        ASSERT_TRUE(dropAndWait({QString::fromStdString(path)}));
        window().workspace().timeline().settle();
    }
    [[nodiscard]] bool waitForAnalysis() {
        const bool done = QTest::qWaitFor([this] { return !window().session().reanalysis().busy(); }, kPatience);
        window().workspace().timeline().settle();
        return done;
    }
    [[nodiscard]] WorkClass classOfKernels() {
        const RankFacts& facts = window().session().runs()[0]->facts.ranks[0];
        for (const std::vector<WorkClass>& track : facts.work_classes) {
            if (!track.empty()) {
                return track.front();
            }
        }
        return WorkClass::None;
    }
    /// Right-clicks on a kernel of the timeline and chooses an entry of the menu; false where it has no such entry.
    bool choose(const QString& entry) {
        TimelineWidget& timeline = window().workspace().timeline();
        const Frame& frame = timeline.frame();
        for (const FrameSliceRow& row : frame.slice_rows) {
            const RankTrace& rank = *window().session().runs()[0]->run->ranks[0];
            if (rank.tracks[row.track.value].kind != TrackKind::Stream || row.first == row.last) {
                continue;
            }
            const FrameItem& item = frame.items[row.first];
            const QPoint at = timeline.tracksArea().topLeft() + QPoint((item.x0 + item.x1) / 2, row.y + row.height / 2);
            test::askMenu(timeline, at);
            return chooseIn(timeline, entry);
        }
        return false;
    }
    static bool chooseIn(const QWidget& parent, const QString& entry) {
        bool chosen = false;
        for (QMenu* menu : parent.findChildren<QMenu*>(Qt::FindDirectChildrenOnly)) {
            chosen = (menu->isVisible() && test::chooseEntry(*menu, entry)) || chosen;
        }
        return chosen;
    }
    [[nodiscard]] QTreeWidget* healthTree() { return window().workspace().health().findChild<QTreeWidget*>(); }
    /// The line of the trace health that asks about a kernel, in sight; nullptr where there is none.
    [[nodiscard]] LinkedLabel* suspectInHealth() {
        window().workspace().showBelow(window().workspace().health());
        if (healthTree()->topLevelItemCount() != 1) {
            return nullptr;
        }
        healthTree()->topLevelItem(0)->setExpanded(true);
        QCoreApplication::processEvents();
        return healthTree()->findChild<LinkedLabel*>();
    }
    [[nodiscard]] QPushButton* button(const QString& words) {
        for (auto* each : window().nameRules().findChildren<QPushButton*>()) {
            if (each->text() == words && each->isVisible()) {
                return each;
            }
        }
        return nullptr;
    }
    [[nodiscard]] QString words() { return test::labelWords(window().nameRules()); }

    std::string rules;
};

TEST_F(NameRulesTest, AKernelIsTreatedAsCommunicationAndAsComputeAgain) {
    openWith("gemm");
    ASSERT_EQ(classOfKernels(), WorkClass::Compute);
    ASSERT_TRUE(choose(QStringLiteral("Treat as Communication")) && waitForAnalysis());
    EXPECT_EQ(classOfKernels(), WorkClass::Communication);
    EXPECT_TRUE(NameRules::forUser().value().isCommunication("gemm")) << "kept for the next time";
    EXPECT_TRUE(window().nameRules().isVisible());
    EXPECT_TRUE(words().contains(QStringLiteral("gemm counts as communication."))) << words().toStdString();
    ASSERT_TRUE(choose(QStringLiteral("Treat as Compute Again")) && waitForAnalysis());
    EXPECT_EQ(classOfKernels(), WorkClass::Compute);
    EXPECT_FALSE(NameRules::forUser().value().isCommunication("gemm"));
}

TEST_F(NameRulesTest, TheStripTakesBackWhatWasSaid) {
    openWith("gemm");
    ASSERT_TRUE(choose(QStringLiteral("Treat as Communication")) && waitForAnalysis());
    ASSERT_NE(button(QStringLiteral("Undo")), nullptr);
    QTest::mouseClick(button(QStringLiteral("Undo")), Qt::LeftButton);
    ASSERT_TRUE(waitForAnalysis());
    EXPECT_EQ(classOfKernels(), WorkClass::Compute);
    EXPECT_TRUE(words().contains(QStringLiteral("The rule is gone from "))) << words().toStdString();
    EXPECT_FALSE(words().contains(QStringLiteral("By a rule in")));
    ASSERT_NE(button(QStringLiteral("Dismiss")), nullptr);
    QTest::mouseClick(button(QStringLiteral("Dismiss")), Qt::LeftButton);
    EXPECT_FALSE(window().nameRules().isVisible());
}

TEST_F(NameRulesTest, AFileThatCannotBeChangedIsReportedWithoutADialog) {
    openWith("gemm");
    qputenv("RANKSCOPE_NAME_RULES", QByteArray::fromStdString(folder().write("broken.json", "no rules")));
    ASSERT_TRUE(choose(QStringLiteral("Treat as Communication")));
    EXPECT_EQ(QApplication::activeModalWidget(), nullptr);
    EXPECT_FALSE(window().session().reanalysis().busy());
    EXPECT_TRUE(words().contains(QStringLiteral("broken.json"))) << words().toStdString();
    EXPECT_EQ(classOfKernels(), WorkClass::Compute);
}

TEST_F(NameRulesTest, TheFileIsMadeWhereItIsMissing) {
    openWith("gemm");
    qputenv("RANKSCOPE_NAME_RULES", QByteArray::fromStdString(rules));
    ASSERT_TRUE(choose(QStringLiteral("Treat as Communication")) && waitForAnalysis());
    EXPECT_TRUE(std::filesystem::exists(rules));
    EXPECT_EQ(classOfKernels(), WorkClass::Communication);
}

TEST_F(NameRulesTest, TheHealthAsksAboutKernelsThatLookLikeIt) {
    openWith("my_ring_allreduce");
    ASSERT_EQ(classOfKernels(), WorkClass::Compute);
    LinkedLabel* suspect = suspectInHealth();
    ASSERT_NE(suspect, nullptr);
    EXPECT_TRUE(suspect->words().contains(QStringLiteral("my_ring_allreduce looks like communication")))
        << suspect->words().toStdString();
    suspect->setFocus();
    QTest::keyClick(suspect, Qt::Key_Tab);  // the first link, then Enter follows it
    QTest::keyClick(suspect, Qt::Key_Return);
    ASSERT_TRUE(waitForAnalysis());
    EXPECT_EQ(classOfKernels(), WorkClass::Communication);
    EXPECT_TRUE(healthTree()->topLevelItem(0)->isExpanded()) << "what was unfolded stays so";
}

TEST_F(NameRulesTest, WhatTheUserCallsComputeIsNotAskedAboutAgain) {
    openWith("my_ring_allreduce");
    LinkedLabel* suspect = suspectInHealth();
    ASSERT_NE(suspect, nullptr);
    suspect->setFocus();
    QTest::keyClick(suspect, Qt::Key_Tab);
    QTest::keyClick(suspect, Qt::Key_Tab);  // the second link: "It is compute"
    QTest::keyClick(suspect, Qt::Key_Return);
    ASSERT_TRUE(waitForAnalysis());
    EXPECT_EQ(classOfKernels(), WorkClass::Compute);
    EXPECT_TRUE(window().session().runs()[0]->facts.ranks[0].communication_suspects.empty());
    const auto labels = healthTree()->findChildren<LinkedLabel*>();
    EXPECT_TRUE(std::ranges::none_of(labels, [](const LinkedLabel* label) {
        return label->words().contains(QStringLiteral("looks like communication"));
    }));
}

}  // namespace
}  // namespace rankscope::ui
