// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace rankscope {

/// Which problem a finding is about. Each has a rule in core/diagnosis/rules, in the file of the same name.
enum class FindingId : std::uint8_t {
    DataloaderStall,       ///< the device waits for the DataLoader
    UnpinnedMemcpy,        ///< copies to the device from pageable memory, or by calls that wait for them
    HostSync,              ///< a call or operator makes the host wait for the device
    AllocatorStall,        ///< memory is allocated or freed inside the step
    HostCode,              ///< one piece of code keeps the host from launching
    LaunchBound,           ///< the host launches work later than the device could do it
    UnexplainedIdle,       ///< the device is idle, and the trace does not tell why
    FindUnusedParameters,  ///< DDP searches for parameters that were not used
    GradientCopies,        ///< DDP copies gradients out of its buckets
    BucketSize,            ///< DDP's buckets are too large or too small
    SlowCollective,        ///< some collectives are slow beside others of their kind and size
    ExposedCommunication,  ///< transfers that run beside no computation
    StragglerRank,         ///< the same ranks hold the others up in most steps
    MovingStraggler,       ///< a rank holds the others up in most steps, and not always the same
    MemoryPressure,        ///< the device's memory is nearly full
    TraceHealth            ///< what is wrong with the traces themselves
};
inline constexpr std::size_t kFindingIds = 16;

/// The id as in reports, advice.json and sentences.json: "dataloader-stall".
[[nodiscard]] std::string_view findingName(FindingId id);

}  // namespace rankscope
