// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/query/table_function.h"
#include "core/tables/stored_rows.h"

namespace rankscope::query {
namespace {

using tables::Column;
using tables::RowReader;
using tables::Rows;
using tables::Type;
using tables::Value;

/// The declaration of the table `slice`.
const tables::Table& declaredSlices() {
    return *std::ranges::find(tables::modelTables(), "slice", &tables::Table::name);
}

std::size_t sliceColumn(std::string_view name) {
    const std::vector<Column>& columns = declaredSlices().columns;
    return static_cast<std::size_t>(std::ranges::find(columns, name, &Column::name) - columns.begin());
}

/// The rows of `slice` with a number in a column.
std::vector<std::uint64_t> rowsWith(const Rows& slices, std::size_t column, std::int64_t number) {
    std::vector<std::uint64_t> rows;
    const tables::RowRanges found = slices.find(column, number).value_or(tables::RowRanges());
    for (std::size_t i = 0; i < found.ranges.size(); ++i) {
        for (auto [row, last] = found.ranges[i]; row < last; ++row) {
            rows.push_back(found.order == nullptr ? row : (*found.order)[row]);
        }
    }
    return rows;
}

std::vector<std::uint64_t> rowsBelow(const Rows& slices, std::int64_t slice) {
    static const std::size_t parent = sliceColumn("parent");
    std::vector<std::uint64_t> all = rowsWith(slices, parent, slice);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::vector<std::uint64_t> more = rowsWith(slices, parent, static_cast<std::int64_t>(all[i]));
        all.insert(all.end(), more.begin(), more.end());
    }
    std::ranges::sort(all);
    return all;
}

std::vector<std::uint64_t> rowsAround(const Rows& slices, std::int64_t slice) {
    static const std::size_t parent = sliceColumn("parent");
    std::vector<std::uint64_t> all;
    const std::unique_ptr<RowReader> reader = slices.reader();
    for (Value at(slice); static_cast<std::uint64_t>(at.integer) < slices.size();) {
        at = reader->at(static_cast<std::uint64_t>(at.integer), parent);
        if (at.kind != Value::Kind::Integer) {
            break;
        }
        all.push_back(static_cast<std::uint64_t>(at.integer));
    }
    return all;
}

std::vector<std::uint64_t> rowsOfStep(const Rows& slices, std::int64_t step) {
    static const std::size_t column = sliceColumn("step");
    return rowsWith(slices, column, step);
}

TableFunction ofSlices(FunctionWords words, Column argument,
                       std::vector<std::uint64_t> (*choose)(const Rows& slices, std::int64_t number)) {
    return {
        std::move(words),
        {std::move(argument)},
        declaredSlices().columns,
        [choose](const FunctionContext& context, std::span<const Value> arguments) -> Result<std::unique_ptr<Rows>> {
            if (arguments[0].kind != Value::Kind::Integer) {
                return Error{{}, {}, "needs a whole number"};
            }
            const Rows& slices = context.slices();
            std::unique_ptr<Rows> rows =
                std::make_unique<tables::SomeRows>(std::shared_ptr<const Rows>(std::shared_ptr<const Rows>(), &slices),
                                                   choose(slices, arguments[0].integer));
            return rows;
        }};
}

}  // namespace

std::vector<TableFunction> sliceFunctions() {
    const Column slice{"of", Type::Integer, "slice.id", {}};
    return {ofSlices({"descendants(slice)", "the slices inside a slice on its track, at any depth, by start"}, slice,
                     rowsBelow),
            ofSlices({"ancestors(slice)", "the slices around a slice on its track, the innermost first"}, slice,
                     rowsAround),
            ofSlices({"in_step(n)", "the slices of step n on all ranks: GPU work belongs to the step that launched it"},
                     {"number", Type::Integer, "number of the step", {}}, rowsOfStep)};
}

}  // namespace rankscope::query
