// SPDX-License-Identifier: GPL-3.0-or-later
// Every way to a comparison of two runs, and out of it, with real events.
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <algorithm>

#include "tests/ui/window/compare_fixture.h"
#include "ui/compare/compare_text.h"
#include "ui/window/compare_dialog.h"
#include "ui/window/compare_offer.h"
#include "ui/window/loading_strip.h"
#include "ui/window/session_keeper.h"
#include "ui/window/workspace.h"

namespace rankscope::ui {
namespace {

TEST_F(CompareWindow, TheCommandLinesTwoRunsAreOpenedAndCompared) {
    window().compare({zero()}, {four()});
    ASSERT_TRUE(waitUntilCompared());
    EXPECT_EQ(names(), QStringLiteral("ZeroWorkers FourWorkers"));
    EXPECT_EQ(view().stepsText(), QStringLiteral("Step 81 of A stands against step 81 of B."));
    EXPECT_TRUE(panel().verdictText().contains(QStringLiteral("Faster: the median step takes")))
        << panel().verdictText().toStdString();
}

TEST_F(CompareWindow, ASecondRunThatIsDroppedWithAltIsComparedWithTheFirst) {
    drop({zero()});
    ASSERT_TRUE(waitUntilIdle());
    drop({four()}, Qt::AltModifier);
    ASSERT_TRUE(waitUntilCompared());
    EXPECT_EQ(names(), QStringLiteral("ZeroWorkers FourWorkers"));
}

TEST_F(CompareWindow, TwoFoldersThatAreDroppedTogetherOpenBelowEachOtherAndTheComparisonIsOffered) {
    drop({zero(), four()});
    ASSERT_TRUE(waitUntilIdle());
    EXPECT_TRUE(window().workspace().isVisible());
    auto* offer = window().findChild<CompareOffer*>();
    ASSERT_TRUE(offer->isVisible());
    QTest::mouseClick(offer->findChild<QPushButton*>(), Qt::LeftButton);
    ASSERT_TRUE(waitUntilCompared());
    EXPECT_FALSE(offer->isVisible());
}

TEST_F(CompareWindow, TheOfferStaysAwayOnceItIsDeclinedUntilOtherRunsAreOpen) {
    drop({writeRank(0), zero()});
    ASSERT_TRUE(waitUntilIdle());
    auto* offer = window().findChild<CompareOffer*>();
    ASSERT_TRUE(offer->isVisible());
    QTest::mouseClick(offer->findChildren<QPushButton*>().back(), Qt::LeftButton);
    EXPECT_FALSE(offer->isVisible());
    window().open({four()}, OpenMode::Beside);
    ASSERT_TRUE(waitUntilIdle());
    EXPECT_TRUE(offer->isVisible());
    EXPECT_FALSE(window().comparing().active());
}

TEST_F(CompareWindow, TheKeyComparesTheOpenRunsAndAnotherLeavesTheComparison) {
    drop({zero(), four()});
    ASSERT_TRUE(waitUntilIdle());
    QTest::keyClick(&window(), Qt::Key_D, Qt::ControlModifier);
    ASSERT_TRUE(waitUntilCompared());
    QTest::keyClick(&window(), Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_FALSE(window().comparing().active());
    EXPECT_TRUE(window().workspace().isVisible());
    EXPECT_EQ(window().session().runs().size(), 2U) << "both stay open";
}

class CompareByDialog : public CompareWindow {
  protected:
    /// Asked for, with a folder against the run that is open.
    void ask() {
        drop({four()});
        ASSERT_TRUE(waitUntilIdle());
        trigger("file.compare");
        dialog = window().findChild<CompareDialog*>();
        ASSERT_NE(dialog, nullptr);
        dialog->choose(Side::A, {zero()});
        box = dialog->findChildren<QComboBox*>().at(1);
        box->setCurrentIndex(0);
        const QList<QPushButton*> all = dialog->findChildren<QPushButton*>();
        button = *std::ranges::find(all, QStringLiteral("Compare"), &QPushButton::text);
        ASSERT_TRUE(button->isEnabled());
    }
    void expectCompared() {
        ASSERT_TRUE(waitUntilCompared());
        EXPECT_EQ(names(), QStringLiteral("ZeroWorkers FourWorkers"));
    }

    CompareDialog* dialog = nullptr;
    QComboBox* box = nullptr;
    QPushButton* button = nullptr;
};

TEST_F(CompareByDialog, AClickComparesAnOpenRunWithAFolder) {
    ask();
    QTest::mouseClick(button, Qt::LeftButton);
    expectCompared();
}

TEST_F(CompareByDialog, EnterDoesToo) {
    ask();
    pressEnter(*box);
    expectCompared();
}

class RunsOfOneName : public CompareWindow {
  protected:
    /// A sample in `traces` of a folder of that name.
    [[nodiscard]] QString tracesIn(const char* experiment, const QString& of) {
        const std::filesystem::path to = folder().path() / experiment / "traces";
        std::filesystem::create_directories(to.parent_path());
        std::filesystem::copy(of.toStdString(), to, std::filesystem::copy_options::recursive);
        return QString::fromStdString(to.string());
    }
};

TEST_F(RunsOfOneName, AreToldApartByTheFoldersAroundThem) {
    const QString one = tracesIn("exp1", zero());
    const QString two = tracesIn("exp2", four());
    window().compare({one}, {two});
    ASSERT_TRUE(waitUntilCompared());
    EXPECT_EQ(names(), QStringLiteral("traces exp2/traces")) << "beside the first";
    bool tells = false;
    for (const QLabel* label : view().findChildren<QLabel*>()) {
        tells = tells || label->toolTip().contains(two);
    }
    EXPECT_TRUE(tells) << "where it lies";
    window().session().closeAll();
    drop({one, two});
    ASSERT_TRUE(waitUntilIdle());
    trigger("compare.open-runs");
    ASSERT_TRUE(waitUntilCompared());
    EXPECT_EQ(names(), QStringLiteral("exp1/traces exp2/traces"));
}

TEST_F(CompareWindow, ARunThatIsOpenedBehindAComparisonIsSaidToBe) {
    window().compare({zero()}, {four()});
    ASSERT_TRUE(waitUntilCompared());
    EXPECT_FALSE(window().loadingStrip().isVisible());
    drop({writeRank(0)}, Qt::AltModifier);
    ASSERT_TRUE(waitUntilIdle());
    ASSERT_TRUE(QTest::qWaitFor([this] { return window().loadingStrip().isVisible(); }, kPatience));
    QString words;
    for (const QLabel* label : window().loadingStrip().findChildren<QLabel*>()) {
        words += label->text() + QLatin1Char('\n');
    }
    EXPECT_TRUE(words.contains(QStringLiteral("rank0.pt.trace.json is open"))) << words.toStdString();
    EXPECT_TRUE(words.contains(QStringLiteral("Leave the comparison"))) << words.toStdString();
    EXPECT_TRUE(window().comparing().active());
}

TEST_F(CompareWindow, TheHeadOfAComparisonThatCannotBeJudgedIsNoPieceOfASentence) {
    drop({zero()});
    ASSERT_TRUE(waitUntilIdle());
    drop({writeRank(0)}, Qt::AltModifier);  // without a step that is marked
    ASSERT_TRUE(waitUntilCompared());
    EXPECT_EQ(verdictHead(*view().compared()),
              QStringLiteral("Cannot judge: the steps of these runs cannot be compared"));
}

TEST_F(CompareWindow, ARunThatCannotBeReadLeavesWhatIsOpenAndSaysSo) {
    drop({zero()});
    ASSERT_TRUE(waitUntilIdle());
    drop({QString::fromStdString(folder().write("bad.json", "this is no trace"))}, Qt::AltModifier);
    ASSERT_TRUE(waitUntilIdle());
    QCoreApplication::processEvents();
    EXPECT_FALSE(window().comparing().active());
    EXPECT_TRUE(window().workspace().isVisible());
    drop({writeRank(0)}, Qt::AltModifier);
    ASSERT_TRUE(waitUntilCompared()) << "what was asked for in vain is forgotten";
}

TEST_F(CompareWindow, ClosingOneOfTheTwoEndsTheComparison) {
    window().compare({zero()}, {four()});
    ASSERT_TRUE(waitUntilCompared());
    timeline(Side::B).setFocus();
    QTest::keyClick(&timeline(Side::B), Qt::Key_W, Qt::ControlModifier);
    EXPECT_FALSE(window().comparing().active());
    ASSERT_EQ(window().session().runs().size(), 1U);
    EXPECT_EQ(window().session().runs()[0]->run->name, "ZeroWorkers") << "the run that the user was at is closed";
}

TEST_F(CompareWindow, AComparisonComesBackAtTheNextStart) {
    window().compare({zero()}, {four()});
    ASSERT_TRUE(waitUntilCompared());
    window().commands().action(QStringLiteral("compare.swap"))->trigger();
    window().close();
    MainWindow next(settings());
    next.show();
    next.sessions().openLast();
    ASSERT_TRUE(QTest::qWaitFor([&] { return next.comparing().active() && next.compareView().compared(); }, kPatience));
    EXPECT_EQ(next.comparing().runs(), (std::array<std::size_t, 2>{1, 0})) << "swapped, as it was left";
    EXPECT_TRUE(next.compareView().isVisible());
}

TEST_F(CompareWindow, TheRowsOfBothBeginAtTheSameHeightThoughOneHasMoreRanks) {
    window().compare({zero()}, {four() + QStringLiteral("/rank0.pt.trace.json.gz")});
    ASSERT_TRUE(waitUntilCompared());
    const TimelineWidget& a = timeline(Side::A);
    const TimelineWidget& b = timeline(Side::B);
    ASSERT_NE(a.overviewHeight(), b.overviewHeight());
    EXPECT_EQ(a.tracksArea().top(), b.tracksArea().top());
}

}  // namespace
}  // namespace rankscope::ui
