// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <vector>

#include "core/network/join_run.h"

// Which process of the logs a rank of a run is, and what follows from a join. Private to core/network.
namespace rankscope::network {

/// Processes by rank of the run, and the other way round: index in NcclLogs::processes.
struct ProcessesOfRun {
    std::map<RankPosition, std::size_t> of_rank;
    std::map<std::size_t, RankPosition> rank_of;
};

/// The processes of a job that are ranks of a run. A trace that has the pid of its process is that process, on its host
/// if that is recorded; of several hosts the one where the rank's number agrees. A trace without is the process with
/// its number, if job and run have as many ranks.
[[nodiscard]] ProcessesOfRun processesOf(const NcclLogs& logs, const Job& job, const Run& run);

/// The exposed transfers over the path of each finding.
[[nodiscard]] std::vector<PathCost> pathCosts(const Network& network, const Run& run, const RunFacts& facts,
                                              const std::vector<GroupJoin>& groups);

}  // namespace rankscope::network
