// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/prices/blocked_part.h"

namespace rankscope {

const GapPart* partBlockedBy(const RunFacts& facts, const Evidence& evidence) {
    const GapPart* longest = nullptr;
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
                if (proved && (longest == nullptr || part.span.length() > longest->span.length())) {
                    longest = &part;
                }
            }
        }
    }
    return longest;
}

std::optional<TimeSpan> blockedBy(const RunFacts& facts, const Evidence& evidence) {
    const GapPart* const part = partBlockedBy(facts, evidence);
    return part != nullptr ? std::optional(part->span) : std::nullopt;
}

}  // namespace rankscope
