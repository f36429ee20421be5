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

/// The table that recognises communication kernels by their names where nothing better is recorded. It is data
/// (resources/name_rules.json), built into the program; the user's own table is put before it.
class NameRules {
  public:
    /// One rule: a kernel whose name matches `pattern`, found anywhere in the name, is or is not communication, and
    /// where it is, may do nothing but wait for other ranks (a barrier, DeepEP's notify). The first rule that matches
    /// decides. A pattern is a regular expression in the syntax of RE2: that of ECMAScript and
    /// Perl without back references and without looking ahead or behind, which is what keeps the time of a match linear
    /// in the length of the name.
    struct Rule {
        std::string pattern;
        bool communication = true;
        bool waits = false;     ///< does nothing but wait; only of communication
        std::string note = {};  ///< whose kernels these are
    };

    /// The rules that are built in.
    [[nodiscard]] static NameRules builtIn();
    /// Reads rules from JSON text: {"rules": [{"pattern", "communication", "waits", "note"}]}. `path` is for error
    /// texts only. Fails, with the byte and the line of what is wrong, where the text is no such JSON, has more than
    /// kMostRules rules, or where a pattern is no regular expression, is longer than kLongestPattern, nested deeper
    /// than kDeepestPattern, or takes too much memory.
    [[nodiscard]] static Result<NameRules> fromJson(std::string_view json, const std::string& path);

    /// The rules of a file before the built-in ones. Fails as fromJson(), and where `path` is no file, cannot be read,
    /// or is larger than kLargestFile.
    [[nodiscard]] static Result<NameRules> fromFile(const std::string& path);
    /// The user's own rules before the built-in ones: fromFile() of userFile(), or the built-in ones alone where
    /// $RANKSCOPE_NAME_RULES is not set and there is no such file.
    [[nodiscard]] static Result<NameRules> forUser();
    /// Where the user's own rules are: the file that $RANKSCOPE_NAME_RULES names, else rankscope/name_rules.json
    /// under $XDG_CONFIG_HOME or ~/.config. Empty if there is no home.
    [[nodiscard]] static std::string userFile();

    /// A rule for the kernel of this name and its other instantiations: its name up to the arguments, taken literally.
    [[nodiscard]] static Rule ruleFor(std::string_view kernel_name, bool communication);
    /// Puts `rule` before all others of the file at `path`, which is made, with its folder, where it is missing. The
    /// file is replaced as a whole or not at all, and what else is in it is kept. Why not, where it is no file with
    /// name rules, cannot be written, or where the rule is none.
    [[nodiscard]] static std::optional<Error> addToFile(const Rule& rule, const std::string& path);

    /// These rules first, then `fallback`'s.
    [[nodiscard]] NameRules before(const NameRules& fallback) const;
    /// The rule that decides about a kernel of this name; null if none matches. Reads the first kNameRead bytes of
    /// the name; linear in them for each rule. May be called from several threads.
    [[nodiscard]] const Rule* ruleOf(std::string_view kernel_name) const;
    /// Whether a kernel of this name communicates, by ruleOf().
    [[nodiscard]] bool isCommunication(std::string_view kernel_name) const;
    [[nodiscard]] const std::vector<Rule>& rules() const { return rules_; }

    static constexpr std::size_t kNameRead = 512;                        ///< bytes
    static constexpr std::size_t kMostRules = 10'000;                    ///< of one file
    static constexpr std::size_t kLongestPattern = 4096;                 ///< bytes
    static constexpr std::size_t kDeepestPattern = 100;                  ///< brackets inside of brackets
    static constexpr std::size_t kLargestFile = std::size_t{16} << 20U;  ///< bytes

  private:
    /// Why `rule` cannot be used; nothing if it was added.
    [[nodiscard]] std::optional<std::string> add(Rule rule);

    std::vector<Rule> rules_;
    std::vector<std::shared_ptr<const re2::RE2>> matchers_;  // as rules_; shared by copies of the table
};

}  // namespace rankscope
