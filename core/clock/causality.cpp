// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/clock/causality.h"

#include <cmath>
#include <limits>

namespace rankscope {
namespace {

constexpr int kMostSweeps = 50;

/// By how much the last start of a match comes after its first end, on the run's clock; not positive where all is well.
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
        const TimeSpan span = clocks[table.domain[i]].toRun(table.span[i]);
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
    std::size_t violations = 0;  ///< before any was repaired
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

}  // namespace rankscope
