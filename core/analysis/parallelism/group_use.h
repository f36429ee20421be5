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

/// The evidence for one use of a group in the names around the launches of its collectives.
struct SaidByNames {
    std::size_t collectives = 0;
    std::string example;  ///< the first such name
    std::string note;     ///< the library that uses the name
};

/// All-reduces of up to this many bytes sum a few numbers: norms, losses, counts. They do not show what a group is for.
inline constexpr std::int64_t kFewNumbersBytes = 64;

/// What ran in a process group. Each collective counts by its first member whose launch is recorded.
struct GroupUse {
    std::array<OperationCount, static_cast<std::size_t>(CollectiveKind::Unknown) + 1> operations{};  ///< by kind
    std::size_t collectives = 0;
    std::map<Role, SaidByNames> roles;          ///< the roles that names show
    std::map<std::string, SaidByNames> others;  ///< uses that names show and that are not roles, by use
    OperationCount sums;         ///< all-reduces of more than a few numbers that no name assigns to another role
    std::size_t by_reducer = 0;  ///< all-reduces that autograd sent between its nodes during the backward, as DDP does
    /// All-reduces that an autograd node sent as a part of its own work, and that no name assigns to another role.
    std::size_t inside_nodes = 0;
    std::size_t scatters_apart = 0;     ///< reduce-scatters with a recorded launch outside forward and backward
    std::size_t unnamed_exchanges = 0;  ///< all-to-alls without a name that shows their use
    std::size_t bare_exchanges = 0;     ///< kernels of sends and receives without the operation that they belong to
    std::size_t launches = 0;           ///< how many of the collectives have a recorded launch, which shows their phase
    std::size_t steps = 1;              ///< the mean over the ranks that show it; at least 1
    bool forward_told = false;          ///< some rank's trace shows its forward
    bool backward_told = false;         ///< some rank's trace shows its backward
    bool operators_told = false;        ///< some rank's trace has operators or ranges, so it would show a backward
    bool ddp = false;                   ///< some rank uses DistributedDataParallel

    /// How many collectives of this kind the group runs.
    [[nodiscard]] const OperationCount& of(CollectiveKind kind) const {
        return operations[static_cast<std::size_t>(kind)];
    }
};

/// What names and the operator around the launch of one collective say about it.
struct CollectiveSign {
    std::optional<Role> role;  ///< by a name; or data, if DistributedDataParallel's reducer sent it
    std::string what;          ///< the use that a name shows, if that is not a role
    bool aside = false;        ///< says nothing about its group
    Phase phase = Phase::Other;
};

/// What ran in the groups of a run.
struct UseOfGroups {
    std::vector<GroupUse> groups;             ///< parallel to CollectiveFacts::groups
    std::vector<CollectiveSign> collectives;  ///< parallel to CollectiveFacts::collectives
};

/// The use of each group of `facts.collectives`. Reads phases and collectives of `facts`. O(collectives x depth of
/// calls + kernels).
[[nodiscard]] UseOfGroups useOfGroups(const Run& run, const RunFacts& facts, const RoleNames& names);

}  // namespace rankscope
