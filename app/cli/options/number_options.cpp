// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options/number_options.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <string_view>

#include "app/cli/complain.h"
#include "core/base/parse_quantity.h"

namespace rankscope::cli {
namespace {

[[noreturn]] void refuse(const char* option, const std::string& text, const std::string& why) {
    refuseOption(option, "\"" + text + "\" " + why);
}

/// Whether a text is a number that is too large to read.
bool isTooLarge(const std::string& text) {
    constexpr double kLarge = 1e18;
    double number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    const bool beyond = error == std::errc::result_out_of_range && text.find("e-") == std::string::npos;
    return stop == end && text.front() != '-' && (beyond || (error == std::errc() && number >= kLarge));
}

}  // namespace

std::optional<double> numberOf(const char* option, const std::string& text) {
    if (text.empty()) {
        return std::nullopt;
    }
    const std::optional<double> number = parseNumber(text);
    if (!number) {
        refuse(option, text, isTooLarge(text) ? "is too large" : "must be a number above 0, like 312, 4.5e9 or 7B");
    }
    return number;
}

std::optional<std::int64_t> countOf(const char* option, const std::string& text) {
    constexpr double kMost = 1e18;       // as parseCount()
    constexpr double kRounding = 1e-12;  // "2.3B" is whole, but its double may not be
    const std::optional<double> number = numberOf(option, text);
    if (!number) {
        return std::nullopt;
    }
    if (*number > kMost) {
        refuse(option, text, "is too large");
    }
    if (std::abs(*number - std::round(*number)) > kRounding * *number) {
        refuse(option, text, "must be a whole number");
    }
    return static_cast<std::int64_t>(std::round(*number));
}

CLI::Validator oneOrMore() {
    return {[](std::string& text) {
                std::uint64_t number = 0;
                const char* const end = text.data() + text.size();
                const auto [stop, error] = std::from_chars(text.data(), end, number);
                const bool counts = error == std::errc() && stop == end && number >= 1;
                return counts ? std::string() : "\"" + text + "\" must be a whole number, 1 or more";
            },
            "", "one or more"};
}

CLI::Validator zeroOrMore() {
    return {[](std::string& text) {
                double number = 0;
                const char* const end = text.data() + text.size();
                const auto [stop, error] = std::from_chars(text.data(), end, number);
                const bool counts = error == std::errc() && stop == end && number >= 0 && std::isfinite(number);
                return counts ? std::string() : "\"" + text + "\" must be a number, 0 or more";
            },
            "", "zero or more"};
}

}  // namespace rankscope::cli
