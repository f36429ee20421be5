// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace rankscope {

/// The argument that a collective's operator or range sends: the first for `nccl:*`, `gloo:*` ranges and
/// `record_param_comms`; for c10d's operators the second if the first is the output (`c10d::_allgather_base_`).
[[nodiscard]] std::size_t sentArgument(std::string_view name);

/// The number of elements of argument `position` of an `Input Dims` as written: a tensor ("[[8, 1024], []]") or a list
/// of tensors ("[[[53120], [10]], []]"), in total. Nothing if its sizes were not recorded, or are invalid.
[[nodiscard]] std::optional<std::int64_t> elementsOf(std::string_view dims, std::size_t position);

/// The type of argument `position` of an `Input type` as written, in the spelling of `dtype`: "BFloat16" for
/// "c10::BFloat16". Empty if it is not a tensor's.
[[nodiscard]] std::string_view dtypeOf(std::string_view types, std::size_t position);

}  // namespace rankscope
