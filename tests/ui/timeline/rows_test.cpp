// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QStringList>

#include "tests/ui/timeline/timeline_fixture.h"
#include "ui/timeline/rows/row_layout.h"
#include "ui/timeline/rows/row_text.h"

namespace rankscope::ui {
namespace {

QStringList titlesOf(const TimelineModel& model, const RowLayout& layout) {
    QStringList titles;
    for (const LayoutRow& row : layout.rows()) {
        titles << rowText(model, row).title;
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
    EXPECT_EQ(titlesOf(model, RowLayout(model, {})),
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
    toggleFold(*RowLayout(model, folds).findRank(0, RankPosition(0)), folds);
    const RowLayout folded(model, folds);
    EXPECT_EQ(folded.find(0, RankPosition(0), TrackId(2)), nullptr);
    EXPECT_NE(folded.find(0, RankPosition(1), TrackId(2)), nullptr);
    toggleFold(*folded.findRank(0, RankPosition(0)), folds);
    EXPECT_EQ(titlesOf(model, RowLayout(model, folds)), titlesOf(model, RowLayout(model, {})));
}

TEST(RowLayout, FoldsThreadsOfManyRanksSoThatAllStreamsAreInSight) {
    const TimelineModel few({test::makeRun({.ranks = 4})});
    EXPECT_NE(RowLayout(few, {}).find(0, RankPosition(3), TrackId(0)), nullptr);
    const TimelineModel many({test::makeRun({.ranks = 8})});
    EXPECT_EQ(RowLayout(many, {}).find(0, RankPosition(3), TrackId(0)), nullptr);
    EXPECT_NE(RowLayout(many, {}).find(0, RankPosition(3), TrackId(2)), nullptr);
}

TEST(RowLayout, FoldsStayWhenARunIsSetAgainWithOneMoreRankBefore) {
    const auto run = test::makeRun({.ranks = 2});
    const auto grown = withOneMoreBefore(*run);
    const TimelineModel before({run});
    RowChoices folds;
    toggleFold(*RowLayout(before, folds).findRank(0, RankPosition(1)), folds);
    const TimelineModel model({grown});
    const RowLayout after(model, folds);
    EXPECT_EQ(after.findRank(0, RankPosition(2))->unfolding, Unfolding::Folded);
    EXPECT_EQ(after.findRank(0, RankPosition(1))->unfolding, Unfolding::All);
}

TEST(RowLayout, UnfoldsAllThatHidesARow) {
    const TimelineModel model({test::makeRun({.ranks = 9})});
    RowChoices folds;
    toggleFold(*RowLayout(model, folds).findRank(0, RankPosition(5)), folds);
    unfoldTo(model, 0, RankPosition(5), TrackId(0), 2, folds);
    const RowLayout layout(model, folds);
    const LayoutRow* row = layout.find(0, RankPosition(5), TrackId(0));
    ASSERT_NE(row, nullptr);
    EXPECT_GT(row->rows, 2);
}

TEST(RowLayout, AnEmptyModelHasNoRows) {
    const RowLayout layout(TimelineModel(std::vector<std::shared_ptr<const AnalysedRun>>{}), {});
    EXPECT_EQ(layout.height(), 0);
    EXPECT_EQ(layout.at(0), nullptr);
}

TEST(RowLayout, FindsEachRowByWhatItIsAndByItsKey) {
    const TimelineModel model({test::makeRun({.ranks = 3}), test::makeRun({.ranks = 2})});
    RowChoices choices;
    choices.pinned = {keyOf(*model.rank(1, RankPosition(1))->trace, TrackId(2))};
    choices.folds[keyOf(*model.rank(0, RankPosition(1))->trace)] = Unfolding::Folded;
    const RowLayout layout(model, choices);
    std::size_t tracks = 0;
    for (const LayoutRow& row : layout.rows()) {
        if (!row.pinned) {
            EXPECT_EQ(layout.find(row.key), &row);
        }
        if (row.kind == RowKind::Rank) {
            EXPECT_EQ(layout.findRank(row.run, row.rank), &row);
        }
        if (row.kind == RowKind::Track) {
            const LayoutRow* found = layout.find(row.run, row.rank, row.track);
            ASSERT_NE(found, nullptr);
            EXPECT_EQ(found->key, row.key);
            EXPECT_EQ(found->pinned, row.run == 1 && row.rank == 1 && row.track == TrackId(2));
            ++tracks;
        }
    }
    EXPECT_GT(tracks, 10U);
    EXPECT_EQ(layout.find(0, RankPosition(1), TrackId(2)), nullptr) << "its rank is folded";
    EXPECT_EQ(layout.find(0, RankPosition(3), TrackId(2)), nullptr);
    EXPECT_EQ(layout.findRank(2, RankPosition(0)), nullptr);
    EXPECT_EQ(layout.find(RowKey{nullptr, RowKind::Run, 9}), nullptr);
    EXPECT_EQ(layout.find(RowKey{&model, RowKind::Track, 2}), nullptr) << "a row of a trace that is not open";
}

TEST(RowLayout, AFoldedTrackIsRepresentedByTheHeaderThatHidesIt) {
    const TimelineModel model({test::makeRun({.ranks = 2})});
    RowChoices choices;
    EXPECT_EQ(RowLayout(model, choices).visibleProxy(0, RankPosition(1), TrackId(2))->kind, RowKind::Track);
    choices.folds[keyOf(*model.rank(0, RankPosition(1))->trace)] = Unfolding::Folded;
    EXPECT_EQ(RowLayout(model, choices).visibleProxy(0, RankPosition(1), TrackId(2))->kind, RowKind::Rank);
    choices.folds[{nullptr, RowKind::Run, 0}] = Unfolding::Folded;
    EXPECT_EQ(RowLayout(model, choices).visibleProxy(0, RankPosition(1), TrackId(2))->kind, RowKind::Run);
    choices.folds.clear();
    hideRow(keyOf(*model.rank(0, RankPosition(1))->trace), choices);
    EXPECT_EQ(RowLayout(model, choices).visibleProxy(0, RankPosition(1), TrackId(2)), nullptr)
        << "the user hid the rank";
}

TEST(RowLayout, AnAnchorStaysInItsRowWhileOthersFold) {
    const TimelineModel model({test::makeRun({.ranks = 3})});
    RowChoices choices;
    const RowLayout before(model, choices);
    const LayoutRow& row = *before.find(0, RankPosition(2), TrackId(3));
    const RowAnchor anchor = before.anchorAt(row.y + 4);
    EXPECT_EQ(before.yOf(anchor), row.y + 4);
    choices.folds[keyOf(*model.rank(0, RankPosition(0))->trace)] = Unfolding::Folded;
    const RowLayout after(model, choices);
    EXPECT_LT(after.yOf(anchor), before.yOf(anchor));
    EXPECT_EQ(after.yOf(anchor), after.find(0, RankPosition(2), TrackId(3))->y + 4);
    choices.folds[keyOf(*model.rank(0, RankPosition(2))->trace)] = Unfolding::Folded;
    const RowLayout hidden(model, choices);
    const LayoutRow* header = hidden.findRank(0, RankPosition(2));
    EXPECT_EQ(hidden.yOf(anchor), header->y + header->height / 2);
}

TEST(RowText, NamesARankItsHostAndItsDevice) {
    const TimelineModel model({test::makeRun({.ranks = 1, .name = "ZeroWorkers"})});
    const RowLayout layout(model, {});
    const RowText rank = rowText(model, *layout.findRank(0, RankPosition(0)));
    EXPECT_EQ(rank.title, QStringLiteral("rank 0"));
    EXPECT_EQ(rank.detail, QStringLiteral("node0 · NVIDIA A100-SXM4-80GB"));
    EXPECT_EQ(rowText(model, layout.rows().front()).detail, QStringLiteral("1 rank · 40.0 ms"));
}

TEST(RowText, CutsNamesOfMegabytesAtALetterAndKeepsOthers) {
    EXPECT_EQ(shownName("stream 7"), QStringLiteral("stream 7"));
    const std::string long_name = "a" + std::string(1'000'000, 'b');
    EXPECT_EQ(shownName(long_name).size(), static_cast<qsizetype>(kMostNameBytes) + 1);
    EXPECT_TRUE(shownName(long_name).endsWith(QChar(0x2026)));
    std::string letters = "a";  // so that a letter of two bytes lies across the cut
    for (std::size_t i = 0; i < kMostNameBytes; ++i) {
        letters += "\u00e4";
    }
    const QString shown = shownName(letters);
    EXPECT_FALSE(shown.contains(QChar(QChar::ReplacementCharacter)));
    EXPECT_TRUE(shown.endsWith(QStringLiteral("ä…")));
}

TEST(TimelineModel, PutsTheStartOfEachRunAtZero) {
    const TimelineModel model({test::makeRun({.epoch_ns = 1'000'000'000}), test::makeRun({.epoch_ns = 77})});
    EXPECT_EQ(model.extent(), (TimeSpan{0, 4 * test::kStepNs}));
    for (std::uint32_t run = 0; run < 2; ++run) {
        const SliceSelection first{run, RankPosition(0), {TrackId(0), 0}};
        EXPECT_EQ(model.spanOf(first), (TimeSpan{0, test::kStepNs}));
    }
}

TEST(TimelineModel, CarriesTheSelectionOverToWhereItsRankIsNow) {
    const auto run = test::makeRun({.ranks = 2});
    const auto grown = withOneMoreBefore(*run);
    const TimelineModel before({run});
    const TimelineModel after({grown});
    const SliceSelection selected{0, RankPosition(1), {TrackId(2), 3}};
    EXPECT_EQ(after.carriedOver(selected, before), Selection(SliceSelection{0, RankPosition(2), {TrackId(2), 3}}));
    EXPECT_EQ(after.carriedOver(GapSelection{0, RankPosition(1), RankStepPosition(0), 0}, before), Selection())
        << "its facts are not known yet";
    EXPECT_EQ(TimelineModel({test::makeRun({})}).carriedOver(selected, before), Selection());
}

}  // namespace
}  // namespace rankscope::ui
