// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "core/trace/rank_trace.h"

namespace rankscope {

/// The forward that a piece of backward belongs to, by the flows that the profiler records from an operator of the
/// forward to the autograd node that it created. Only operators of one thread count: what is recomputed inside a
/// backward belongs to no other pass.
class ForwardOfBackward {
  public:
    /// `forward` is the thread that launches the forward; `rank` must outlive it. O(n log n) in flows.
    ForwardOfBackward(const RankTrace& rank, TrackId forward);

    /// When the operator ended that created the node around `launch`, on the file's clock; nothing if no flow shows it.
    /// O(depth log flows).
    [[nodiscard]] std::optional<TimeNs> endOfCause(SliceRef launch) const;
    /// Whether an operator around `launch` created a node. O(depth log flows).
    [[nodiscard]] bool causes(SliceRef launch) const;
    /// Whether there is any such flow.
    [[nodiscard]] bool tells() const { return !ends_.empty(); }

  private:
    const RankTrace* rank_;
    std::vector<std::pair<SliceRef, TimeNs>> ends_;  // by node: the end of the operator
    std::vector<SliceRef> operators_;                // operators that created a node, sorted
};

}  // namespace rankscope
