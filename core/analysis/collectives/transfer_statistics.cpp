// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collectives/transfer_statistics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/base/statistics.h"

namespace rankscope {
namespace {

/// ns = latency + ns_per_byte x bytes.
struct Line {
    double latency_ns = 0;
    double ns_per_byte = 0;

    [[nodiscard]] double at(double bytes) const { return latency_ns + ns_per_byte * bytes; }
};

/// The line with the least squares of relative errors, and a latency of at least zero. Nothing if it does not rise.
std::optional<Line> fitLine(const std::vector<TransferSize>& sizes) {
    double w = 0;
    double x = 0;
    double y = 0;
    double xx = 0;
    double xy = 0;
    for (const TransferSize& size : sizes) {
        const auto bytes = static_cast<double>(size.bytes);
        const auto ns = static_cast<double>(size.transfer_ns);
        const double weight = 1 / (ns * ns);
        w += weight;
        x += weight * bytes;
        y += weight * ns;
        xx += weight * bytes * bytes;
        xy += weight * bytes * ns;
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

/// The share of the variance between sizes that the line explains; below zero if their mean explains more.
std::optional<double> explainedShare(const Line& line, const std::vector<TransferSize>& sizes) {
    constexpr std::size_t kFewestSizes = 3;
    double mean_ns = 0;
    for (const TransferSize& size : sizes) {
        mean_ns += static_cast<double>(size.transfer_ns) / static_cast<double>(sizes.size());
    }
    double all = 0;
    double left = 0;
    for (const TransferSize& size : sizes) {
        const auto ns = static_cast<double>(size.transfer_ns);
        const double off_ns = ns - line.at(static_cast<double>(size.bytes));
        all += (ns - mean_ns) * (ns - mean_ns);
        left += off_ns * off_ns;
    }
    return sizes.size() < kFewestSizes || all <= 0 ? std::nullopt : std::optional(1 - left / all);
}

SizeMark sizeMarkOf(const TransferFit& fit, const TransferSize& size) {
    constexpr double kFar = 0.2;
    const auto ns = static_cast<double>(size.transfer_ns);
    const double error = (ns - static_cast<double>(size.fitted_ns)) / ns;
    if (std::abs(error) > kFar) {
        return error > 0 ? SizeMark::Slower : SizeMark::Faster;
    }
    return fit.isLatencyBound(size.bytes) ? SizeMark::LatencyBound : SizeMark::OnLine;
}

/// The sizes of each kind of collective in each group, with their median transfers; without lines.
std::vector<TransferFit> measureSizes(const std::vector<Collective>& collectives) {
    std::map<std::pair<CollectiveKind, std::uint32_t>, std::map<std::int64_t, std::vector<DurationNs>>> transfers;
    for (const Collective& collective : collectives) {
        if (isFitted(collective)) {
            transfers[{collective.kind, collective.group}][*collective.bytes].push_back(*collective.transfer_ns);
        }
    }
    std::vector<TransferFit> out;
    for (auto& [key, by_size] : transfers) {
        TransferFit fit{.kind = key.first, .group = key.second};
        for (auto& [bytes, times] : by_size) {
            fit.samples += times.size();
            fit.measured.push_back({.bytes = bytes, .samples = times.size()});
            fit.measured.back().transfer_ns = lowerMedian(std::move(times));
        }
        out.push_back(std::move(fit));
    }
    return out;
}

/// Whether the sizes differ enough for a line.
bool isSpread(const std::vector<TransferSize>& sizes) {
    constexpr double kLeastSpread = 2;
    return static_cast<double>(sizes.back().bytes) >= kLeastSpread * static_cast<double>(sizes.front().bytes);
}

/// Sets the line of the fit, and the distance of each size from it.
void describeLine(const Line& line, TransferFit& fit) {
    fit.sizes = fit.measured.size();
    fit.latency_ns = std::llround(line.latency_ns);
    fit.gb_per_s = 1 / line.ns_per_byte;  // bytes per nanosecond
    fit.r2 = explainedShare(line, fit.measured);
    std::vector<double> errors;
    for (TransferSize& size : fit.measured) {
        const double fitted_ns = line.at(static_cast<double>(size.bytes));
        const auto ns = static_cast<double>(size.transfer_ns);
        size.fitted_ns = std::llround(fitted_ns);
        size.mark = sizeMarkOf(fit, size);
        errors.push_back(std::abs(ns - fitted_ns) / ns);
        fit.mean_error += errors.back() / static_cast<double>(fit.sizes);
    }
    fit.largest_error = std::ranges::max(errors);
    fit.residual = upperMedian(std::move(errors));
}

}  // namespace

std::string_view sizeMarkName(SizeMark mark) {
    switch (mark) {
        case SizeMark::OnLine: return "on-line";
        case SizeMark::LatencyBound: return "latency-bound";
        case SizeMark::Slower: return "slower";
        case SizeMark::Faster: return "faster";
    }
    return {};
}

const TransferFit* CollectiveFacts::fitOf(const Collective& collective) const {
    const auto fit = std::ranges::find_if(fits, [&](const TransferFit& one) { return one.isOf(collective); });
    return fit == fits.end() ? nullptr : &*fit;
}

bool isFitted(const Collective& collective) {
    return collective.bytes && *collective.bytes > 0 && collective.transfer_ns && *collective.transfer_ns > 0 &&
           !collective.baseline_transfer_ns;
}

std::vector<TransferFit> fitTransfers(const std::vector<Collective>& collectives) {
    std::vector<TransferFit> fits;
    for (TransferFit& fit : measureSizes(collectives)) {
        if (const std::optional<Line> line = isSpread(fit.measured) ? fitLine(fit.measured) : std::nullopt) {
            describeLine(*line, fit);
            fits.push_back(std::move(fit));
        }
    }
    return fits;
}

NoFit whyNoFit(const std::vector<Collective>& collectives) {
    NoFit nearest = NoFit::NothingTold;
    for (const TransferFit& fit : measureSizes(collectives)) {
        const NoFit own = fit.measured.size() < 2   ? NoFit::OneSize
                          : !isSpread(fit.measured) ? NoFit::TooAlike
                                                    : NoFit::NoRise;
        nearest = std::max(nearest, own);
    }
    return nearest;
}

namespace {

constexpr std::size_t kFewestPeers = 5;
constexpr double kSlowTimes = 2.0;
constexpr double kSlowSigmas = 3.0 * kDeviationsPerMad;
/// Four bins per doubling of the size: sizes in one bin are within a fifth of each other.
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
