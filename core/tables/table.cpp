// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tables/table.h"

#include <algorithm>

namespace rankscope::tables {

std::optional<RowRanges> Rows::find(std::size_t /*column*/, const Value& /*value*/) const {
    return std::nullopt;
}

RowRanges Rows::sortedBy(std::size_t /*column*/, const Value& /*least*/, const Value& /*most*/) const {
    return {nullptr, {{0, size()}}};
}

Within Rows::sortedWithin(std::size_t /*column*/, std::size_t /*by*/) const {
    return Within::Unsorted;
}

void Rows::narrow(RowRanges& /*found*/, std::size_t /*by*/, const Value& /*least*/, const Value& /*most*/) const {}

std::uint64_t Rows::rowsOfValue(std::size_t /*column*/) const {
    return std::max<std::uint64_t>(1, size() / 10);
}

}  // namespace rankscope::tables
