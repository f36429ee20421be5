// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rankscope::nsight {

// Names as PyTorch's profiler writes them.

/// "Memcpy HtoD (Pageable -> Device)". The numbers are CUPTI's (CUpti_ActivityMemcpyKind, CUpti_ActivityMemoryKind), as
/// Nsight's ENUM tables list them; -1 unknown.
[[nodiscard]] std::string copyName(std::int64_t direction, std::int64_t from, std::int64_t to);
/// "Memset (Device)".
[[nodiscard]] std::string setName(std::int64_t memory);
/// "cudaLaunchKernel" of "cudaLaunchKernel_v7000".
[[nodiscard]] std::string_view callName(std::string_view name);
/// "Stream Wait Event": what a synchronisation of this type waits for (CUpti_ActivitySynchronizationType).
[[nodiscard]] std::string_view waitName(std::int64_t type);

/// What an NVTX range of `emit_nvtx` says: "aten::mm, seq = 5, op_id = 17, sizes = [[2, 3], [3, 4]]".
struct RangeName {
    std::string_view name;    ///< "aten::mm"; the whole text if it is not of `emit_nvtx`
    std::string_view shapes;  ///< "[[2, 3], [3, 4]]"; empty if there are none
    bool is_operator = false;
};
/// Parts of `text`, valid as long as it.
[[nodiscard]] RangeName rangeName(std::string_view text);

}  // namespace rankscope::nsight
