// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/align_calls.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <optional>

namespace rankscope {
namespace {

/// Two clocks run apart by some tens of parts in a million; a thousandth is far beyond any crystal.
constexpr double kMostDrift = 1e-3;
/// Ends of one collective spread by up to some tens of microseconds (design 4.6).
constexpr DurationNs kEndSpreadNs = 50'000;

/// Recorded on both sides and different.
bool differ(std::int64_t a, std::int64_t b) {
    return a >= 0 && b >= 0 && a != b;
}

bool sameCall(const CallProof& a, const CallProof& b) {
    if (a.kind != b.kind || (!a.dtype.empty() && !b.dtype.empty() && a.dtype != b.dtype)) {
        return false;
    }
    // The parts of an all-to-all, a gather and a scatter may be of different size on each rank.
    const bool even =
        a.kind != CollectiveKind::AllToAll && a.kind != CollectiveKind::Gather && a.kind != CollectiveKind::Scatter;
    if (even && (differ(a.in_elements, b.in_elements) || differ(a.out_elements, b.out_elements))) {
        return false;
    }
    return a.kind != CollectiveKind::Unknown || a.name == b.name;
}

/// One way to lay two sequences side by side: a[i] beside b[i + shift].
struct Shift {
    std::ptrdiff_t shift = 0;
    std::size_t pairs = 0;
    DurationNs scatter_ns = 0;  ///< median distance of the difference of ends from its median
};

class Aligner {
  public:
    Aligner(const std::vector<CallProof>& a, const std::vector<CallProof>& b) : a_(a), b_(b) {}

    [[nodiscard]] std::optional<Shift> best() {
        const auto n = static_cast<std::ptrdiff_t>(a_.size());
        const auto m = static_cast<std::ptrdiff_t>(b_.size());
        std::vector<Shift> fitting;
        for (std::ptrdiff_t shift = 1 - n; shift < m; ++shift) {
            if (const std::optional<Shift> one = fit(shift)) {
                fitting.push_back(*one);
            }
        }
        return choose(fitting);
    }

    /// The first index of `a` that has a partner, and one past the last.
    [[nodiscard]] std::pair<std::ptrdiff_t, std::ptrdiff_t> range(std::ptrdiff_t shift) const {
        return {std::max<std::ptrdiff_t>(0, -shift),
                std::min(static_cast<std::ptrdiff_t>(a_.size()), static_cast<std::ptrdiff_t>(b_.size()) - shift)};
    }

  private:
    /// A run repeats itself, so a shift by a whole step fits as well but for the ends: between right pairs they scatter
    /// by microseconds, between wrong ones as steps differ. Chance explains shifts with few pairs: these do not count.
    [[nodiscard]] static std::optional<Shift> choose(std::vector<Shift> fitting) {
        if (fitting.empty()) {
            return std::nullopt;
        }
        const std::size_t most = std::ranges::max_element(fitting, {}, &Shift::pairs)->pairs;
        std::erase_if(fitting,
                      [&](const Shift& s) { return 2 * s.pairs < most || s.pairs < std::min(most, kFewPairs); });
        const DurationNs least_ns = std::ranges::min_element(fitting, {}, &Shift::scatter_ns)->scatter_ns;
        std::erase_if(fitting, [&](const Shift& s) { return s.scatter_ns > 2 * least_ns + kEndSpreadNs; });
        const auto fewer = [](const Shift& x, const Shift& y) {
            return std::pair(x.pairs, -x.scatter_ns) < std::pair(y.pairs, -y.scatter_ns);
        };
        const Shift best = *std::ranges::max_element(fitting, fewer);
        const auto as_good = [&](const Shift& s) { return !fewer(s, best); };
        return std::ranges::count_if(fitting, as_good) == 1 ? std::optional(best) : std::nullopt;
    }

    [[nodiscard]] std::optional<Shift> fit(std::ptrdiff_t shift) {
        const auto [first, last] = range(shift);
        differences_.clear();
        DurationNs least = std::numeric_limits<DurationNs>::min();
        DurationNs most = std::numeric_limits<DurationNs>::max();
        bool ends_count = false;
        for (std::ptrdiff_t i = first; i < last; ++i) {
            const CallProof& one = a_[static_cast<std::size_t>(i)];
            const CallProof& other = b_[static_cast<std::size_t>(i + shift)];
            if (!sameCall(one, other)) {
                return std::nullopt;
            }
            if (finishesTogether(one.kind)) {
                ends_count = true;
                least = std::max(least, one.span.start_ns - other.span.end_ns);
                most = std::min(most, one.span.end_ns - other.span.start_ns);
                differences_.push_back(one.span.end_ns - other.span.end_ns);
            }
        }
        const auto length = static_cast<double>(a_[static_cast<std::size_t>(last - 1)].span.end_ns -
                                                a_[static_cast<std::size_t>(first)].span.start_ns);
        const DurationNs slack_ns = kEndSpreadNs + static_cast<DurationNs>(length * kMostDrift);
        if (ends_count && least > most + slack_ns) {
            return std::nullopt;
        }
        return Shift{.shift = shift, .pairs = static_cast<std::size_t>(last - first), .scatter_ns = scatter()};
    }

    [[nodiscard]] DurationNs scatter() {
        if (differences_.empty()) {
            return 0;
        }
        const auto middle = differences_.begin() + static_cast<std::ptrdiff_t>(differences_.size() / 2);
        std::ranges::nth_element(differences_, middle);
        const DurationNs median = *middle;
        for (DurationNs& difference : differences_) {
            difference = std::abs(difference - median);
        }
        std::ranges::nth_element(differences_, middle);
        return *middle;
    }

    static constexpr std::size_t kFewPairs = 3;
    const std::vector<CallProof>& a_;
    const std::vector<CallProof>& b_;
    std::vector<DurationNs> differences_;
};

}  // namespace

std::vector<std::pair<std::size_t, std::size_t>> alignCalls(const std::vector<CallProof>& a,
                                                            const std::vector<CallProof>& b) {
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    if (a.empty() || b.empty()) {
        return pairs;
    }
    Aligner aligner(a, b);
    const std::optional<Shift> best = aligner.best();
    if (!best) {
        return pairs;
    }
    const auto [first, last] = aligner.range(best->shift);
    for (std::ptrdiff_t i = first; i < last; ++i) {
        pairs.emplace_back(static_cast<std::size_t>(i), static_cast<std::size_t>(i + best->shift));
    }
    return pairs;
}

}  // namespace rankscope
