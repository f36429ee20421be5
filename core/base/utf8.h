// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rankscope {

/// Length in bytes, 1 to 4, of the valid UTF-8 sequence (Unicode, table 3-7) that starts at byte `at` of `text`; 0
/// where none does, and at the end. Overlong forms, surrogates and what is beyond U+10FFFF are not valid.
[[nodiscard]] std::size_t utf8SequenceLength(std::string_view text, std::size_t at);

/// `text` with every byte that is no part of valid UTF-8 replaced by U+FFFD.
[[nodiscard]] std::string validUtf8(std::string_view text);

/// `text` made safe to print on a terminal, as file names and names from traces must be: valid UTF-8 on one line. Each
/// control character (C0 with ESC and newline, DEL, C1), each separator of lines or paragraphs and each character that
/// turns the direction of what follows (U+202A to U+202E, U+2066 to U+2069) becomes a "?".
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace rankscope
