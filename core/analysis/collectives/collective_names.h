// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/analysis/collectives/collectives.h"

namespace rankscope {

/// The kind of a collective, by any of its names: the arg `Collective name` ("_allgather_base"), an operator or range
/// ("c10d::alltoall_base_", "nccl:all_reduce", "gloo:all_reduce") or a kernel
/// ("ncclDevKernel_AllReduce_Sum_f32_RING_LL"). Unknown if the name does not show it, as RCCL's
/// "ncclDevKernel_Generic". A kernel named SendRecv may belong to any kind, so check the operator's name first.
[[nodiscard]] CollectiveKind collectiveKindOf(std::string_view name);

/// Bytes of one element of a `dtype` as PyTorch spells it ("BFloat16", "Float8_e4m3fn"); nothing if unknown.
[[nodiscard]] std::optional<std::int64_t> elementBytes(std::string_view dtype);

/// The number type of a reduction kernel, as PyTorch spells it, from its name
/// ("ncclDevKernel_AllReduce_Sum_f16_RING_LL", "ncclKernel_AllReduce_RING_LL_Sum_float"). Empty if the name does not
/// show it, and for kernels that only move bytes: NCCL names these int8 for any type.
[[nodiscard]] std::string_view dtypeOfKernel(std::string_view name);

/// nccl-tests' factor from algorithm to bus bandwidth for `members` ranks: 2(n-1)/n for all-reduce, (n-1)/n for
/// all-gather, reduce-scatter and all-to-all, 1 for all others.
[[nodiscard]] double busFactor(CollectiveKind kind, std::size_t members);

}  // namespace rankscope
