// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/collectives/collectives.h"
#include "core/analysis/parallelism/role.h"
#include "core/base/result.h"

namespace re2 {
class RE2;
}

namespace rankscope {

/// What names say about the role of a process group. The table is data (resources/role_names.json), built into the
/// program, with the source of each name.
class RoleNames {
  public:
    /// What a name says.
    struct Rule {
        std::string pattern;                ///< RE2, case-insensitive, found anywhere in the name
        std::optional<Role> role;           ///< nothing if the name shows no single role
        std::string what;                   ///< then the use: "several dimensions together"
        bool whole = true;                  ///< a dimension of the job's grid; false for parts and products of them
        bool aside = false;                 ///< says nothing about its group
        std::vector<CollectiveKind> kinds;  ///< the operations that it applies to; empty: all
        std::string note;                   ///< the library that uses the name
    };

    /// The built-in table.
    [[nodiscard]] static RoleNames builtIn();
    /// Reads a table from JSON text. Fails if the text is not a table, or if a pattern is not a regular expression.
    [[nodiscard]] static Result<RoleNames> fromJson(std::string_view json, const std::string& path);

    /// What the description or the name of a group says; null if neither is in the table.
    [[nodiscard]] const Rule* ofGroup(std::string_view name) const;
    /// What a range or an operator around the launch of a collective of this kind says; null if it says nothing.
    [[nodiscard]] const Rule* ofLaunch(std::string_view range, CollectiveKind kind) const;
    /// What the name of a kernel says; null if it says nothing.
    [[nodiscard]] const Rule* ofKernel(std::string_view kernel) const;

  private:
    struct Table {
        std::vector<Rule> rules;
        std::vector<std::shared_ptr<const re2::RE2>> matchers;  // as rules
        [[nodiscard]] const Rule* find(std::string_view name, std::optional<CollectiveKind> kind) const;
    };
    Table groups_;
    Table launches_;
    Table kernels_;
};

}  // namespace rankscope
