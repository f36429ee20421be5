// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/collectives/collectives.h"
#include "core/trace/flight_dump.h"
#include "core/trace/rank_trace.h"

// Whether a call of a dump can be a collective of a trace. What one side does not record is no contradiction. Private
// to core/hang.
namespace rankscope::hang {

/// Elements of all tensors with these sizes; at most 2^62. A size below 0 counts as 0, and a tensor without dimensions
/// has one element.
[[nodiscard]] std::int64_t elementsOf(const std::vector<std::vector<std::int64_t>>& tensors);
/// Whether kind, bytes and type agree, as far as both sides have them. A barrier is an all-reduce. Bytes count for
/// kinds that have the same on all ranks.
[[nodiscard]] bool maySameCall(const FlightCall& call, const Collective& collective);
/// Whether both times count from 1970, and are too far apart for one call: PyTorch records a call while its operator
/// runs.
[[nodiscard]] bool isAtOtherTime(const FlightCall& call, const CollectiveMember& member, const RankTrace& trace);

}  // namespace rankscope::hang
