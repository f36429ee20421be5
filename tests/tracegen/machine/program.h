// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <variant>
#include <vector>

#include "tests/tracegen/instruction.h"
#include "tests/tracegen/machine/device.h"

namespace rankscope::tracegen::machine {

// What a thread of the training process does besides, one instruction after the other. Durations are those of a thread
// that has a core for itself; when something happens comes out of the machine.

/// Needs a core for so long.
struct Compute {
    DurationNs ns = 0;
};
/// Waits for storage or a peer, off its core.
struct Rest {
    DurationNs ns = 0;
};
/// One call that launches one piece of work, or a graph of several.
struct Launch {
    StringId call;
    DurationNs call_ns = 0;
    DurationNs latency_ns = 0;  ///< from the moment in which the call hands over to the earliest start
    bool blocking = false;      ///< the call returns when its work is over
    std::vector<DeviceWork> work;
};
struct TakeBatch {};
/// The other thread runs one of its programs, and this one waits for it off its core.
struct RunBackward {
    std::size_t program = 0;  ///< index in StepProgram::backward
};

using Instruction = std::variant<OpenSlice, CloseSlice, Compute, Rest, Launch, RecordEvent, WaitEvent, Synchronize,
                                 RuntimeCall, TakeBatch, RunBackward>;
using Program = std::vector<Instruction>;

/// One step of one rank.
struct StepProgram {
    Program main;
    std::vector<Program> backward;  ///< on autograd's thread
};

}  // namespace rankscope::tracegen::machine
