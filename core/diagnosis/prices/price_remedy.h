// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "core/diagnosis/frame/finding.h"
#include "core/diagnosis/frame/rule.h"
#include "core/diagnosis/prices/remedy_cost.h"

namespace rankscope {

// What each remedy costs: the one place that says so. The sizes that a run cannot tell are in price_remedy.cpp, with
// their reasons in docs/definitions/remedy-costs.md.

/// Whether the iterator of a DataLoader has worker processes, by the name of its range: PyTorch's own
/// (_MultiProcessingDataLoaderIter) or torchdata's (_StatefulMultiProcessingDataLoaderIter).
[[nodiscard]] bool isOfWorkers(std::string_view loader);
/// Whether a DataLoader of the rank has worker processes. O(ranges of loaders).
[[nodiscard]] bool hasWorkers(const RankContext& work);

/// How a run loads today.
struct LoaderUse {
    bool has_workers = false;
    DurationNs host_ns = 0;  ///< of the training process in the loader, per step: without workers what a batch takes
};

/// Batches that are ready, made by worker processes: `ready` as a replay leaves the waits out. Two replays.
[[nodiscard]] RemedyCost costOfWorkers(const RuleContext& context, const Price& price, const RunChange& ready,
                                       const LoaderUse& loader);

/// Copies from pinned memory that take `pageable_ns` of a step today. Where a thread of its own pins batches, as with
/// workers, that costs the training nothing.
[[nodiscard]] RemedyCost costOfPinning(DurationNs pageable_ns, bool thread_of_its_own);

/// Transfers of `hidden_ns` of a step run at the same time as computation, of which `exposed_ns` may stay exposed.
[[nodiscard]] RemedyCost costOfOverlap(const RuleContext& context, RemedyKind kind, DurationNs hidden_ns,
                                       DurationNs exposed_ns);

/// Merged buckets, of which the longest takes `transfer_ns`, with `less_ns` of communication less a step: that slowed
/// kernels down.
[[nodiscard]] RemedyCost costOfLargerBuckets(const RuleContext& context, DurationNs transfer_ns, DurationNs less_ns);

/// CUDA graphs of that number of kernels a step. Which launches a graph can contain is not known: up to all of
/// `saving_ns` may stay.
[[nodiscard]] RemedyCost costOfGraphs(std::size_t kernels, DurationNs saving_ns);

/// Takes the cost off the saving of a finding, and widens its range by it and by how exact a replay is
/// (Pricer::kPrecision): a forecast loses what is likely, and an upper bound stays. What a saving is beside others
/// loses as much. `step_ns`: of the step that prices are of.
void subtractCost(RemedyCost cost, DurationNs step_ns, Finding& finding);

/// From where to where the saving of a finding is with its remedy's own cost: its range; of an upper bound from what is
/// left if the remedy costs most, with how exact a replay is. Nothing if how far it may be off is not known.
[[nodiscard]] std::optional<SavingRange> forecastOf(const Finding& finding, DurationNs step_ns);

}  // namespace rankscope
