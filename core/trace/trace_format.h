// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

#include "core/trace/rank_trace.h"

namespace rankscope {

/// What a rank was recorded in, also if its digest was read.
enum class TraceFormat : std::uint8_t {
    Json,      ///< of PyTorch's profiler, also packed
    Perfetto,  ///< protobuf
    Nsight,    ///< SQLite export of Nsight Systems
};

/// The word of a format in tables and JSON: "json", "perfetto", "nsight".
[[nodiscard]] std::string_view formatWord(TraceFormat format);
/// Its name for people: "PyTorch JSON", "Perfetto", "Nsight Systems SQLite".
[[nodiscard]] std::string_view formatName(TraceFormat format);

/// Notes the format in the metadata of a trace; digests keep it.
void markFormat(RankTrace& trace, TraceFormat format);
[[nodiscard]] TraceFormat formatOf(const RankTrace& trace);

}  // namespace rankscope
