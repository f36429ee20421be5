// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lod/track_lod.h"
#include "tests/support/testing.h"

namespace rankscope {
namespace {

void addSlice(Track& track, TimeNs start, TimeNs end, std::uint16_t depth) {
    track.slices.start_ns.push_back(start);
    track.slices.end_ns.push_back(end);
    track.slices.depth.push_back(depth);
    track.row_count = std::max<std::uint16_t>(track.row_count, static_cast<std::uint16_t>(depth + 1));
}

// Slices in bursts, with lengths over five orders of magnitude, on `rows` rows.
Track randomTrack(std::size_t slices, std::uint16_t rows, unsigned seed) {
    std::mt19937_64 random(seed);
    std::vector<std::tuple<TimeNs, TimeNs, std::uint16_t>> all;
    for (std::uint16_t row = 0; row < rows; ++row) {
        TimeNs at = 1'700'000'000'000'000'000 + row;
        for (std::size_t i = 0; i < slices / rows; ++i) {
            at += random() % 100 == 0 ? static_cast<TimeNs>(random() % 3'000'000) : static_cast<TimeNs>(random() % 400);
            const auto length = static_cast<DurationNs>((random() % 1000) << (random() % 8));
            all.emplace_back(at, at + length, row);
            at += length;
        }
    }
    std::ranges::sort(all);
    Track track;
    for (const auto& [start, end, row] : all) {
        addSlice(track, start, end, row);
    }
    return track;
}

std::vector<LodItem> query(const TrackLod& lod, const Track& track, std::size_t row, TimeSpan window, DurationNs step) {
    std::vector<LodItem> scratch;
    const auto items = lod.query(track, row, window, step, scratch);
    return {items.begin(), items.end()};
}

TimeSpan extentOf(const Track& track) {
    return {track.slices.start_ns.front(), *std::ranges::max_element(track.slices.end_ns) + 1};
}

TEST(TrackLod, ShowsEverySliceItselfWhereThePixelIsShorterThanIt) {
    const Track track = randomTrack(20'000, 3, 1);
    const TrackLod lod(track);
    std::vector<SliceIndex> seen;
    std::uint32_t counted = 0;
    for (std::size_t row = 0; row < 3; ++row) {
        for (const LodItem& item : query(lod, track, row, extentOf(track), 1)) {
            EXPECT_EQ(track.slices.depth[item.slice], row);
            counted += item.count;
            if (item.count == 1) {
                EXPECT_EQ(item.span, track.slices.span(item.slice));
                seen.push_back(item.slice);
            } else {
                EXPECT_EQ(item.busy_ns, 0) << "only slices without length may share a bucket of one nanosecond";
            }
        }
    }
    EXPECT_EQ(counted, track.slices.size());
    const auto lasting = std::ranges::count_if(seen, [&](SliceIndex i) { return !track.slices.span(i).empty(); });
    std::ranges::sort(seen);
    EXPECT_EQ(std::ranges::unique(seen).begin(), seen.end());
    std::ptrdiff_t expected = 0;
    for (SliceIndex i = 0; i < track.slices.size(); ++i) {
        expected += !track.slices.span(i).empty();
    }
    EXPECT_EQ(lasting, expected);
}

TEST(TrackLod, KeepsCountAndBusyTimeAtEveryStep) {
    const Track track = randomTrack(30'000, 2, 2);
    const TrackLod lod(track);
    for (std::size_t row = 0; row < 2; ++row) {
        std::uint64_t slices = 0;
        DurationNs busy = 0;
        for (SliceIndex i = 0; i < track.slices.size(); ++i) {
            slices += track.slices.depth[i] == row;
            busy += track.slices.depth[i] == row ? track.slices.span(i).length() : 0;
        }
        for (DurationNs step = 1; step < 100'000'000; step *= 2) {
            std::uint64_t counted = 0;
            DurationNs summed = 0;
            for (const LodItem& item : query(lod, track, row, extentOf(track), step)) {
                counted += item.count;
                summed += item.busy_ns;
                EXPECT_LE(item.busy_ns, item.span.length());
            }
            EXPECT_EQ(counted, slices) << "at step " << step;
            EXPECT_EQ(summed, busy) << "at step " << step;
        }
    }
}

TEST(TrackLod, ABucketIsShownByItsLongestSlice) {
    const Track track = randomTrack(5'000, 1, 3);
    const TrackLod lod(track);
    for (const DurationNs step : {1'024, 65'536, 1'048'576}) {
        SliceIndex first = 0;
        for (const LodItem& item : query(lod, track, 0, extentOf(track), step)) {
            for (SliceIndex i = first; i < first + item.count; ++i) {
                EXPECT_LE(track.slices.span(i).length(), track.slices.span(item.slice).length());
            }
            EXPECT_GE(item.slice, first);
            EXPECT_LT(item.slice, first + item.count);
            first += item.count;
        }
    }
}

TEST(TrackLod, NeverHidesASliceAsLongAsTheStepInABucket) {
    const Track track = randomTrack(20'000, 1, 4);
    const TrackLod lod(track);
    for (const DurationNs step : {512, 16'384, 65'536}) {
        std::ptrdiff_t own = 0;
        for (const LodItem& item : query(lod, track, 0, extentOf(track), step)) {
            own += item.count == 1 && item.span.length() >= step;
        }
        std::ptrdiff_t expected = 0;
        for (SliceIndex i = 0; i < track.slices.size(); ++i) {
            expected += track.slices.span(i).length() >= step;
        }
        EXPECT_EQ(own, expected) << "at step " << step;
    }
}

TEST(TrackLod, AWindowShowsExactlyWhatTheWholeShowsThere) {
    const Track track = randomTrack(20'000, 2, 5);
    const TrackLod lod(track);
    const TimeSpan extent = extentOf(track);
    std::mt19937_64 random(6);
    for (DurationNs step = 1; step < 50'000'000; step *= 4) {
        const auto whole = query(lod, track, 1, extent, step);
        for (int i = 0; i < 50; ++i) {
            const TimeNs start = extent.start_ns + static_cast<TimeNs>(random()) % extent.length();
            const TimeSpan window{start, start + 1'000 * step};
            std::vector<LodItem> expected;
            std::ranges::copy_if(whole, std::back_inserter(expected), [&](const LodItem& item) {
                return item.span.end_ns >= window.start_ns && item.span.start_ns < window.end_ns;
            });
            ASSERT_EQ(query(lod, track, 1, window, step), expected) << "at step " << step << " from " << start;
        }
    }
}

TEST(TrackLod, AFrameOfAMillionSlicesHasAtMostTwoItemsAPixel) {
    const Track track = randomTrack(1'000'000, 1, 7);
    const TrackLod lod(track);
    const TimeSpan extent = extentOf(track);
    constexpr DurationNs kPixels = 1'920;
    for (DurationNs length = extent.length(); length > kPixels; length /= 3) {
        for (const TimeNs start : {extent.start_ns, extent.start_ns + (extent.length() - length) / 2}) {
            const auto items = query(lod, track, 0, {start, start + length}, length / kPixels);
            EXPECT_LE(items.size(), 2 * kPixels + 2) << "over " << length << " ns";
        }
    }
}

TEST(TrackLod, RoundsTheStepUpToAPowerOfTwo) {
    EXPECT_EQ(TrackLod::roundStep(0), 1);
    EXPECT_EQ(TrackLod::roundStep(1), 1);
    EXPECT_EQ(TrackLod::roundStep(3), 4);
    EXPECT_EQ(TrackLod::roundStep(4), 4);
    EXPECT_EQ(TrackLod::roundStep(1'000'000), 1'048'576);
}

TEST(TrackLod, StepsAlongARowAndStopsAtItsEnds) {
    Track track;
    addSlice(track, 0, 100, 0);
    addSlice(track, 10, 20, 1);
    addSlice(track, 30, 40, 1);
    addSlice(track, 200, 300, 0);
    const TrackLod lod(track);
    EXPECT_EQ(lod.next(track, 0), 3U);
    EXPECT_EQ(lod.next(track, 1), 2U);
    EXPECT_EQ(lod.next(track, 2), kNoSlice);
    EXPECT_EQ(lod.previous(track, 3), 0U);
    EXPECT_EQ(lod.previous(track, 1), kNoSlice);
}

TEST(TrackLod, AnEmptyTrackShowsNothing) {
    const Track track;
    const TrackLod lod(track);
    EXPECT_TRUE(query(lod, track, 0, {0, 100}, 1).empty());
}

TEST(TrackLod, ATimeBeforeZeroHasItsOwnBuckets) {
    Track track;
    addSlice(track, -70, -69, 0);
    addSlice(track, -10, -9, 0);
    addSlice(track, 5, 6, 0);
    const auto items = query(TrackLod(track), track, 0, {-100, 100}, 64);
    ASSERT_EQ(items.size(), 3U) << "the bucket of 5 must not reach below zero, nor that of -10 to -70";
}

TEST(TrackLod, TakesAtMostTwelveBytesPerSlice) {
    const Track track = randomTrack(300'000, 4, 8);
    EXPECT_LE(TrackLod(track).memoryBytes(), track.slices.size() * 20 + 4096);
}

}  // namespace
}  // namespace rankscope
