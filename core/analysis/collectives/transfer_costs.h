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
    Tree,    ///< up two trees and down again, of an all-reduce only
    Direct,  ///< each rank to each other, of an all-to-all
};
[[nodiscard]] std::string_view algorithmName(Algorithm algorithm);  ///< as in the JSON: "ring"

/// The algorithm that a kernel's name says (NCCL's `..._RING_LL`, `..._TREE_LL` until 2.19); nothing if it does not.
[[nodiscard]] std::optional<Algorithm> algorithmOfKernel(std::string_view kernel);
/// That of a collective whose kernel does not say it: a ring, of an all-to-all direct.
[[nodiscard]] Algorithm defaultAlgorithm(CollectiveKind kind);

/// The cost of a collective by its algorithm: a number of messages in sequence, and a multiple of the message's bytes
/// over the slowest link.
struct TransferCosts {
    double hops = 0;
    double traffic = 0;
};
/// Of a kind of collective among this many ranks, two or more; nothing of a kind that the algorithm is not for.
///
/// A ring of n: an all-reduce takes 2 (n-1) hops and moves 2 (n-1)/n of its bytes, all-gather and reduce-scatter half
/// of that; a double tree: 2 ceil(log2 n) hops, twice its bytes.
[[nodiscard]] std::optional<TransferCosts> costsOf(CollectiveKind kind, Algorithm algorithm, std::size_t ranks);

/// What joins the ranks of a group, read off a fit: what one hop takes, and what a link moves.
struct LinkModel {
    double hop_ns = 0;
    double gb_per_s = 0;  ///< GB = 1e9

    /// Of a fit among `ranks` whose collectives ran by `algorithm`; nothing if that is not one for them.
    [[nodiscard]] static std::optional<LinkModel> of(const TransferFit& fit, Algorithm algorithm, std::size_t ranks);
    /// How long a message of `bytes` should take among this many ranks; nothing where costsOf() says nothing.
    [[nodiscard]] std::optional<DurationNs> predict(CollectiveKind kind, Algorithm algorithm, std::size_t ranks,
                                                    std::int64_t bytes) const;
    /// The quicker of ring and tree; for others than all-reduces what defaultAlgorithm() says.
    [[nodiscard]] Algorithm better(CollectiveKind kind, std::size_t ranks, std::int64_t bytes) const;
    /// Up to how many bytes a tree is quicker than a ring; nothing if it never is.
    [[nodiscard]] std::optional<std::int64_t> treeUpTo(std::size_t ranks) const;
};

}  // namespace rankscope
