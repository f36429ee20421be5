// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/tracegen/simulate.h"

namespace rankscope::tracegen {

/// A call as NCCL logs it.
struct LoggedCall {
    std::string kind;  ///< "AllReduce"
    std::int64_t count = 0;
    int type = 7;  ///< NCCL's number
};

/// What the log of a whole job has, of which a run recorded a window: NCCL_DEBUG=INFO with INIT, GRAPH, P2P and COLL,
/// as 2.28 writes it. Written from the true events, and by nothing that reads logs.
struct JobLog {
    int ranks = 0;
    std::string pointer = "0x55a1c0de";
    std::string id = "0x8a3c0fe1d2b45678";
    std::string path = "P2P/CUMEM";  ///< between neighbours
    int channels = 8;
    int first_pid = 0;                           ///< of rank 0; the next rank has 7 more
    std::vector<std::string> hosts;              ///< by rank
    std::vector<std::vector<LoggedCall>> calls;  ///< by rank

    /// The log of a run of one process group: its recorded calls, with the calls of as many earlier steps as its
    /// numbers say in front, and those of `steps_behind` more behind.
    [[nodiscard]] static JobLog of(const RunResult& result, int steps_behind = 2);

    /// Puts a call in front of all others, on all ranks.
    void putInFront(const LoggedCall& call);
    /// The lines of a rank.
    [[nodiscard]] std::string text(int rank) const;
    /// The lines of all ranks, each with a part of its lines at a time, as a job's output has them.
    [[nodiscard]] std::string text() const;

  private:
    [[nodiscard]] std::vector<std::string> lines(int rank) const;
};

}  // namespace rankscope::tracegen
