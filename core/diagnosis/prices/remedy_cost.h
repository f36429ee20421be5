// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/time.h"

namespace rankscope {

/// Remedies that cost something themselves.
enum class RemedyKind : std::uint8_t {
    FirstWorkers,    ///< give worker processes to a DataLoader in the training process
    MoreWorkers,     ///< give more workers to a DataLoader that has some
    PinnedMemory,    ///< copy to the GPU from pinned memory
    Overlap,         ///< overlap transfers with compute
    SmallerBuckets,  ///< make DDP's buckets smaller, so that they are sent during the backward
    LargerBuckets,   ///< merge DDP's buckets
    Graphs,          ///< put launches into a CUDA graph
};
[[nodiscard]] std::string_view remedyKindName(RemedyKind kind);  ///< as in the JSON: "first-workers"

/// A reason why a remedy costs something.
enum class CostTerm : std::uint8_t {
    BusyCores,      ///< CPU work of the training process takes longer, because workers share cores, caches and memory
    BatchHandOver,  ///< receiving a batch from a worker
    FreshPages,     ///< a worker's batch is in shared memory that the training process maps on first read
    PinCopy,        ///< a batch is first copied into pinned memory
    SlowerCompute,  ///< kernels take longer during communication
    NothingToHide,  ///< the last transfer, and all beyond the length of the backward, has no compute to hide it
    SentLater,      ///< a larger bucket is complete later
    GraphPauses,    ///< the pause between two kernels of a graph
    NotReached,     ///< launches that no graph can contain
};
[[nodiscard]] std::string_view costTermName(CostTerm term);  ///< as in the JSON: "busy-cores"

/// Where the size of a term comes from.
enum class CostSource : std::uint8_t {
    Measured,  ///< from this run
    Assumed,   ///< from how machines work: docs/definitions/remedy-costs.md
};
[[nodiscard]] std::string_view costSourceName(CostSource source);  ///< as in the JSON: "assumed"

/// The range of a term in its unit, and its likely value.
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
    Unit unit = Unit::Times;  ///< a factor, or additional time per step of the rank
    CostSize size;
};

/// How much of its saving a remedy costs, for all terms together. A term may cost nothing because the replay hides it,
/// so terms need not add up.
struct RemedyCost {
    RemedyKind kind = RemedyKind::FirstWorkers;
    /// Per step; below 0 if the remedy may save more than its problem costs.
    DurationNs low_ns = 0;
    DurationNs likely_ns = 0;  ///< per step; subtracted from the saving
    DurationNs high_ns = 0;    ///< per step
    std::vector<CostPart> parts;
};

}  // namespace rankscope
