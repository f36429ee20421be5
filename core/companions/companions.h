// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/hang/hang.h"
#include "core/network/network.h"
#include "core/trace/flight_dump.h"
#include "core/trace/nccl_log.h"

/// What belongs to a job next to its traces.
namespace rankscope {

/// NCCL's logs that were read together, and what was found in them. Large.
struct ReadLogs {
    std::vector<std::string> files;  ///< all that were named together, readable or not
    NcclLogs logs;
    std::vector<Error> unreadable;  ///< also files without a line of NCCL
    network::Network network;

    /// Whether any line is NCCL's.
    [[nodiscard]] bool any() const { return !logs.processes.empty(); }
};

/// Dumps of PyTorch's flight recorder that were read together, and what they show.
struct ReadDumps {
    std::vector<std::string> files;  ///< all that were named together, readable or not
    std::vector<FlightDump> dumps;   ///< by rank
    std::vector<Error> unreadable;
    hang::Hang hang;

    /// Whether some rank stops others.
    [[nodiscard]] bool hangs() const { return !hang.culprits.empty(); }
};

/// Logs and dumps of the job of some runs. Reports, questions, the window and Python take them in this form.
struct JobCompanions {
    std::shared_ptr<const ReadLogs> logs;    ///< nullptr: none
    std::shared_ptr<const ReadDumps> dumps;  ///< nullptr: none

    /// Whether there are none.
    [[nodiscard]] bool empty() const { return logs == nullptr && dumps == nullptr; }
    friend bool operator==(const JobCompanions&, const JobCompanions&) = default;
};

}  // namespace rankscope
