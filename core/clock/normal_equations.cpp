// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/clock/normal_equations.h"

#include <cmath>
#include <numeric>

namespace rankscope {
namespace {

/// Below this part of its diagonal element a pivot is rounding, not information.
constexpr double kTiny = 1e-12;

double dot(const double* a, const double* b, std::size_t count) {
    return std::inner_product(a, a + count, b, 0.0);
}

/// Solves L L^T x = x in place, L with inverted diagonal.
void substitute(const std::vector<double>& lower, std::size_t n, std::vector<double>& x, std::size_t first) {
    for (std::size_t i = first; i < n; ++i) {
        x[i] = (x[i] - dot(&lower[i * n + first], &x[first], i - first)) * lower[i * n + i];
    }
    for (std::size_t i = n; i-- > 0;) {
        x[i] *= lower[i * n + i];
        for (std::size_t k = 0; k < i; ++k) {
            x[k] -= lower[i * n + k] * x[i];
        }
    }
}

}  // namespace

/// The lower triangle L of N = L L^T, with 1 / L(i, i) on its diagonal.
std::vector<double> NormalEquations::factor() const {
    std::vector<double> lower = matrix_;
    for (std::size_t row = 0; row < n_; ++row) {
        for (std::size_t column = 0; column < row; ++column) {
            double& value = lower[row * n_ + column];
            value = (value - dot(&lower[row * n_], &lower[column * n_], column)) * lower[column * n_ + column];
        }
        double& pivot = lower[row * n_ + row];
        const double rest = pivot - dot(&lower[row * n_], &lower[row * n_], row);
        pivot = rest > kTiny * pivot && rest > 0 ? 1 / std::sqrt(rest) : 0;
    }
    return lower;
}

std::vector<double> NormalEquations::solve() const {
    std::vector<double> x = right_;
    if (n_ > 0) {
        substitute(factor(), n_, x, 0);
    }
    return x;
}

std::vector<double> NormalEquations::inverse() const {
    std::vector<double> result(n_ * n_, 0.0);
    const std::vector<double> lower = factor();
    std::vector<double> x(n_);
    for (std::size_t i = 0; i < n_; ++i) {
        x.assign(n_, 0.0);
        x[i] = 1;
        substitute(lower, n_, x, i);
        std::copy(x.begin(), x.end(), result.begin() + static_cast<std::ptrdiff_t>(i * n_));
    }
    return result;
}

}  // namespace rankscope
