// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/query/cells.h"

#include <fmt/format.h>

#include <string_view>

#include "core/report/csv/csv_text.h"

namespace rankscope::query {

tables::Type typeOf(report::Unit unit) {
    using report::Unit;
    switch (unit) {
        case Unit::Text:
        case Unit::Name:
        case Unit::Word: return tables::Type::Text;
        case Unit::Decimal:
        case Unit::Share:
        case Unit::Ppm:
        case Unit::GbPerSecond:
        case Unit::Flops: return tables::Type::Real;
        default: return tables::Type::Integer;
    }
}

tables::Value valueOf(const report::Cell& cell) {
    if (const auto* flag = std::get_if<bool>(&cell)) {
        return std::int64_t{*flag ? 1 : 0};
    }
    if (const auto* whole = std::get_if<std::int64_t>(&cell)) {
        return *whole;
    }
    if (const auto* real = std::get_if<double>(&cell)) {
        return *real;
    }
    const auto* text = std::get_if<std::string>(&cell);
    return text == nullptr ? tables::Value() : tables::Value(std::string_view(*text));
}

std::string plainText(const tables::Value& value) {
    switch (value.kind) {
        case tables::Value::Kind::Null: return {};
        case tables::Value::Kind::Integer: return std::to_string(value.integer);
        case tables::Value::Kind::Real: return fmt::format("{}", value.real);
        case tables::Value::Kind::Text: return std::string(value.text);
    }
    return {};
}

std::string csvField(const tables::Value& value) {
    return value.kind == tables::Value::Kind::Text ? report::csvField(value.text) : plainText(value);
}

}  // namespace rankscope::query
