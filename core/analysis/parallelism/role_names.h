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

/// The table of what names say of the role of a process group. It is data (resources/role_names.json), built into the
/// program, with the source of each name.
class RoleNames {
  public:
    /// What a name says.
    struct Rule {
        std::string pattern;                ///< RE2, without regard to case, found anywhere in the name
        std::optional<Role> role;           ///< nothing if it is for none of the roles by itself
        std::string what;                   ///< then what it is for: "several dimensions together"
        bool whole = true;                  ///< a dimension of the job's grid; false for parts and products of them
        bool aside = false;                 ///< says nothing of its group
        std::vector<CollectiveKind> kinds;  ///< the operations that it is about; empty for all
        std::string note;                   ///< whose name it is
    };

    /// The table that is built in.
    [[nodiscard]] static RoleNames builtIn();
    /// Reads a table from JSON text. Fails where the text is none, or where a pattern is no regular expression.
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
