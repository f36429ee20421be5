// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "tests/tracegen/event.h"
#include "tests/tracegen/machine/event_queue.h"

namespace rankscope::tracegen::machine {

/// What joins the ranks.
struct NetworkSpec {
    double bytes_per_ns = 120;  ///< of the bus: GB/s
    DurationNs latency_ns = 22'000;
    double wander = 0.04;        ///< how far its speed goes up and down over some tens of collectives, a share
    double read_share = 0.002;   ///< what each read of a DataLoader's worker takes of it
    DurationNs tail_ns = 9'000;  ///< ranks leave a collective within so much of each other
    std::uint64_t seed = 1;
};

/// Collectives of all ranks. One begins when its last rank has come, takes a latency, then moves its bytes at the speed
/// that the network has at that time, which all that move anything share.
class Network {
  public:
    using Action = EventQueue::Action;

    Network(EventQueue& queue, const NetworkSpec& spec, int ranks) : queue_(queue), spec_(spec), ranks_(ranks) {}
    Network(const Network&) = delete;
    Network& operator=(const Network&) = delete;
    ~Network() = default;

    /// A rank's kernel has begun; `ended` happens when it may end.
    void join(const CollectiveCall& call, int rank, Action ended);
    /// So many more, or fewer, workers read their data over it.
    void changeReaders(int by);

  private:
    struct Flow {
        CollectiveCall call;
        std::vector<Action> ended;  ///< by rank; empty where it has not come
        int arrived = 0;
        bool moving = false;
        double bytes_left = 0;
    };

    void begin(Flow& flow);
    void finish(std::uint64_t sequence);
    /// Counts what moved since the last change, then plans the next end.
    void count();
    void plan();
    [[nodiscard]] double speedOf(const Flow& flow) const;
    [[nodiscard]] DurationNs draw(std::uint64_t sequence, std::uint64_t what, DurationNs low, DurationNs high) const;

    EventQueue& queue_;
    NetworkSpec spec_;
    int ranks_;
    std::map<std::uint64_t, Flow> flows_;
    int moving_ = 0;
    int readers_ = 0;
    TimeNs counted_ns_ = 0;
    std::uint64_t generation_ = 0;
};

}  // namespace rankscope::tracegen::machine
