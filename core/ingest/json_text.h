// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rankscope {

// Finding one's way in JSON text that may be cut, minified or invalid, without parsing it.

inline constexpr std::size_t kNowhere = std::string_view::npos;

/// The first place at or after `at` that is no white space.
[[nodiscard]] std::size_t skipSpace(std::string_view text, std::size_t at);

/// One past the end of the value that starts at `at` (an object, array, string or bare word), strictly by JSON's rules
/// for strings and brackets; kNowhere where the text ends before it.
[[nodiscard]] std::size_t endOfValue(std::string_view text, std::size_t at);

/// The last place where `text`, a piece of an event array, can be cut: the offset of a `{` that starts an event after a
/// comma. It is a guess by the look of the text; the parser proves it. kNowhere where there is none.
[[nodiscard]] std::size_t lastEventStart(std::string_view text);

/// The first `{` at or after `at` that looks like the start of an event, with its `"ph"` before its first `}`: where to
/// go on behind broken text. kNowhere where there is none.
[[nodiscard]] std::size_t nextEventStart(std::string_view text, std::size_t at);

/// The place behind `"traceEvents": [`, at or after `at`; kNowhere where there is none.
[[nodiscard]] std::size_t behindTraceEvents(std::string_view text, std::size_t at);

/// The keys of a piece of a JSON object with the text of their values; values that are broken or cut are left out.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> topLevelKeys(std::string_view text);

}  // namespace rankscope
