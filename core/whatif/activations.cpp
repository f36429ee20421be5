// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/whatif/activations.h"

#include <algorithm>

#include "core/base/format.h"

namespace rankscope {

std::int64_t activationsAtPeak(const RuleContext& context, RankPosition rank) {
    const MemoryFacts& memory = context.facts.memory;
    std::int64_t bytes = 0;
    if (rank < memory.ranks.size()) {
        for (const MemoryAtPeak& device : memory.ranks[rank]) {
            bytes += device.device == context.facts.ranks[rank].device ? device.parts[MemoryPart::Activations] : 0;
        }
    }
    return bytes;
}

std::optional<std::uint64_t> mostActivations(const RuleContext& context) {
    std::int64_t most = 0;
    for (RankPosition r{0}; r < context.facts.ranks.size(); ++r) {
        most = std::max(most, activationsAtPeak(context, r));
    }
    return most > 0 ? std::optional(static_cast<std::uint64_t>(most)) : std::nullopt;
}

std::optional<std::string> activationNote(const RuleContext& context, const std::string& then) {
    const std::optional<std::uint64_t> most = mostActivations(context);
    return most ? std::optional("At the peak, activations take " + formatBytes(*most) +
                                " on the rank with most: " + then)
                : std::nullopt;
}

}  // namespace rankscope
