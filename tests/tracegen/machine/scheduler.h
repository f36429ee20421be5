// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <vector>

#include "tests/tracegen/machine/event_queue.h"

namespace rankscope::tracegen::machine {

/// A control group's share of the processor, as a container has it: in each period so much time on all cores together.
struct CpuQuota {
    DurationNs quota_ns = 0;
    DurationNs period_ns = 100'000'000;
};

/// One host's processor.
struct HostSpec {
    int cores = 64;
    DurationNs tick_ns = 4'000'000;  ///< the scheduler looks whose turn it is on this grid
    std::optional<CpuQuota> quota;
    /// Work of a thread takes so much longer, as a share, for each other thread that runs: they share clocks, caches
    /// and memory. Up to kMostCrowded times as long.
    double crowding = 0;
    static constexpr double kMostCrowded = 1.4;
};

/// The operating system of one host: more threads than cores take turns, first come, first served, and a thread that
/// waits for its turn gets nowhere. A thread that is used up at a tick goes to the end of the queue. Where a quota is
/// spent all threads stop until the period ends.
class Scheduler {
  public:
    using Action = EventQueue::Action;
    using ThreadId = std::size_t;

    Scheduler(EventQueue& queue, const HostSpec& spec);
    Scheduler(const Scheduler&) = delete;
    Scheduler& operator=(const Scheduler&) = delete;
    ~Scheduler() = default;

    /// A new thread, which waits for something outside until it is given work.
    ThreadId addThread();
    /// The thread needs `cpu_ns` of a core, then does `done`. If `done` gives it no more work it leaves its core and
    /// waits. Throws std::logic_error where it has work already.
    void work(ThreadId thread, DurationNs cpu_ns, Action done);
    /// The thread keeps a core busy until release(), and does `done` once it then has its turn.
    void spin(ThreadId thread, Action done);
    void release(ThreadId id);

    [[nodiscard]] int running() const { return static_cast<int>(running_.size()); }
    /// The most threads that ever ran at once.
    [[nodiscard]] int mostRunning() const { return most_running_; }
    /// What all threads together have had of the cores, until now.
    [[nodiscard]] DurationNs used() const;

  private:
    enum class State : std::uint8_t { Blocked, Waiting, Running };
    struct Thread {
        State state = State::Blocked;
        DurationNs left_ns = 0;
        bool spinning = false;
        Action done;
        TimeNs since_ns = 0;           ///< when what is left was last worked out
        TimeNs turn_ns = 0;            ///< when its turn on a core began
        std::uint64_t generation = 0;  ///< which of its planned completions is the valid one
    };

    void give(ThreadId id, DurationNs cpu_ns, bool spinning, Action done);
    /// What so much work takes beside the threads that run now.
    [[nodiscard]] DurationNs crowded(DurationNs cpu_ns, bool runs_itself) const;
    void dispatch();
    void start(ThreadId id);
    /// Plans the completion of a running thread.
    void plan(ThreadId id);
    void complete(ThreadId id);
    /// Takes a running thread off its core; it goes to the end of those that wait, or to their front.
    void takeOff(ThreadId id, bool to_front);
    void leave(ThreadId id);
    void tick();
    void countUse();
    void planQuota();
    void freeze();
    void beginPeriod();

    EventQueue& queue_;
    HostSpec spec_;
    std::deque<Thread> threads_;
    std::deque<ThreadId> waiting_;
    std::vector<ThreadId> running_;
    bool tick_planned_ = false;
    bool frozen_ = false;
    int most_running_ = 0;
    DurationNs used_ns_ = 0;
    DurationNs period_used_ns_ = 0;
    TimeNs counted_ns_ = 0;
    std::uint64_t quota_generation_ = 0;
};

}  // namespace rankscope::tracegen::machine
