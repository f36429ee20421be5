// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/assembly/nesting.h"

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

/// Rows as they are defined: the first one that is free, looked for one by one.
std::vector<std::uint16_t> plainRows(const SliceTable& table, bool nested) {
    std::vector<TimeNs> ends;
    std::vector<std::uint16_t> depths;
    for (std::size_t i = 0; i < table.size(); ++i) {
        std::size_t row = 0;
        for (std::size_t r = 0; nested && r < ends.size(); ++r) {
            row = ends[r] > table.start_ns[i] && ends[r] >= table.end_ns[i] ? r + 1 : row;
        }
        while (row < ends.size() && ends[row] > table.start_ns[i]) {
            ++row;
        }
        ends.resize(std::max(ends.size(), row + 1), 0);
        ends[row] = table.end_ns[i];
        depths.push_back(static_cast<std::uint16_t>(row));
    }
    return depths;
}

TEST(Rows, OfHundredsOfOverlapsAreThoseThatALookAtEachRowGives) {
    std::uint64_t state = 7;
    for (const std::uint64_t longest : {50U, 3000U, 40'000U}) {
        std::vector<TimeSpan> spans;
        for (int i = 0; i < 3000; ++i) {
            state = state * 6364136223846793005ULL + 1442695040888963407ULL;
            spans.push_back({10 * i, 10 * i + static_cast<TimeNs>((state >> 33U) % longest)});
        }
        SliceTable nested = tableOf(spans);
        SliceTable stacked = tableOf(spans);
        nestSlices(nested);
        stackSlices(stacked);
        EXPECT_EQ(nested.depth, plainRows(nested, true)) << longest;
        EXPECT_EQ(stacked.depth, plainRows(stacked, false)) << longest;
    }
}

TEST(Rows, BeyondTheLastOneAreSharedAndCounted) {
    std::vector<TimeSpan> spans;
    for (int i = 0; i < 70'000; ++i) {
        spans.push_back({i, 1'000'000 + i});
    }
    for (const auto arrange : {nestSlices, stackSlices}) {
        SliceTable table = tableOf(spans);
        const Rows rows = arrange(table, {});
        EXPECT_EQ(rows.count, 65535);
        EXPECT_EQ(rows.beyond_last, 70'000U - 65'535U);
        EXPECT_EQ(table.depth.back(), 65534);
    }
}

TEST(Rows, OfAMillionOverlapsTakeTimeInProportion) {
    std::vector<TimeSpan> spans;
    for (int i = 0; i < 1'000'000; ++i) {
        spans.push_back({i, 60'000 + i});
    }
    for (const auto arrange : {nestSlices, stackSlices}) {
        SliceTable table = tableOf(spans);
        EXPECT_EQ(arrange(table, {}).overlapping, spans.size() - 1);
    }
}

}  // namespace
}  // namespace rankscope
