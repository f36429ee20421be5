// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/diagnosis/frame/rule.h"

namespace rankscope {

/// How the transfers of a data-parallel job change with its number of ranks.
struct WorldTransfers {
    /// By CollectiveFacts::collectives: how many times as long each takes; 1 if that is not known.
    std::vector<double> ratio;
    /// What a step saves at most if more ranks do not lengthen latencies: a fit does not separate the hops from the
    /// time to launch.
    DurationNs hops_ns = 0;
    std::vector<std::string> notes;
};

/// The transfers of a job of `now` ranks with `then` ranks, both 2 or more. Each group keeps its place: all ranks, or
/// in a hierarchy the ranks of a host, whose number stays, and the hosts, whose number grows. A transfer takes what the
/// LinkModel of its fit says for the new number of members: by today's algorithm, or by a tree if an all-reduce is
/// faster that way. If all ranks are joined by links of another kind then (inside a host or between hosts), it is the
/// fit of that kind. Fails with the reason if the job is not data parallel, or if the links that it takes are not
/// fitted.
[[nodiscard]] Result<WorldTransfers> worldTransfers(const RuleContext& context, std::size_t now, std::size_t then);

/// How many ranks each host has; fails if the files do not name hosts, or if hosts differ.
[[nodiscard]] Result<std::size_t> ranksOfHost(const RuleContext& context);

}  // namespace rankscope
