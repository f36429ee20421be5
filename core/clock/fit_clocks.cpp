// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/clock/fit_clocks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/clock/fit_system.h"
#include "core/clock/match_ends.h"
#include "core/clock/rough_clocks.h"

namespace rankscope {
namespace {

constexpr int kMostSweeps = 50;

/// By how much the last start of a match comes after its first end, on the run's clock; zero or negative if there is no
/// violation.
struct Violation {
    DurationNs by_ns;
    std::uint32_t late_start;  ///< domain
    std::uint32_t early_end;   ///< domain
};

Violation violationOf(const MatchTable& table, const std::vector<char>& kept, const std::vector<RankClock>& clocks,
                      std::size_t match) {
    TimeNs last_start = std::numeric_limits<TimeNs>::min();
    TimeNs first_end = std::numeric_limits<TimeNs>::max();
    Violation violation{0, 0, 0};
    bool any = false;
    for (std::size_t i = table.first[match]; i < table.first[match + 1]; ++i) {
        if (kept[i] == 0) {
            continue;
        }
        any = true;
        const TimeSpan span = clocks[table.domain[i]].toRun(FileSpan(table.span[i]));
        if (span.start_ns > last_start) {
            last_start = span.start_ns;
            violation.late_start = table.domain[i];
        }
        if (span.end_ns < first_end) {
            first_end = span.end_ns;
            violation.early_end = table.domain[i];
        }
    }
    violation.by_ns = any ? last_start - first_end : 0;
    return violation;
}

struct Sweep {
    std::size_t violations = 0;  ///< before any repair
    bool moved = false;
};

/// Repairs what it can, match by match.
Sweep sweep(const MatchTable& table, const std::vector<char>& kept, const std::vector<double>& softness,
            std::vector<RankClock>& clocks) {
    Sweep seen;
    for (std::size_t match = 0; match < table.size(); ++match) {
        const Violation violation = violationOf(table, kept, clocks, match);
        const double give = softness[violation.late_start] + softness[violation.early_end];
        seen.violations += violation.by_ns > 0 ? 1U : 0U;
        if (violation.by_ns <= 0 || violation.late_start == violation.early_end || give <= 0) {
            continue;
        }
        const double share = softness[violation.early_end] / give;
        const DurationNs later = std::llround(static_cast<double>(violation.by_ns) * share);
        clocks[violation.early_end].offset_ns += later;
        clocks[violation.late_start].offset_ns -= violation.by_ns - later;
        seen.moved = true;
    }
    return seen;
}

}  // namespace

std::size_t endsBeforeStart(const MatchTable& table, const std::vector<char>& kept,
                            const std::vector<RankClock>& clocks) {
    std::size_t count = 0;
    for (std::size_t match = 0; match < table.size(); ++match) {
        count += violationOf(table, kept, clocks, match).by_ns > 0 ? 1U : 0U;
    }
    return count;
}

std::size_t keepCausality(const MatchTable& table, const std::vector<char>& kept, const std::vector<double>& softness,
                          std::vector<RankClock>& clocks) {
    std::vector<RankClock> moved = clocks;
    Sweep last;
    for (int count = 0; count < kMostSweeps; ++count) {
        last = sweep(table, kept, softness, moved);
        if (!last.moved) {
            break;
        }
    }
    if (last.violations == 0) {
        clocks = std::move(moved);
    }
    return last.violations;
}

namespace {

/// Ends that are uniformly spread over s deviate by s / sqrt(12); the last one is s / 2 after the others on average.
constexpr double kLagDeviations = 1.7320508;
/// The uncertainty of that: from no lag to twice as much.
constexpr double kLagDoubt = kLagDeviations / 2;
/// The assumed noise before any match: the mean over spreads of 2 to 24 us (design 4.6), weighted like four ends. Keeps
/// the uncertainty of a handful of matches honest.
constexpr double kTypicalDeviationNs = 4'200;
constexpr double kTypicalFreedom = 4;
/// Two computer clocks usually drift apart by up to 20 ppm.
constexpr double kTypicalDriftPpm = 20;
/// A drift is resolved when its effect is this many standard deviations.
constexpr double kResolvedDeviations = 2;
/// Ends are never closer than 2 us in practice, and half of that remains whatever the number of matches.
constexpr double kSystematicNs = 1'000;

class Fit {
  public:
    Fit(const MatchTable& table, const std::vector<TimeSpan>& window_of)
        : table_(table), window_of_(window_of), rough_(roughClocks(table)), clocks_(rough_.clocks) {
        findAxis();
        chooseUnknowns([](std::size_t) { return true; });
    }

    ClockFit run() && {
        improve();
        ends_ = matchEnds(table_, clocks_);
        improve();
        judge();
        ClockFit fit;
        const std::vector<double> uncertainty_ns = uncertainties();
        fit.ends_before_start = keepCausality(table_, ends_.kept, uncertainty_ns, clocks_);
        describeClocks(uncertainty_ns);
        countMatches(fit);
        fit.clocks = std::move(clocks_);
        fit.reference = std::move(rough_.reference);
        fit.kept = std::move(ends_.kept);
        return fit;
    }

  private:
    template <typename HasDrift>
    void chooseUnknowns(HasDrift has_drift) {
        unknowns_.offset.assign(table_.domains, std::nullopt);
        unknowns_.drift.assign(table_.domains, std::nullopt);
        std::size_t next = 0;
        for (std::size_t domain = 0; domain < table_.domains; ++domain) {
            if (rough_.reference[domain] != domain) {
                unknowns_.offset[domain] = next++;
                if (has_drift(domain)) {
                    unknowns_.drift[domain] = next++;
                }
            }
        }
        unknowns_.lag = next;
    }

    /// Finds the middle of the matched span, at which offsets are defined.
    void findAxis() {
        ends_ = matchEnds(table_, clocks_);
        if (!ends_.at_ns.empty()) {
            const auto [first, last] = std::ranges::minmax(ends_.at_ns);
            axis_ = {first + (last - first) / 2, std::max(static_cast<double>(last - first) / 2, 1e6)};
        }
        for (RankClock& clock : clocks_) {
            const FileTime file_ns = clock.toFile(RunTime(axis_.middle_ns));
            clock.offset_ns = axis_.middle_ns - file_ns;
            clock.reference_ns = file_ns;
        }
        deviation_ns_ = std::max(ends_.deviation_ns, kSystematicNs);
    }

    [[nodiscard]] double driftToEffect(double ppm) const { return ppm * 1e-6 * axis_.half_ns; }

    [[nodiscard]] NormalEquations system() const {
        NormalEquations system = fitSystem(table_, ends_, unknowns_, axis_);
        const double variance = deviation_ns_ * deviation_ns_;
        const double baseline_drift_ns = driftToEffect(kTypicalDriftPpm);
        for (std::size_t domain = 0; domain < table_.domains; ++domain) {
            if (const auto drift = unknowns_.drift[domain]) {
                system.addPrior(*drift, -driftToEffect(clocks_[domain].drift_ppm),
                                variance / (baseline_drift_ns * baseline_drift_ns));
            }
        }
        system.addPrior(unknowns_.lag, kLagDeviations * deviation_ns_, 1 / (kLagDoubt * kLagDoubt));
        return system;
    }

    /// Improves the clocks by the ends as they are placed so far.
    void improve() {
        const std::vector<double> solution = system().solve();
        const Misfit misfit = misfitOf(table_, ends_, unknowns_, axis_, solution);
        const double freedom = std::max(misfit.freedom - static_cast<double>(unknowns_.count()), 0.0) + kTypicalFreedom;
        deviation_ns_ =
            std::sqrt((misfit.squares + kTypicalFreedom * kTypicalDeviationNs * kTypicalDeviationNs) / freedom);
        for (std::size_t domain = 0; domain < table_.domains; ++domain) {
            if (const auto offset = unknowns_.offset[domain]) {
                clocks_[domain].offset_ns += std::llround(solution[*offset]);
            }
            if (const auto drift = unknowns_.drift[domain]) {
                clocks_[domain].drift_ppm += solution[*drift] / axis_.half_ns * 1e6;
            }
        }
    }

    /// Variances in ns^2: of the offset at the middle of the axis, of the drift at its end, and their covariance.
    struct Doubt {
        double offset = 0;
        double both = 0;
        double drift = 0;
    };

    /// By domain, from the equations; zero for a reference.
    [[nodiscard]] std::vector<Doubt> doubtsOfDomains() const {
        std::vector<std::pair<std::size_t, std::size_t>> asked;
        for (std::size_t domain = 0; domain < table_.domains; ++domain) {
            if (const auto offset = unknowns_.offset[domain]) {
                asked.emplace_back(*offset, unknowns_.drift[domain].value_or(*offset));
            }
        }
        const std::vector<NormalEquations::Covariance> told = system().covariances(asked);
        const double variance = deviation_ns_ * deviation_ns_;
        std::vector<Doubt> doubts(table_.domains);
        std::size_t next = 0;
        for (std::size_t domain = 0; domain < table_.domains; ++domain) {
            if (unknowns_.offset[domain]) {
                const NormalEquations::Covariance& own = told[next++];
                const bool drifts = unknowns_.drift[domain].has_value();
                doubts[domain] = {variance * own.first, drifts ? variance * own.both : 0,
                                  drifts ? variance * own.second : 0};
            }
        }
        return doubts;
    }

    /// Drops drifts that are not resolved better than their effect, and stores the remaining uncertainty.
    void judge() {
        std::vector<Doubt> doubts = doubtsOfDomains();
        std::vector<char> resolved(table_.domains, 0);
        doubt_.assign(table_.domains, {});
        for (std::size_t domain = 0; domain < table_.domains; ++domain) {
            if (unknowns_.drift[domain]) {
                const double effect = driftToEffect(clocks_[domain].drift_ppm);
                const double variance = doubts[domain].drift;
                resolved[domain] = effect * effect > kResolvedDeviations * kResolvedDeviations * variance ? 1 : 0;
                // A dropped drift may be wrong by its fitted value, in addition to its own uncertainty.
                doubt_[domain].drift = variance + (resolved[domain] != 0 ? 0 : effect * effect);
                clocks_[domain].drift_ppm = resolved[domain] != 0 ? clocks_[domain].drift_ppm : 0;
            }
        }
        chooseUnknowns([&](std::size_t domain) { return resolved[domain] != 0; });
        const double deviation_ns = deviation_ns_;
        ends_ = matchEnds(table_, clocks_);
        improve();
        deviation_ns_ = deviation_ns;
        doubts = doubtsOfDomains();
        const std::vector<double> last = doubtOfLast(table_, ends_, rough_.reference);
        const double lag_ns = kLagDeviations * deviation_ns_;
        for (std::size_t domain = 0; domain < table_.domains; ++domain) {
            if (unknowns_.offset[domain]) {
                doubt_[domain].offset = doubts[domain].offset + last[domain] * lag_ns * lag_ns;
                doubt_[domain].both = doubts[domain].both;
                doubt_[domain].drift = unknowns_.drift[domain] ? doubts[domain].drift : doubt_[domain].drift;
            }
        }
    }

    /// By domain, the largest uncertainty over its window and the matched span.
    [[nodiscard]] std::vector<double> uncertainties() const {
        std::vector<double> result(table_.domains, 0);
        for (std::size_t domain = 0; domain < table_.domains; ++domain) {
            if (!unknowns_.offset[domain]) {
                continue;
            }
            const Doubt& doubt = doubt_[domain];
            const TimeSpan window = clocks_[domain].toRun(FileSpan(window_of_[domain]));
            const bool no_window = window_of_[domain].empty();
            for (const double t :
                 {-1.0, 1.0, no_window ? 0 : axis_.at(window.start_ns), no_window ? 0 : axis_.at(window.end_ns)}) {
                const double variance = doubt.offset + 2 * t * doubt.both + t * t * doubt.drift;
                result[domain] = std::max(result[domain], kSureDeviations * std::sqrt(variance) + kSystematicNs);
            }
        }
        return result;
    }

    void describeClocks(const std::vector<double>& uncertainty_ns) {
        for (std::size_t domain = 0; domain < table_.domains; ++domain) {
            RankClock& clock = clocks_[domain];
            clock.reference_ns = FileTime(axis_.middle_ns - clock.offset_ns);
            if (unknowns_.offset[domain]) {
                clock.method = ClockMethod::Fitted;
                clock.uncertainty_ns = std::llround(uncertainty_ns[domain]);
            }
        }
    }

    void countMatches(ClockFit& fit) {
        std::vector<std::size_t> counted(table_.domains, table_.size());
        for (std::size_t match = 0; match < table_.size(); ++match) {
            const auto begin = ends_.kept.begin() + static_cast<std::ptrdiff_t>(table_.first[match]);
            const auto end = ends_.kept.begin() + static_cast<std::ptrdiff_t>(table_.first[match + 1]);
            const auto kept = std::count(begin, end, 1);
            fit.matches += kept > 1 ? 1U : 0U;
            fit.set_aside += kept < end - begin ? 1U : 0U;
            for (std::size_t i = table_.first[match]; kept > 1 && i < table_.first[match + 1]; ++i) {
                const std::uint32_t domain = table_.domain[i];
                if (ends_.kept[i] != 0 && counted[domain] != match) {
                    counted[domain] = match;
                    clocks_[domain].matches += 1;
                }
            }
        }
    }

    const MatchTable& table_;
    const std::vector<TimeSpan>& window_of_;
    RoughClocks rough_;
    std::vector<RankClock> clocks_;
    TimeAxis axis_;
    Unknowns unknowns_;
    MatchEnds ends_;
    double deviation_ns_ = 0;
    std::vector<Doubt> doubt_;
};

}  // namespace

ClockFit fitClocks(const MatchTable& table, const std::vector<TimeSpan>& window_of) {
    return Fit(table, window_of).run();
}

}  // namespace rankscope
