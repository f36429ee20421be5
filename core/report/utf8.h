// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace rankscope::report {

/// `text` with every byte that is no part of valid UTF-8 replaced by U+FFFD. Overlong forms, surrogates and what is
/// beyond U+10FFFF are not valid.
[[nodiscard]] std::string validUtf8(std::string_view text);

}  // namespace rankscope::report
