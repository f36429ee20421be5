// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/student_t.h"

#include <gtest/gtest.h>

#include <cmath>

namespace rankscope::test {
namespace {

TEST(StudentT, TheIncompleteBetaFunctionHasItsClosedForms) {
    EXPECT_NEAR(incompleteBeta(1, 1, 0.3), 0.3, 1e-13);
    EXPECT_NEAR(incompleteBeta(2, 3, 0.5), 11.0 / 16, 1e-13);
    // The median of three draws from three values: the lowest with 7 of 27.
    EXPECT_NEAR(incompleteBeta(2, 2, 1.0 / 3), 7.0 / 27, 1e-13);
    EXPECT_NEAR(incompleteBeta(500.5, 500.5, 0.5), 0.5, 1e-12);
    EXPECT_EQ(incompleteBeta(3, 4, 0), 0);
    EXPECT_EQ(incompleteBeta(3, 4, 1), 1);
}

TEST(StudentT, CriticalValuesAreThoseOfTheTables) {
    EXPECT_NEAR(studentCritical(0.05, 1), 12.7062, 1e-4);
    EXPECT_NEAR(studentCritical(0.05, 5), 2.5706, 1e-4);
    EXPECT_NEAR(studentCritical(0.05, 10), 2.2281, 1e-4);
    EXPECT_NEAR(studentCritical(0.01, 30), 2.7500, 1e-4);
    EXPECT_NEAR(studentCritical(0.05, 1e6), 1.95996, 1e-4);
}

TEST(StudentT, WithOneDegreeOfFreedomItIsCauchys) {
    for (const double t : {0.1, 1.0, 7.0, 1000.0}) {
        EXPECT_NEAR(studentTwoSided(t, 1), 1 - 2 * std::atan(t) / std::acos(-1.0), 1e-12) << t;
    }
    EXPECT_EQ(studentTwoSided(0, 4), 1);
    EXPECT_EQ(studentTwoSided(-2, 4), studentTwoSided(2, 4));
}

}  // namespace
}  // namespace rankscope::test
