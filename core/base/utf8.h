// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rankscope {

/// Length in bytes, 1 to 4, of the valid UTF-8 sequence (Unicode, table 3-7) that starts at byte `at` of `text`; 0 if
/// there is none, and at the end. Overlong forms, surrogates and anything above U+10FFFF are invalid.
[[nodiscard]] std::size_t utf8SequenceLength(std::string_view text, std::size_t at);

/// `text` with every byte that is not part of valid UTF-8 replaced by U+FFFD.
[[nodiscard]] std::string validUtf8(std::string_view text);

/// `text` made safe to print on a terminal, as names of files and from traces must be: valid UTF-8 on one line. Control
/// characters (C0 with ESC and newline, DEL, C1), line and paragraph separators, and characters that change the
/// direction of text (U+202A to U+202E, U+2066 to U+2069) become "?".
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace rankscope
