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

/// The table that recognises communication kernels by their names, if nothing better is recorded. It is data
/// (resources/name_rules.json), built into the program; the user's own table goes before it.
class NameRules {
  public:
    /// One rule: a kernel with a match of `pattern` anywhere in its name is communication or is not, and if it is, may
    /// only wait for other ranks (a barrier, DeepEP's notify). The first rule that matches decides. A pattern is a
    /// regular expression in the syntax of RE2: ECMAScript's and Perl's without back references and lookaround. That
    /// keeps matching linear in the length of the name.
    struct Rule {
        std::string pattern;
        bool communication = true;
        bool waits = false;     ///< only waits; for communication only
        std::string note = {};  ///< the library whose kernels these are
    };

    /// The built-in rules.
    [[nodiscard]] static NameRules builtIn();
    /// Reads rules from JSON text: {"rules": [{"pattern", "communication", "waits", "note"}]}. `path` is for error
    /// texts only. Fails, with the byte and the line of the problem, if the text is not such JSON or has more than
    /// kMostRules rules, or if a pattern is not a regular expression, is longer than kLongestPattern, is nested deeper
    /// than kDeepestPattern, or takes too much memory.
    [[nodiscard]] static Result<NameRules> fromJson(std::string_view json, const std::string& path);

    /// The rules of a file, followed by the built-in ones. Fails as fromJson(), and if `path` is not a file, cannot be
    /// read, or is larger than kLargestFile.
    [[nodiscard]] static Result<NameRules> fromFile(const std::string& path);
    /// The user's own rules, followed by the built-in ones: fromFile() of userFile(), or only the built-in ones if
    /// $RANKSCOPE_NAME_RULES is not set and there is no such file.
    [[nodiscard]] static Result<NameRules> forUser();
    /// The path of the user's own rules: the file in $RANKSCOPE_NAME_RULES, else rankscope/name_rules.json under
    /// $XDG_CONFIG_HOME or ~/.config. Empty if there is no home.
    [[nodiscard]] static std::string userFile();

    /// A rule for the kernel of this name and its other instantiations: its name without arguments, taken literally.
    [[nodiscard]] static Rule ruleFor(std::string_view kernel_name, bool communication);
    /// Puts `rule` before all others in the file at `path`, which is created, with its folder, if it is missing. The
    /// file is replaced as a whole or not at all, and the rest of it is kept. Returns why not, if it is not a file with
    /// name rules, if it cannot be written, or if the rule is invalid.
    [[nodiscard]] static std::optional<Error> addToFile(const Rule& rule, const std::string& path);

    /// These rules first, then `fallback`'s.
    [[nodiscard]] NameRules before(const NameRules& fallback) const;
    /// The rule that decides about a kernel of this name; null if none matches. Reads the first kNameRead bytes of the
    /// name; linear in them. Thread-safe.
    [[nodiscard]] const Rule* ruleOf(std::string_view kernel_name) const;
    /// Whether a kernel of this name communicates, by ruleOf().
    [[nodiscard]] bool isCommunication(std::string_view kernel_name) const;
    [[nodiscard]] const std::vector<Rule>& rules() const { return rules_; }

    static constexpr std::size_t kNameRead = 512;                        ///< bytes
    static constexpr std::size_t kMostRules = 10'000;                    ///< per file
    static constexpr std::size_t kLongestPattern = 4096;                 ///< bytes
    static constexpr std::size_t kDeepestPattern = 100;                  ///< nested brackets
    static constexpr std::size_t kLargestFile = std::size_t{16} << 20U;  ///< bytes

  private:
    /// All patterns as one automaton: it reads a name once, however many rules there are.
    struct Joined;

    /// Why `rule` cannot be used; nothing if it was added. Call join() after the last one.
    [[nodiscard]] std::optional<std::string> add(Rule rule);
    void join();

    std::vector<Rule> rules_;
    std::vector<std::shared_ptr<const re2::RE2>> matchers_;  // as rules_; shared by copies of the table
    std::shared_ptr<const Joined> joined_;                   // null if that would take too much memory
};

}  // namespace rankscope
