// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "tests/tracegen/event.h"
#include "tests/tracegen/machine/event_queue.h"

namespace rankscope::tracegen::machine {

/// What joins the ranks.
struct NetworkSpec {
    double bytes_per_ns = 120;  ///< of the bus: GB/s
    DurationNs latency_ns = 22'000;
    /// All-reduces go up and down two binary trees instead of around a ring, of whose latency latency_ns is.
    bool trees = false;
    double wander = 0.04;        ///< how far its speed goes up and down over some tens of collectives, a share
    double read_share = 0.002;   ///< what each read of a DataLoader's worker takes of it
    DurationNs tail_ns = 9'000;  ///< ranks leave a collective within so much of each other
    std::uint64_t seed = 1;
};

/// Links inside a host, and links between hosts: what moves over the one takes nothing from the other.
enum class Plane : std::uint8_t { Outer, Inner };

/// The ranks that meet in the collectives of one group, and what joins them.
struct GroupLinks {
    std::vector<int> members;  ///< ascending
    double bytes_per_ns = 120;
    DurationNs latency_ns = 22'000;
    Plane plane = Plane::Outer;
    bool free = false;  ///< what moves takes no time: ranks begin to leave when the last has come
};

/// Collectives and messages of all ranks. One begins when its last rank has come, takes a latency, then moves its bytes
/// at the speed that its group's links have at that time, which all shares that moves over the same rank's links.
class Network {
  public:
    using Action = EventQueue::Action;

    /// All ranks are one group.
    Network(EventQueue& queue, const NetworkSpec& spec, int ranks);
    /// `groups` as CollectiveCall::group counts them.
    Network(EventQueue& queue, const NetworkSpec& spec, int ranks, std::vector<GroupLinks> groups);
    Network(const Network&) = delete;
    Network& operator=(const Network&) = delete;
    ~Network() = default;

    /// A rank's kernel has begun; `ended` happens when it may end.
    void join(const CollectiveCall& call, int rank, Action ended);
    /// So many more, or fewer, workers read their data over it.
    void changeReaders(int by);

  private:
    /// One collective of a group, or one message from rank to rank.
    struct Key {
        std::uint32_t group = 0;
        std::int32_t from = -1;
        std::int32_t to = -1;
        std::uint64_t number = 0;
        bool operator<(const Key& other) const {
            return std::tie(group, from, to, number) < std::tie(other.group, other.from, other.to, other.number);
        }
    };
    struct Flow {
        CollectiveCall call;
        std::vector<int> ranks;
        std::vector<Action> ended;  ///< as ranks; empty where it has not come
        std::size_t arrived = 0;
        std::int64_t most_elements = 0;  ///< that a rank puts in or gets out
        std::uint64_t chance = 0;        ///< what its chance is drawn from
        double wander = 1;
        double bytes_left = 0;
    };

    static Key keyOf(const CollectiveCall& call, int rank);
    Flow& flowOf(const Key& key, const CollectiveCall& call);
    void begin(const Key& key);
    void finish(const Key& key);
    void leaveAtOnce(const Key& key);
    /// Counts what moved since the last change, then plans the next end.
    void count();
    void plan();
    void endDue();
    [[nodiscard]] double bytesOf(const Flow& flow) const;
    [[nodiscard]] bool isTree(const Flow& flow) const;
    [[nodiscard]] DurationNs latencyOf(const Flow& flow) const;
    [[nodiscard]] double wanderOf(std::uint64_t chance) const;
    [[nodiscard]] double speedOf(const Flow& flow) const;
    [[nodiscard]] int& movingOver(const Flow& flow, int rank);
    [[nodiscard]] DurationNs draw(std::uint64_t chance, std::uint64_t what, DurationNs low, DurationNs high) const;

    EventQueue& queue_;
    NetworkSpec spec_;
    std::vector<GroupLinks> groups_;
    std::map<Key, Flow> flows_;
    std::map<Key, Flow*> moving_;
    std::vector<std::array<int, 2>> busy_;  ///< by rank and plane, how much moves
    int readers_ = 0;
    TimeNs counted_ns_ = 0;
    std::uint64_t generation_ = 0;
};

}  // namespace rankscope::tracegen::machine
