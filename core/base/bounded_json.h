// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/base/result.h"

namespace rankscope {

/// The deepest nesting of JSON values that are parsed into a tree. PyTorch and this program write fewer than ten
/// levels.
inline constexpr std::size_t kJsonDepth = 64;

/// Whether the arrays and objects of a JSON text are nested deeper than `max_depth` levels. Only looks at brackets
/// outside of strings, so it also works for invalid JSON. One pass over the text, no recursion.
[[nodiscard]] bool nestedDeeperThan(std::string_view text, std::size_t max_depth);

/// Parses a JSON text from a file. Parsing, copying, printing and destroying a nlohmann::json recurse once per level,
/// so deep nesting overflows the stack: all JSON of files is parsed here. Fails, without a path and with the byte
/// offset if it is known, if the text is nested deeper than `max_depth` or is not valid JSON.
[[nodiscard]] Result<nlohmann::json> parseBoundedJson(std::string_view text, std::size_t max_depth = kJsonDepth);

}  // namespace rankscope
