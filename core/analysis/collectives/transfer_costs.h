// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/analysis/collectives/collectives.h"

namespace rankscope {

/// How a library moves the bytes of a collective from rank to rank.
enum class Algorithm : std::uint8_t {
    Ring,    ///< each rank passes parts on to the next
    Tree,    ///< up two trees and down again; only for an all-reduce
    Direct,  ///< from each rank to each other; for an all-to-all
};
[[nodiscard]] std::string_view algorithmName(Algorithm algorithm);  ///< as in the JSON: "ring"

/// The algorithm in a kernel's name (NCCL's `..._RING_LL`, `..._TREE_LL` until 2.19); nothing if the name has none.
[[nodiscard]] std::optional<Algorithm> algorithmOfKernel(std::string_view kernel);
/// The algorithm of a collective whose kernel does not name it: direct for an all-to-all, else a ring.
[[nodiscard]] Algorithm defaultAlgorithm(CollectiveKind kind);

/// The cost of a collective by its algorithm: a number of messages in sequence, and a multiple of the message's bytes
/// over the slowest link.
struct TransferCosts {
    double hops = 0;
    double traffic = 0;
};
/// The costs of a kind of collective among this many ranks, two or more; nothing if the algorithm is not for that kind.
///
/// A ring of n ranks: an all-reduce takes 2 (n-1) hops and moves 2 (n-1)/n of its bytes, all-gather and reduce-scatter
/// half of that. A double tree: 2 ceil(log2 n) hops, twice its bytes.
[[nodiscard]] std::optional<TransferCosts> costsOf(CollectiveKind kind, Algorithm algorithm, std::size_t ranks);

/// The connection between the ranks of a group, derived from a fit: the time of one hop, and the bandwidth of a link.
struct LinkModel {
    double hop_ns = 0;
    double gb_per_s = 0;  ///< GB = 1e9

    /// From a fit among `ranks` whose collectives ran by `algorithm`; nothing if the algorithm is not for them.
    [[nodiscard]] static std::optional<LinkModel> of(const TransferFit& fit, Algorithm algorithm, std::size_t ranks);
    /// The predicted time of a message of `bytes` among this many ranks; nothing if costsOf() has nothing.
    [[nodiscard]] std::optional<DurationNs> predict(CollectiveKind kind, Algorithm algorithm, std::size_t ranks,
                                                    std::int64_t bytes) const;
    /// The faster of ring and tree; for kinds other than all-reduce, defaultAlgorithm().
    [[nodiscard]] Algorithm better(CollectiveKind kind, std::size_t ranks, std::int64_t bytes) const;
    /// Up to how many bytes a tree is faster than a ring; nothing if it never is.
    [[nodiscard]] std::optional<std::int64_t> treeUpTo(std::size_t ranks) const;
};

}  // namespace rankscope
