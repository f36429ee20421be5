// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/clock/fit_system.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

namespace rankscope {
namespace {

/// Sums over matches, each with a weight.
struct Moments {
    double matches = 0;
    double time = 0;
    double time_squared = 0;

    void add(double weight, double at) {
        matches += weight;
        time += weight * at;
        time_squared += weight * at * at;
    }
};

/// The kept members of one match.
struct Kept {
    std::size_t match = 0;
    std::vector<std::uint32_t> domains;
    std::vector<std::size_t> members;
    std::vector<std::uint32_t> set_aside;  ///< domains of the others
    double mean_late_ns = 0;
    double time = 0;
};

/// Calls `use` for every match with two kept members or more.
template <typename Use>
void forEachMatch(const MatchTable& table, const MatchEnds& ends, const TimeAxis& axis, Use use) {
    Kept kept;
    for (std::size_t match = 0; match < table.size(); ++match) {
        kept.match = match;
        kept.domains.clear();
        kept.members.clear();
        kept.set_aside.clear();
        double sum = 0;
        for (std::size_t i = table.first[match]; i < table.first[match + 1]; ++i) {
            if (ends.kept[i] != 0) {
                kept.domains.push_back(table.domain[i]);
                kept.members.push_back(i);
                sum += ends.late_ns[i];
            } else {
                kept.set_aside.push_back(table.domain[i]);
            }
        }
        if (kept.members.size() > 1) {
            kept.mean_late_ns = sum / static_cast<double>(kept.members.size());
            kept.time = axis.at(ends.at_ns[match]);
            use(kept);
        }
    }
}

/// Sums up the equations. With the own end of a match eliminated, it adds to the sum of squares
///
///     sum over its kept members of x^2 - (sum over its kept members of x)^2 / their number,
///
/// x = offset + time x drift of the member's domain. The second term couples all members. Most matches have one of a
/// few sets of members, but different ends of them are set aside each time: so the kept sum is that over the set minus
/// the few set aside, and the coupling vectors are the same in all matches of a set.
class Equations {
  public:
    Equations(const MatchEnds& ends, const Unknowns& unknowns, std::size_t domains)
        : ends_(ends),
          unknowns_(unknowns),
          kept_(domains),
          complete_(domains),
          lag_of_(unknowns.count(), 0.0),
          system_(unknowns.count()) {}

    void add(const Kept& kept) {
        // If many are set aside, the rest is a set of its own.
        const bool few = kept.set_aside.size() * kept.set_aside.size() <= kept.members.size();
        std::vector<std::uint32_t> domains = kept.domains;
        if (few) {
            domains.insert(domains.end(), kept.set_aside.begin(), kept.set_aside.end());
            std::ranges::sort(domains);
        }
        if (set_ == sets_.end() || set_->first != domains) {
            set_ = sets_.try_emplace(std::move(domains)).first;
        }
        Set& set = set_->second;
        const double share = 1 / static_cast<double>(kept.members.size());
        set.kept.add(share, kept.time);
        set.complete.add(1 / static_cast<double>(set_->first.size()), kept.time);
        for (const std::uint32_t domain : kept.domains) {
            kept_[domain].add(1, kept.time);
        }
        for (const std::uint32_t domain : set_->first) {
            complete_[domain].add(1, kept.time);
        }
        if (few) {
            setAside(kept, share, set);
        }
        addEnds(kept, share);
    }

    NormalEquations sum() && {
        for (std::uint32_t domain = 0; domain < kept_.size(); ++domain) {
            addProducts(domain, domain, kept_[domain], 1, &NormalEquations::addKept);
            addProducts(domain, domain, complete_[domain], 1, &NormalEquations::addComplete);
        }
        for (auto& [domains, set] : sets_) {
            couple(domains, set);
        }
        for (std::size_t i = 0; i < lag_of_.size(); ++i) {
            system_.add(unknowns_.lag, i, lag_of_[i]);
        }
        return std::move(system_);
    }

  private:
    /// Sums over the matches of one set of members.
    struct Set {
        Moments kept;      ///< each weighted by 1 / the number kept
        Moments complete;  ///< each weighted by 1 / the number of all
        /// By domain: the ends that were set aside, each weighted by 1 / the number kept.
        std::map<std::uint32_t, Moments> aside;
    };
    using Add = void (NormalEquations::*)(std::size_t, std::size_t, double);

    /// Adds the products of domains a and b, by offset and drift of each.
    void addProducts(std::uint32_t a, std::uint32_t b, const Moments& sum, double factor, Add put_in) {
        const auto put = [&](const std::optional<std::size_t>& row, const std::optional<std::size_t>& column,
                             double value) {
            if (row && column && *row >= *column) {
                (system_.*put_in)(*row, *column, factor * value);
            }
        };
        put(unknowns_.offset[a], unknowns_.offset[b], sum.matches);
        put(unknowns_.offset[a], unknowns_.drift[b], sum.time);
        put(unknowns_.drift[a], unknowns_.offset[b], sum.time);
        put(unknowns_.drift[a], unknowns_.drift[b], sum.time_squared);
    }

    void setAside(const Kept& kept, double share, Set& set) {
        Moments one;
        one.add(share, kept.time);
        for (const std::uint32_t a : kept.set_aside) {
            set.aside[a].add(share, kept.time);
            for (const std::uint32_t b : kept.set_aside) {
                addProducts(a, b, one, -1, &NormalEquations::addKept);
            }
        }
    }

    /// The rest of what a match adds, besides the products of its domains: everything that depends on its ends and on
    /// the last arriver.
    void addEnds(const Kept& kept, double share) {
        for (std::size_t k = 0; k < kept.members.size(); ++k) {
            const double late = ends_.late_ns[kept.members[k]] - kept.mean_late_ns;
            const double last = ends_.last_arriver[kept.members[k]] - share;
            lag_of_[unknowns_.lag] += last * last;
            system_.addRight(unknowns_.lag, last * late);
            if (const auto offset = unknowns_.offset[kept.domains[k]]) {
                lag_of_[*offset] -= last;
                system_.addRight(*offset, -late);
            }
            if (const auto drift = unknowns_.drift[kept.domains[k]]) {
                lag_of_[*drift] -= last * kept.time;
                system_.addRight(*drift, -late * kept.time);
            }
        }
    }

    /// The sum over the members of a set, by offset and by drift: the two vectors common to its matches.
    [[nodiscard]] std::pair<NormalEquations::Column, NormalEquations::Column> sumsOf(
        const std::vector<std::uint32_t>& domains) const {
        std::pair<NormalEquations::Column, NormalEquations::Column> sums;
        for (const std::uint32_t domain : domains) {
            if (const auto offset = unknowns_.offset[domain]) {
                sums.first.emplace_back(*offset, 1.0);
            }
            if (const auto drift = unknowns_.drift[domain]) {
                sums.second.emplace_back(*drift, 1.0);
            }
        }
        return sums;
    }

    void couple(const std::vector<std::uint32_t>& domains, const Set& set) {
        const auto [offsets, drifts] = sumsOf(domains);
        coupleComplete(offsets, drifts, set.complete);
        const std::size_t offset = system_.addColumn(offsets);
        const std::size_t drift = system_.addColumn(drifts);
        system_.couple(offset, offset, -set.kept.matches);
        system_.couple(offset, drift, -set.kept.time);
        system_.couple(drift, drift, -set.kept.time_squared);
        if (set.aside.empty()) {
            return;
        }
        NormalEquations::Column by_offset;
        NormalEquations::Column by_drift;
        for (const auto& [domain, sum] : set.aside) {
            if (const auto own = unknowns_.offset[domain]) {
                by_offset.emplace_back(*own, sum.matches);
                by_drift.emplace_back(*own, sum.time);
            }
            if (const auto own = unknowns_.drift[domain]) {
                by_offset.emplace_back(*own, sum.time);
                by_drift.emplace_back(*own, sum.time_squared);
            }
        }
        system_.couple(offset, system_.addColumn(std::move(by_offset)), 1);
        system_.couple(drift, system_.addColumn(std::move(by_drift)), 1);
    }

    /// Offsets and drifts as two vectors whose products with themselves are the coupling: a Cholesky factorisation in
    /// blocks of two.
    void coupleComplete(const NormalEquations::Column& offsets, const NormalEquations::Column& drifts,
                        const Moments& sum) {
        const double offset = std::sqrt(sum.matches);
        const double both = sum.time / offset;
        const double drift = std::sqrt(std::max(sum.time_squared - both * both, 0.0));
        NormalEquations::Column first;
        NormalEquations::Column second;
        for (const auto& [unknown, count] : offsets) {
            first.emplace_back(unknown, offset * count);
        }
        for (const auto& [unknown, count] : drifts) {
            first.emplace_back(unknown, both * count);
            second.emplace_back(unknown, drift * count);
        }
        system_.subtractComplete(std::move(first));
        system_.subtractComplete(std::move(second));
    }

    const MatchEnds& ends_;
    const Unknowns& unknowns_;
    std::map<std::vector<std::uint32_t>, Set> sets_;
    std::map<std::vector<std::uint32_t>, Set>::iterator set_ = sets_.end();  // set of the previous match
    std::vector<Moments> kept_;                                              // by domain: of its kept ends
    std::vector<Moments> complete_;                                          // by domain: of all its ends
    std::vector<double> lag_of_;                                             // by unknown: with the lag
    NormalEquations system_;
};

}  // namespace

NormalEquations fitSystem(const MatchTable& table, const MatchEnds& ends, const Unknowns& unknowns,
                          const TimeAxis& axis) {
    Equations equations(ends, unknowns, table.domains);
    forEachMatch(table, ends, axis, [&](const Kept& kept) { equations.add(kept); });
    return std::move(equations).sum();
}

Misfit misfitOf(const MatchTable& table, const MatchEnds& ends, const Unknowns& unknowns, const TimeAxis& axis,
                const std::vector<double>& solution) {
    Misfit misfit;
    std::vector<double> late;
    forEachMatch(table, ends, axis, [&](const Kept& kept) {
        late.clear();
        double mean = 0;
        for (std::size_t k = 0; k < kept.members.size(); ++k) {
            const auto offset = unknowns.offset[kept.domains[k]];
            const auto drift = unknowns.drift[kept.domains[k]];
            late.push_back(ends.late_ns[kept.members[k]] + (offset ? solution[*offset] : 0) +
                           (drift ? solution[*drift] * kept.time : 0) -
                           solution[unknowns.lag] * ends.last_arriver[kept.members[k]]);
            mean += late.back() / static_cast<double>(kept.members.size());
        }
        for (const double value : late) {
            misfit.squares += (value - mean) * (value - mean);
        }
        misfit.freedom += static_cast<double>(kept.members.size() - 1);
    });
    return misfit;
}

}  // namespace rankscope
