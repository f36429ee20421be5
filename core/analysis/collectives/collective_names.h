// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/analysis/collectives/collectives.h"

namespace rankscope {

/// What a collective does, by any of its names: the arg `Collective name` ("_allgather_base"), an operator or range
/// ("c10d::alltoall_base_", "nccl:all_reduce", "gloo:all_reduce") or a kernel
/// ("ncclDevKernel_AllReduce_Sum_f32_RING_LL"). Unknown where the name does not say, as RCCL's
/// "ncclDevKernel_Generic". A kernel's SendRecv may serve any of them: ask the operator first.
[[nodiscard]] CollectiveKind collectiveKindOf(std::string_view name);

/// Bytes of one element of a `dtype` as PyTorch spells it ("BFloat16", "Float8_e4m3fn"); nothing if unknown.
[[nodiscard]] std::optional<std::int64_t> elementBytes(std::string_view dtype);

/// The type that a kernel of a reduction works on, as PyTorch spells it, by its name
/// ("ncclDevKernel_AllReduce_Sum_f16_RING_LL", "ncclKernel_AllReduce_RING_LL_Sum_float"). Empty if the name does not
/// say, and of what only moves bytes: NCCL's kernels for that are of int8 whatever they move.
[[nodiscard]] std::string_view dtypeOfKernel(std::string_view name);

/// nccl-tests' factor from algorithm to bus bandwidth for `members` ranks: 2(n-1)/n for all-reduce, (n-1)/n for
/// all-gather, reduce-scatter and all-to-all, 1 for the rest.
[[nodiscard]] double busFactor(CollectiveKind kind, std::size_t members);

}  // namespace rankscope
