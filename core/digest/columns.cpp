// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/digest/columns.h"

#include <utility>

namespace rankscope {

void ColumnsIn::add(std::string name, std::string bytes) {
    const auto [at, is_new] = columns_.try_emplace(std::move(name), Column{std::move(bytes), {{}, {}}, false});
    if (is_new) {
        at->second.reader = ColumnReader(at->first, at->second.bytes);  // views of data whose address does not change
    }
}

ColumnReader& ColumnsIn::operator[](std::string_view name) {
    const auto at = columns_.find(name);
    if (at == columns_.end()) {
        throw DigestFault("its column " + std::string(name) + " is missing");
    }
    at->second.asked = true;
    return at->second.reader;
}

void ColumnsIn::expectEnds() const {
    for (const auto& [name, column] : columns_) {
        if (column.asked) {
            column.reader.expectEnd();
        }
    }
}

}  // namespace rankscope
