// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collectives/transfer_fit.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "core/base/statistics.h"

namespace rankscope {
namespace {

/// The median transfer of the messages of one size.
struct Size {
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
std::optional<Line> fitLine(const std::vector<Size>& sizes) {
    double w = 0;
    double x = 0;
    double y = 0;
    double xx = 0;
    double xy = 0;
    for (const Size& size : sizes) {
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

double residualOf(const Line& line, const std::vector<Size>& sizes) {
    std::vector<double> errors;
    for (const Size& size : sizes) {
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
        std::vector<Size> sizes;
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

}  // namespace rankscope
