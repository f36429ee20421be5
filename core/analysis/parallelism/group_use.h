// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/collectives/collectives.h"
#include "core/analysis/parallelism/parallelism.h"
#include "core/analysis/parallelism/role_names.h"
#include "core/analysis/steps/phases.h"
#include "core/trace/run.h"

namespace rankscope {

struct RunFacts;

/// What names around the launches of a group's collectives say of one use of it.
struct SaidByNames {
    std::size_t collectives = 0;
    std::string example;  ///< the first such name
    std::string note;     ///< whose name it is
};

/// All-reduces of this many bytes or fewer add up a few numbers: norms, losses, counts, whatever their group is for.
inline constexpr std::int64_t kFewNumbersBytes = 64;

/// What ran in a process group. Of a collective the first member whose launch is recorded counts.
struct GroupUse {
    std::array<OperationCount, static_cast<std::size_t>(CollectiveKind::Unknown) + 1> operations{};  ///< by kind
    std::size_t collectives = 0;
    std::map<Role, SaidByNames> roles;          ///< what names say of roles
    std::map<std::string, SaidByNames> others;  ///< what names say that is none of the roles: by what it is for
    OperationCount sums;         ///< all-reduces of more than a few numbers that no name says to be for another role
    std::size_t by_reducer = 0;  ///< all-reduces of the backward that autograd sent between its nodes, as DDP does
    /// All-reduces that a node of autograd sent as a part of its own work, and no name says to be for another role.
    std::size_t inside_nodes = 0;
    std::size_t scatters_apart = 0;     ///< reduce-scatters whose launch is recorded, in neither forward nor backward
    std::size_t unnamed_exchanges = 0;  ///< all-to-alls of which no name says what they are for
    std::size_t bare_exchanges = 0;     ///< kernels of sends and receives without the operation that they serve
    std::size_t launches = 0;           ///< how many of the collectives have a launch, which shows their phase
    std::size_t steps = 1;              ///< of the ranks that show it, in the mean; 1 at least
    bool forward_told = false;          ///< some rank's trace shows where its forward is
    bool backward_told = false;         ///< the same of the backward
    bool ddp = false;                   ///< some rank uses DistributedDataParallel

    /// How many collectives of this kind the group runs.
    [[nodiscard]] const OperationCount& of(CollectiveKind kind) const {
        return operations[static_cast<std::size_t>(kind)];
    }
};

/// What names and the operator around the launch of one collective say of it.
struct CollectiveSign {
    std::optional<Role> role;  ///< by a name; or data, of what DistributedDataParallel's reducer sent
    std::string what;          ///< what a name says that it is for, where that is none of the roles
    bool aside = false;        ///< says nothing of its group
    Phase phase = Phase::Other;
};

/// What ran in the groups of a run.
struct UseOfGroups {
    std::vector<GroupUse> groups;             ///< as CollectiveFacts::groups
    std::vector<CollectiveSign> collectives;  ///< as CollectiveFacts::collectives
};

/// The use of each group of `facts.collectives`. Reads phases and collectives of `facts`. O(collectives x depth of
/// calls + kernels).
[[nodiscard]] UseOfGroups useOfGroups(const Run& run, const RunFacts& facts, const RoleNames& names);

}  // namespace rankscope
