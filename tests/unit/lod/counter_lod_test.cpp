// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lod/counter_lod.h"
#include "tests/support/testing.h"

namespace rankscope {
namespace {

struct Series {
    std::vector<TimeNs> at_ns;
    std::vector<std::uint64_t> value;
};

Series randomSeries(std::size_t changes) {
    std::mt19937 random(5);
    std::uniform_int_distribution<TimeNs> gap(1, 900);
    std::uniform_int_distribution<std::uint64_t> any(0, 1'000);
    Series series;
    TimeNs at_ns = 1'700'000'000'000'000'123;
    for (std::size_t i = 0; i < changes; ++i) {
        at_ns += gap(random) * (i % 97 == 0 ? 500 : 1);
        series.at_ns.push_back(at_ns);
        series.value.push_back(any(random));
    }
    return series;
}

/// The least and the greatest value that holds at any instant of [start_ns, end_ns).
ValueRange rangeIn(const Series& series, TimeNs start_ns, TimeNs end_ns) {
    const auto before = std::ranges::upper_bound(series.at_ns, start_ns - 1) - series.at_ns.begin();
    const std::uint64_t held = before == 0 ? 0 : series.value[static_cast<std::size_t>(before) - 1];
    ValueRange range{held, held};
    for (auto i = static_cast<std::size_t>(before); i < series.at_ns.size() && series.at_ns[i] < end_ns; ++i) {
        range = range.with({series.value[i], series.value[i]});
    }
    return range;
}

TEST(CounterLod, HasTheRangeOfEachBucketAtEachStep) {
    const Series series = randomSeries(5'000);
    const CounterLod lod(series.at_ns, series.value);
    const TimeSpan all{series.at_ns.front(), series.at_ns.back() + 1};
    std::size_t checked = 0;
    for (DurationNs step_ns = 1'000; step_ns < all.length(); step_ns *= 3) {
        const auto buckets = lod.query(all, step_ns);
        if (!buckets) {
            continue;
        }
        EXPECT_LE(buckets->step_ns, step_ns);
        TimeNs start_ns = buckets->start_ns;
        EXPECT_LE(start_ns, all.start_ns);
        for (const ValueRange& range : buckets->ranges) {
            ASSERT_EQ(range, rangeIn(series, start_ns, start_ns + buckets->step_ns));
            start_ns += buckets->step_ns;
            ++checked;
        }
        EXPECT_GE(start_ns, all.end_ns);
    }
    EXPECT_GT(checked, 1'000U);
}

TEST(CounterLod, GivesTheBucketsOfAWindowAlone) {
    const Series series = randomSeries(5'000);
    const CounterLod lod(series.at_ns, series.value);
    const TimeSpan window{series.at_ns[2'000], series.at_ns[3'000]};
    const auto buckets = lod.query(window, window.length() / 100);
    ASSERT_TRUE(buckets);
    EXPECT_LE(buckets->start_ns, window.start_ns);
    EXPECT_GT(buckets->start_ns + buckets->step_ns, window.start_ns);
    const TimeNs end_ns = buckets->start_ns + static_cast<DurationNs>(buckets->ranges.size()) * buckets->step_ns;
    EXPECT_GE(end_ns, window.end_ns);
    EXPECT_LT(end_ns - buckets->step_ns, window.end_ns);
    const auto behind = lod.query({series.at_ns.back() + 1'000'000, series.at_ns.back() + 2'000'000}, 100'000);
    ASSERT_TRUE(behind);
    EXPECT_TRUE(behind->ranges.empty());
}

TEST(CounterLod, LeavesShortSeriesAndFineStepsToTheChanges) {
    const Series few = randomSeries(100);
    EXPECT_FALSE(CounterLod(few.at_ns, few.value).query({0, few.at_ns.back()}, 1'000'000'000));
    const Series many = randomSeries(5'000);
    EXPECT_FALSE(CounterLod(many.at_ns, many.value).query({0, many.at_ns.back()}, 1));
    EXPECT_FALSE(CounterLod().query({0, 100}, 10));
}

}  // namespace
}  // namespace rankscope
