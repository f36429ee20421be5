// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/machine/network.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "tests/tracegen/dice.h"

namespace rankscope::tracegen::machine {
namespace {

// Below this nothing is left: bytes are counted in fractions.
constexpr double kNoBytes = 0.5;
// The speed is drawn once for so many collectives, and goes evenly from one draw to the next.
constexpr std::uint64_t kWanderLength = 24;
// No rank leaves a collective sooner than so long after its end.
constexpr DurationNs kLeastTailNs = 500;

std::vector<GroupLinks> oneGroup(const NetworkSpec& spec, int ranks) {
    GroupLinks all{std::vector<int>(static_cast<std::size_t>(ranks)), spec.bytes_per_ns, spec.latency_ns};
    std::iota(all.members.begin(), all.members.end(), 0);
    return {std::move(all)};
}

}  // namespace

Network::Network(EventQueue& queue, const NetworkSpec& spec, int ranks)
    : Network(queue, spec, ranks, oneGroup(spec, ranks)) {}

Network::Network(EventQueue& queue, const NetworkSpec& spec, int ranks, std::vector<GroupLinks> groups)
    : queue_(queue), spec_(spec), groups_(std::move(groups)), busy_(static_cast<std::size_t>(ranks)) {}

DurationNs Network::draw(std::uint64_t chance, std::uint64_t what, DurationNs low, DurationNs high) const {
    return Dice(spec_.seed, {0xae7, what, chance}).between(low, high);
}

Network::Key Network::keyOf(const CollectiveCall& call, int rank) {
    if (!call.isMessage()) {
        return {call.group, -1, -1, call.sequence};
    }
    const bool sends = call.kind == CollectiveKind::Send;
    return {call.group, sends ? rank : call.peer, sends ? call.peer : rank, call.message};
}

Network::Flow& Network::flowOf(const Key& key, const CollectiveCall& call) {
    const auto [at, is_new] = flows_.try_emplace(key);
    Flow& flow = at->second;
    if (is_new) {
        constexpr unsigned kGroupBits = 40;
        constexpr unsigned kRankBits = 20;
        flow.call = call;
        flow.ranks = call.isMessage() ? std::vector<int>{key.from, key.to} : groups_.at(key.group).members;
        flow.ended.resize(flow.ranks.size());
        flow.chance = key.number + (std::uint64_t{key.group} << kGroupBits) +
                      (call.isMessage() ? static_cast<std::uint64_t>(key.from + 1) << kRankBits : 0);
        flow.wander = wanderOf(flow.chance);
    }
    return flow;
}

void Network::join(const CollectiveCall& call, int rank, Action ended) {
    const Key key = keyOf(call, rank);
    Flow& flow = flowOf(key, call);
    const auto place = static_cast<std::size_t>(std::ranges::find(flow.ranks, rank) - flow.ranks.begin());
    flow.ended.at(place) = std::move(ended);
    flow.most_elements = std::max({flow.most_elements, call.elements, call.out()});
    if (++flow.arrived == flow.ranks.size()) {
        if (groups_.at(key.group).free) {
            leaveAtOnce(key);
            return;
        }
        const DurationNs usual = latencyOf(flow);
        const DurationNs latency = draw(flow.chance, 1, usual * 8 / 10, usual * 13 / 10);
        queue_.after(latency, [this, key] { begin(key); });
    }
}

void Network::changeReaders(int by) {
    count();
    readers_ += by;
    plan();
}

int& Network::movingOver(const Flow& flow, int rank) {
    return busy_[static_cast<std::size_t>(rank)].at(static_cast<std::size_t>(groups_[flow.call.group].plane));
}

void Network::begin(const Key& key) {
    count();
    Flow& flow = flows_.at(key);
    flow.bytes_left = bytesOf(flow);
    moving_[key] = &flow;
    for (const int rank : flow.ranks) {
        ++movingOver(flow, rank);
    }
    plan();
}

// What goes over the link of the rank that moves most. A ring carries each byte of an all-reduce twice, but for the own
// share, and a tree twice; of the others once.
double Network::bytesOf(const Flow& flow) const {
    const auto n = static_cast<double>(flow.ranks.size());
    const auto element = static_cast<double>(tracegen::bytesOf(flow.call.type));
    const double once = static_cast<double>(flow.call.elements) * element;
    const double most = static_cast<double>(flow.most_elements) * element;
    switch (flow.call.kind) {
        case CollectiveKind::AllReduce: return isTree(flow) ? once * 2 : once * 2 * (n - 1) / n;
        case CollectiveKind::AllGather:
        case CollectiveKind::ReduceScatter:
        case CollectiveKind::AllToAll: return most * (n - 1) / n;
        case CollectiveKind::Broadcast:
        case CollectiveKind::Send:
        case CollectiveKind::Receive: break;
    }
    return once;
}

bool Network::isTree(const Flow& flow) const {
    return spec_.trees && flow.call.kind == CollectiveKind::AllReduce;
}

// A ring passes each share on to every other rank twice, a tree goes from its leaves to its root and back.
DurationNs Network::latencyOf(const Flow& flow) const {
    const DurationNs usual = groups_.at(flow.call.group).latency_ns;
    const auto ranks = flow.ranks.size();
    if (!isTree(flow) || ranks < 2) {
        return usual;
    }
    const double levels = std::ceil(std::log2(static_cast<double>(ranks)));
    return std::llround(static_cast<double>(usual) * levels / static_cast<double>(ranks - 1));
}

double Network::wanderOf(std::uint64_t chance) const {
    const std::uint64_t from = chance / kWanderLength;
    constexpr DurationNs kMillion = 1'000'000;
    const auto at = [&](std::uint64_t index) { return static_cast<double>(draw(index, 2, -kMillion, kMillion)) / 1e6; };
    const double along = static_cast<double>(chance % kWanderLength) / static_cast<double>(kWanderLength);
    return 1 + spec_.wander * (at(from) * (1 - along) + at(from + 1) * along);
}

double Network::speedOf(const Flow& flow) const {
    const GroupLinks& links = groups_[flow.call.group];
    int most = 1;
    for (const int rank : flow.ranks) {
        most = std::max(most, busy_[static_cast<std::size_t>(rank)].at(static_cast<std::size_t>(links.plane)));
    }
    const double load = 1 + spec_.read_share * readers_;
    return links.bytes_per_ns * flow.wander / load / most;
}

void Network::count() {
    const auto passed = static_cast<double>(queue_.now() - counted_ns_);
    for (auto& [key, flow] : moving_) {
        flow->bytes_left -= passed * speedOf(*flow);
    }
    counted_ns_ = queue_.now();
}

void Network::plan() {
    const std::uint64_t generation = ++generation_;
    if (moving_.empty()) {
        return;
    }
    double soonest = std::numeric_limits<double>::max();
    for (const auto& [key, flow] : moving_) {
        soonest = std::min(soonest, std::max(0.0, flow->bytes_left) / speedOf(*flow));
    }
    queue_.after(std::llround(std::ceil(soonest)), [this, generation] {
        if (generation_ == generation) {
            endDue();
        }
    });
}

void Network::endDue() {
    count();
    std::vector<Key> over;
    for (const auto& [key, flow] : moving_) {
        if (flow->bytes_left < kNoBytes) {
            over.push_back(key);
        }
    }
    std::ranges::for_each(over, [this](const Key& key) { finish(key); });
    plan();
}

void Network::finish(const Key& key) {
    moving_.erase(key);
    const Flow& flow = flows_.at(key);
    for (const int rank : flow.ranks) {
        --movingOver(flow, rank);
    }
    leaveAtOnce(key);
}

void Network::leaveAtOnce(const Key& key) {
    const Flow flow = std::move(flows_.at(key));
    flows_.erase(key);
    for (std::size_t i = 0; i < flow.ranks.size(); ++i) {
        const DurationNs least = std::min(kLeastTailNs, spec_.tail_ns);
        queue_.after(draw(flow.chance, 16 + i, least, spec_.tail_ns), flow.ended[i]);
    }
}

}  // namespace rankscope::tracegen::machine
