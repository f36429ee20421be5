// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/trace/rank_trace.h"

namespace rankscope {

/// The tables of an Nsight Systems export that slices come from. Digests store the values.
enum class RowTable : std::uint8_t { Kernel, Copy, Set, Graph, Call, Range, Wait, System, Overhead };
inline constexpr std::array<std::string_view, 9> kRowTables = {"CUPTI_ACTIVITY_KIND_KERNEL",
                                                               "CUPTI_ACTIVITY_KIND_MEMCPY",
                                                               "CUPTI_ACTIVITY_KIND_MEMSET",
                                                               "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
                                                               "CUPTI_ACTIVITY_KIND_RUNTIME",
                                                               "NVTX_EVENTS",
                                                               "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
                                                               "OSRT_API",
                                                               "PROFILER_OVERHEAD"};
/// The name of a table.
[[nodiscard]] constexpr std::string_view tableName(RowTable table) {
    return kRowTables[static_cast<std::size_t>(table)];
}

/// A row of a table. It is kept in an EventSource in place of a byte: the table in the upper 6 bits of the offset, the
/// rowid in the other 42.
struct RowPlace {
    RowTable table = RowTable::Kernel;
    std::int64_t row = 0;
};
[[nodiscard]] EventSource sourceOf(const RowPlace& place);
[[nodiscard]] RowPlace rowPlaceOf(EventSource source);

/// Whether the slices of a rank come from rows of a database, so that their sources are RowPlaces.
[[nodiscard]] bool isFromRows(const RankTrace& rank);
/// Where an event is in its file, for people: "byte 1234" or "row 17 of NVTX_EVENTS".
[[nodiscard]] std::string sourceText(const RankTrace& rank, EventSource source);

}  // namespace rankscope
