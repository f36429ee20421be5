// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rankscope::test {

/// How the files of several ranks are made one.
enum class Merger : std::uint8_t {
    TraceFuse,          ///< `args.rank`, `pid_raw`; pids, flow ids and correlations moved
    TraceFuseSamePids,  ///< the same with the pids as they were, all alike
    NamedProcesses,     ///< pids moved, and the processes called "rank 3"
    NamedPids,          ///< pids that are texts: "[TP03] 4711"
    MovedPids,          ///< pids moved by a constant, nothing else
    MovedAndSorted,     ///< the same with all events in order of time, and no word of where a file began
    Concatenated,       ///< one list of events behind the other, as they were
    OneDevice,          ///< the same, with all devices called 0
};

/// What the profiler wrote of one rank, without what says which rank it is, nor where it ran.
[[nodiscard]] std::string withoutIdentity(const std::string& trace);

/// One file of those of ranks 0, 1 and so on.
[[nodiscard]] std::string mergedFile(const std::vector<std::string>& traces, Merger merger);

}  // namespace rankscope::test
