// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

namespace rankscope {

/// The normal equations N x = y of a least-squares fit, dense, N symmetric and positive definite.
class NormalEquations {
  public:
    explicit NormalEquations(std::size_t unknowns) : n_(unknowns), matrix_(n_ * n_, 0.0), right_(n_, 0.0) {}

    [[nodiscard]] std::size_t unknowns() const { return n_; }
    /// Adds to N at (row, column) and at (column, row).
    void add(std::size_t row, std::size_t column, double value) {
        at(row, column) += value;
        if (row != column) {
            at(column, row) += value;
        }
    }
    void addRight(std::size_t row, double value) { right_[row] += value; }
    /// What is known of unknown `i` beforehand: about `mean`, as if measured with this weight.
    void addPrior(std::size_t i, double mean, double weight) {
        at(i, i) += weight;
        right_[i] += weight * mean;
    }

    /// Cholesky's way. Unknowns that nothing determines come out as 0.
    [[nodiscard]] std::vector<double> solve() const;
    /// The inverse of N, by rows.
    [[nodiscard]] std::vector<double> inverse() const;

  private:
    double& at(std::size_t i, std::size_t j) { return matrix_[i * n_ + j]; }
    [[nodiscard]] std::vector<double> factor() const;

    std::size_t n_;
    std::vector<double> matrix_;
    std::vector<double> right_;
};

}  // namespace rankscope
