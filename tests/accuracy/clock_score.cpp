// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/accuracy/clock_score.h"

#include <algorithm>
#include <array>

#include "tests/tracegen/kineto_writer.h"

namespace rankscope::accuracy {
namespace {

// The reference is the rank whose file times are left as they are.
std::size_t referenceOf(const RunClock& clock) {
    const auto untouched = std::ranges::find_if(
        clock.ranks, [](const RankClock& rank) { return rank.offset_ns == 0 && rank.drift_ppm == 0; });
    return untouched == clock.ranks.end() ? 0 : static_cast<std::size_t>(untouched - clock.ranks.begin());
}

}  // namespace

std::vector<ClockScore> scoreClocks(const tracegen::RunResult& simulated, const RunClock& clock) {
    std::vector<ClockScore> scores;
    if (simulated.config.clocks.empty() || clock.ranks.empty()) {
        return scores;
    }
    const TimeNs end = simulated.steps.front().back().span.end_ns;
    const std::array<TimeNs, 3> moments = {simulated.steps.front().front().span.start_ns, end / 2, end};
    const auto on_run = [&](std::size_t rank, TimeNs true_ns) {
        const auto planted = simulated.config.clockOf(static_cast<int>(rank));
        return clock.ranks[rank].toRun(FileTime(tracegen::fileTime(planted, true_ns)));
    };
    const std::size_t reference = referenceOf(clock);
    for (std::size_t rank = 0; rank < clock.ranks.size(); ++rank) {
        if (rank == reference) {
            continue;
        }
        ClockScore score;
        for (const TimeNs moment : moments) {
            score.error_ns = std::max(score.error_ns, std::abs(on_run(rank, moment) - on_run(reference, moment)));
        }
        if (clock.ranks[rank].uncertainty_ns) {
            score.uncertainty_ns =
                *clock.ranks[rank].uncertainty_ns + clock.ranks[reference].uncertainty_ns.value_or(0);
        }
        scores.push_back(score);
    }
    return scores;
}

}  // namespace rankscope::accuracy
