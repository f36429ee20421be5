// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/transfers.h"

#include <algorithm>
#include <cmath>

namespace rankscope {

const RankStep* stepAt(const RankFacts& rank, TimeNs at_ns) {
    const auto step = std::ranges::find_if(
        rank.steps, [at_ns](const RankStep& s) { return s.span.start_ns <= at_ns && at_ns < s.span.end_ns; });
    return step == rank.steps.end() ? nullptr : &*step;
}

DurationNs baselinePart(const Collective& collective, DurationNs transfer_ns) {
    if (!collective.baseline_transfer_ns || !collective.transfer_ns || *collective.transfer_ns <= 0) {
        return transfer_ns;
    }
    const double share =
        static_cast<double>(*collective.baseline_transfer_ns) / static_cast<double>(*collective.transfer_ns);
    return static_cast<DurationNs>(std::llround(share * static_cast<double>(transfer_ns)));
}

}  // namespace rankscope
