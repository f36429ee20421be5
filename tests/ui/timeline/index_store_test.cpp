// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/index_store.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <memory>

#include "tests/ui/timeline/timeline_fixture.h"
#include "ui/timeline/timeline_model.h"
#include "ui/timeline/timeline_widget.h"

namespace rankscope::ui {
namespace {

TEST(IndexStore, BuildsWhatTwoViewsShowOnceAndKeepsItForAsLongAsOneDoes) {
    const auto run = test::makeRun({.ranks = 2});
    const RankTrace* rank = run->run->ranks[0].get();
    IndexStore store;
    const int one = 1;
    const int other = 2;
    store.want(TimelineModel({run}).sources(), &one);
    store.finish();
    const auto index = store.find(rank);
    ASSERT_NE(index, nullptr);
    store.want(TimelineModel({run}).sources(), &other);
    EXPECT_EQ(store.find(rank), index) << "at once, and the same";
    store.forget(&one);
    EXPECT_EQ(store.find(rank), index);
    store.want({}, &other);
    EXPECT_EQ(store.find(rank), nullptr);
    EXPECT_EQ(store.find(run.get()), nullptr);
}

TEST(IndexStore, ATimelineThatIsGoneWantsNothingAnyMore) {
    const auto run = test::makeRun({.ranks = 1});
    const auto store = std::make_shared<IndexStore>();
    {
        TimelineWidget first(Theme::darkTheme(), nullptr, store);
        first.setRuns({run});
        first.settle();
        TimelineWidget second(Theme::darkTheme(), nullptr, store);
        second.setRuns({run});
        ASSERT_NE(store->find(run.get()), nullptr) << "there before the second has waited";
    }
    EXPECT_EQ(store->find(run.get()), nullptr);
}

TEST(IndexStore, TellsOfManyIndicesTogetherAndNotOneByOne) {
    const auto run = test::makeRun({.ranks = 64, .steps = 1, .kernels_a_step = 2});
    IndexStore store;
    const QSignalSpy told(&store, &IndexStore::built);
    store.want(TimelineModel({run}).sources());
    const auto all_built = [&] {
        return std::ranges::all_of(run->run->ranks,
                                   [&](const auto& rank) { return store.find(rank.get()) != nullptr; });
    };
    ASSERT_TRUE(QTest::qWaitFor([&] { return all_built() && !told.isEmpty(); }, 60'000));
    QTest::qWait(3 * IndexStore::kTellEveryMs);
    EXPECT_GE(told.size(), 1);
    const int before = static_cast<int>(told.size());
    QTest::qWait(3 * IndexStore::kTellEveryMs);
    EXPECT_EQ(told.size(), before) << "when all is built there is nothing more to tell";
    EXPECT_LT(before, 129) << "64 ranks, their facts and the run";
}

TEST(IndexStore, FindsTheStepsAndTheGapsThatAreDrawnInOrderOfTime) {
    auto run = std::make_shared<AnalysedRun>(*test::makeRun({.ranks = 1, .steps = 3}));
    RankFacts& facts = run->facts.ranks[0];
    std::swap(facts.steps[0], facts.steps[2]);
    facts.steps[1].gaps[0].span.end_ns = facts.steps[1].gaps[0].span.start_ns + kShownGapNs - 1;
    const auto index = buildFactIndex(facts);
    ASSERT_EQ(index->steps.size(), 3U);
    EXPECT_EQ(index->steps[0].step, 2U) << "by time, not by place";
    EXPECT_EQ(index->steps[0].index, 0);
    ASSERT_EQ(index->gaps.size(), 2U) << "one is too short to be drawn";
    EXPECT_EQ(index->gaps[0].step, 2U);
    EXPECT_EQ(index->gaps[0].before_ns, 0);
    EXPECT_EQ(index->gaps[1].before_ns, test::kGapNs);
}

TEST(IndexStore, OfARunAloneNoRankIsIndexed) {
    const auto run = test::makeRun({.ranks = 1});
    IndexStore store;
    store.want({{nullptr, run, nullptr}});
    store.finish();
    EXPECT_NE(store.find(run.get()), nullptr);
    EXPECT_EQ(store.find(run->run->ranks[0].get()), nullptr);
}

}  // namespace
}  // namespace rankscope::ui
