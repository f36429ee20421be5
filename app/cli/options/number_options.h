// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// NOLINTNEXTLINE(readability-identifier-naming): the library's own name
namespace CLI {
class Validator;
}  // namespace CLI

namespace rankscope::cli {

/// The value of an option: a number above 0, such as "312", "4.5e9" or "7B" (core/base/parse_quantity.h). Nothing if
/// the option was not given. Throws CLI::ValidationError of that option for other texts, with the cause.
[[nodiscard]] std::optional<double> numberOf(const char* option, const std::string& text);

/// The same for counts: also refuses fractions, and numbers above 1e18.
[[nodiscard]] std::optional<std::int64_t> countOf(const char* option, const std::string& text);

/// A check of an option: its value is a whole number of at least 1.
[[nodiscard]] CLI::Validator oneOrMore();
/// A check of an option: its value is not below 0.
[[nodiscard]] CLI::Validator zeroOrMore();

/// Reads "0,2-5" as 0, 2, 3, 4, 5: numbers and ranges from 0 to 2^31 - 1, sorted, without duplicates. Nothing for any
/// other text, a range that runs backwards, or a list of over a million.
[[nodiscard]] std::optional<std::vector<std::int32_t>> parseNumberList(std::string_view text);

}  // namespace rankscope::cli
