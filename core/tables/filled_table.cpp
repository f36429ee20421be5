// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tables/filled_table.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "core/base/utf8.h"

namespace rankscope::tables {
namespace {

constexpr std::uint64_t kRowsBetweenLooks = 1U << 14U;  // at the stop: under a millisecond

constexpr double kNoReal = std::numeric_limits<double>::quiet_NaN();

Type typeOf(Value::Kind kind) {
    return kind == Value::Kind::Real ? Type::Real : kind == Value::Kind::Text ? Type::Text : Type::Integer;
}

std::size_t bytesFor(std::uint64_t bits) {
    return (bits + 7) / 8;
}

}  // namespace

ColumnFiller::ColumnFiller(const std::string& name, std::optional<Type> type, std::string meaning) : type_(type) {
    column_.name = validUtf8(name);
    column_.meaning = std::move(meaning);
    column_.type = type.value_or(Type::Integer);
}

std::int32_t ColumnFiller::codeOf(std::string_view text) {
    const auto known = code_of_.find(text);
    if (known != code_of_.end()) {
        return known->second;
    }
    const auto code = static_cast<std::int32_t>(column_.texts.size());
    column_.texts.bytes += validUtf8(text);
    column_.texts.begin.push_back(static_cast<std::int64_t>(column_.texts.bytes.size()));
    code_of_.emplace(text, code);
    return code;
}

std::string ColumnFiller::textAt(std::uint64_t row) const {
    return column_.type == Type::Integer ? std::to_string(column_.integers[row])
                                         : fmt::format("{}", column_.reals[row]);
}

void ColumnFiller::widenTo(Type type) {
    if (type == Type::Real) {
        for (std::uint64_t row = 0; row < rows_; ++row) {
            column_.reals.push_back(column_.isNull(row) ? kNoReal : static_cast<double>(column_.integers[row]));
        }
    } else {
        for (std::uint64_t row = 0; row < rows_; ++row) {
            column_.codes.push_back(column_.isNull(row) ? 0 : codeOf(textAt(row)));
        }
        column_.reals = {};
    }
    column_.integers = {};
    column_.type = type;
}

void ColumnFiller::add(const Value& value) {
    const bool is_null = value.kind == Value::Kind::Null;
    const Type type = is_null ? column_.type : typeOf(value.kind);
    if (!type_ && !is_null) {
        type_ = type;
        if (type != column_.type) {
            widenTo(type);  // the rows until now are null
        }
    } else if (type > column_.type) {
        widenTo(type);
    }
    switch (column_.type) {
        case Type::Integer: column_.integers.push_back(value.integer); break;
        case Type::Real:
            column_.reals.push_back(is_null                              ? kNoReal
                                    : value.kind == Value::Kind::Integer ? static_cast<double>(value.integer)
                                                                         : value.real);
            break;
        case Type::Text:
            column_.codes.push_back(is_null                           ? 0
                                    : value.kind == Value::Kind::Text ? codeOf(value.text)
                                    : value.kind == Value::Kind::Real ? codeOf(fmt::format("{}", value.real))
                                                                      : codeOf(std::to_string(value.integer)));
            break;
    }
    ++rows_;
    if (is_null || column_.nulls > 0) {
        column_.validity.resize(bytesFor(rows_), 0xFFU);
    }
    if (is_null) {
        ++column_.nulls;
        column_.validity.back() &= static_cast<std::uint8_t>(~(1U << ((rows_ - 1) % 8)));
    }
}

FilledColumn ColumnFiller::finish() && {
    return std::move(column_);
}

Result<std::shared_ptr<const FilledTable>> fillTable(const Table& table, const Runs& runs,
                                                     const std::stop_token& stop) {
    const std::unique_ptr<Rows> rows = table.make(runs);
    const std::unique_ptr<RowReader> reader = rows->reader();
    FilledTable out;
    out.rows = rows->size();
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        const Column& declared = table.columns[column];
        ColumnFiller filler(declared.name, declared.type, declared.meaning);
        for (std::uint64_t row = 0; row < out.rows; ++row) {
            if (row % kRowsBetweenLooks == 0 && stop.stop_requested()) {
                return Cancelled();
            }
            filler.add(reader->at(row, column));
        }
        out.columns.push_back(std::move(filler).finish());
    }
    return std::make_shared<const FilledTable>(std::move(out));
}

}  // namespace rankscope::tables
