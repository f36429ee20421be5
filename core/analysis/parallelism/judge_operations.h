// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/analysis/parallelism/group_use.h"
#include "core/analysis/parallelism/role.h"

namespace rankscope {

/// A role that the operations of a group suggest.
struct RoleSign {
    Role role = Role::World;
    std::size_t collectives = 0;  ///< how many of them suggest it
    bool named = false;           ///< names around their launches, or of their kernels, show it
    bool weak = false;            ///< another role would look the same
    std::string evidence;         ///< a sentence
};

/// What the operations of a group say about its role.
struct OperationSigns {
    std::vector<RoleSign> roles;      ///< each role once, the one with most collectives first
    std::size_t otherwise = 0;        ///< collectives that belong to no role, or that may belong to several
    std::vector<std::string> doubts;  ///< sentences about these
};

/// Compares the operations of a group with the usual operations of groups of each role
/// (docs/definitions/parallelism.md).
[[nodiscard]] OperationSigns judgeOperations(const GroupUse& use);

/// "15 all-gathers (9 in forward, 6 in backward), 3 all-reduces"; the most frequent first.
[[nodiscard]] std::string operationsText(const std::vector<OperationCount>& operations);

}  // namespace rankscope
