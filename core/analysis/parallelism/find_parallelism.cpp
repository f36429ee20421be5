// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/find_facts.h"

#include "core/analysis/parallelism/group_roles.h"
#include "core/analysis/parallelism/group_use.h"
#include "core/analysis/parallelism/job_grid.h"
#include "core/analysis/parallelism/role_names.h"
#include "core/analysis/parallelism/role_times.h"

namespace rankscope {

ParallelismFacts findParallelism(const Run& run, const RunFacts& facts, const RoleChoices& choices,
                                 std::size_t threads) {
    static const RoleNames names = RoleNames::builtIn();  // parsed once
    ParallelismFacts found;
    const UseOfGroups use = useOfGroups(run, facts, names);
    found.groups = rolesOfGroups(run, facts.collectives, use.groups, names, choices);
    divideGroups(facts.collectives, use.collectives, found);
    found.grid = gridOf(run, withRolesOfParts(found.groups));
    noteDimensionsOfParts(found);
    timeRoles(run, facts, found, use.collectives, threads);
    return found;
}

}  // namespace rankscope
