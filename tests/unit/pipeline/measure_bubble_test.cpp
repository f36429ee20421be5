// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/pipeline/measure_bubble.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

/// The times of these ranks are counted in it.
constexpr TimeNs kUnit = 100'000;

constexpr TimeSpan spanOf(TimeNs start, TimeNs end) {
    return {start * kUnit, end * kUnit};
}

/// Two ranks on one clock: forwards of two micro-batches, of which the first stage hands over the second, at 20, only
/// when it has done something else until 30.
struct TwoRanks {
    RunClock clock;
    PipelineStep step;
    std::vector<RankExchanges> exchanges = std::vector<RankExchanges>(2);

    TwoRanks() {
        clock.ranks.resize(2);
        step.ranks.resize(2);
        step.ranks[0].passes = {pass(0, 0, 0, 10), pass(0, 1, 10, 20), pass(0, 2, 20, 30)};
        step.ranks[1].passes = {pass(1, 0, 12, 22), pass(1, 1, 40, 50), pass(1, 2, 50, 60)};
    }

    [[nodiscard]] std::vector<BubblePart> bubbleOfTheSecond() {
        const std::vector<RankStretch> stretches = {{RankPosition(0), spanOf(0, 60), exchanges.data()},
                                                    {RankPosition(1), spanOf(0, 60), &exchanges[1]}};
        measureBubble(clock, stretches, 2, step);
        return step.ranks[1].bubble;
    }

  private:
    static PipelinePass pass(std::int32_t stage, std::int32_t micro_batch, TimeNs start, TimeNs end) {
        PipelinePass made;
        made.stage = stage;
        made.micro_batch = micro_batch;
        made.span = spanOf(start, end);
        return made;
    }
};

/// In units.
DurationNs lengthOf(const std::vector<BubblePart>& parts, BubbleCause cause) {
    DurationNs length_ns = 0;
    for (const BubblePart& part : parts) {
        length_ns += part.cause == cause ? part.span.length() : 0;
    }
    return length_ns / kUnit;
}

TEST(MeasureBubble, CallsItHandOverWhereItIsUnknownWhomTheRankWaitsFor) {
    const std::vector<BubblePart> bubble = TwoRanks().bubbleOfTheSecond();
    EXPECT_EQ(lengthOf(bubble, BubbleCause::HandOver), 2 + 18) << "from 10 and from 22, when both passes had ended";
}

TEST(MeasureBubble, CallsItNoHandOverWhereTheRankWaitsForAPartnerThatIsInAPass) {
    TwoRanks ranks;
    ranks.exchanges[1].waits = {{spanOf(23, 35), RankPosition(0)}};
    const std::vector<BubblePart> bubble = ranks.bubbleOfTheSecond();
    EXPECT_EQ(lengthOf(bubble, BubbleCause::HandOver), 2 + 1 + 10)
        << "not from 23 to 30; then the partner is late, too";
    DurationNs all_ns = 0;
    for (const BubblePart& part : bubble) {
        all_ns += part.span.length();
    }
    EXPECT_EQ(all_ns, (12 + 18) * kUnit);
    EXPECT_EQ(ranks.step.ranks[1].times.bubbleTotal(), all_ns);
}

TEST(MeasureBubble, CallsItHandOverWhereThePartnerComesInTheMiddleOfAPass) {
    TwoRanks ranks;
    ranks.exchanges[1].waits = {{spanOf(23, 28), RankPosition(0)}};
    EXPECT_EQ(lengthOf(ranks.bubbleOfTheSecond(), BubbleCause::HandOver), 2 + 18) << "that pass did not hold it";
}

TEST(MeasureBubble, ReportsWhatMayBeWaiting) {
    TwoRanks ranks;
    ranks.exchanges[1].work = IntervalSet::unionOf({spanOf(22, 40)});
    ranks.exchanges[1].unsplit = IntervalSet::unionOf({spanOf(30, 45)});
    (void)ranks.bubbleOfTheSecond();
    EXPECT_EQ(ranks.step.ranks[1].times.other_ns, 18 * kUnit);
    EXPECT_EQ(ranks.step.ranks[1].times.unsplit_ns, 10 * kUnit) << "in no pass";
}

}  // namespace
}  // namespace rankscope::test
