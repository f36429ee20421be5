// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/report/companions/joined_companions.h"

// What the tables of NCCL's logs share. Private to core/report/companions.
namespace rankscope::report {

/// A communicator with its number over all jobs of the logs.
struct NumberedCommunicator {
    std::int64_t id = 0;
    std::size_t job = 0;  ///< index in Network::jobs
    const network::Communicator* communicator = nullptr;
};

/// Calls `visit` with each communicator.
template <class Visit>
void eachCommunicator(const ReadLogs& logs, const Visit& visit) {
    std::int64_t id = 0;
    for (std::size_t job = 0; job < logs.network.jobs.size(); ++job) {
        for (const network::Communicator& communicator : logs.network.jobs[job].communicators) {
            visit(NumberedCommunicator{id++, job, &communicator});
        }
    }
}

/// The number of a communicator by its place in its job.
[[nodiscard]] inline std::int64_t communicatorId(const ReadLogs& logs, std::size_t job, std::size_t communicator) {
    std::size_t before = 0;
    for (std::size_t i = 0; i < job; ++i) {
        before += logs.network.jobs[i].communicators.size();
    }
    return static_cast<std::int64_t>(before + communicator);
}

/// The rank in its job of each process, by index in NcclLogs::processes; null where it is unknown.
[[nodiscard]] inline std::vector<tables::Value> ranksOfProcesses(const ReadLogs& logs) {
    std::vector<tables::Value> ranks(logs.logs.processes.size());
    for (const network::Job& job : logs.network.jobs) {
        for (const network::Process& process : job.processes) {
            ranks[process.log] = tables::Value::of(process.rank);
        }
    }
    return ranks;
}

/// The columns `file` and `line` of rows with a `logs` and a `line`.
template <class Row>
[[nodiscard]] std::vector<tables::DeclaredColumn<Row>> lineColumns() {
    return {
        {{"file", tables::Type::Text, "the log", tables::Access::Scan},
         [](const Row& row) {
             const NcclLine* const line = row.line;
             return line == nullptr ? tables::Value() : tables::Value::ofText(row.logs->logs.files[line->file].path);
         }},
        {{"line", tables::Type::Integer, "its line in the log, from 1", tables::Access::Scan}, [](const Row& row) {
             return row.line == nullptr ? tables::Value() : tables::Value(static_cast<std::int64_t>(row.line->number));
         }}};
}

}  // namespace rankscope::report
