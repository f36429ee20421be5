// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/tables/operators.h"

#include "tests/support/model_builder.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

TEST(SelfTime, LeavesOutWhatIsDirectlyInside) {
    ModelBuilder b;
    const std::uint32_t thread = b.thread("1");
    b.op(thread, "outer", 0, 100);
    b.op(thread, "inner", 10, 40);
    b.op(thread, "innermost", 20, 10);
    b.op(thread, "second", 60, 5);
    const auto trace = b.build();
    const SliceTable& slices = trace->tracks[thread].slices;
    EXPECT_EQ(selfTime(slices, 0), 55'000);
    EXPECT_EQ(selfTime(slices, 1), 30'000);
    EXPECT_EQ(selfTime(slices, 2), 10'000);
    EXPECT_EQ(selfTimes(slices), (std::vector<DurationNs>{55'000, 30'000, 10'000, 5'000}));
}

TEST(SelfTime, WhatTwoSlicesInsideCoverTogetherCountsOnce) {
    SliceTable slices;
    slices.resize(3);
    slices.start_ns = {0, 10, 30};
    slices.end_ns = {100, 50, 70};
    slices.parent = {kNoSlice, 0, 0};
    EXPECT_EQ(selfTime(slices, 0), 40);
    EXPECT_EQ(selfTimes(slices), (std::vector<DurationNs>{40, 40, 40}));
}

}  // namespace
}  // namespace rankscope::test
