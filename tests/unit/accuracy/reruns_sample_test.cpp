// SPDX-License-Identifier: GPL-3.0-or-later
// A few of the starts that `./dev accuracy --compare` judges in full.

#include "tests/accuracy/reruns.h"
#include "tests/support/testing.h"

namespace rankscope::accuracy {
namespace {

/// The first starts of the job as it is and with 5 % more to do.
std::vector<StartScore> someStarts() {
    constexpr std::size_t kOfEach = 8;
    std::vector<StartScore> scores;
    std::size_t changed = 0;
    for (const JobStart& start : jobStarts()) {
        const bool wanted =
            start.change_percent == 0 ? scores.size() < kOfEach : start.change_percent == 5 && ++changed <= kOfEach;
        if (wanted) {
            scores.push_back(judge(start));
            EXPECT_EQ(scores.back().error, "") << start.name;
        }
    }
    return scores;
}

TEST(Reruns, WithFivePercentMoreToDoAreFoundByThreeRecordingsOfEachSide) {
    const std::vector<RerunTally> tallies = tallyOf(someStarts());
    ASSERT_FALSE(tallies.empty());
    for (const RerunTally& tally : tallies) {
        EXPECT_EQ(tally.change_percent, 5) << "eight starts of the job are the baseline alone";
        EXPECT_GT(tally.true_share, 0.03);
        EXPECT_GT(tally.spread, 0.002) << "starts that do not differ judge nothing";
        EXPECT_EQ(tally.faster, 0U);
        if (tally.recordings == 1) {
            EXPECT_EQ(tally.slower, 0U);
            EXPECT_GT(2 * tally.apart, tally.comparisons);
        } else if (tally.recordings >= 3) {
            EXPECT_GT(10 * tally.slower, 9 * tally.comparisons);
        }
    }
    EXPECT_TRUE(holds(tallies));
}

TEST(Reruns, TheJudgeSaysNo) {
    const RerunTally quiet{.change_percent = 0, .recordings = 3, .comparisons = 100, .slower = 3, .faster = 2};
    EXPECT_TRUE(holds({quiet}));
    RerunTally loud = quiet;
    loud.slower = 4;
    EXPECT_FALSE(holds({loud}));
    EXPECT_FALSE(holds({quiet, {.change_percent = 5, .recordings = 1, .comparisons = 100, .slower = 1}}))
        << "one recording each never says slower";
    RerunTally missed{.change_percent = 5, .recordings = 3, .comparisons = 400, .slower = 100};
    missed.expected = 1;
    missed.disjoint = 40;
    EXPECT_FALSE(holds({quiet, missed}));
    missed.slower = 395;
    EXPECT_TRUE(holds({quiet, missed}));
    missed.faster = 20;
    EXPECT_FALSE(holds({quiet, missed}));
}

}  // namespace
}  // namespace rankscope::accuracy
