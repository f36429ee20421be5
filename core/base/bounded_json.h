// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/base/result.h"

namespace rankscope {

/// How deep the JSON values that we parse into a tree may be nested. What PyTorch and we ourselves write is nested less
/// than ten levels deep.
inline constexpr std::size_t kJsonDepth = 64;

/// Whether the arrays and objects of a JSON text are nested deeper than `max_depth` levels. Looks at brackets outside
/// of strings only, so that it says the same of text that is no valid JSON. One pass over the text, no recursion.
[[nodiscard]] bool nestedDeeperThan(std::string_view text, std::size_t max_depth);

/// Parses a JSON text that comes from a file. Parsing, copying, printing and destroying a nlohmann::json recurse once a
/// level of nesting, so that a deep one overflows the stack: all JSON of files goes through here. Fails, without a path
/// and with the byte offset where that is known, where the text is nested deeper than `max_depth` or is no valid JSON.
[[nodiscard]] Result<nlohmann::json> parseBoundedJson(std::string_view text, std::size_t max_depth = kJsonDepth);

}  // namespace rankscope
