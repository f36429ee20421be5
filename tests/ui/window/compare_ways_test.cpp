// SPDX-License-Identifier: GPL-3.0-or-later
// Every way to a comparison of two runs, and out of it, with real events.
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <filesystem>

#include "tests/ui/holds.h"
#include "tests/ui/widget_parts.h"
#include "tests/ui/window/compare_fixture.h"
#include "ui/compare/compare_answer.h"
#include "ui/window/comparison/compare_dialog.h"
#include "ui/window/comparison/compare_offer.h"
#include "ui/window/opening/loading_strip.h"
#include "ui/window/session/session_keeper.h"

namespace rankscope::ui {
namespace {

TEST_F(CompareWindow, TheCommandLinesTwoRunsAreOpenedAndCompared) {
    ASSERT_TRUE(compareSamples());
    EXPECT_EQ(names(), QStringLiteral("ZeroWorkers FourWorkers"));
    EXPECT_EQ(view().stepsText(), QStringLiteral("Step 81 of A against step 81 of B."));
    EXPECT_TRUE(test::holds(panel().verdictText(), {"Difference of recordings: the median step takes"}));
}

TEST_F(CompareWindow, FitsASmallScreenInBothArrangements) {
    window().resize(1280, 720);
    ASSERT_TRUE(compareSamples());
    for (const bool stacked : {false, true}) {
        view().setStacked(stacked);
        for (int round = 0; round < 8; ++round) {
            QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
            QCoreApplication::processEvents();
        }
        EXPECT_EQ(window().size(), QSize(1280, 720)) << stacked;
    }
}

TEST_F(CompareWindow, BeginsWithTheAnswerOfTheTerminalAndTheLimitsOfOneRecordingPerSide) {
    EXPECT_FALSE(view().answer().isVisible());
    ASSERT_TRUE(compareSamples());
    const CompareAnswer& answer = view().answer();
    EXPECT_EQ(answer.answer(), text(view().compared()->outline.answer));
    EXPECT_TRUE(answer.answer().endsWith(QStringLiteral(": the GPU no longer waits for input.")));
    EXPECT_TRUE(test::holds(answer.doubt(), {"95", "One recording each: a re-run alone can do this"}));
    ASSERT_TRUE(answer.isVisible());
    EXPECT_EQ(answer.pos().y(), 0) << "above all else";
    const auto height = [&answer](const char* role) {
        for (const QLabel* label : answer.findChildren<QLabel*>()) {
            if (label->property("role") == QLatin1String(role)) {
                return label->fontMetrics().height();
            }
        }
        return 0;
    };
    EXPECT_GT(height("title"), height("dim")) << "it is large";
}

TEST_F(CompareWindow, ASecondRunThatIsDroppedWithAltIsComparedWithTheFirst) {
    ASSERT_TRUE(dropAndWait({zero()}));
    drop({four()}, Qt::AltModifier);
    ASSERT_TRUE(waitUntilCompared());
    EXPECT_EQ(names(), QStringLiteral("ZeroWorkers FourWorkers"));
}

TEST_F(CompareWindow, ARecordingThatIsDroppedWithAltOnASideIsAddedToThatSide) {
    ASSERT_TRUE(compareSamples());
    for (const auto& [sample, copy] : {std::pair(four(), "again"), std::pair(zero(), "once more")}) {
        std::filesystem::copy(sample.toStdString(), folder().path() / copy, std::filesystem::copy_options::recursive);
    }
    const auto over = [this](Side side) { return timeline(side).mapTo(&window(), timeline(side).rect().center()); };
    const auto recordings = [this] {
        const RunComparison& comparison = view().compared()->comparison;
        return std::pair(comparison.a_side.recordings.size(), comparison.b_side.recordings.size());
    };
    drop({QString::fromStdString((folder().path() / "again").string())}, Qt::AltModifier, over(Side::A));
    ASSERT_TRUE(QTest::qWaitFor([&] { return recordings() == std::pair<std::size_t, std::size_t>(2, 1); }, kPatience));
    EXPECT_TRUE(view().compared()->comparison.answer.knowsReruns());
    EXPECT_TRUE(test::holds(panel().verdictText(), {"from 2 and 1 recordings", "A: ", "again"}));
    EXPECT_TRUE(test::labelWords(view()).contains(QStringLiteral("of 2 recordings")));
    drop({QString::fromStdString((folder().path() / "once more").string())}, Qt::AltModifier, over(Side::B));
    ASSERT_TRUE(QTest::qWaitFor([&] { return recordings() == std::pair<std::size_t, std::size_t>(2, 2); }, kPatience));
    EXPECT_FALSE(window().loadingStrip().isVisible()) << "what was added is in sight";
    window().session().close(0);
    ASSERT_TRUE(QTest::qWaitFor([&] { return recordings() == std::pair<std::size_t, std::size_t>(1, 2); }, kPatience))
        << "a recording that is closed leaves its side";
    trigger("compare.swap");
    ASSERT_TRUE(QTest::qWaitFor([&] { return recordings() == std::pair<std::size_t, std::size_t>(2, 1); }, kPatience));
    EXPECT_TRUE(window().comparing().active());
}

TEST_F(CompareWindow, TheCommandLinesRecordingsOfEachSideAreComparedAndASessionKeepsThem) {
    for (const auto& [sample, copy] : {std::pair(zero(), "again"), std::pair(four(), "once more")}) {
        std::filesystem::copy(sample.toStdString(), folder().path() / copy, std::filesystem::copy_options::recursive);
    }
    const auto of_sides = [this] {
        const RunComparison& comparison = view().compared()->comparison;
        return std::pair(comparison.a_side.recordings.size(), comparison.b_side.recordings.size());
    };
    window().compare({zero(), inFolder("again")}, {four(), inFolder("once more")});
    ASSERT_TRUE(waitUntilCompared());
    EXPECT_EQ(of_sides(), (std::pair<std::size_t, std::size_t>(2, 2)));
    EXPECT_EQ(names(), QStringLiteral("ZeroWorkers FourWorkers"));
    saveAndReopen();
    ASSERT_TRUE(waitUntilCompared());
    EXPECT_EQ(of_sides(), (std::pair<std::size_t, std::size_t>(2, 2)));
}

TEST_F(CompareWindow, TwoFoldersDroppedTogetherOpenBelowEachOtherAndOfferAComparison) {
    ASSERT_TRUE(dropAndWait({zero(), four()}));
    EXPECT_TRUE(workspace().isVisible());
    auto* offer = window().findChild<CompareOffer*>();
    ASSERT_TRUE(offer->isVisible());
    QTest::mouseClick(offer->findChild<QPushButton*>(), Qt::LeftButton);
    ASSERT_TRUE(waitUntilCompared());
    EXPECT_FALSE(offer->isVisible());
}

TEST_F(CompareWindow, TheOfferStaysAwayOnceItIsDeclinedUntilOtherRunsAreOpen) {
    ASSERT_TRUE(dropAndWait({writeRank(0), zero()}));
    auto* offer = window().findChild<CompareOffer*>();
    ASSERT_TRUE(offer->isVisible());
    QTest::mouseClick(offer->findChildren<QPushButton*>().back(), Qt::LeftButton);
    EXPECT_FALSE(offer->isVisible());
    ASSERT_TRUE(openAndWait({four()}, OpenMode::Beside));
    EXPECT_TRUE(offer->isVisible());
    EXPECT_FALSE(window().comparing().active());
}

TEST_F(CompareWindow, TheKeyComparesTheOpenRunsAndAnotherLeavesTheComparison) {
    ASSERT_TRUE(dropAndWait({zero(), four()}));
    QTest::keyClick(&window(), Qt::Key_D, Qt::ControlModifier);
    ASSERT_TRUE(waitUntilCompared());
    QTest::keyClick(&window(), Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_FALSE(window().comparing().active());
    EXPECT_TRUE(workspace().isVisible());
    EXPECT_EQ(window().session().runs().size(), 2U) << "both stay open";
}

class CompareByDialog : public CompareWindow {
  protected:
    /// Asked for, with a folder against the run that is open.
    void ask() {
        ASSERT_TRUE(dropAndWait({four()}));
        trigger("file.compare");
        dialog = window().findChild<CompareDialog*>();
        ASSERT_NE(dialog, nullptr);
        dialog->choose(Side::A, {zero()});
        box = dialog->findChildren<QComboBox*>().at(1);
        box->setCurrentIndex(0);
        button = test::buttonIn(*dialog, QStringLiteral("Compare"));
        ASSERT_NE(button, nullptr);
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

TEST_F(CompareByDialog, ProposesNeitherTheOpenRunAgainNorAFolderOfSeveralRuns) {
    ASSERT_TRUE(dropAndWait({zero()}));
    for (const QStringList& no_side : {QStringList{zero()}, QStringList{four(), zero()}}) {
        const QList<QStringList> recent = {no_side, QStringList{four()}};
        const CompareDialog proposed(window().session().runs(), recent, settings());
        const CompareSource of_b = proposed.chosen()[1];
        ASSERT_TRUE(std::holds_alternative<QStringList>(of_b)) << no_side.size();
        EXPECT_EQ(std::get<QStringList>(of_b), QStringList{four()}) << no_side.size();
    }
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

TEST_F(RunsOfOneName, AreDistinguishedByTheFoldersAroundThem) {
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
    ASSERT_TRUE(dropAndWait({one, two}));
    trigger("compare.open-runs");
    ASSERT_TRUE(waitUntilCompared());
    EXPECT_EQ(names(), QStringLiteral("exp1/traces exp2/traces"));
}

TEST_F(CompareWindow, ARunThatIsOpenedBehindAComparisonIsReported) {
    ASSERT_TRUE(compareSamples());
    EXPECT_FALSE(window().loadingStrip().isVisible());
    ASSERT_TRUE(openAndWait({writeRank(0)}, OpenMode::Beside));
    ASSERT_TRUE(QTest::qWaitFor([this] { return window().loadingStrip().isVisible(); }, kPatience));
    const QString words = stripWords();
    EXPECT_TRUE(test::holds(words, {"rank0.pt.trace.json is open", "Leave the comparison"}));
    EXPECT_TRUE(window().comparing().active());
}

TEST_F(CompareWindow, TheHeadOfAComparisonThatCannotBeJudgedIsNoPieceOfASentence) {
    ASSERT_TRUE(dropAndWait({zero()}));
    drop({writeRank(0)}, Qt::AltModifier);  // without a step that is marked
    ASSERT_TRUE(waitUntilCompared());
    EXPECT_TRUE(test::holds(view().answer().answer(), {"Cannot judge: the steps of ZeroWorkers and "}));
    EXPECT_TRUE(view().answer().answer().endsWith(QStringLiteral(" cannot be compared.")));
    EXPECT_EQ(view().answer().doubt(), QString()) << "there is no range whose doubt could be said";
}

TEST_F(CompareWindow, ARunThatCannotBeReadLeavesWhatIsOpenAndSaysSo) {
    ASSERT_TRUE(dropAndWait({zero()}));
    ASSERT_TRUE(dropAndWait({QString::fromStdString(folder().write("bad.json", "this is no trace"))}, Qt::AltModifier));
    QCoreApplication::processEvents();
    EXPECT_FALSE(window().comparing().active());
    EXPECT_TRUE(workspace().isVisible());
    drop({writeRank(0)}, Qt::AltModifier);
    ASSERT_TRUE(waitUntilCompared()) << "what was asked for in vain is forgotten";
}

TEST_F(CompareWindow, ClosingOneOfTheTwoEndsTheComparison) {
    ASSERT_TRUE(compareSamples());
    timeline(Side::B).setFocus();
    QTest::keyClick(&timeline(Side::B), Qt::Key_W, Qt::ControlModifier);
    EXPECT_FALSE(window().comparing().active());
    ASSERT_EQ(window().session().runs().size(), 1U);
    EXPECT_EQ(window().session().runs()[0]->run->name, "ZeroWorkers") << "the run that the user was at is closed";
}

TEST_F(CompareWindow, AComparisonComesBackAtTheNextStart) {
    ASSERT_TRUE(compareSamples());
    trigger("compare.swap");
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
