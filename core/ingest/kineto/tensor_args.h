// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace rankscope {

/// Which of its arguments a collective's operator or range sends: the first of `nccl:*`, `gloo:*` ranges and of
/// `record_param_comms`; of c10d's operators the second where the first is what they fill (`c10d::_allgather_base_`).
[[nodiscard]] std::size_t sentArgument(std::string_view name);

/// The elements of argument `position` of an `Input Dims` as written, a tensor ("[[8, 1024], []]") or a list of them
/// ("[[[53120], [10]], []]"), all of them together. Nothing if its sizes were not recorded, or are no sizes.
[[nodiscard]] std::optional<std::int64_t> elementsOf(std::string_view dims, std::size_t position);

/// The type of argument `position` of an `Input type` as written, by the name that `dtype` has for it: "BFloat16" for
/// "c10::BFloat16". Empty if it is no tensor's.
[[nodiscard]] std::string_view dtypeOf(std::string_view types, std::size_t position);

}  // namespace rankscope
