// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "core/diagnosis/frame/finding.h"
#include "core/diagnosis/frame/rule.h"
#include "core/diagnosis/prices/remedy_cost.h"

namespace rankscope {

// The costs of all remedies. The sizes that no run shows are in price_remedy.cpp, with their reasons in
// docs/definitions/remedy-costs.md.

/// Whether a DataLoader's iterator has worker processes, judged by the name of its range: PyTorch's
/// (_MultiProcessingDataLoaderIter) or torchdata's (_StatefulMultiProcessingDataLoaderIter).
[[nodiscard]] bool isOfWorkers(std::string_view loader);
/// Whether a DataLoader of the rank has worker processes. O(ranges of loaders).
[[nodiscard]] bool hasWorkers(const RankContext& work);

/// Host time in the DataLoader per priced step, on the critical rank.
[[nodiscard]] DurationNs hostTimeInLoaders(const RuleContext& context);

/// How many times as long kernels take during communication, and whether the run shows it.
struct BesideCommunication {
    CostSize times;
    CostSource source = CostSource::Assumed;
};
/// From kernels that ran with and without communication, else as assumed. O(device work).
[[nodiscard]] BesideCommunication besideCommunication(const RuleContext& context);

/// How a run loads its data today.
struct LoaderUse {
    bool has_workers = false;
    DurationNs host_ns = 0;  ///< of the training process in the loader, per step; without workers it makes the batch
};

/// Worker processes have batches ready: `ready` is the change that removes the waits. Two replays.
[[nodiscard]] RemedyCost costOfWorkers(const RuleContext& context, const Price& price, const RunChange& ready,
                                       const LoaderUse& loader);

/// Copies from pinned memory, which take `pageable_ns` per step today. If a separate thread pins batches, as with
/// workers, it costs the training nothing.
[[nodiscard]] RemedyCost costOfPinning(DurationNs pageable_ns, bool thread_of_its_own);

/// Transfers of `hidden_ns` per step overlap with compute; up to `exposed_ns` of them may stay exposed.
[[nodiscard]] RemedyCost costOfOverlap(const RuleContext& context, RemedyKind kind, DurationNs hidden_ns,
                                       DurationNs exposed_ns);

/// Merged buckets, the longest of which takes `transfer_ns`. There are `less_ns` less communication per step, which
/// slowed kernels down.
[[nodiscard]] RemedyCost costOfLargerBuckets(const RuleContext& context, DurationNs transfer_ns, DurationNs less_ns);

/// CUDA graphs with `kernels` kernels per step. It is unknown which launches a graph can contain: all of `saving_ns`
/// may remain.
[[nodiscard]] RemedyCost costOfGraphs(std::size_t kernels, DurationNs saving_ns);

/// Subtracts the cost from a finding's saving. Widens its range by the cost and by the precision of a replay
/// (Pricer::kPrecision). A forecast loses the likely cost, and so does its Overlap; an upper bound stays. `step_ns`:
/// length of the priced step.
void subtractCost(RemedyCost cost, DurationNs step_ns, Finding& finding);

/// The range of a finding's saving, its remedy's cost included. For an upper bound: from the saving minus the highest
/// cost to the saving, widened by the precision of a replay. Nothing if the finding has no range.
[[nodiscard]] std::optional<SavingRange> forecastOf(const Finding& finding, DurationNs step_ns);

}  // namespace rankscope
