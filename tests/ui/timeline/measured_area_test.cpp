// SPDX-License-Identifier: GPL-3.0-or-later
// The area that is measured: drawn, changed and read without a widget.
#include "ui/timeline/selection/measured_area.h"

#include <gtest/gtest.h>

#include <QImage>
#include <QPainter>
#include <algorithm>

#include "tests/ui/timeline/timeline_fixture.h"
#include "ui/theme/theme.h"
#include "ui/timeline/paint/overlay_painter.h"

namespace rankscope::ui {
namespace {

class MeasuredAreaTest : public testing::Test {
  protected:
    MeasuredAreaTest() {
        viewport.setExtent(model.extent());
        viewport.setWidth(1'000);
        viewport.fitAll();
    }
    [[nodiscard]] AreaPoint at(TimeNs t, std::uint32_t rank, std::uint32_t track) const {
        return {t, layout.anchorAt(layout.find(0, RankPosition(rank), TrackId(track))->y + 2)};
    }
    void drag(AreaEdit edit, const AreaPoint& from, const AreaPoint& to) {
        area.beginDrag(edit, from, layout);
        area.dragTo(to);
        area.endDrag();
    }
    [[nodiscard]] std::size_t tracks() const {
        const auto selected = area.selection(model, layout);
        return selected ? selected->area.tracks.size() : 0;
    }

    std::shared_ptr<const AnalysedRun> run = test::makeRun({.ranks = 2});
    TimelineModel model{{run}};
    RowLayout layout{model, {}};
    Viewport viewport;
    MeasuredArea area;
};

TEST_F(MeasuredAreaTest, ThereIsNoneAtFirst) {
    EXPECT_FALSE(area.extent());
    EXPECT_FALSE(area.selection(model, layout));
    EXPECT_EQ(area.edgeAt(100, 100, layout, viewport), AreaEdit::None);
    area.extendTo(5);
    area.dragTo(at(5, 0, 2));
    EXPECT_FALSE(area.extent()) << "there is nothing to extend or to drag";
}

TEST_F(MeasuredAreaTest, IsDrawnInTimeAndAcrossRowsForADragInAnyDirection) {
    for (const bool back : {false, true}) {
        const AreaPoint first = at(1'000'000, 0, 2);
        const AreaPoint last = at(9'000'000, 0, 3);
        drag(AreaEdit::Draw, back ? last : first, back ? first : last);
        const auto selected = area.selection(model, layout);
        ASSERT_TRUE(selected);
        EXPECT_EQ(selected->run, 0U);
        const TimeNs base = model.runs()[0].ranks[0].base_ns;
        EXPECT_EQ(selected->area.span, (TimeSpan{base + 1'000'000, base + 9'000'000}));
        EXPECT_EQ(selected->area.tracks.size(), 2U) << "the two streams of rank 0";
    }
}

TEST_F(MeasuredAreaTest, WithoutLengthItMeasuresNothing) {
    drag(AreaEdit::Draw, at(1'000'000, 0, 2), at(1'000'000, 0, 3));
    EXPECT_TRUE(area.extent());
    EXPECT_FALSE(area.selection(model, layout));
}

TEST_F(MeasuredAreaTest, OverTheRulerItIsDrawnAcrossAllRows) {
    drag(AreaEdit::DrawTime, at(1'000'000, 0, 2), at(2'000'000, 0, 2));
    EXPECT_EQ(area.extent()->span(), (TimeSpan{1'000'000, 2'000'000}));
    EXPECT_EQ(tracks(), 2U * 5U) << "all tracks of both ranks, the folded ones too";
}

TEST_F(MeasuredAreaTest, AnEdgeIsHeldWithinFivePixelsAndOnItsRowsOnly) {
    drag(AreaEdit::Draw, at(10'000'000, 0, 2), at(20'000'000, 0, 3));
    const int y = layout.find(0, RankPosition(0), TrackId(2))->y + 4;
    const double left = viewport.xAt(10'000'000);
    const double right = viewport.xAt(20'000'000);
    EXPECT_EQ(area.edgeAt(left - 4, y, layout, viewport), AreaEdit::From);
    EXPECT_EQ(area.edgeAt(right + 4, y, layout, viewport), AreaEdit::To);
    EXPECT_EQ(area.edgeAt(left - 7, y, layout, viewport), AreaEdit::None);
    EXPECT_EQ(area.edgeAt((left + right) / 2, y, layout, viewport), AreaEdit::None);
    EXPECT_EQ(area.edgeAt(left, layout.find(0, RankPosition(1), TrackId(2))->y, layout, viewport), AreaEdit::None);
    EXPECT_EQ(area.edgeAt(-1, y, layout, viewport), AreaEdit::None) << "over the names";
}

TEST_F(MeasuredAreaTest, AnEdgeIsMovedAlone) {
    drag(AreaEdit::Draw, at(10'000'000, 0, 2), at(20'000'000, 0, 3));
    const RowAnchor rows_to = area.extent()->to;
    drag(AreaEdit::From, at(10'000'000, 0, 2), at(5'000'000, 1, 2));
    EXPECT_EQ(area.extent()->span(), (TimeSpan{5'000'000, 20'000'000}));
    drag(AreaEdit::To, at(20'000'000, 0, 2), at(30'000'000, 1, 2));
    EXPECT_EQ(area.extent()->span(), (TimeSpan{5'000'000, 30'000'000}));
    EXPECT_EQ(area.extent()->to, rows_to) << "the rows stay";
    EXPECT_EQ(area.editing(), AreaEdit::None);
}

TEST_F(MeasuredAreaTest, ExtendsToATimeBehindOrBeforeIt) {
    drag(AreaEdit::Draw, at(10'000'000, 0, 2), at(20'000'000, 0, 3));
    area.extendTo(25'000'000);
    EXPECT_EQ(area.extent()->span(), (TimeSpan{10'000'000, 25'000'000}));
    area.extendTo(15'000'000);
    EXPECT_EQ(area.extent()->span(), (TimeSpan{10'000'000, 15'000'000}));
    area.extendTo(2'000'000);
    EXPECT_EQ(area.extent()->span(), (TimeSpan{2'000'000, 15'000'000}));
}

TEST_F(MeasuredAreaTest, CoversAllOfTheTimeFirstOnTheSelectedRowsThenOnAll) {
    const auto rows = rowsOf(layout, SliceSelection{0, RankPosition(1), {TrackId(2), 0}});
    ASSERT_EQ(rows.size(), 1U);
    area.coverTime(model.extent(), layout, rows);
    EXPECT_EQ(area.extent()->span(), model.extent());
    EXPECT_EQ(tracks(), 1U);
    area.coverTime(model.extent(), layout, rows);
    EXPECT_EQ(tracks(), 2U * 5U);
    drag(AreaEdit::Draw, at(1'000'000, 0, 2), at(2'000'000, 0, 3));
    area.coverTime(model.extent(), layout, rows);
    EXPECT_EQ(area.extent()->span(), model.extent());
    EXPECT_EQ(tracks(), 2U) << "an area keeps its rows";
}

TEST_F(MeasuredAreaTest, StaysOnItsRowsWhileOthersFoldAndCountsWhatAHeaderHides) {
    drag(AreaEdit::Draw, at(1'000'000, 1, 2), at(2'000'000, 1, 3));
    RowChoices choices;
    choices.folds[keyOf(*model.rank(0, RankPosition(0))->trace)] = Unfolding::Folded;
    layout = RowLayout(model, choices);
    EXPECT_EQ(tracks(), 2U);
    choices.folds[keyOf(*model.rank(0, RankPosition(1))->trace)] = Unfolding::Folded;
    layout = RowLayout(model, choices);
    EXPECT_EQ(tracks(), 2U) << "a folded rank counts with its streams";
}

TEST_F(MeasuredAreaTest, OfAGapAreTheRowsOfItsRanksDevice) {
    const auto rows = rowsOf(layout, GapSelection{0, RankPosition(1), RankStepPosition(0), 0});
    ASSERT_EQ(rows.size(), 3U) << "the header and two streams";
    for (const LayoutRow* row : rows) {
        EXPECT_EQ(row->rank, 1U);
    }
    EXPECT_TRUE(rowsOf(layout, Selection()).empty());
    EXPECT_FALSE(extentOver(layout, {1, 2}, {}));
    EXPECT_FALSE(extentOver(layout, {1, 1}, rows));
}

TEST_F(MeasuredAreaTest, ASessionKeepsItByPlaceAndDropsItWhereItsRowIsGone) {
    drag(AreaEdit::Draw, at(1'000'000, 1, 2), at(2'000'000, 1, 3));
    const auto saved = savedExtent(model, *area.extent());
    ASSERT_TRUE(saved);
    const TimelineModel again({test::makeRun({.ranks = 2})});
    const auto restored = restoredExtent(again, *saved);
    ASSERT_TRUE(restored);
    EXPECT_EQ(restored->span(), area.extent()->span());
    EXPECT_EQ(restored->from.row.owner, again.rank(0, RankPosition(1))->trace.get());
    EXPECT_FALSE(restoredExtent(TimelineModel({test::makeRun({.ranks = 1})}), *saved));
    EXPECT_FALSE(savedExtent(TimelineModel(), *area.extent()));
}

TEST(AreaOnTheTimeline, ShowsItsTimeStillWhereItsTracksHaveScrolledAway) {
    const Theme theme = Theme::darkTheme();
    const QRect tracks(0, 0, 300, 100);
    QImage drawn(tracks.size(), QImage::Format_RGB32);
    drawn.fill(theme.track);
    QPainter painter(&drawn);
    paintArea(painter, tracks, QRectF(180, 150, 60, 20), 548'000, theme);  // below what is seen
    painter.end();
    EXPECT_NE(drawn.pixelColor(185, 80), theme.track) << "the faint band";
    EXPECT_EQ(drawn.pixelColor(20, 80), theme.track);
    EXPECT_EQ(drawn.pixelColor(180, 20), theme.accent) << "how long it is, in the middle of it";
    EXPECT_EQ(drawn.pixelColor(20, 20), theme.track);
}

TEST(AreaOnTheTimeline, SaysItsTimeInTextOfTheSizeThatWasChosen) {
    const QRect tracks(0, 0, 400, 120);
    const auto lines = [&](const Theme& theme) {  // that the pill takes at its left
        QImage drawn(tracks.size(), QImage::Format_RGB32);
        drawn.fill(theme.track);
        QPainter painter(&drawn);
        paintArea(painter, tracks, QRectF(10, 200, 380, 20), 548'000, theme);
        painter.end();
        int most = 0;
        for (int x = 0; x < drawn.width(); ++x) {
            int here = 0;
            for (int y = 0; y < 100; ++y) {
                here += drawn.pixelColor(x, y) == theme.accent ? 1 : 0;
            }
            most = std::max(most, here);
        }
        return most;
    };
    EXPECT_GT(2 * lines(Theme::darkTheme().withTextSize(2)), 3 * lines(Theme::darkTheme()));
}

}  // namespace
}  // namespace rankscope::ui
