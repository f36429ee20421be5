// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/clock/normal_equations.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

/// N = diag(4, 5, 6) - u u^T of u = (1, 1, 1), as the preconditioner has it too.
NormalEquations threeUnknowns() {
    NormalEquations equations(3);
    for (std::size_t i = 0; i < 3; ++i) {
        equations.add(i, i, 4.0 + static_cast<double>(i));
    }
    const NormalEquations::Column ones = {{0, 1.0}, {1, 1.0}, {2, 1.0}};
    const std::size_t column = equations.addColumn(ones);
    equations.couple(column, column, -1);
    equations.subtractComplete(ones);
    return equations;
}

/// Expects that N x = N (1, 2, 3)^T gives back the vector.
void expectSolved(NormalEquations equations, double within) {
    equations.addRight(0, 4 * 1 - 6);
    equations.addRight(1, 5 * 2 - 6);
    equations.addRight(2, 6 * 3 - 6);
    EXPECT_THAT(equations.solve(), testing::Pointwise(testing::DoubleNear(within), {1.0, 2.0, 3.0}));
}

TEST(NormalEquations, AreSolvedWithWhatCouplesAllUnknowns) {
    expectSolved(threeUnknowns(), 1e-12);
}

TEST(NormalEquations, AreSolvedWhereThePreconditionerIsNotTheirs) {
    NormalEquations equations = threeUnknowns();
    equations.addComplete(1, 1, 2.0);  // ends of it were set aside
    expectSolved(std::move(equations), 1e-10);
}

TEST(NormalEquations, GiveTheElementsOfTheirInverse) {
    // Sherman and Morrison: D^-1 + D^-1 u u^T D^-1 / (1 - u^T D^-1 u).
    const double rest = 1 - (1.0 / 4 + 1.0 / 5 + 1.0 / 6);
    const auto told = threeUnknowns().covariances({{0, 1}, {2, 2}});
    EXPECT_NEAR(told[0].first, 1.0 / 4 + 1.0 / 16 / rest, 1e-8);
    EXPECT_NEAR(told[0].both, 1.0 / 20 / rest, 1e-8);
    EXPECT_NEAR(told[0].second, 1.0 / 5 + 1.0 / 25 / rest, 1e-8);
    EXPECT_NEAR(told[1].first, 1.0 / 6 + 1.0 / 36 / rest, 1e-8);
}

TEST(NormalEquations, LeaveWhatNothingDeterminesAtNothing) {
    NormalEquations equations(2);
    equations.addPrior(0, 7, 2);
    const std::vector<double> x = equations.solve();
    EXPECT_DOUBLE_EQ(x[0], 7);
    EXPECT_DOUBLE_EQ(x[1], 0);
}

}  // namespace
}  // namespace rankscope::test
