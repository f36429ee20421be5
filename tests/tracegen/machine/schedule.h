// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "tests/tracegen/machine/job.h"

namespace rankscope::tracegen::machine {

/// Which gradients a backward computes.
enum class Gradient : std::uint8_t { Both, Input, Weight };

/// One pass of one micro-batch through the layers of one chunk.
struct StageAction {
    bool forward = true;
    int micro_batch = 0;
    int chunk = 0;
    Gradient gradient = Gradient::Both;  ///< of a backward
    bool beside = false;                 ///< runs together with the action before it
    bool operator==(const StageAction&) const = default;
};

/// What a stage does in a step, one after the other, as the framework's schedule has it.
[[nodiscard]] std::vector<StageAction> orderOf(const JobSpec& job, int stage);

/// Activations on their way forward, or gradients on their way back.
struct Message {
    bool forward = true;
    int micro_batch = 0;
    int chunk = 0;  ///< of the sender
    int from = 0;   ///< stages
    int to = 0;
};

/// A step of the whole pipeline: in each slot a stage does one thing at most, or two together, and what it makes is
/// there in the next.
/// Messages are sent and received slot by slot, in one order for all, so that no two stages wait for each other.
struct Slot {
    std::vector<std::vector<StageAction>> actions;  ///< by stage
    std::vector<Message> messages;
};
[[nodiscard]] std::vector<Slot> slotsOf(const JobSpec& job);

/// What has to be over before an action, and on which stage; nothing for the first of a micro-batch.
[[nodiscard]] std::optional<std::pair<int, StageAction>> neededBy(const JobSpec& job, int stage,
                                                                  const StageAction& action);

/// Where the output of an action goes; nothing where the step needs it nowhere else.
[[nodiscard]] std::optional<Message> messageOf(const JobSpec& job, int stage, const StageAction& action);
/// The message that an action needs; nothing where it begins with what its own stage has.
[[nodiscard]] std::optional<Message> inputOf(const JobSpec& job, int stage, const StageAction& action);

}  // namespace rankscope::tracegen::machine
