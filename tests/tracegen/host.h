// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <unordered_map>
#include <vector>

#include "tests/tracegen/annotation_tracker.h"
#include "tests/tracegen/device.h"
#include "tests/tracegen/loader_pool.h"
#include "tests/tracegen/program.h"

namespace rankscope::tracegen {

/// One rank's host: runs its program, launches to the device, and stops where it has to wait for it.
class Host {
  public:
    Host(Device& device, AnnotationTracker& annotations, LoaderPool& loader)
        : device_(device), annotations_(annotations), loader_(loader) {}

    /// Gives it the program of step index `step`. The one before must be done.
    void load(Program program, int step);
    /// Runs until the program is done or until it waits for a device whose time is not known yet. Whether it got on.
    bool run();
    [[nodiscard]] bool done() const { return at_ == program_.size(); }
    [[nodiscard]] TimeNs now() const { return now_ns_; }

    /// The host events since the last call, parents before children. Only when done().
    [[nodiscard]] std::vector<Event> takeEvents();

  private:
    struct Open {
        std::size_t event = 0;
        std::optional<std::uint32_t> annotation;
    };

    // Each runs one instruction. False: it has to wait, and is to be run again.
    bool execute(const OpenSlice& slice);
    bool execute(const CloseSlice& close);
    bool execute(const HostWork& work);
    bool execute(const RuntimeCall& call);
    bool execute(const Launch& launch);
    bool execute(const MemoryChange& change);
    bool execute(const RecordEvent& record);
    bool execute(const WaitEvent& wait);
    bool execute(const Synchronize& sync);
    bool execute(const AwaitBatch& await);
    bool execute(const UseThread& use);

    /// When the queue of launches has room; nothing while that is not known.
    [[nodiscard]] std::optional<TimeNs> roomAt() const;
    /// When all that `sync` waits for is over; nothing while that is not known.
    [[nodiscard]] std::optional<TimeNs> overAt(const Synchronize& sync) const;
    /// Adds a runtime call from now to `end_ns` and goes there.
    Event& addCall(StringId name, TimeNs end_ns);
    [[nodiscard]] std::uint64_t innermost(bool python) const;
    [[nodiscard]] LaunchRecord launchRecord(std::uint64_t correlation);
    [[nodiscard]] std::vector<Open>& stack() { return stacks_[static_cast<std::size_t>(thread_)]; }
    [[nodiscard]] const std::vector<Open>& stack() const { return stacks_[static_cast<std::size_t>(thread_)]; }

    Device& device_;
    AnnotationTracker& annotations_;
    LoaderPool& loader_;
    Program program_;
    std::size_t at_ = 0;
    int step_ = 0;
    TimeNs now_ns_ = 0;
    Thread thread_ = Thread::Main;
    std::array<std::vector<Open>, 2> stacks_;
    std::vector<Event> events_;
    struct Recorded {
        Stream stream = Stream::Compute;
        std::uint64_t correlation = 0;
    };
    std::unordered_map<std::uint32_t, Recorded> recorded_;  ///< the last time of each event
    std::optional<Device::Ticket> blocked_on_;              ///< the launch that it stands in
    std::uint64_t next_id_ = 1;
    std::uint64_t next_correlation_ = 1;
    std::uint64_t next_python_id_ = 1;
};

}  // namespace rankscope::tracegen
