// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collective_peers.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace rankscope {
namespace {

constexpr std::size_t kFewestPeers = 5;
constexpr double kSlowTimes = 2.0;
constexpr double kSlowSigmas = 3.0 * 1.4826;
/// Four bins for each doubling of the size: sizes in one are within a fifth of each other.
constexpr double kBinsPerDoubling = 4.0;

using PeerKey = std::tuple<CollectiveKind, std::uint32_t, std::string_view, int>;

PeerKey keyOf(const Collective& collective) {
    const double doublings = std::log2(static_cast<double>(*collective.bytes));
    return {collective.kind, collective.group, collective.dtype,
            static_cast<int>(std::floor(kBinsPerDoubling * doublings))};
}

double perByte(const Collective& collective) {
    return static_cast<double>(*collective.transfer_ns) / static_cast<double>(*collective.bytes);
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

void compare(const std::vector<Collective*>& peers) {
    std::vector<double> times;
    for (const Collective* collective : peers) {
        times.push_back(perByte(*collective));
    }
    const double usual = median(times);
    for (double& time : times) {
        time = std::abs(time - usual);
    }
    const double far = kSlowSigmas * median(std::move(times));
    for (Collective* collective : peers) {
        const double own = perByte(*collective);
        if (own > kSlowTimes * usual && own > usual + far) {
            collective->usual_transfer_ns =
                static_cast<DurationNs>(std::llround(usual * static_cast<double>(*collective->bytes)));
        }
    }
}

}  // namespace

void findSlowCollectives(CollectiveFacts& facts) {
    std::map<PeerKey, std::vector<Collective*>> classes;
    for (Collective& collective : facts.collectives) {
        if (collective.transfer_ns && collective.bytes && *collective.bytes > 0) {
            classes[keyOf(collective)].push_back(&collective);
        }
    }
    for (const auto& [key, peers] : classes) {
        if (peers.size() >= kFewestPeers) {
            compare(peers);
        }
    }
}

}  // namespace rankscope
