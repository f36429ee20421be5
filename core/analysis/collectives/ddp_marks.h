// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/time.h"

namespace rankscope {

struct RankContext;

/// What one part of DDP did in one step of one rank, by the ranges that PyTorch records around it.
struct DdpPart {
    std::size_t calls = 0;
    DurationNs host_ns = 0;    ///< in its ranges on the host
    DurationNs device_ns = 0;  ///< union of the device work that it launched
    std::int64_t bytes = 0;    ///< of its copies; 0 if sizes were not recorded
};

/// DDP's own marks in one step of one rank (features of torch/csrc/distributed/c10d/reducer.cpp).
struct DdpStep {
    DdpPart search_unused;     ///< `search_unused_parameters`: find_unused_parameters=True
    DdpPart copy_to_bucket;    ///< `mul_out`: scales gradients while it copies them into buckets
    DdpPart copy_to_gradient;  ///< `copy_bucket_to_grad`: gradient_as_bucket_view=False
};

/// What the trace of a rank says of DDP.
struct DdpMarks {
    bool in_use = false;         ///< `DistributedDataParallel.forward`, or a range of the reducer, was recorded
    std::vector<DdpStep> steps;  ///< as RankFacts::steps
};

/// Adds up, for each step of one rank, what the ranges of DDP's reducer took on the host, and the device work that was
/// launched inside them. A range counts in the step in which it begins on the host, device work in the step of its
/// launch call; what is between the step marks counts in none. Linear in the names, the reducer's ranges and the
/// device work, but for a search in each of them and for sorting.
[[nodiscard]] DdpMarks collectDdpMarks(const RankContext& work);

}  // namespace rankscope
