// SPDX-License-Identifier: GPL-3.0-or-later
// Boxes that choose a rank of thousands: typed, and filled without a list of all names.
#include <gtest/gtest.h>

#include <QComboBox>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

#include "tests/support/model_builder.h"
#include "ui/panels/shared/run_choice.h"

namespace rankscope::ui {
namespace {

AnalysedRun runOfRanks(int first, int ranks) {
    std::vector<std::shared_ptr<const RankTrace>> all;
    for (int rank = first; rank < first + ranks; ++rank) {
        auto trace = std::make_shared<RankTrace>();
        trace->rank = RankNumber(rank);
        all.push_back(std::move(trace));
    }
    AnalysedRun run;
    auto of = std::make_shared<Run>();
    of->ranks = std::move(all);
    run.run = std::move(of);
    return run;
}

TEST(RankChoice, OfThousandsARankIsChosenByTypingItsNumber) {
    const AnalysedRun run = runOfRanks(0, 10'240);
    QComboBox box;
    offerRanks(box, &run);
    box.show();
    EXPECT_EQ(box.count(), 10'241);
    EXPECT_EQ(box.currentText(), QStringLiteral("All ranks"));
    ASSERT_TRUE(box.isEditable());
    const auto type = [&box](const QString& words) {
        box.lineEdit()->selectAll();
        QTest::keyClicks(box.lineEdit(), words);
        QTest::keyClick(box.lineEdit(), Qt::Key_Return);
    };
    const QSignalSpy spy(&box, &QComboBox::currentIndexChanged);
    type(QStringLiteral("7312"));
    EXPECT_EQ(box.currentIndex(), 7'313);
    EXPECT_EQ(box.currentText(), QStringLiteral("rank 7312"));
    EXPECT_EQ(spy.size(), 1);
    type(QStringLiteral("99999"));
    EXPECT_EQ(box.currentText(), QStringLiteral("rank 7312")) << "there is no such rank: the one that was chosen stays";
    EXPECT_EQ(box.count(), 10'241) << "what is typed is no entry";
    type(QStringLiteral("all"));
    EXPECT_EQ(box.currentIndex(), 0);
}

TEST(RankChoice, TheChosenRankStaysChosenAtAnyPosition) {
    const AnalysedRun some = runOfRanks(100, 300);
    const AnalysedRun all = runOfRanks(0, 1'000);
    QComboBox box;
    offerRanks(box, &some);
    box.setCurrentIndex(6);
    EXPECT_EQ(box.currentText(), QStringLiteral("rank 105"));
    const QSignalSpy spy(&box, &QComboBox::currentIndexChanged);
    offerRanks(box, &all);
    EXPECT_EQ(box.currentText(), QStringLiteral("rank 105"));
    EXPECT_EQ(box.currentIndex(), 106);
    EXPECT_EQ(spy.size(), 0) << "it tells nobody";
    const AnalysedRun few = runOfRanks(0, 8);
    offerRanks(box, &few);
    EXPECT_FALSE(box.isEditable()) << "of a few one is chosen from the list";
    EXPECT_EQ(box.currentText(), QStringLiteral("All ranks"));
    offerRanks(box, nullptr);
    EXPECT_EQ(box.count(), 1);
}

}  // namespace
}  // namespace rankscope::ui
