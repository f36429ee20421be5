// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/row_source.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/trace/trace_format.h"

namespace rankscope {
namespace {

constexpr int kRowBits = 42;
constexpr std::uint64_t kRowMask = (std::uint64_t{1} << kRowBits) - 1;

}  // namespace

EventSource sourceOf(const RowPlace& place) {
    return {0,
            (static_cast<std::uint64_t>(place.table) << kRowBits) | (static_cast<std::uint64_t>(place.row) & kRowMask)};
}

RowPlace rowPlaceOf(EventSource source) {
    const std::uint64_t table = std::min<std::uint64_t>(source.offset() >> kRowBits, kRowTables.size() - 1);
    return {static_cast<RowTable>(table), static_cast<std::int64_t>(source.offset() & kRowMask)};
}

bool isFromRows(const RankTrace& rank) {
    return formatOf(rank) == TraceFormat::Nsight;
}

std::string sourceText(const RankTrace& rank, EventSource source) {
    if (!isFromRows(rank)) {
        return fmt::format("byte {}", source.offset());
    }
    const RowPlace place = rowPlaceOf(source);
    return fmt::format("row {} of {}", place.row, tableName(place.table));
}

}  // namespace rankscope
