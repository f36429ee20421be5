// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace rankscope {

/// The normal equations N x = y of the least-squares fit of clocks, N symmetric and positive definite:
///
///     N = A + U C U^T,    A sparse, U with few columns.
///
/// A match couples all of its domains with one another, so N is dense; but matches of the same domains couple them in
/// the same way, which is U. The equations are solved by conjugate gradients. The preconditioner is the same matrix as
/// if no end had been set aside, which a sparse factorisation solves; if none was set aside, that is N itself. Time and
/// memory of one solution grow with the numbers that were added, not with the square of the unknowns.
class NormalEquations {
  public:
    /// A column of U: unknowns with their values.
    using Column = std::vector<std::pair<std::size_t, double>>;

    explicit NormalEquations(std::size_t unknowns) : right_(unknowns, 0.0) {}

    /// The number of unknowns: the rows and columns of N.
    [[nodiscard]] std::size_t unknowns() const { return right_.size(); }
    /// Adds at (row, column) and at (column, row), to A and to the preconditioner.
    void add(std::size_t row, std::size_t column, double value) {
        addKept(row, column, value);
        addComplete(row, column, value);
    }
    /// The same only for A, and only for the preconditioner.
    void addKept(std::size_t row, std::size_t column, double value) { kept_.push_back({row, column, value}); }
    void addComplete(std::size_t row, std::size_t column, double value) { complete_.push_back({row, column, value}); }
    /// Adds a column to U. Returns its index.
    std::size_t addColumn(Column column);
    /// Adds to C at (a, b) and at (b, a).
    void couple(std::size_t a, std::size_t b, double value) { couplings_.push_back({a, b, value}); }
    /// Subtracts v v^T from the preconditioner.
    void subtractComplete(Column v) { subtracted_.push_back(std::move(v)); }

    /// Adds `value` to the right-hand side of equation `row`, which must be below unknowns().
    void addRight(std::size_t row, double value) { right_[row] += value; }
    /// Prior knowledge of unknown `i`: about `mean`, as if measured with this weight.
    void addPrior(std::size_t i, double mean, double weight) {
        add(i, i, weight);
        addRight(i, weight * mean);
    }

    /// Solves the equations. Unknowns that nothing determines are 0.
    [[nodiscard]] std::vector<double> solve() const;

    /// Elements of the inverse of N: at (a, a), (a, b) and (b, b).
    struct Covariance {
        double first = 0;
        double both = 0;
        double second = 0;
    };
    /// The covariances of these pairs of unknowns (a, b); a variance if both are the same. Solves the equations once
    /// per unknown, so it takes a multiple of the time of solve().
    [[nodiscard]] std::vector<Covariance> covariances(
        const std::vector<std::pair<std::size_t, std::size_t>>& pairs) const;

  private:
    friend class EquationSolver;
    struct Entry {
        std::size_t row = 0;
        std::size_t column = 0;
        double value = 0;
    };

    std::vector<double> right_;
    std::vector<Entry> kept_;         // entries of A
    std::vector<Column> columns_;     // columns of U
    std::vector<Entry> couplings_;    // entries of C
    std::vector<Entry> complete_;     // entries of the preconditioner
    std::vector<Column> subtracted_;  // subtracted from the preconditioner
};

}  // namespace rankscope
