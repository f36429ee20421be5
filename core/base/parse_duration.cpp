// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/parse_quantity.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace rankscope {
namespace {

constexpr std::string_view kBlanks = " \t";
constexpr DurationNs kLongest = 3'155'760'000'000'000'000;  // 100 years

constexpr std::array<std::pair<std::string_view, int>, 6> kDigitsOfUnit = {
    {{"ns", 0}, {"us", 3}, {"\u00b5s", 3}, {"\u03bcs", 3}, {"ms", 6}, {"s", 9}}};

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kBlanks);
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

/// The number that `digits` spell; nothing from 100 years up.
std::optional<DurationNs> number(std::string_view digits) {
    DurationNs value = 0;
    for (const char digit : digits) {
        if (value > (kLongest - (digit - '0')) / 10) {
            return std::nullopt;
        }
        value = value * 10 + (digit - '0');
    }
    return value;
}

}  // namespace

std::optional<DurationNs> parseDuration(std::string_view text) {
    text = trimmed(text);
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) {
        text = trimmed(text.substr(1));
    }
    const auto end = std::ranges::find_if_not(text, [](char c) { return isDigit(c) || c == '.'; });
    const auto length = static_cast<std::size_t>(end - text.begin());
    const std::string_view value = text.substr(0, length);
    const std::string_view unit = trimmed(text.substr(length));
    const std::size_t point = value.find('.');
    std::string digits(value.substr(0, point));
    const std::string_view fraction = point == std::string_view::npos ? std::string_view() : value.substr(point + 1);
    if ((digits.empty() && fraction.empty()) || fraction.find('.') != std::string_view::npos) {
        return std::nullopt;
    }
    digits += fraction;
    if (unit.empty() && std::ranges::all_of(digits, [](char c) { return c == '0'; })) {
        return 0;
    }
    const auto of_unit = std::ranges::find(kDigitsOfUnit, unit, [](const auto& each) { return each.first; });
    if (of_unit == kDigitsOfUnit.end()) {
        return std::nullopt;
    }
    // Digits below a nanosecond must be zeros.
    const auto digits_of_unit = static_cast<std::size_t>(of_unit->second);
    const std::size_t whole = digits.size() - fraction.size() + digits_of_unit;
    digits.resize(std::max(digits.size(), whole), '0');
    if (std::ranges::any_of(digits.substr(whole), [](char c) { return c != '0'; })) {
        return std::nullopt;
    }
    const std::optional<DurationNs> parsed = number(std::string_view(digits).substr(0, whole));
    return parsed && negative ? std::optional(-*parsed) : parsed;
}

}  // namespace rankscope
