// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lod/step_lod.h"
#include "tests/support/testing.h"

namespace rankscope {
namespace {

TEST(StepLod, HasTheSameRangeForEachStretchAsAScanOfAllValues) {
    std::mt19937 random(7);
    std::uniform_int_distribution<std::uint64_t> any(0, 50);
    for (const std::size_t count : {1U, 7U, 8U, 9U, 64U, 65U, 200U}) {
        std::vector<std::uint64_t> values(count);
        std::ranges::generate(values, [&] { return any(random); });
        const StepLod lod(values);
        ASSERT_EQ(lod.size(), count);
        for (std::size_t first = 0; first < count; ++first) {
            for (std::size_t last = first + 1; last <= count; ++last) {
                const auto [low, high] = std::minmax_element(values.begin() + static_cast<std::ptrdiff_t>(first),
                                                             values.begin() + static_cast<std::ptrdiff_t>(last));
                ASSERT_EQ(lod.range(first, last), (ValueRange{*low, *high})) << count << ' ' << first << ' ' << last;
            }
        }
    }
}

}  // namespace
}  // namespace rankscope
