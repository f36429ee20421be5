// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/memory/block_lives.h"

#include <algorithm>
#include <cstdlib>
#include <unordered_map>

namespace rankscope {
namespace {

/// Sums of values from a damaged file stay below this.
constexpr std::int64_t kMostSum = std::int64_t{1} << 58;

/// When a block was freed, relative to an instant.
class FreedAt {
  public:
    FreedAt(const MemoryTable& memory, const BlockLife& life)
        : at_(life.freed ? std::optional(memory.at_ns[*life.freed]) : std::nullopt) {}
    [[nodiscard]] bool ever() const { return at_.has_value(); }
    [[nodiscard]] bool upTo(TimeNs ns) const { return at_ && *at_ <= ns; }
    [[nodiscard]] TimeNs ns() const { return at_.value_or(0); }

  private:
    std::optional<TimeNs> at_;
};

/// The optimizer's step after the next backward from `from` on; size() if there is none. A zero_grad() between a
/// forward and its backward does not count.
std::size_t nextStep(const PhaseOrder& phases, std::size_t from) {
    return phases.next(phases.next(from, Phase::Backward), Phase::Optimizer);
}

MemoryPart madeInBackward(const PhaseOrder& phases, std::size_t place, const FreedAt& freed) {
    if (freed.upTo(phases[place].span.end_ns)) {
        return MemoryPart::Temporary;
    }
    const std::size_t step = phases.next(place, Phase::Optimizer);
    if (step < phases.size()) {
        return freed.upTo(phases[step].span.start_ns) ? MemoryPart::Temporary : MemoryPart::Gradients;
    }
    // Nothing follows: the window ends, perhaps inside this backward.
    return freed.ever() || place + 1 < phases.size() ? MemoryPart::Gradients : MemoryPart::Unknown;
}

MemoryPart madeInOptimizer(const PhaseOrder& phases, std::size_t place, const FreedAt& freed) {
    if (freed.upTo(phases[place].span.end_ns)) {
        return MemoryPart::Temporary;
    }
    const std::size_t later = nextStep(phases, place);
    const bool until_then = later < phases.size() && !freed.upTo(phases[later].span.start_ns);
    return until_then || !freed.ever() ? MemoryPart::OptimizerState : MemoryPart::Temporary;
}

/// Allocated in a forward, or outside all phases: what its backward still needs is an activation, or an input of the
/// step.
MemoryPart madeElsewhere(const PhaseOrder& phases, TimeNs made_ns, const FreedAt& freed) {
    const std::size_t backward = phases.next(phases.at(made_ns), Phase::Backward);
    if (backward >= phases.size()) {
        return freed.ever() ? MemoryPart::Temporary : MemoryPart::Unknown;
    }
    if (freed.upTo(phases[backward].span.start_ns)) {
        return MemoryPart::Temporary;
    }
    const std::size_t step = phases.next(backward, Phase::Optimizer);
    const std::size_t second = step < phases.size() ? nextStep(phases, step) : phases.size();
    const bool kept_for_long = second < phases.size() && !freed.upTo(phases[second].span.start_ns);
    return kept_for_long ? MemoryPart::Unknown : MemoryPart::Activations;
}

/// Allocated before the window: if a backward freed it, it was kept for that; if zero_grad() freed it, it was a
/// gradient.
MemoryPart madeBefore(const PhaseOrder& phases, const FreedAt& freed) {
    if (!freed.ever()) {
        return MemoryPart::Held;
    }
    switch (phases.phaseAt(freed.ns())) {
        case Phase::Backward: return MemoryPart::Activations;
        case Phase::Optimizer: return MemoryPart::Gradients;
        default: return MemoryPart::Unknown;
    }
}

}  // namespace

BlockLives blockLives(const MemoryTable& memory, const std::vector<std::size_t>& events) {
    BlockLives lives;
    if (events.empty()) {
        return lives;
    }
    lives.before = memory.total_allocated[events.front()] - memory.bytes[events.front()];
    std::unordered_map<std::uint64_t, std::size_t> live;  // by address: the index in lives.blocks
    std::int64_t total = lives.before;
    for (const std::size_t event : events) {
        const std::int64_t bytes = memory.bytes[event];
        lives.unseen = std::min(kMostSum, lives.unseen + std::abs(memory.total_allocated[event] - total - bytes));
        total = memory.total_allocated[event];
        const auto at = live.find(memory.address[event]);
        if (bytes > 0) {
            if (at != live.end()) {
                lives.blocks[at->second].freed = event;
            }
            live[memory.address[event]] = lives.blocks.size();
            lives.blocks.push_back({bytes, event, std::nullopt});
        } else if (bytes < 0 && at != live.end()) {
            lives.blocks[at->second].freed = event;
            live.erase(at);
        } else if (bytes < 0) {
            lives.blocks.push_back({-bytes, std::nullopt, event});
        }
    }
    return lives;
}

MemoryPart partOfLife(const MemoryTable& memory, const BlockLife& life, const PhaseOrder& phases) {
    const FreedAt freed(memory, life);
    if (!life.allocated) {
        return madeBefore(phases, freed);
    }
    const TimeNs made_ns = memory.at_ns[*life.allocated];
    switch (phases.phaseAt(made_ns)) {
        case Phase::Backward: return madeInBackward(phases, phases.at(made_ns), freed);
        case Phase::Optimizer: return madeInOptimizer(phases, phases.at(made_ns), freed);
        default: return madeElsewhere(phases, made_ns, freed);
    }
}

}  // namespace rankscope
