// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collectives/collective_peers.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "core/base/statistics.h"

namespace rankscope {
namespace {

constexpr std::size_t kFewestPeers = 5;
constexpr double kSlowTimes = 2.0;
constexpr double kSlowSigmas = 3.0 * kDeviationsPerMad;
/// Four bins for each doubling of the size: sizes in one are within a fifth of each other.
constexpr double kBinsPerDoubling = 4.0;

using PeerKey = std::tuple<CollectiveKind, std::uint32_t, std::string_view, int>;

struct Peer {
    Collective* collective;
    double bytes;  ///< above 0
    double transfer_ns;

    [[nodiscard]] double perByte() const { return transfer_ns / bytes; }
};

PeerKey keyOf(const Peer& peer) {
    const Collective& collective = *peer.collective;
    return {collective.kind, collective.group, collective.dtype,
            static_cast<int>(std::floor(kBinsPerDoubling * std::log2(peer.bytes)))};
}

void compare(const std::vector<Peer>& peers) {
    std::vector<double> times(peers.size());
    std::ranges::transform(peers, times.begin(), &Peer::perByte);
    const double baseline = lowerMedian(times);
    for (double& time : times) {
        time = std::abs(time - baseline);
    }
    const double far = kSlowSigmas * lowerMedian(std::move(times));
    for (const Peer& peer : peers) {
        if (peer.perByte() > kSlowTimes * baseline && peer.perByte() > baseline + far) {
            peer.collective->baseline_transfer_ns = static_cast<DurationNs>(std::llround(baseline * peer.bytes));
        }
    }
}

}  // namespace

void findSlowCollectives(CollectiveFacts& facts) {
    std::map<PeerKey, std::vector<Peer>> classes;
    for (Collective& collective : facts.collectives) {
        if (collective.transfer_ns && collective.bytes && *collective.bytes > 0) {
            const Peer peer{&collective, static_cast<double>(*collective.bytes),
                            static_cast<double>(*collective.transfer_ns)};
            classes[keyOf(peer)].push_back(peer);
        }
    }
    for (const auto& [key, peers] : classes) {
        if (peers.size() >= kFewestPeers) {
            compare(peers);
        }
    }
}

}  // namespace rankscope
