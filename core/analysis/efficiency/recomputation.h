// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/trace/product_operators.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// Recognises forward operators that run inside a backward: activation checkpointing repeats them.
class Recomputation {
  public:
    explicit Recomputation(const RankTrace& trace) : trace_(trace), kinds_(trace.strings.size(), Kind::Unread) {}

    /// Whether this call of an operator that multiplies is a recomputation: a forward that is in a checkpoint's
    /// autograd node, or below a checkpoint's Python frame in any node; or an operator inside one of PyTorch's own
    /// nodes that these never call, such as aten::linear and aten::conv2d. O(depth).
    [[nodiscard]] bool holds(SliceRef call, Product product);

  private:
    enum class Kind : std::uint8_t { Unread, Other, Node, OwnNode, CheckpointNode, Checkpoint };
    [[nodiscard]] Kind kindOf(StringId id);

    const RankTrace& trace_;
    std::vector<Kind> kinds_;  // by StringId
};

}  // namespace rankscope
