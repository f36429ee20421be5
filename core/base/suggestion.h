// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rankscope {

/// The one of `candidates` that a user most likely meant with `word`: at most two letters are wrong, missing, too many
/// or swapped, and no more than a third of the word. Empty where none is that near. O(letters of all candidates).
[[nodiscard]] std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

/// "; did you mean \"analyze\"?" for the nearest() one; empty where there is none.
[[nodiscard]] std::string suggestion(std::string_view word, const std::vector<std::string>& candidates);

/// The same for a path that is not there, among what is in its folder.
[[nodiscard]] std::string suggestionForPath(const std::string& path);

}  // namespace rankscope
