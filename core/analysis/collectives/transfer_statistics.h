// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/collectives/collectives.h"

namespace rankscope {

/// Whether a fit includes a collective: its size and its transfer are known, and it is not slower than its peers.
[[nodiscard]] bool isFitted(const Collective& collective);

/// Fits latency and bandwidth to the transfer times of each kind of collective in each group (Hockney's model: time =
/// latency + bytes / bandwidth). Each size counts once, by the median of its transfers and by its relative error, so
/// that small messages, which show the latency, weigh as much as large ones. Slow collectives are left out. There is no
/// fit if the largest size is less than twice the smallest, or if larger messages do not take longer.
[[nodiscard]] std::vector<TransferFit> fitTransfers(const std::vector<Collective>& collectives);

/// Why nothing can be fitted to a run's collectives: the reason for the kind and group that is nearest to a fit.
enum class NoFit : std::uint8_t {
    NothingTold,  ///< no collective has both a size and a transfer
    OneSize,      ///< every kind in every group has only one size
    TooAlike,     ///< in none is the largest size at least twice the smallest
    NoRise,       ///< where it is, larger messages do not take longer
};
/// For collectives for which fitTransfers() returns nothing.
[[nodiscard]] NoFit whyNoFit(const std::vector<Collective>& collectives);

/// Finds collectives that are slower than their peers: collectives of the same kind, group, data type and nearly the
/// same size (bytes within a fifth), at least five of them. The baseline is the median of their times per byte. Slow
/// means more than twice the baseline, by more than three robust standard deviations (1.4826 x the median absolute
/// deviation). Fills Collective::baseline_transfer_ns of the slow ones; linear except for sorting.
void findSlowCollectives(CollectiveFacts& facts);

}  // namespace rankscope
