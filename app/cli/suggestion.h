// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rankscope::cli {

/// "; did you mean \"analyze\"?" for the nearest() one; empty where there is none.
[[nodiscard]] std::string suggestion(std::string_view word, const std::vector<std::string>& candidates);

/// The same for a path that is not there, among what is in its folder.
[[nodiscard]] std::string suggestionForPath(const std::string& path);

}  // namespace rankscope::cli
