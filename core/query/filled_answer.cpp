// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/query/filled_answer.h"

#include <utility>

namespace rankscope::query {

void FilledAnswer::begin(const std::vector<std::string>& columns) {
    for (const std::string& column : columns) {
        fillers_.emplace_back(column);
    }
}

bool FilledAnswer::row(std::span<const tables::Value> cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
        fillers_[i].add(cells[i]);
    }
    ++rows_;
    return true;
}

std::shared_ptr<const tables::FilledTable> FilledAnswer::finish() && {
    tables::FilledTable out;
    out.rows = rows_;
    for (tables::ColumnFiller& filler : fillers_) {
        out.columns.push_back(std::move(filler).finish());
    }
    return std::make_shared<const tables::FilledTable>(std::move(out));
}

}  // namespace rankscope::query
