// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QStringList>

#include "tests/ui/timeline/timeline_fixture.h"
#include "ui/timeline/metrics.h"
#include "ui/timeline/row_layout.h"

namespace rankscope::ui {
namespace {

QStringList titlesOf(const RowLayout& layout) {
    QStringList titles;
    for (const LayoutRow& row : layout.rows()) {
        titles << row.title;
    }
    return titles;
}

// `run` while it loads: one more rank is known, and no facts.
std::shared_ptr<const AnalysedRun> withOneMoreBefore(const AnalysedRun& run) {
    auto grown = std::make_shared<Run>(*run.run);
    grown->ranks.insert(grown->ranks.begin(), test::makeRun({.ranks = 1})->run->ranks.front());
    auto analysed = std::make_shared<AnalysedRun>();
    analysed->run = std::move(grown);
    return analysed;
}

TEST(RowLayout, PutsStreamsBeforeThreadsAndTheMainThreadFirst) {
    const TimelineModel model({test::makeRun({.ranks = 1, .name = "ZeroWorkers"})});
    EXPECT_EQ(titlesOf(RowLayout(model, {})),
              (QStringList{"ZeroWorkers", "rank 0", "stream 7", "stream 20", "CPU threads", "thread 4711 (python)",
                           "thread 4712 (pt_autograd_0)", "Annotations, syncs, profiler"}));
}

TEST(RowLayout, LeavesNoHolesBetweenRows) {
    const TimelineModel model({test::makeRun({}), test::makeRun({.name = "other"})});
    const RowLayout layout(model, {});
    int y = 0;
    for (const LayoutRow& row : layout.rows()) {
        EXPECT_EQ(row.y, y);
        EXPECT_GT(row.height, 0);
        EXPECT_EQ(layout.at(row.y), &row);
        EXPECT_EQ(layout.at(row.y + row.height - 1), &row);
        y += row.height;
    }
    EXPECT_EQ(layout.height(), y);
    EXPECT_EQ(layout.at(y), nullptr);
    EXPECT_EQ(layout.at(-1), nullptr);
}

TEST(RowLayout, FoldingARankHidesItsTracksOnly) {
    const TimelineModel model({test::makeRun({})});
    RowChoices folds;
    toggleFold(*RowLayout(model, folds).findRank(0, 0), folds);
    const RowLayout folded(model, folds);
    EXPECT_EQ(folded.find(0, 0, TrackId(2)), nullptr);
    EXPECT_NE(folded.find(0, 1, TrackId(2)), nullptr);
    toggleFold(*folded.findRank(0, 0), folds);
    EXPECT_EQ(titlesOf(RowLayout(model, folds)), titlesOf(RowLayout(model, {})));
}

TEST(RowLayout, FoldsThreadsOfManyRanksSoThatAllStreamsAreInSight) {
    const TimelineModel few({test::makeRun({.ranks = 4})});
    EXPECT_NE(RowLayout(few, {}).find(0, 3, TrackId(0)), nullptr);
    const TimelineModel many({test::makeRun({.ranks = 8})});
    EXPECT_EQ(RowLayout(many, {}).find(0, 3, TrackId(0)), nullptr);
    EXPECT_NE(RowLayout(many, {}).find(0, 3, TrackId(2)), nullptr);
}

TEST(RowLayout, FoldsStayWhenARunIsSetAgainWithOneMoreRankBefore) {
    const auto run = test::makeRun({.ranks = 2});
    const auto grown = withOneMoreBefore(*run);
    const TimelineModel before({run});
    RowChoices folds;
    toggleFold(*RowLayout(before, folds).findRank(0, 1), folds);
    const TimelineModel model({grown});
    const RowLayout after(model, folds);
    EXPECT_EQ(after.findRank(0, 2)->unfolding, Unfolding::Folded);
    EXPECT_EQ(after.findRank(0, 1)->unfolding, Unfolding::All);
}

TEST(RowLayout, UnfoldsWhateverHidesARow) {
    const TimelineModel model({test::makeRun({.ranks = 9})});
    RowChoices folds;
    toggleFold(*RowLayout(model, folds).findRank(0, 5), folds);
    unfoldTo(model, 0, 5, TrackId(0), 2, folds);
    const RowLayout layout(model, folds);
    const LayoutRow* row = layout.find(0, 5, TrackId(0));
    ASSERT_NE(row, nullptr);
    EXPECT_GT(row->rows, 2);
}

TEST(RowLayout, AnEmptyModelHasNoRows) {
    const RowLayout layout(TimelineModel(std::vector<std::shared_ptr<const AnalysedRun>>{}), {});
    EXPECT_EQ(layout.height(), 0);
    EXPECT_EQ(layout.at(0), nullptr);
}

TEST(TimelineModel, PutsTheStartOfEachRunAtZero) {
    const TimelineModel model({test::makeRun({.epoch_ns = 1'000'000'000}), test::makeRun({.epoch_ns = 77})});
    EXPECT_EQ(model.extent(), (TimeSpan{0, 4 * test::kStepNs}));
    for (std::uint32_t run = 0; run < 2; ++run) {
        const SliceSelection first{run, 0, {TrackId(0), 0}};
        EXPECT_EQ(model.spanOf(first), (TimeSpan{0, test::kStepNs}));
    }
}

TEST(TimelineModel, CarriesTheSelectionOverToWhereItsRankIsNow) {
    const auto run = test::makeRun({.ranks = 2});
    const auto grown = withOneMoreBefore(*run);
    const TimelineModel before({run});
    const TimelineModel after({grown});
    const SliceSelection selected{0, 1, {TrackId(2), 3}};
    EXPECT_EQ(after.carriedOver(selected, before), Selection(SliceSelection{0, 2, {TrackId(2), 3}}));
    EXPECT_EQ(after.carriedOver(GapSelection{0, 1, 0, 0}, before), Selection()) << "its facts are not known yet";
    EXPECT_EQ(TimelineModel({test::makeRun({})}).carriedOver(selected, before), Selection());
}

}  // namespace
}  // namespace rankscope::ui
