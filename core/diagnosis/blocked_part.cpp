// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/blocked_part.h"

namespace rankscope {

std::optional<TimeSpan> blockedBy(const RunFacts& facts, const Evidence& evidence) {
    std::optional<TimeSpan> longest;
    if (!evidence.slice.valid() || evidence.rank >= facts.ranks.size()) {
        return longest;
    }
    for (const RankStep& step : facts.ranks[evidence.rank].steps) {
        if (step.index != evidence.step) {
            continue;
        }
        for (const Gap& gap : step.gaps) {
            for (const GapPart& part : gap.parts) {
                const bool proved = !part.evidence.empty() && part.evidence.front() == evidence.slice;
                if (proved && (!longest || part.span.length() > longest->length())) {
                    longest = part.span;
                }
            }
        }
    }
    return longest;
}

}  // namespace rankscope
