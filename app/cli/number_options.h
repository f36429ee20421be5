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

/// The number above 0 that was typed for an option, as "312", "4.5e9" or "7B" (core/base/parse_quantity.h); nothing
/// where none was typed. Throws CLI::ValidationError of that option for other texts, with what is wrong.
[[nodiscard]] std::optional<double> numberOf(const char* option, const std::string& text);

/// The same of what is counted: a fraction is refused too, and a number above 1e18.
[[nodiscard]] std::optional<std::int64_t> countOf(const char* option, const std::string& text);

/// A check of an option that says so where the value is below 1, or no whole number.
[[nodiscard]] CLI::Validator oneOrMore();
/// A check of an option that says so where the value is below 0.
[[nodiscard]] CLI::Validator zeroOrMore();

/// Reads "0,2-5" as 0, 2, 3, 4, 5: numbers and ranges from 0 to 2^31 - 1, sorted, each once. Nothing where the text is
/// anything else, a range runs backwards, or the list would be longer than a million.
[[nodiscard]] std::optional<std::vector<std::int32_t>> parseNumberList(std::string_view text);

}  // namespace rankscope::cli
