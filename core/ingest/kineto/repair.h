// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rankscope {

/// Makes valid JSON of one broken event, if its meaning is clear: control characters are escaped, invalid UTF-8 becomes
/// U+FFFD, backslashes that escape nothing and quotes inside a text are escaped, the bare words N/A, inf and nan become
/// null, a missing comma or a key's missing opening quote is inserted. Reported by pytorch/kineto #105, #128, #1459,
/// pytorch #98432, #113001, #130622. The result may still be invalid: the caller has to parse it.
[[nodiscard]] std::string repairEvent(std::string_view event);

/// Valid UTF-8: invalid bytes become U+FFFD.
[[nodiscard]] std::string mendUtf8(std::string_view text);

/// The meaning of a JSON string, given without its quotes. Nothing if one of its escapes is not valid JSON: then the
/// writer escaped nothing (a Windows path), and the text is used as written.
[[nodiscard]] std::optional<std::string> unescape(std::string_view raw);

}  // namespace rankscope
