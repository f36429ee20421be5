// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/nesting.h"

#include <gtest/gtest.h>

namespace rankscope {
namespace {

SliceTable tableOf(const std::vector<TimeSpan>& spans) {
    SliceTable table;
    table.resize(spans.size());
    for (std::size_t i = 0; i < spans.size(); ++i) {
        table.start_ns[i] = spans[i].start_ns;
        table.end_ns[i] = spans[i].end_ns;
    }
    return table;
}

TEST(NestSlices, CallsInsideCallsStandBelowThem) {
    SliceTable table = tableOf({{0, 100}, {10, 50}, {20, 30}, {60, 70}, {100, 110}});
    const Rows rows = nestSlices(table);
    EXPECT_EQ(rows.count, 3);
    EXPECT_EQ(table.depth, (std::vector<std::uint16_t>{0, 1, 2, 1, 0}));
    EXPECT_EQ(table.parent, (std::vector<SliceIndex>{kNoSlice, 0, 1, 0, kNoSlice}));
    EXPECT_EQ(rows.overlapping, 0U);
}

TEST(NestSlices, APartialOverlapIsKeptOnTheNextRowAndFlagged) {
    SliceTable table = tableOf({{0, 100}, {10, 50}, {40, 80}, {82, 90}});
    const Rows rows = nestSlices(table);
    EXPECT_EQ(table.depth, (std::vector<std::uint16_t>{0, 1, 2, 1}));
    EXPECT_EQ(table.parent[2], 0U);
    EXPECT_EQ(table.flag[2], SliceFlag::Overlaps);
    EXPECT_EQ(rows.overlapping, 1U);
}

TEST(NestSlices, NoTwoSlicesOfARowOverlapWhateverComes) {
    std::uint64_t state = 1;
    const auto random = [&](std::uint64_t below) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<TimeNs>((state >> 33U) % below);
    };
    for (int round = 0; round < 50; ++round) {
        std::vector<TimeSpan> spans;
        for (int i = 0; i < 200; ++i) {
            const TimeNs start = random(1000);
            spans.push_back({start, start + random(120)});
        }
        std::ranges::sort(spans, [](const TimeSpan& a, const TimeSpan& b) {
            return a.start_ns != b.start_ns ? a.start_ns < b.start_ns : a.end_ns > b.end_ns;
        });
        for (const auto arrange : {nestSlices, stackSlices}) {
            SliceTable table = tableOf(spans);
            const std::uint16_t rows = arrange(table, {}).count;
            std::vector<TimeNs> row_end(rows, -1);
            for (std::size_t i = 0; i < table.size(); ++i) {
                ASSERT_LT(table.depth[i], rows);
                EXPECT_LE(row_end[table.depth[i]], table.start_ns[i]);
                row_end[table.depth[i]] = table.end_ns[i];
                if (table.parent[i] != kNoSlice) {
                    EXPECT_LE(table.end_ns[i], table.end_ns[table.parent[i]]);
                    EXPECT_LT(table.depth[table.parent[i]], table.depth[i]);
                }
            }
        }
    }
}

TEST(StackSlices, WorkInsideOtherWorkOfAStreamIsAnOverlapToo) {
    SliceTable table = tableOf({{0, 100}, {10, 20}, {100, 120}});
    const Rows rows = stackSlices(table);
    EXPECT_EQ(rows.count, 2);
    EXPECT_EQ(table.parent[1], kNoSlice);
    EXPECT_EQ(rows.overlapping, 1U);
}

}  // namespace
}  // namespace rankscope
