// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rankscope {

/// Makes valid JSON of one broken event, as far as what it meant can be told: control characters are escaped, invalid
/// UTF-8 becomes U+FFFD, backslashes that escape nothing and quotes inside a text are escaped, the bare words N/A, inf
/// and nan become null, a missing comma, or the missing opening quote of a key, is put in. Reported by pytorch/kineto
/// #105, #128, #1459, pytorch #98432, #113001, #130622. The result need not parse: whoever asks tries.
[[nodiscard]] std::string repairEvent(std::string_view event);

/// Valid UTF-8: bytes that are none become U+FFFD.
[[nodiscard]] std::string mendUtf8(std::string_view text);

/// The text that a JSON string between its quotes stands for. Nothing where one of its escapes is none of JSON's: then
/// the writer escaped nothing (a Windows path), and the text as written is what it meant.
[[nodiscard]] std::optional<std::string> unescape(std::string_view raw);

}  // namespace rankscope
