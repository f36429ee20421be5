// SPDX-License-Identifier: GPL-3.0-or-later
// Logs of NCCL: what is found in them, and the reports of it.
#include "core/ingest/nccl_log/nccl_log.h"
#include "core/report/network.h"
#include "tests/fuzz/targets.h"
#include "tests/fuzz/way_through.h"
#include "tests/support/memory_stream.h"

namespace rankscope::fuzz {

void fuzzNcclLog(Input input) {
    test::MemoryStream stream(textOf(input));
    const NcclLogs logs = readNcclLog(stream, "job.log");
    const network::Network network = network::analyseNetwork(logs);
    std::size_t processes = 0;
    for (const network::Job& job : network.jobs) {
        processes += job.processes.size();
        for (const network::Finding& finding : job.findings) {
            demand(!finding.evidence.empty(), "a finding has a line");
        }
    }
    demand(processes == logs.processes.size(), "each process is in one job");
    const NetworkInput report{logs, network, {}};
    demand(!jsonNetwork(report).empty(), "logs have a report");
    if (!network.jobs.empty()) {
        demand(!networkScreen(report, {}, true).empty(), "logs have a text");
        demand(!networkCheckScreen(report, {}).empty(), "logs have a check");
    }
}

}  // namespace rankscope::fuzz
