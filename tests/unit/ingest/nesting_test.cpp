// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/assembly/nesting.h"
#include "tests/support/testing.h"

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

TEST(NestSlices, CallsInsideCallsAreBelowThem) {
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

TEST(NestSlices, NoTwoSlicesOfARowOverlapForAnyInput) {
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
            const std::uint16_t rows = arrange(table, 0, {}).count;
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

constexpr TimeNs kUs = 1000;

/// Calls inside calls as a thread makes them, parents first: `parent` says which each is really inside.
struct Calls {
    std::vector<TimeSpan> spans;
    std::vector<SliceIndex> parent;
};

void addCalls(Calls& calls, const TimeSpan& within, SliceIndex parent, int depth, std::mt19937_64& random) {
    const auto below = [&](TimeNs bound) { return static_cast<TimeNs>(random() % static_cast<std::uint64_t>(bound)); };
    for (TimeNs at = within.start_ns + below(3 * kUs); at + 8 * kUs < within.end_ns;) {
        const TimeSpan span{at, std::min(within.end_ns, at + 6 * kUs + below(within.length() + kUs))};
        const auto index = static_cast<SliceIndex>(calls.spans.size());
        calls.spans.push_back(span);
        calls.parent.push_back(parent);
        if (depth > 0) {
            addCalls(calls, span, index, depth - 1, random);
        }
        at = span.end_ns + below(3 * kUs);
    }
}

TEST(NestSlices, AreThoseOfTheExactTimesWhereTimesAreRounded) {
    using Rounding = TimeNs (*)(TimeNs);
    const std::vector<std::pair<Rounding, TimeNs>> roundings = {
        {[](TimeNs t) { return t / kUs * kUs; }, kUs},
        {[](TimeNs t) { return (t + kUs / 2) / kUs * kUs; }, kUs},
        {[](TimeNs t) { return (t + 125) / 250 * 250; }, 250},
    };
    std::mt19937_64 random(5);
    Calls calls;
    for (TimeNs at = 0; at < 20'000 * kUs; at += 200 * kUs) {
        addCalls(calls, {at, at + 200 * kUs}, kNoSlice, 4, random);
    }
    ASSERT_GT(calls.spans.size(), 200U);
    for (const auto& [rounded, grid_ns] : roundings) {
        std::vector<TimeSpan> spans;
        for (const TimeSpan& span : calls.spans) {
            const TimeNs start = rounded(span.start_ns);
            spans.push_back({start, start + rounded(span.length())});
        }
        ASSERT_TRUE(std::ranges::is_sorted(spans, {}, &TimeSpan::start_ns));
        SliceTable table = tableOf(spans);
        EXPECT_EQ(nestSlices(table, grid_ns).overlapping, 0U) << grid_ns;
        EXPECT_EQ(table.parent, calls.parent) << grid_ns;
        SliceTable strict = tableOf(spans);
        EXPECT_GT(nestSlices(strict).overlapping, 0U) << "nothing was rounded: " << grid_ns;
    }
}

TEST(NestSlices, OfRoundedTimesKeepTheOrderOfEndsOnEachRow) {
    std::mt19937_64 random(9);
    for (int round = 0; round < 50; ++round) {
        std::vector<TimeSpan> spans;
        for (int i = 0; i < 300; ++i) {
            const auto start = static_cast<TimeNs>(random() % 500) * kUs;
            spans.push_back({start, start + static_cast<TimeNs>(random() % 40) * kUs});
        }
        std::ranges::sort(spans, [](const TimeSpan& a, const TimeSpan& b) {
            return a.start_ns != b.start_ns ? a.start_ns < b.start_ns : a.end_ns > b.end_ns;
        });
        for (const auto arrange : {nestSlices, stackSlices}) {
            SliceTable table = tableOf(spans);
            std::ranges::for_each(table.category, [&](Category& c) { c = random() % 2 == 0 ? Category::Runtime : c; });
            std::vector<TimeNs> row_end(arrange(table, kUs, {}).count, -kUs);
            for (std::size_t i = 0; i < table.size(); ++i) {
                TimeNs& end = row_end[table.depth[i]];
                EXPECT_LE(end, table.start_ns[i] + kUs);
                EXPECT_LE(end, table.end_ns[i]);
                end = table.end_ns[i];
                if (const SliceIndex parent = table.parent[i]; parent != kNoSlice) {
                    EXPECT_LE(table.end_ns[i], table.end_ns[parent] + kUs);
                    EXPECT_LT(table.depth[parent], table.depth[i]);
                }
            }
        }
    }
}

TEST(NestSlices, ACallOfTheRuntimeIsInsideTheOperatorThatItCouldBeIn) {
    // The synchronization of aten::item, a whole microsecond late, and one that comes later still.
    SliceTable table = tableOf({{0, 50 * kUs}, {10 * kUs, 11 * kUs}, {11 * kUs, 12 * kUs}, {12 * kUs, 13 * kUs}});
    table.category = {Category::CpuOp, Category::CpuOp, Category::Runtime, Category::Runtime};
    EXPECT_EQ(nestSlices(table, kUs).overlapping, 0U);
    EXPECT_EQ(table.parent, (std::vector<SliceIndex>{kNoSlice, 0, 1, 0}));
}

TEST(NestSlices, ShortCallsInARowFollowOneAnother) {
    std::vector<TimeSpan> spans = {{0, 50 * kUs}};
    for (TimeNs t = 1; t < 20; ++t) {
        spans.push_back({t * kUs, (t + t % 2) * kUs});
    }
    SliceTable table = tableOf(spans);
    for (const Category category : {Category::CpuOp, Category::Runtime}) {
        std::fill(table.category.begin() + 1, table.category.end(), category);
        EXPECT_EQ(nestSlices(table, kUs).count, 2);
    }
}

TEST(NestSlices, CallsInARowDeepInsideOperatorsFollowOneAnother) {
    constexpr SliceIndex kDeep = 20'000;
    std::vector<TimeSpan> spans;
    for (TimeNs floor = 0; floor < kDeep; ++floor) {
        spans.push_back({floor * kUs, (2 * kDeep + 100 - floor) * kUs});
    }
    for (TimeNs call = 0; call < 20; ++call) {
        spans.push_back({(kDeep + call) * kUs, (kDeep + call + 1) * kUs});
    }
    SliceTable table = tableOf(spans);
    std::fill(table.category.begin() + kDeep, table.category.end(), Category::Runtime);
    EXPECT_EQ(nestSlices(table, kUs).overlapping, 0U);
    for (SliceIndex call = kDeep; call < table.size(); ++call) {
        EXPECT_EQ(table.parent[call], kDeep - 1);
        EXPECT_EQ(table.depth[call], kDeep);
    }
}

TEST(NestSlices, CallsInsideCallsTakeTimeInProportion) {
    constexpr TimeNs kCalls = 60'000;
    std::vector<TimeSpan> spans;
    for (TimeNs call = 0; call < kCalls; ++call) {
        spans.push_back({call * kUs, (2 * kCalls + 100 - call) * kUs});
    }
    SliceTable table = tableOf(spans);
    std::ranges::fill(table.category, Category::Runtime);
    EXPECT_EQ(nestSlices(table, kUs).overlapping, 0U);
    EXPECT_EQ(table.depth.back(), kCalls - 1);
}

TEST(StackSlices, WorkThatRoundingLetsBeginEarlyFollows) {
    SliceTable table = tableOf({{0, 10 * kUs}, {9 * kUs, 12 * kUs}, {10 * kUs, 14 * kUs}});
    EXPECT_EQ(stackSlices(table, kUs).overlapping, 1U);
    EXPECT_EQ(table.depth, (std::vector<std::uint16_t>{0, 0, 1}));
    EXPECT_EQ(table.flag[2], SliceFlag::Overlaps);
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
        const Rows rows = arrange(table, 0, {});
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
        EXPECT_EQ(arrange(table, 0, {}).overlapping, spans.size() - 1);
    }
}

}  // namespace
}  // namespace rankscope
