// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/collectives/collectives.h"

namespace rankscope {

/// Whether a fit includes a collective: its size and its transfer are known, and it is not slower than its peers.
[[nodiscard]] bool isFitted(const Collective& collective);

/// Fits latency and bandwidth to the transfer times of each kind of collective in each group (Hockney's model: time =
/// latency + bytes / bandwidth). Each size counts once, by the median of its transfers, and by the relative error, so
/// that small messages, which show the latency, weigh as much as large ones. Slow collectives are left out. Where the
/// largest size is not at least twice the smallest, or larger messages do not take longer, there is no fit.
[[nodiscard]] std::vector<TransferFit> fitTransfers(const std::vector<Collective>& collectives);

/// Why nothing can be fitted to a run's collectives: of all kinds and groups the one that is nearest to a fit.
enum class NoFit : std::uint8_t {
    NothingTold,  ///< no collective has both its size and its transfer
    OneSize,      ///< of each kind in each group there is one size
    TooAlike,     ///< the largest size of none is twice its smallest
    NoRise,       ///< where it is, larger messages take no longer
};
/// Of collectives of which fitTransfers() gives nothing.
[[nodiscard]] NoFit whyNoFit(const std::vector<Collective>& collectives);

/// Finds collectives that are slow beside their peers: collectives of the same kind, group, data type and nearly the
/// same size (of bytes within a fifth), at least five of them. What is usual is the median of their times for a byte.
/// Slow is more than twice that, by more than three robust standard deviations (1.4826 x the median absolute
/// deviation). Fills Collective::baseline_transfer_ns of the slow ones; linear but for sorting.
void findSlowCollectives(CollectiveFacts& facts);

}  // namespace rankscope
