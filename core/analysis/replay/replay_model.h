// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "core/analysis/facts.h"
#include "core/analysis/rank_context.h"
#include "core/analysis/steps/step_bounds.h"

namespace rankscope {

/// A piece of device work in the replay: when it may start. In order of launch.
struct ReplayEvent {
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
    static constexpr CollectivePosition kNoCollective{kNone};

    SliceRef ref;
    TimeNs launched_ns = 0;
    TimeSpan span;
    std::uint32_t stream = 0;
    StepOrGap slot;
    DurationNs latency_ns = 0;     ///< from the launch to the start, if nothing else delays it
    DurationNs stream_gap_ns = 0;  ///< from the end of the previous work on its stream
    DurationNs held_ns = 0;        ///< as DeviceEvent::held_ns: the last part of each of these gaps that is at least as
                                   ///< long
    /// As DeviceEvent::answer_ns: the device starts it this much later than everything else allows, in every replay.
    DurationNs answer_ns = 0;
    std::uint32_t waits_for = kNone;  ///< work of another stream that delayed it
    DurationNs wait_gap_ns = 0;       ///< from the end of that work to its start
    /// Work of another stream, launched before it, that it comes after although it did not have to wait for it here:
    /// c10d makes its stream wait for the caller's, and later the caller's for its own.
    std::uint32_t comes_after = kNone;
    /// Zero or negative: how much before the end of that work it seems to start, because of the resolution of the
    /// file's times.
    DurationNs after_gap_ns = 0;
    bool communication = false;
    bool blocks = false;                            ///< later work of another kind, or the host, was idle until its end
    CollectivePosition collective = kNoCollective;  ///< kNoCollective if ranks are replayed alone
    std::uint32_t rendezvous = kNone;  ///< index in RunReplayModel::rendezvous, if its end depends on other ranks
};

/// A host call that waits for the device.
struct ReplayWait {
    TimeSpan call;
    /// Or BlockingCopy; or Allocator: memory is freed; or Launch: the queue was full.
    Cause cause = Cause::HostSync;
    std::string_view label;              ///< the operator or call: as GapPart::label
    std::uint32_t first_dependency = 0;  ///< the first of its dependencies, in ReplayModel::dependencies
    std::uint32_t dependencies = 0;
    bool waited = false;       ///< the work was not done when the call began
    DurationNs cost_ns = 0;    ///< time of the call itself, if it has nothing to wait for
    DurationNs return_ns = 0;  ///< from the end of the work to the return; below zero if the host returns early
};

/// One rank prepared for replays: the host as one line of time with waits in it, the device as streams.
///
/// Its assumptions: host work between the waits takes as long as recorded, also when it runs earlier. Device work takes
/// as long as recorded, or as a change says. A stream keeps its order. Work that started late behind other work, and
/// not behind its launch, starts as late behind that work again. A launch that found the queue full finds room when the
/// same work is done as recorded, and no other launch ever finds it full.
struct ReplayModel {
    std::vector<ReplayEvent> events;          ///< sorted by launch
    std::vector<ReplayWait> waits;            ///< sorted by start, disjoint, none inside a loader wait
    std::vector<std::uint32_t> dependencies;  ///< indices into events
    std::vector<TimeSpan> loaders;            ///< DataLoader waits, by start, disjoint
    std::vector<TimeSpan> hosts;              ///< step marks
    std::vector<TimeSpan> holes;              ///< between recorded windows, by start: each window begins when it did
    /// The end of work that was launched before them and is not in `events`, since its steps were not read.
    TimeNs earlier_ns = DeviceEvent::kBeforeAll;
    std::uint32_t streams = 0;
    bool whole_window = false;  ///< the only step is the window itself, whatever was launched in it
};

/// Prepares one rank for replays: its device work in order of launch, its host's waits for the device with the work
/// that each of them depends on, its DataLoader waits and its step marks. Times stay on the rank's file clock.
[[nodiscard]] ReplayModel makeReplayModel(const RankContext& work);

}  // namespace rankscope
