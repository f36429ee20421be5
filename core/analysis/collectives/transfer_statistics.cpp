// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collectives/transfer_statistics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "core/base/statistics.h"

namespace rankscope {
namespace {

/// The median transfer of the messages of one size.
struct MeasuredSize {
    double bytes = 0;
    double ns = 0;
};

/// ns = latency + ns_per_byte x bytes.
struct Line {
    double latency_ns = 0;
    double ns_per_byte = 0;

    [[nodiscard]] double at(double bytes) const { return latency_ns + ns_per_byte * bytes; }
};

/// The line with the least squares of relative errors; the latency is not below zero. Nothing where it does not rise.
std::optional<Line> fitLine(const std::vector<MeasuredSize>& sizes) {
    double w = 0;
    double x = 0;
    double y = 0;
    double xx = 0;
    double xy = 0;
    for (const MeasuredSize& size : sizes) {
        const double weight = 1 / (size.ns * size.ns);
        w += weight;
        x += weight * size.bytes;
        y += weight * size.ns;
        xx += weight * size.bytes * size.bytes;
        xy += weight * size.bytes * size.ns;
    }
    const double determinant = w * xx - x * x;
    if (determinant <= 0 || xx <= 0) {
        return std::nullopt;
    }
    Line line{(xx * y - x * xy) / determinant, (w * xy - x * y) / determinant};
    if (line.latency_ns < 0) {
        line = {0, xy / xx};
    }
    return line.ns_per_byte > 0 ? std::optional(line) : std::nullopt;
}

double residualOf(const Line& line, const std::vector<MeasuredSize>& sizes) {
    std::vector<double> errors;
    for (const MeasuredSize& size : sizes) {
        errors.push_back(std::abs(size.ns - line.at(size.bytes)) / size.ns);
    }
    return upperMedian(std::move(errors));
}

}  // namespace

std::vector<TransferFit> fitTransfers(const std::vector<Collective>& collectives) {
    constexpr double kLeastSpread = 2;
    std::map<std::pair<CollectiveKind, std::uint32_t>, std::map<std::int64_t, std::vector<DurationNs>>> transfers;
    for (const Collective& collective : collectives) {
        const bool usable = collective.bytes && *collective.bytes > 0 && collective.transfer_ns &&
                            *collective.transfer_ns > 0 && !collective.baseline_transfer_ns;
        if (usable) {
            transfers[{collective.kind, collective.group}][*collective.bytes].push_back(*collective.transfer_ns);
        }
    }
    std::vector<TransferFit> fits;
    for (auto& [key, by_size] : transfers) {
        TransferFit fit{.kind = key.first, .group = key.second};
        std::vector<MeasuredSize> sizes;
        for (auto& [bytes, times] : by_size) {
            fit.samples += times.size();
            sizes.push_back({static_cast<double>(bytes), static_cast<double>(lowerMedian(std::move(times)))});
        }
        const auto line = sizes.back().bytes >= kLeastSpread * sizes.front().bytes ? fitLine(sizes) : std::nullopt;
        if (line) {
            fit.sizes = sizes.size();
            fit.latency_ns = std::llround(line->latency_ns);
            fit.gb_per_s = 1 / line->ns_per_byte;  // bytes a nanosecond
            fit.residual = residualOf(*line, sizes);
            fits.push_back(fit);
        }
    }
    return fits;
}

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
