// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "core/analysis/device/name_rules.h"

namespace rankscope {

// Next to NameRules::addToFile(): what else a window does with the user's own file of rules.

/// The rule of this pattern in the file at `path`; nothing if there is none, or no such file. Linear in the file.
[[nodiscard]] std::optional<NameRules::Rule> ruleInFile(const std::string& pattern, const std::string& path);
/// Removes all rules with this pattern from the file at `path`, which is replaced as a whole or not at all. Returns why
/// not, if it is not a file with name rules, or cannot be written.
[[nodiscard]] std::optional<Error> removeRuleFromFile(const std::string& pattern, const std::string& path);

}  // namespace rankscope
