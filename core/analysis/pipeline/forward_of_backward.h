// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "core/trace/rank_trace.h"

namespace rankscope {

/// Which forward a piece of backward belongs to, by the flows that the profiler records from an operator of the forward
/// to the node of autograd that it caused. Only operators of one thread count: what is computed once more inside a
/// backward is of no other pass.
class ForwardOfBackward {
  public:
    /// `forward` is the thread that launches the forward; `rank` must outlive it. O(n log n) in flows.
    ForwardOfBackward(const RankTrace& rank, TrackId forward);

    /// When the operator ended that caused the node around `launch`, on the file's clock; nothing if no flow shows it.
    /// O(depth log flows).
    [[nodiscard]] std::optional<TimeNs> endOfCause(SliceRef launch) const;
    /// Whether an operator around `launch` caused a node. O(depth log flows).
    [[nodiscard]] bool causes(SliceRef launch) const;
    /// Whether any flow shows a cause.
    [[nodiscard]] bool tells() const { return !ends_.empty(); }

  private:
    const RankTrace* rank_;
    std::vector<std::pair<SliceRef, TimeNs>> ends_;  // by node: the end of the operator
    std::vector<SliceRef> operators_;                // those that caused a node, sorted
};

}  // namespace rankscope
