// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options/number_options.h"

#include <algorithm>
#include <charconv>

namespace rankscope::cli {
namespace {

constexpr std::size_t kLongestList = 1'000'000;

std::optional<std::int32_t> parseWhole(std::string_view text) {
    std::int32_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || stop != end || number < 0) {
        return std::nullopt;
    }
    return number;
}

}  // namespace

std::optional<std::vector<std::int32_t>> parseNumberList(std::string_view text) {
    std::vector<std::int32_t> numbers;
    for (bool more = true; more;) {
        const std::size_t comma = text.find(',');
        const std::string_view item = text.substr(0, comma);
        const std::size_t dash = item.find('-');
        const auto first = parseWhole(item.substr(0, dash));
        const auto last = dash == std::string_view::npos ? first : parseWhole(item.substr(dash + 1));
        if (!first || !last || *last < *first ||
            static_cast<std::size_t>(*last - *first) >= kLongestList - numbers.size()) {
            return std::nullopt;
        }
        for (std::int64_t number = *first; number <= *last; ++number) {
            numbers.push_back(static_cast<std::int32_t>(number));
        }
        more = comma != std::string_view::npos;
        text.remove_prefix(more ? comma + 1 : text.size());
    }
    std::ranges::sort(numbers);
    const auto repeated = std::ranges::unique(numbers);
    numbers.erase(repeated.begin(), repeated.end());
    return numbers;
}

}  // namespace rankscope::cli
