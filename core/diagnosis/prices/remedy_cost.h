// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/time.h"

namespace rankscope {

/// What is done about a problem, where doing it takes something itself.
enum class RemedyKind : std::uint8_t {
    FirstWorkers,    ///< a DataLoader in the training process gets worker processes
    MoreWorkers,     ///< a DataLoader that has workers gets more
    PinnedMemory,    ///< copies to the GPU come from pinned memory
    Overlap,         ///< transfers run at the same time as computation
    SmallerBuckets,  ///< DDP's buckets become smaller, and are sent during the backward
    LargerBuckets,   ///< DDP's buckets are merged
    Graphs,          ///< launches become a CUDA graph
};
[[nodiscard]] std::string_view remedyKindName(RemedyKind kind);  ///< as in the JSON: "first-workers"

/// One reason why a remedy costs something.
enum class CostTerm : std::uint8_t {
    BusyCores,      ///< CPU work of the training process takes longer while workers use cores, caches and memory
    BatchHandOver,  ///< taking a batch from a worker
    FreshPages,     ///< a worker's batch is in shared memory that the training process has not touched yet
    PinCopy,        ///< a batch is copied into pinned memory first
    SlowerCompute,  ///< kernels take longer while communication runs
    NothingToHide,  ///< the last transfer, and what is longer than the backward, has no computation to hide it
    SentLater,      ///< a larger bucket is complete later
    GraphPauses,    ///< the pause from one kernel of a graph to the next
    NotReached,     ///< launches that no graph can contain
};
[[nodiscard]] std::string_view costTermName(CostTerm term);  ///< as in the JSON: "busy-cores"

/// Where the size of a term is from.
enum class CostSource : std::uint8_t {
    Measured,  ///< from this run
    Assumed,   ///< from how machines work: docs/definitions/remedy-costs.md
};
[[nodiscard]] std::string_view costSourceName(CostSource source);  ///< as in the JSON: "assumed"

/// The size of a term in its unit: from what to what, and what is likely.
struct CostSize {
    double low = 0;
    double likely = 0;
    double high = 0;
};

/// A term with its size.
struct CostPart {
    enum class Unit : std::uint8_t { Times, NsPerStep };
    CostTerm term = CostTerm::BusyCores;
    CostSource source = CostSource::Assumed;
    Unit unit = Unit::Times;  ///< how many times as long, or time that a step of the rank takes more
    CostSize size;
};

/// What a remedy takes of a step that it shortens, for all of its terms together. What a replay hides of a term costs
/// nothing, so the terms need not add up.
struct RemedyCost {
    RemedyKind kind = RemedyKind::FirstWorkers;
    /// A step; below 0 where the remedy may save more than its problem is worth.
    DurationNs low_ns = 0;
    DurationNs likely_ns = 0;  ///< a step; what a saving has without
    DurationNs high_ns = 0;    ///< a step
    std::vector<CostPart> parts;
};

}  // namespace rankscope
