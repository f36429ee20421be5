// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <unordered_map>

#include "tests/tracegen/machine/loader.h"
#include "tests/tracegen/machine/program.h"
#include "tests/tracegen/machine/recording.h"
#include "tests/tracegen/machine/scheduler.h"

namespace rankscope::tracegen::machine {

/// A stream's event, as the host last recorded it.
struct RecordedEvent {
    Stream stream = Stream::Compute;
    std::uint64_t correlation = 0;
};

/// What the threads of one rank share.
struct RankParts {
    EventQueue& queue;
    Scheduler& scheduler;
    Device& device;
    Recording& recording;
    std::unordered_map<std::uint32_t, RecordedEvent> recorded;
    Loader* loader = nullptr;  ///< none where the main thread makes the batches
};

/// One thread of the training process: runs programs, as far and as fast as it gets a core, and records what it does.
class HostThread {
  public:
    using Action = EventQueue::Action;

    HostThread(RankParts& parts, Thread thread);
    HostThread(const HostThread&) = delete;
    HostThread& operator=(const HostThread&) = delete;
    ~HostThread() = default;

    /// Runs the program of step `step`, then does `finished`. `backward` is who RunBackward wakes, with one of these.
    void run(Program program, int step, HostThread* backward, std::vector<Program> backward_programs, Action finished);

  private:
    struct Open {
        Event event;
        std::optional<std::uint32_t> annotation;
    };

    void advance();
    void goOnAfter(DurationNs cpu_ns);
    // Each does one instruction. False: it goes on by itself later.
    bool execute(const OpenSlice& slice);
    bool execute(const CloseSlice& slice);
    bool execute(const Compute& work);
    bool execute(const Rest& rest);
    bool execute(const Launch& launch);
    bool execute(const RecordEvent& record);
    bool execute(const WaitEvent& wait);
    bool execute(const Synchronize& sync);
    bool execute(const RuntimeCall& call);
    bool execute(const TakeBatch& take);
    bool execute(const RunBackward& run);

    void handOver(const Launch& launch);
    /// Begins a call; endCall() records it.
    Event& beginCall(StringId name);
    /// The open call ends after `cpu_ns` more, and the program goes on.
    void endCallAfter(DurationNs cpu_ns);
    /// Keeps its core until `device` has done what `wait` asks it to tell.
    template <typename Wait>
    void spinUntil(const Wait& wait, Action then);
    [[nodiscard]] std::uint64_t innermost() const;

    RankParts& parts_;
    Thread thread_;
    Scheduler::ThreadId id_;
    Program program_;
    std::size_t at_ = 0;
    int step_ = 0;
    HostThread* backward_ = nullptr;
    std::vector<Program> backward_programs_;
    Action finished_;
    std::vector<Open> open_;
    Event call_;
};

}  // namespace rankscope::tracegen::machine
