// SPDX-License-Identifier: GPL-3.0-or-later
// The row that shows how many ranks of a host run at once.
#include "ui/timeline/frame/host_bars.h"

#include <gtest/gtest.h>

#include <QTest>
#include <algorithm>
#include <random>

#include "tests/ui/timeline/timeline_fixture.h"
#include "ui/timeline/frame/hit_test.h"
#include "ui/timeline/navigation/tooltip.h"
#include "ui/timeline/paint/host_painter.h"
#include "ui/timeline/rows/row_text.h"
#include "ui/timeline/timeline_widget.h"

namespace rankscope::ui {
namespace {

constexpr QSize kHostScene(1000, 700);

/// Ten ranks, eight on one host; two of these stand still for a while of each step: one alone, then both.
std::shared_ptr<const AnalysedRun> stalledRun() {
    auto run = std::make_shared<AnalysedRun>(*test::makeRun({.ranks = 10}));
    for (const std::size_t r : {1U, 2U}) {
        RankFacts& rank = run->facts.ranks[r];
        for (const RankStep& step : rank.steps) {
            const TimeNs start_ns = step.host.start_ns + static_cast<TimeNs>(r) * test::kGapNs;
            rank.stalls.push_back({TrackId(0), test::kFirstOperator, {start_ns, step.host.end_ns - test::kGapNs}, 10});
        }
    }
    return run;
}

const LayoutRow* hostRow(const TimelineScene& scene) {
    const auto rows = scene.layout().rows();
    const auto at = std::ranges::find(rows, RowKind::Host, &LayoutRow::kind);
    return at != rows.end() ? &*at : nullptr;
}

TEST(HostRows, AreAboveTheRanksWhereAThreadOfTheHostStalls) {
    const TimelineScene scene = test::makeScene({stalledRun()}, kHostScene);
    const auto rows = scene.layout().rows();
    ASSERT_EQ(std::ranges::count(rows, RowKind::Host, &LayoutRow::kind), 1) << "the other host's ranks always run";
    const LayoutRow* row = hostRow(scene);
    EXPECT_EQ(row - rows.data(), 1) << "right below the header of the run";
    const RowText words = rowText(scene.model(), *row);
    EXPECT_EQ(words.title, QStringLiteral("node0: ranks running"));
    EXPECT_EQ(words.detail, QStringLiteral("of 8 ranks"));
    EXPECT_EQ(scene.layout().find(row->key), row);
    const TimelineScene healthy = test::makeScene({test::makeRun({.ranks = 10})}, kHostScene);
    EXPECT_EQ(hostRow(healthy), nullptr);
}

TEST(HostRows, AreNotThereForOneRankAlone) {
    auto run = std::make_shared<AnalysedRun>(*test::makeRun({.ranks = 9}));
    RankFacts& alone = run->facts.ranks.back();  // the first eight share a host
    for (const RankStep& step : alone.steps) {
        alone.stalls.push_back({TrackId(0), test::kFirstOperator, step.host, 10});
    }
    EXPECT_EQ(hostRow(test::makeScene({run}, kHostScene)), nullptr) << "its own row shows when it runs";
}

TEST(HostRows, AreHiddenAndShownAgainAndKeptInASession) {
    TimelineScene scene = test::makeScene({stalledRun()}, kHostScene);
    RowChoices choices = scene.choices();
    hideRow(hostRow(scene)->key, choices);
    scene.setChoices(choices);
    EXPECT_EQ(hostRow(scene), nullptr);
    TimelineState state;
    saveRows(choices, scene.model(), state);
    EXPECT_EQ(rowChoicesOf(state, scene.model()).hidden, choices.hidden);
    showHidden(nullptr, choices);
    scene.setChoices(choices);
    EXPECT_NE(hostRow(scene), nullptr);
}

/// The least and the greatest number that run in [from_ns, to_ns), told change by change.
ValueRange rangeIn(const HostIndex& host, TimeNs from_ns, TimeNs to_ns) {
    std::uint32_t before = host.changes.front().running;
    std::optional<ValueRange> range;
    for (const RunningRanks& change : host.changes) {
        if (change.at_ns >= to_ns) {
            break;
        }
        if (change.at_ns > from_ns) {
            range = range ? range->with({before, before}) : ValueRange{before, before};
        }
        before = change.running;
    }
    return range ? range->with({before, before}) : ValueRange{before, before};
}

TEST(HostRows, ShowTheRangeOfEachPixelAtAnyZoom) {
    std::mt19937 random(11);
    std::uniform_int_distribution<TimeNs> any(0, 1'000'000);
    HostIndex host;
    host.ranks = {RankPosition(0), RankPosition(1), RankPosition(2), RankPosition(3)};
    host.window = {0, 1'000'000};
    std::vector<RankPauses> pauses(4);
    for (RankPauses& rank : pauses) {
        for (int i = 0; i < 60; ++i) {
            const TimeNs start_ns = any(random);
            rank.push_back({start_ns, start_ns + any(random) / 300 + 1});
        }
    }
    host.changes = runningRanks(pauses, host.window);
    std::vector<std::uint64_t> running;
    std::ranges::transform(host.changes, std::back_inserter(running), &RunningRanks::running);
    host.lod = StepLod(running);
    std::size_t mixed = 0;
    for (const double pixels_per_ns : {0.0002, 0.001, 0.013, 0.4}) {
        for (const std::int64_t origin_px : {0, 37}) {
            Frame frame;
            frame.width = 400;
            frame.scale = {pixels_per_ns, origin_px};
            addHostBars(host, 0, {}, frame);
            ASSERT_EQ(frame.host_rows.size(), 1U);
            std::int32_t x = frame.host_bars.front().x0;
            EXPECT_EQ(x, 0);
            for (const FrameBar& bar : frame.host_bars) {
                ASSERT_EQ(bar.x0, x) << "no pixel is left out, and none is drawn twice";
                for (; x < bar.x1; ++x) {
                    // The first whole nanosecond of a pixel, and of the next one.
                    const auto first =
                        static_cast<TimeNs>(std::ceil((static_cast<double>(origin_px) + x) / pixels_per_ns - 1e-6));
                    const auto last =
                        static_cast<TimeNs>(std::ceil((static_cast<double>(origin_px) + x + 1) / pixels_per_ns - 1e-6));
                    if (first >= last || frame.scale.pixelAt(first) != x || frame.scale.pixelAt(last) != x + 1) {
                        continue;
                    }
                    const ValueRange wanted = rangeIn(host, first, std::min(last, host.window.end_ns));
                    mixed += wanted.low != wanted.high ? 1 : 0;
                    ASSERT_LE(bar.running.low, wanted.low) << x << ' ' << pixels_per_ns;
                    ASSERT_GE(bar.running.high, wanted.high) << x << ' ' << pixels_per_ns;
                    // A change at the very start of a pixel shows what held before it, too.
                    const ValueRange wide = rangeIn(host, first - 1, std::min(last, host.window.end_ns));
                    ASSERT_GE(bar.running.low, wide.low) << x << ' ' << pixels_per_ns;
                    ASSERT_LE(bar.running.high, wide.high) << x << ' ' << pixels_per_ns;
                }
            }
            const auto end = std::min(frame.width, frame.scale.pixelAt(host.window.end_ns));
            EXPECT_EQ(x, end);
        }
    }
    EXPECT_GT(mixed, 100U);
}

TEST(HostRows, HaveThePixelsThatTheirBarsSay) {
    for (const double ratio : {1.0, 1.5}) {
        TimelineScene scene = test::makeScene({stalledRun()}, kHostScene, ratio);
        const QImage image = scene.image();
        const Frame& frame = scene.frame();
        ASSERT_EQ(frame.host_rows.size(), 1U);
        const FrameHostRow& row = frame.host_rows.front();
        const HostBarLook look(Theme::darkTheme());
        std::uint64_t fewest = row.ranks;
        for (std::uint32_t i = row.first; i < row.last; ++i) {
            const FrameBar& bar = frame.host_bars[i];
            fewest = std::min(fewest, bar.running.low);
            if (bar.running.low != bar.running.high) {
                continue;
            }
            const int bottom = row.y + row.height - row.pad;
            const int top = bottom - barHeight(row, row.ranks);
            const int edge = bottom - barHeight(row, bar.running.low);
            const int x = (bar.x0 + bar.x1) / 2;
            EXPECT_EQ(image.pixel(x, bottom - 1), look.running);
            EXPECT_EQ(image.pixel(x, edge), look.running);
            if (edge > top) {
                EXPECT_EQ(image.pixel(x, edge - 1), look.still);
                EXPECT_EQ(image.pixel(x, top), look.still);
            }
        }
        EXPECT_EQ(fewest, 6U) << "two of eight stand still";
    }
}

TEST(HostRows, AClickLeadsToAStalledSliceAndTheTipSaysHowManyRun) {
    TimelineWidget timeline(Theme::darkTheme());
    timeline.resize(1200, 700);
    timeline.setRuns({stalledRun()});
    timeline.show();
    timeline.settle();
    const auto rows = timeline.rowLayout().rows();
    const auto row = std::ranges::find(rows, RowKind::Host, &LayoutRow::kind);
    ASSERT_NE(row, rows.end());
    const QRect tracks = timeline.tracksArea();
    const auto at = [&](TimeNs t) {
        return QPoint(tracks.left() + static_cast<int>(timeline.viewport().xAt(t)),
                      tracks.top() + row->y + row->height / 2);
    };
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, at(test::kStepNs + 3 * test::kGapNs));
    EXPECT_EQ(timeline.selection(), Selection(SliceSelection{0, RankPosition(1), {TrackId(0), test::kFirstOperator}}))
        << "of two that stand still the one that does so longer";
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, at(test::kStepNs + test::kGapNs / 2));
    EXPECT_EQ(timeline.selection(), Selection()) << "there all run";

    TimelineScene scene = test::makeScene({stalledRun()}, kHostScene);
    const Frame& frame = scene.frame();
    const FrameHostRow& drawn = frame.host_rows.front();
    const int x = frame.scale.pixelAt(test::kStepNs + 3 * test::kGapNs);
    const Hit hit = scene.hit(QPointF(x + 0.5, drawn.y + drawn.height / 2.0));
    ASSERT_TRUE(hit.running);
    const Tip tip = tipFor(scene.model(), hit, Theme::darkTheme());
    EXPECT_EQ(tip.title, QStringLiteral("6 of 8 ranks running"));
    ASSERT_EQ(tip.lines.size(), 3U);
    EXPECT_EQ(tip.lines[0].value, QStringLiteral("rank 1"));
    EXPECT_EQ(tip.lines[2].value, QStringLiteral("node0"));
}

}  // namespace
}  // namespace rankscope::ui
