// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/check/hideable.h"

#include <algorithm>

namespace rankscope::report {
namespace {

/// The most that better overlap could save in one step, if `transfer_ns` of its exposed communication are transfers.
DurationNs winsOf(const OverlapEfficiency& overlap, DurationNs transfers_ns) {
    return std::min(overlap.both_ns - overlap.least_ns, transfers_ns);
}

}  // namespace

std::optional<Hideable> hideableOf(const RunFacts& facts) {
    Hideable all;
    DurationNs wins_ns = 0;
    DurationNs least_ns = 0;
    for (const RankFacts& rank : facts.ranks) {
        for (const RankStep& step : rank.steps) {
            const std::optional<OverlapEfficiency> one =
                step.complete && !step.outlier ? overlapOf(step) : std::nullopt;
            if (one) {
                all.overlap += *one;
                const Partition& parts = *step.partition;
                wins_ns += winsOf(*one, parts.exposed_comm_ns - parts.exposed_wait_ns.value_or(0));
                least_ns += winsOf(*one, parts.exposed_transfer_ns.value_or(0));
            }
        }
    }
    if (all.overlap.steps == 0 || all.overlap.step_ns <= 0) {
        return std::nullopt;
    }
    all.wins_ns = wins_ns / static_cast<DurationNs>(all.overlap.steps);
    all.share = static_cast<double>(wins_ns) / static_cast<double>(all.overlap.step_ns);
    all.least_ns = least_ns / static_cast<DurationNs>(all.overlap.steps);
    all.least_share = static_cast<double>(least_ns) / static_cast<double>(all.overlap.step_ns);
    return all;
}

}  // namespace rankscope::report
