// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/time.h"

namespace rankscope {

struct RankContext;

/// What one part of DDP did in one step of one rank, by PyTorch's ranges around it.
struct DdpPart {
    std::size_t calls = 0;
    DurationNs host_ns = 0;    ///< the host time in its ranges
    DurationNs device_ns = 0;  ///< the union of the device work that it launched
    std::int64_t bytes = 0;    ///< in its copies; 0 if sizes were not recorded
};

/// DDP's own marks in one step of one rank (features of torch/csrc/distributed/c10d/reducer.cpp).
struct DdpStep {
    DdpPart search_unused;     ///< `search_unused_parameters`: find_unused_parameters=True
    DdpPart copy_to_bucket;    ///< `mul_out`: scales gradients while it copies them into buckets
    DdpPart copy_to_gradient;  ///< `copy_bucket_to_grad`: gradient_as_bucket_view=False
};

/// DDP's marks in the trace of a rank.
struct DdpMarks {
    bool in_use = false;         ///< `DistributedDataParallel.forward`, or a range of the reducer, was recorded
    std::vector<DdpStep> steps;  ///< parallel to RankFacts::steps
};

/// Adds up, for each step of one rank, the host time in the ranges of DDP's reducer and the device work that was
/// launched inside them. A range belongs to the step in which it begins on the host, device work to the step of its
/// launch call; anything between the step marks belongs to none. Linear in the names, the reducer's ranges and the
/// device work, plus a search for each of them and sorting.
[[nodiscard]] DdpMarks collectDdpMarks(const RankContext& work);

}  // namespace rankscope
