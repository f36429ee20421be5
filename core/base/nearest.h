// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rankscope {

/// The one of `candidates` that a user most likely meant with `word`: at most two letters are wrong, missing, too many
/// or swapped, and no more than a third of the word. Empty where none is that near. O(letters of all candidates).
[[nodiscard]] std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace rankscope
