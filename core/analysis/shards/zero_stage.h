// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/facts.h"
#include "core/analysis/shards/shards.h"

namespace rankscope {

/// The ZeRO stage of the shard groups of a run, from the phases of their gathers and scatters; with the bytes moved and
/// allocated by the rule of thumb, and as measured. See docs/definitions/shards.md.
[[nodiscard]] ZeroStage zeroStage(const RunFacts& facts, const ShardFacts& shards);

/// Bytes per parameter on one of `ranks` ranks, in mixed precision with Adam, by the rule of thumb: 16 without ZeRO
/// (stage 0), 4 + 12 / P at stage 1, 2 + 14 / P at stage 2, 16 / P at stage 3.
[[nodiscard]] double ruleBytesEach(int stage, std::int32_t ranks);

}  // namespace rankscope
