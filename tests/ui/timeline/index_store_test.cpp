// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/index_store.h"

#include <gtest/gtest.h>

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
