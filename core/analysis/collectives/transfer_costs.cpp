// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collectives/transfer_costs.h"

#include <bit>
#include <cmath>

#include "core/analysis/collectives/collective_names.h"

namespace rankscope {

std::string_view algorithmName(Algorithm algorithm) {
    switch (algorithm) {
        case Algorithm::Ring: return "ring";
        case Algorithm::Tree: return "tree";
        case Algorithm::Direct: return "direct";
    }
    return {};
}

std::optional<Algorithm> algorithmOfKernel(std::string_view kernel) {
    if (kernel.find("_RING_") != std::string_view::npos || kernel.find("Ring") != std::string_view::npos) {
        return Algorithm::Ring;
    }
    if (kernel.find("_TREE_") != std::string_view::npos || kernel.find("Tree") != std::string_view::npos) {
        return Algorithm::Tree;
    }
    return std::nullopt;
}

Algorithm defaultAlgorithm(CollectiveKind kind) {
    return kind == CollectiveKind::AllToAll ? Algorithm::Direct : Algorithm::Ring;
}

std::optional<TransferCosts> costsOf(CollectiveKind kind, Algorithm algorithm, std::size_t ranks) {
    if (ranks < 2) {
        return std::nullopt;
    }
    const auto others = static_cast<double>(ranks - 1);
    if (algorithm == Algorithm::Tree) {
        const auto levels = static_cast<double>(std::bit_width(ranks - 1));  // ceil(log2 n)
        return kind == CollectiveKind::AllReduce ? std::optional(TransferCosts{2 * levels, 2}) : std::nullopt;
    }
    if (algorithm != defaultAlgorithm(kind)) {
        return std::nullopt;
    }
    const double traffic = busFactor(kind, ranks);
    switch (kind) {
        case CollectiveKind::AllReduce: return TransferCosts{2 * others, traffic};
        case CollectiveKind::AllGather:
        case CollectiveKind::ReduceScatter:
        case CollectiveKind::AllToAll:
        case CollectiveKind::Broadcast:
        case CollectiveKind::Reduce: return TransferCosts{others, traffic};
        default: return std::nullopt;
    }
}

std::optional<LinkModel> LinkModel::of(const TransferFit& fit, Algorithm algorithm, std::size_t ranks) {
    const std::optional<TransferCosts> costs = costsOf(fit.kind, algorithm, ranks);
    if (!costs) {
        return std::nullopt;
    }
    return LinkModel{static_cast<double>(fit.latency_ns) / costs->hops, fit.gb_per_s * costs->traffic};
}

std::optional<DurationNs> LinkModel::predict(CollectiveKind kind, Algorithm algorithm, std::size_t ranks,
                                             std::int64_t bytes) const {
    const std::optional<TransferCosts> costs = costsOf(kind, algorithm, ranks);
    if (!costs) {
        return std::nullopt;
    }
    return std::llround(costs->hops * hop_ns + costs->traffic * static_cast<double>(bytes) / gb_per_s);
}

Algorithm LinkModel::better(CollectiveKind kind, std::size_t ranks, std::int64_t bytes) const {
    const std::optional<DurationNs> ring_ns = predict(kind, Algorithm::Ring, ranks, bytes);
    const std::optional<DurationNs> tree_ns = predict(kind, Algorithm::Tree, ranks, bytes);
    return ring_ns && tree_ns && *tree_ns < *ring_ns ? Algorithm::Tree : defaultAlgorithm(kind);
}

std::optional<std::int64_t> LinkModel::treeUpTo(std::size_t ranks) const {
    const auto ring = costsOf(CollectiveKind::AllReduce, Algorithm::Ring, ranks);
    const auto tree = costsOf(CollectiveKind::AllReduce, Algorithm::Tree, ranks);
    if (!ring || !tree || tree->hops >= ring->hops) {
        return std::nullopt;
    }
    // The time of the hops that a tree saves, against that of the extra bytes.
    return std::llround((ring->hops - tree->hops) * hop_ns * gb_per_s / (tree->traffic - ring->traffic));
}

}  // namespace rankscope
