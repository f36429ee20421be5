// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace rankscope {

/// The table that tells communication kernels by their names where nothing better is recorded. It is data
/// (resources/name_rules.json), built into the program; the user's own table is put before it.
class NameRules {
  public:
    /// One rule: a kernel whose name matches `pattern` (ECMAScript regular expression, found anywhere) is, or is not,
    /// communication. The first rule that matches decides.
    struct Rule {
        std::string pattern;
        bool communication = true;
        std::string note;  ///< whose kernels these are
    };

    /// The rules that are built in.
    [[nodiscard]] static NameRules builtIn();
    /// Reads rules from JSON text: {"rules": [{"pattern", "communication", "note"}]}. `path` is for error texts only.
    [[nodiscard]] static Result<NameRules> fromJson(std::string_view json, const std::string& path);

    /// The user's own rules before the built-in ones: those in the file that $RANKSCOPE_NAME_RULES names, else in
    /// rankscope/name_rules.json under $XDG_CONFIG_HOME or ~/.config. The built-in ones alone where there is no such
    /// file; fails where the file is broken, or $RANKSCOPE_NAME_RULES names none.
    [[nodiscard]] static Result<NameRules> forUser();

    /// These rules first, then `fallback`'s.
    [[nodiscard]] NameRules before(const NameRules& fallback) const;
    /// Reads the first kNameRead characters of the name.
    [[nodiscard]] bool isCommunication(std::string_view kernel_name) const;
    [[nodiscard]] const std::vector<Rule>& rules() const { return rules_; }

    static constexpr std::size_t kNameRead = 512;

  private:
    std::vector<Rule> rules_;
    /// A rule made ready. std::regex is slow, so what needs none of it is told beforehand.
    struct Matcher {
        std::regex regex;
        bool plain = false;     // the pattern is a plain text
        bool anchored = false;  // the pattern holds at the front of the name only
    };
    std::vector<Matcher> matchers_;  // as rules_
};

}  // namespace rankscope
