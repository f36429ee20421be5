// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/time.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

TEST(Multiple, OfALengthOfTimeIsExact) {
    EXPECT_EQ(multiple(10, 1'234'567), 12'345'670);
    EXPECT_EQ(multiple(10, 0), 0);
}

TEST(Multiple, OfWhatADamagedFileClaimsIsTheLongestThereIs) {
    EXPECT_EQ(multiple(10, DurationNs{1'767'189'311'998'312'350}), std::numeric_limits<DurationNs>::max());
}

}  // namespace
}  // namespace rankscope::test
