// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/parse_quantity.h"

#include <charconv>
#include <cmath>

namespace rankscope {
namespace {

constexpr double kMostCounted = 1e18;  // more than any model has
constexpr double kMost = 1e30;

double unitOf(char letter) {
    switch (letter) {
        case 'k':
        case 'K': return 1e3;
        case 'm':
        case 'M': return 1e6;
        case 'b':
        case 'B':
        case 'g':
        case 'G': return 1e9;
        case 't':
        case 'T': return 1e12;
        default: return 1;
    }
}

}  // namespace

std::optional<double> parseNumber(std::string_view text) {
    const double unit = text.empty() ? 1 : unitOf(text.back());
    text.remove_suffix(unit > 1 ? 1 : 0);
    text.remove_suffix(unit > 1 && text.ends_with(' ') ? 1 : 0);
    double number = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    number *= unit;
    const bool whole_text = error == std::errc() && stop == text.data() + text.size();
    return whole_text && number > 0 && number <= kMost ? std::optional(number) : std::nullopt;  // no "nan"
}

std::optional<std::int64_t> parseCount(std::string_view text) {
    const std::optional<double> number = parseNumber(text);
    const double whole = std::round(number.value_or(0));
    return whole >= 1 && whole <= kMostCounted ? std::optional(static_cast<std::int64_t>(whole)) : std::nullopt;
}

}  // namespace rankscope
