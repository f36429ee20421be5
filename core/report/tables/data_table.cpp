// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/data_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "core/base/format.h"

namespace rankscope::report {
namespace {

constexpr const char* kNone = "–";

/// The shortest decimal that reads back as the same number, in any locale.
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

/// "38.7 GFLOP": three digits, in a suitable unit.
std::string flopsText(double value) {
    static constexpr std::array<const char*, 7> kUnits = {"FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP", "PFLOP", "EFLOP"};
    static constexpr double kStep = 1000;
    static constexpr double kRoundsUp = 999.5;  // above this, three digits would round up to the next unit
    std::size_t unit = 0;
    while (std::abs(value) >= kRoundsUp && unit + 1 < kUnits.size()) {
        value /= kStep;
        ++unit;
    }
    const int decimals = unit == 0 ? 0 : std::abs(value) < 9.995 ? 2 : std::abs(value) < 99.95 ? 1 : 0;
    return fmt::format("{:.{}f} {}", value, decimals, kUnits[unit]);
}

std::string realText(double value, Unit unit) {
    static constexpr double kGiga = 1e9;
    static constexpr int kDecimals = 3;
    static constexpr double kMostWhole = 9e18;
    switch (unit) {
        case Unit::Share: return precisePercent(value);
        case Unit::GbPerSecond: return formatBandwidth(value * kGiga);
        case Unit::Flops: return flopsText(value);
        case Unit::Duration:
        case Unit::SignedDuration:
        case Unit::Bytes:
        case Unit::Count:
            return std::abs(value) < kMostWhole ? wholeText(std::llround(value), unit) : formatDecimal(value, 0);
        case Unit::Decimal: return formatDecimal(value, value == std::round(value) ? 0 : kDecimals);
        default: return formatDecimal(value, kDecimals);
    }
}

/// Whether a cell has information: an empty cell has none, and neither has zero; but 0 as the number of a step or a
/// rank has.
bool saysSomething(const Cell& cell, Unit unit) {
    const auto* whole = std::get_if<std::int64_t>(&cell);
    return !std::holds_alternative<std::monostate>(cell) && (whole == nullptr || *whole != 0 || unit == Unit::Number);
}

DataTable picked(const DataTable& table, const std::vector<std::size_t>& columns) {
    DataTable out;
    out.name = table.name;
    out.row_units = table.row_units;
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
        const Unit unit = columns[column].unit;
        const bool says =
            std::ranges::any_of(rows, [column, unit](const auto& row) { return saysSomething(row[column], unit); });
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
    row_units.insert(row_units.end(), other.row_units.begin(), other.row_units.end());
}

Unit DataTable::unitOf(std::size_t row, std::size_t column) const {
    const Unit unit = columns[column].unit;
    return unit == Unit::OfRow && row < row_units.size() ? row_units[row] : unit;
}

Cell textCell(std::string_view text) {
    return text.empty() ? Cell() : Cell(std::string(text));
}

std::string precisePercent(double share) {
    constexpr double kTold = 0.001;     // from here on one decimal is enough
    constexpr double kLeast = 0.00001;  // below this only zeros would be shown
    constexpr double kPercent = 100;
    const double size = std::abs(share);
    if (!std::isfinite(share) || size >= kTold || size == 0) {
        return formatPercent(share);
    }
    return size < kLeast ? "< 0.001 %" : fmt::format("{:.2g} %", share * kPercent);
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
            const std::string text = cellText(table.rows[i][column], table.unitOf(i, column));
            cells.push_back(table.columns[column].unit == Unit::Name ? shortName(text) : text);
        }
    }
    return out;
}

bool isNumeric(Unit unit) {
    return unit != Unit::Text && unit != Unit::Name && unit != Unit::Word && unit != Unit::Flag;
}

}  // namespace rankscope::report
