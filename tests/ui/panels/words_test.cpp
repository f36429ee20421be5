// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "ui/panels/shared/words.h"

namespace rankscope::ui {
namespace {

TEST(Words, ALineNamesAKernelWithoutItsParametersAndCutsLongNames) {
    EXPECT_EQ(nameInLine("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"),
              QStringLiteral("ncclDevKernel_AllReduce_Sum_f32_RING_LL"));
    const QString cut = nameInLine(std::string(200, 'k'));
    EXPECT_EQ(cut.size(), kLongestName);
    EXPECT_TRUE(cut.endsWith(QStringLiteral("…")));
}

TEST(Words, RanksAreNamedAsSpans) {
    rankscope::Run run;
    for (int rank = 0; rank < 8; ++rank) {
        auto trace = std::make_shared<RankTrace>();
        trace->rank = RankNumber(rank);
        run.ranks.push_back(trace);
    }
    EXPECT_EQ(ranksName(run, {RankPosition(3)}), QStringLiteral("rank 3"));
    EXPECT_EQ(ranksName(run, {RankPosition(5), RankPosition(0), RankPosition(1), RankPosition(2)}),
              QStringLiteral("ranks 0 to 2, 5"));
    EXPECT_EQ(ranksName(run, {RankPosition(0), RankPosition(1), RankPosition(2), RankPosition(3), RankPosition(4),
                              RankPosition(5), RankPosition(6), RankPosition(7)}),
              QStringLiteral("all 8 ranks"));
    for (const std::size_t position : {4U, 6U}) {
        run.ranks[position] = std::make_shared<RankTrace>();  // no file says its number
    }
    EXPECT_EQ(ranksName(run, {RankPosition(4), RankPosition(6)}), QStringLiteral("file 5, file 7"));
    EXPECT_EQ(ranksName(run, {RankPosition(0), RankPosition(1), RankPosition(6)}),
              QStringLiteral("ranks 0, 1, file 7"));
    EXPECT_EQ(ranksName(run, {RankPosition(3), RankPosition(6)}), QStringLiteral("rank 3, file 7"));
}

TEST(Words, NumbersHaveAMinusSignAndKeepTheirUnits) {
    EXPECT_EQ(printed(QStringLiteral("69.1 ms less (-75 % to -76 %), in the middle -3 of 2 steps, by-rank")),
              QStringLiteral(
                  "69.1\u00a0ms less (\u221275\u00a0% to \u221276\u00a0%), in the middle \u22123 of 2 steps, by-rank"));
}

TEST(Words, ANameOfTheLoaderFitsALineOfNames) {
    const std::string loader = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__";
    EXPECT_EQ(nameInLine(loader), text(loader));
    EXPECT_EQ(nameInLine(std::string(100, 'a')).size(), 64);
}

}  // namespace
}  // namespace rankscope::ui
