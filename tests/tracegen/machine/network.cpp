// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/machine/network.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/tracegen/dice.h"

namespace rankscope::tracegen::machine {
namespace {

constexpr double kElementBytes = 4;
// Below this nothing is left: bytes are counted in fractions.
constexpr double kNoBytes = 0.5;
// The speed is drawn once for so many collectives, and goes evenly from one draw to the next.
constexpr std::uint64_t kWanderLength = 24;

// A ring carries each byte twice, but for the own share.
double bytesOf(const CollectiveCall& call, int ranks) {
    const double once = static_cast<double>(call.elements) * kElementBytes;
    const double n = ranks;
    return call.kind == CollectiveKind::AllReduce ? once * 2 * (n - 1) / n : once;
}

}  // namespace

DurationNs Network::draw(std::uint64_t sequence, std::uint64_t what, DurationNs low, DurationNs high) const {
    return Dice(spec_.seed, {0xae7, what, sequence}).between(low, high);
}

void Network::join(const CollectiveCall& call, int rank, Action ended) {
    Flow& flow = flows_[call.sequence];
    flow.call = call;
    flow.ended.resize(static_cast<std::size_t>(ranks_));
    flow.ended.at(static_cast<std::size_t>(rank)) = std::move(ended);
    if (++flow.arrived == ranks_) {
        const DurationNs latency = draw(call.sequence, 1, spec_.latency_ns * 8 / 10, spec_.latency_ns * 13 / 10);
        queue_.after(latency, [this, sequence = call.sequence] { begin(flows_.at(sequence)); });
    }
}

void Network::changeReaders(int by) {
    count();
    readers_ += by;
    plan();
}

void Network::begin(Flow& flow) {
    count();
    flow.moving = true;
    flow.bytes_left = bytesOf(flow.call, ranks_);
    ++moving_;
    plan();
}

double Network::speedOf(const Flow& flow) const {
    const std::uint64_t from = flow.call.sequence / kWanderLength;
    constexpr DurationNs kMillion = 1'000'000;
    const auto at = [&](std::uint64_t index) { return static_cast<double>(draw(index, 2, -kMillion, kMillion)) / 1e6; };
    const double along = static_cast<double>(flow.call.sequence % kWanderLength) / static_cast<double>(kWanderLength);
    const double wander = 1 + spec_.wander * (at(from) * (1 - along) + at(from + 1) * along);
    const double load = 1 + spec_.read_share * readers_;
    return spec_.bytes_per_ns * wander / load / std::max(moving_, 1);
}

void Network::count() {
    const auto passed = static_cast<double>(queue_.now() - counted_ns_);
    for (auto& [sequence, flow] : flows_) {
        if (flow.moving) {
            flow.bytes_left -= passed * speedOf(flow);
        }
    }
    counted_ns_ = queue_.now();
}

void Network::plan() {
    const std::uint64_t generation = ++generation_;
    if (moving_ == 0) {
        return;
    }
    double soonest = std::numeric_limits<double>::max();
    for (const auto& [sequence, flow] : flows_) {
        if (flow.moving) {
            soonest = std::min(soonest, std::max(0.0, flow.bytes_left) / speedOf(flow));
        }
    }
    queue_.after(std::llround(std::ceil(soonest)), [this, generation] {
        if (generation_ != generation) {
            return;
        }
        count();
        std::vector<std::uint64_t> over;
        for (const auto& [sequence, flow] : flows_) {
            if (flow.moving && flow.bytes_left < kNoBytes) {
                over.push_back(sequence);
            }
        }
        moving_ -= static_cast<int>(over.size());
        std::ranges::for_each(over, [this](std::uint64_t sequence) { finish(sequence); });
        plan();
    });
}

void Network::finish(std::uint64_t sequence) {
    const Flow flow = std::move(flows_.at(sequence));
    flows_.erase(sequence);
    for (std::size_t rank = 0; rank < flow.ended.size(); ++rank) {
        queue_.after(draw(sequence, 16 + rank, 500, spec_.tail_ns), flow.ended[rank]);
    }
}

}  // namespace rankscope::tracegen::machine
