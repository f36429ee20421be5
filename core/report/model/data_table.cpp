// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/model/data_table.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/base/format.h"

namespace rankscope::report {
namespace {

constexpr const char* kNone = "–";

/// The shortest decimal that reads back as the same number, whatever the locale.
std::string exact(double value) {
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    return {text.data(), end};
}

std::string wholeText(std::int64_t value, Unit unit) {
    switch (unit) {
        case Unit::Duration: return formatDuration(value);
        case Unit::SignedDuration: return (value > 0 ? "+" : "") + formatDuration(value);
        case Unit::Bytes:
            return (value < 0 ? "-" : "") + formatBytes(static_cast<std::uint64_t>(value < 0 ? -value : value));
        case Unit::Count: return value < 0 ? std::to_string(value) : formatCount(static_cast<std::uint64_t>(value));
        default: return std::to_string(value);
    }
}

std::string realText(double value, Unit unit) {
    static constexpr double kGiga = 1e9;
    static constexpr int kDecimals = 3;
    switch (unit) {
        case Unit::Share: return formatPercent(value);
        case Unit::GbPerSecond: return formatBandwidth(value * kGiga);
        default: return formatDecimal(value, kDecimals);
    }
}

bool saysSomething(const Cell& cell) {
    const auto* whole = std::get_if<std::int64_t>(&cell);
    return !std::holds_alternative<std::monostate>(cell) && (whole == nullptr || *whole != 0);
}

DataTable picked(const DataTable& table, const std::vector<std::size_t>& columns) {
    DataTable out;
    out.name = table.name;
    for (const std::size_t column : columns) {
        out.columns.push_back(table.columns[column]);
    }
    for (const auto& row : table.rows) {
        auto& cells = out.rows.emplace_back();
        for (const std::size_t column : columns) {
            cells.push_back(row[column]);
        }
    }
    return out;
}

}  // namespace

DataTable DataTable::only(const std::vector<std::string_view>& keys) const {
    std::vector<std::size_t> chosen;
    for (const std::string_view key : keys) {
        const auto at = std::ranges::find(columns, key, &Column::key);
        if (at != columns.end()) {
            chosen.push_back(static_cast<std::size_t>(at - columns.begin()));
        }
    }
    return picked(*this, chosen);
}

DataTable DataTable::withoutEmpty(std::string_view prefix) const {
    std::vector<std::size_t> chosen;
    for (std::size_t column = 0; column < columns.size(); ++column) {
        const bool says = std::ranges::any_of(rows, [column](const auto& row) { return saysSomething(row[column]); });
        if (says || !columns[column].key.starts_with(prefix)) {
            chosen.push_back(column);
        }
    }
    return picked(*this, chosen);
}

DataTable DataTable::withoutRuns() const {
    std::vector<std::size_t> chosen;
    for (std::size_t column = 0; column < columns.size(); ++column) {
        if (columns[column].key != "a_run" && columns[column].key != "b_run") {
            chosen.push_back(column);
        }
    }
    return picked(*this, chosen);
}

void DataTable::append(const DataTable& other) {
    if (columns.empty()) {
        *this = other;
        return;
    }
    rows.insert(rows.end(), other.rows.begin(), other.rows.end());
}

Cell textCell(std::string_view text) {
    return text.empty() ? Cell() : Cell(std::string(text));
}

std::string cellText(const Cell& cell, Unit unit) {
    if (const auto* flag = std::get_if<bool>(&cell)) {
        return *flag ? "yes" : "no";
    }
    if (const auto* whole = std::get_if<std::int64_t>(&cell)) {
        return wholeText(*whole, unit);
    }
    if (const auto* real = std::get_if<double>(&cell)) {
        return realText(*real, unit);
    }
    const auto* text = std::get_if<std::string>(&cell);
    return text == nullptr ? kNone : *text;
}

std::string cellValue(const Cell& cell) {
    if (const auto* flag = std::get_if<bool>(&cell)) {
        return *flag ? "true" : "false";
    }
    if (const auto* whole = std::get_if<std::int64_t>(&cell)) {
        return std::to_string(*whole);
    }
    if (const auto* real = std::get_if<double>(&cell)) {
        return exact(*real);
    }
    const auto* text = std::get_if<std::string>(&cell);
    return text == nullptr ? std::string() : *text;
}

Table textsOf(const DataTable& table, std::size_t rows) {
    Table out{.header = {}, .rows = {}, .left_columns = 0};
    for (const Column& column : table.columns) {
        out.left_columns += out.left_columns == out.header.size() && !isNumeric(column.unit) ? 1U : 0U;
        out.header.push_back(column.title);
    }
    for (std::size_t i = 0; i < std::min(rows, table.rows.size()); ++i) {
        auto& cells = out.rows.emplace_back();
        for (std::size_t column = 0; column < table.columns.size(); ++column) {
            const std::string text = cellText(table.rows[i][column], table.columns[column].unit);
            cells.push_back(table.columns[column].unit == Unit::Name ? shortName(text) : text);
        }
    }
    return out;
}

bool isNumeric(Unit unit) {
    return unit != Unit::Text && unit != Unit::Name && unit != Unit::Word && unit != Unit::Flag;
}

}  // namespace rankscope::report
