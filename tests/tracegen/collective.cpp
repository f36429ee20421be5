// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/collective.h"

#include <algorithm>

#include "tests/tracegen/dice.h"

namespace rankscope::tracegen {
namespace {

constexpr DurationNs kSpreadMinNs = 2'000;
constexpr DurationNs kSpreadMaxNs = 24'000;

}  // namespace

void CollectiveBoard::arrive(const CollectiveCall& call, int rank, TimeNs start_ns, DurationNs transfer_ns) {
    Rendezvous& rendezvous = calls_[call.sequence];
    rendezvous.starts.resize(static_cast<std::size_t>(ranks_));
    auto& start = rendezvous.starts[static_cast<std::size_t>(rank)];
    if (start) {
        return;
    }
    start = start_ns;
    if (++rendezvous.arrived == ranks_) {
        finish(rendezvous, call, transfer_ns);
    }
}

void CollectiveBoard::finish(Rendezvous& rendezvous, const CollectiveCall& call, DurationNs transfer_ns) const {
    Dice dice(seed_, {static_cast<std::uint64_t>(Draw::Collective), call.sequence, 1});
    std::vector<TimeNs> starts;
    starts.reserve(rendezvous.starts.size());
    for (const auto& start : rendezvous.starts) {
        starts.push_back(start.value_or(0));  // all have arrived
    }
    if (call.kind == CollectiveKind::Broadcast) {
        for (const TimeNs start : starts) {
            rendezvous.ends.push_back(std::max(start, starts.front()) + transfer_ns + dice.between(0, kSpreadMinNs));
        }
        return;
    }
    const auto last = std::ranges::max_element(starts);
    const TimeNs together = *last + transfer_ns;
    const DurationNs spread = ranks_ > 1 ? dice.between(kSpreadMinNs, kSpreadMaxNs) : 0;
    for (auto start = starts.begin(); start != starts.end(); ++start) {
        const DurationNs later = dice.between(0, spread);
        rendezvous.ends.push_back(together + (start == last ? spread : later));
    }
}

std::optional<TimeNs> CollectiveBoard::end(const CollectiveCall& call, int rank) const {
    const auto found = calls_.find(call.sequence);
    if (found == calls_.end() || found->second.ends.empty()) {
        return std::nullopt;
    }
    return found->second.ends[static_cast<std::size_t>(rank)];
}

}  // namespace rankscope::tracegen
