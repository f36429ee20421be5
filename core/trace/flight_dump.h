// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rankscope {

/// A line of the Python stack that made a call.
struct FlightFrame {
    std::string function;
    std::string file;
    std::int64_t line = 0;
};

/// How far a call has come on the GPU, as the process knew when it wrote the dump.
enum class FlightState : std::uint8_t { Scheduled, Started, Completed };

/// One collective, send or receive that a rank enqueued.
struct FlightCall {
    std::int64_t record = 0;    ///< counts the calls of the process in the order in which it made them
    std::size_t group = 0;      ///< index in FlightDump::groups
    std::int64_t number = 0;    ///< counts the collectives of the group; of a send or receive, those before it
    std::int64_t exchange = 0;  ///< counts the sends and receives of the group on this rank
    std::string kind;           ///< as PyTorch names it, without the backend: "all_reduce", "send 0->3"
    FlightState state = FlightState::Scheduled;
    bool is_exchange = false;                        ///< a send or receive
    std::vector<std::vector<std::int64_t>> inputs;   ///< sizes of the tensors, in elements
    std::vector<std::vector<std::int64_t>> outputs;  ///< the same
    std::vector<std::string> types;                  ///< of the inputs: "BFloat16"
    std::optional<std::int64_t> created_ns;          ///< since 1970, on the clock of the host
    std::optional<std::int64_t> started_ns;          ///< when it was seen to run on the GPU, on the same clock
    std::optional<std::int64_t> completed_ns;        ///< when it was seen to be complete
    std::vector<FlightFrame> frames;                 ///< innermost first
};

/// A process group as one rank knows it.
struct FlightGroup {
    std::string name;  ///< "0", "35"; ranks may give different groups the same name
    std::string description;
    std::vector<std::int64_t> ranks;  ///< in the order of the group; empty: not recorded
    /// The number of its last call that was enqueued, and that is complete. After a send or receive it is the number
    /// of that. Nothing: not recorded, or none yet.
    std::optional<std::int64_t> enqueued;
    std::optional<std::int64_t> completed;
};

/// What PyTorch's flight recorder wrote of one rank: its last calls, oldest first, and its process groups.
struct FlightDump {
    std::string path;
    std::int64_t rank = 0;
    std::string version;       ///< of the format
    std::string nccl_version;  ///< empty: not recorded
    std::vector<FlightGroup> groups;
    std::vector<FlightCall> calls;
};

}  // namespace rankscope
