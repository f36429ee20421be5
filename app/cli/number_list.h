// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace rankscope::cli {

/// Reads "0,2-5" as 0, 2, 3, 4, 5: numbers and ranges from 0 to 2^31 - 1, sorted, each once. Nothing where the text is
/// anything else, a range runs backwards, or the list would be longer than a million.
[[nodiscard]] std::optional<std::vector<std::int32_t>> parseNumberList(std::string_view text);

}  // namespace rankscope::cli
