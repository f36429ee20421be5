// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace re2 {
class RE2;
}

namespace rankscope {

/// The table that tells communication kernels by their names where nothing better is recorded. It is data
/// (resources/name_rules.json), built into the program; the user's own table is put before it.
class NameRules {
  public:
    /// One rule: a kernel whose name matches `pattern`, found anywhere in the name, is or is not communication. The
    /// first rule that matches decides. A pattern is a regular expression in the syntax of RE2: that of ECMAScript and
    /// Perl without back references and without looking ahead or behind, which is what keeps the time of a match linear
    /// in the length of the name.
    struct Rule {
        std::string pattern;
        bool communication = true;
        std::string note;  ///< whose kernels these are
    };

    /// The rules that are built in.
    [[nodiscard]] static NameRules builtIn();
    /// Reads rules from JSON text: {"rules": [{"pattern", "communication", "note"}]}. `path` is for error texts only.
    /// Fails where the text is no such JSON, has more than kMostRules rules, or where a pattern is no regular
    /// expression, is longer than kLongestPattern, nested deeper than kDeepestPattern, or takes too much memory.
    [[nodiscard]] static Result<NameRules> fromJson(std::string_view json, const std::string& path);

    /// The user's own rules before the built-in ones: those in the file that $RANKSCOPE_NAME_RULES names, else in
    /// rankscope/name_rules.json under $XDG_CONFIG_HOME or ~/.config. The built-in ones alone where there is no such
    /// file; fails where it is no file, is larger than kLargestFile, or is broken, and where $RANKSCOPE_NAME_RULES
    /// names none.
    [[nodiscard]] static Result<NameRules> forUser();

    /// These rules first, then `fallback`'s.
    [[nodiscard]] NameRules before(const NameRules& fallback) const;
    /// Whether a kernel of this name communicates. Reads the first kNameRead bytes of the name; linear in them for
    /// each rule. May be called from several threads.
    [[nodiscard]] bool isCommunication(std::string_view kernel_name) const;
    [[nodiscard]] const std::vector<Rule>& rules() const { return rules_; }

    static constexpr std::size_t kNameRead = 512;                        ///< bytes
    static constexpr std::size_t kMostRules = 10'000;                    ///< of one file
    static constexpr std::size_t kLongestPattern = 4096;                 ///< bytes
    static constexpr std::size_t kDeepestPattern = 100;                  ///< brackets inside of brackets
    static constexpr std::size_t kLargestFile = std::size_t{16} << 20U;  ///< bytes

  private:
    /// Why `rule` cannot be used; nothing where it was added.
    [[nodiscard]] std::optional<std::string> add(Rule rule);

    std::vector<Rule> rules_;
    std::vector<std::shared_ptr<const re2::RE2>> matchers_;  // as rules_; shared by copies of the table
};

}  // namespace rankscope
