// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/clock/normal_equations.h"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>

namespace rankscope {
namespace {

using Matrix = Eigen::SparseMatrix<double>;
using Vector = Eigen::VectorXd;

/// A pivot below this fraction of its diagonal element is rounding, not information.
constexpr double kTiny = 1e-12;
/// Conjugate gradients stop at this relative residual: for a solution, and for a variance, of which only the root is
/// needed.
constexpr double kLeftOver = 1e-13;
constexpr double kLeftOverOfVariance = 1e-9;
/// Each set of ends that was set aside takes about one step; more are needed only if hardly any end of a domain is
/// left.
constexpr int kMostSteps = 200;

Eigen::Index indexOf(std::size_t i) {
    return static_cast<Eigen::Index>(i);
}

/// A symmetric matrix from entries of either triangle, each of which is for both.
template <typename Entries>
Matrix symmetric(std::size_t size, const Entries& entries) {
    std::vector<Eigen::Triplet<double>> triplets;
    triplets.reserve(2 * entries.size());
    for (const auto& entry : entries) {
        triplets.emplace_back(indexOf(entry.row), indexOf(entry.column), entry.value);
        if (entry.row != entry.column) {
            triplets.emplace_back(indexOf(entry.column), indexOf(entry.row), entry.value);
        }
    }
    Matrix matrix(indexOf(size), indexOf(size));
    matrix.setFromTriplets(triplets.begin(), triplets.end());
    return matrix;
}

}  // namespace

/// The equations as matrices, factored once for many right sides.
class EquationSolver {
  public:
    explicit EquationSolver(const NormalEquations& equations)
        : unknowns_(indexOf(equations.unknowns())),
          sparse_(symmetric(equations.unknowns(), equations.kept_)),
          columns_(unknowns_, indexOf(equations.columns_.size())),
          couplings_(symmetric(equations.columns_.size(), equations.couplings_)),
          determined_(Vector::Zero(unknowns_)) {
        std::vector<Eigen::Triplet<double>> triplets;
        for (std::size_t c = 0; c < equations.columns_.size(); ++c) {
            for (const auto& [unknown, value] : equations.columns_[c]) {
                triplets.emplace_back(indexOf(unknown), indexOf(c), value);
            }
        }
        columns_.setFromTriplets(triplets.begin(), triplets.end());
        const Matrix complete = symmetric(equations.unknowns(), equations.complete_);
        const Matrix coupled = (columns_ * couplings_).cwiseProduct(columns_);
        const Vector information = coupled * Vector::Ones(columns_.cols()) + sparse_.diagonal();
        for (Eigen::Index i = 0; i < unknowns_; ++i) {
            determined_[i] = information[i] > kTiny * complete.coeff(i, i) ? 1 : 0;
        }
        factor(equations);
    }

    /// Preconditioned conjugate gradients.
    [[nodiscard]] Vector solve(const Vector& right, double left_over) const {
        Vector x = Vector::Zero(unknowns_);
        Vector rest = right.cwiseProduct(determined_);
        Vector direction = precondition(rest);
        double length = rest.dot(direction);
        const double enough = left_over * left_over * length;
        for (int step = 0; step < kMostSteps && length > enough; ++step) {
            const Vector image = apply(direction);
            const double curvature = direction.dot(image);
            if (!(curvature > 0)) {
                break;  // nothing determines this direction
            }
            const double stride = length / curvature;
            x += stride * direction;
            rest -= stride * image;
            const Vector next = precondition(rest);
            const double next_length = rest.dot(next);
            direction = next + (next_length / length) * direction;
            length = next_length;
        }
        return x;
    }

  private:
    [[nodiscard]] Vector apply(const Vector& x) const {
        const Vector inner = columns_.transpose() * x;
        const Vector coupled = couplings_ * inner;
        Vector image = sparse_ * x;
        image += columns_ * coupled;
        return image.cwiseProduct(determined_);
    }

    [[nodiscard]] Vector precondition(const Vector& rest) const {
        Vector all = Vector::Zero(factors_.cols());
        all.head(unknowns_) = rest;
        return factors_.solve(all).head(unknowns_).cwiseProduct(determined_);
    }

    /// B - V V^T is the Schur complement of [[B, V], [V^T, 1]] after eliminating the unknowns that V adds. With them
    /// the matrix is sparse: they are the matches' own ends.
    void factor(const NormalEquations& equations) {
        std::vector<NormalEquations::Entry> entries = equations.complete_;
        std::size_t next = equations.unknowns();
        for (const NormalEquations::Column& column : equations.subtracted_) {
            for (const auto& [unknown, value] : column) {
                entries.push_back({next, unknown, value});
            }
            entries.push_back({next, next, 1.0});
            ++next;
        }
        // For an unknown that nothing determines the pivot is rounding, of either sign.
        Matrix matrix = symmetric(next, entries);
        for (std::size_t i = 0; i < next; ++i) {
            double& pivot = matrix.coeffRef(indexOf(i), indexOf(i));
            pivot = pivot > 0 ? pivot * (1 + kTiny) : 1;
        }
        factors_.compute(matrix);
    }

    Eigen::Index unknowns_;
    Matrix sparse_;      // A
    Matrix columns_;     // U
    Matrix couplings_;   // C
    Vector determined_;  // 1 if N determines the unknown, else 0
    Eigen::SimplicialLDLT<Matrix> factors_;
};

std::size_t NormalEquations::addColumn(Column column) {
    columns_.push_back(std::move(column));
    return columns_.size() - 1;
}

std::vector<double> NormalEquations::solve() const {
    if (right_.empty()) {
        return {};
    }
    const Vector right = Vector::Map(right_.data(), indexOf(right_.size()));
    const Vector x = EquationSolver(*this).solve(right, kLeftOver);
    return {x.begin(), x.end()};
}

std::vector<NormalEquations::Covariance> NormalEquations::covariances(
    const std::vector<std::pair<std::size_t, std::size_t>>& pairs) const {
    std::vector<Covariance> result;
    if (pairs.empty()) {
        return result;
    }
    const EquationSolver solver(*this);
    const auto column = [&](std::size_t unknown) {
        return solver.solve(Vector::Unit(indexOf(unknowns()), indexOf(unknown)), kLeftOverOfVariance);
    };
    result.reserve(pairs.size());
    for (const auto& [a, b] : pairs) {
        const Vector of_a = column(a);
        Covariance covariance{of_a[indexOf(a)], of_a[indexOf(b)], of_a[indexOf(a)]};
        if (a != b) {
            covariance.second = column(b)[indexOf(b)];
        }
        result.push_back(covariance);
    }
    return result;
}

}  // namespace rankscope
