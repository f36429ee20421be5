// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "tests/tracegen/device_work.h"
#include "tests/tracegen/machine/network.h"

namespace rankscope::tracegen::machine {

/// Somebody else's process on the same device: every now and then it has the device for a time slice, in which nothing
/// of ours may start.
struct Neighbour {
    DurationNs every_ns = 5'000'000;  ///< from one slice to the next, give or take 60 %
    DurationNs shortest_ns = 300'000;
    DurationNs longest_ns = 2'400'000;
};

/// One rank's device.
struct DeviceSpec {
    double slowdown = 1;  ///< of all its kernels but communication
    /// The same in each step of the window, beside that: of a throttled GPU. Steps that are not in it: 1.
    std::vector<double> step_slowdowns;
    double beside_communication = 1.05;  ///< computation takes so much longer while communication runs beside it
    DurationNs stream_gap_ns = 1'000;    ///< between two pieces of work of one stream
    std::size_t queue_depth = 1'022;     ///< so much may be submitted and not over; a launch into a full queue waits
    std::optional<Neighbour> neighbour;
    std::uint64_t seed = 1;

    /// Of a step of the window, all together; before it negative.
    [[nodiscard]] double slowdownIn(int step) const;
};

/// A kernel or copy, with what the host knows of it. Of a collective the network decides how long it takes.
struct DeviceWork : tracegen::DeviceWork, LaunchRecord {
    std::vector<CollectiveCall> batch;  ///< messages that one kernel sends and receives together
    WorkLabel label;

    [[nodiscard]] bool communicates() const { return collective.valid() || !batch.empty(); }
};

/// Streams that work first in, first out. Work begins once it has come over from the host, the work before it on its
/// stream is over, and so is what the stream was told to wait for.
class Device {
  public:
    using Action = EventQueue::Action;
    using Done = std::function<void(const Event&, const DeviceWork&)>;

    Device(EventQueue& queue, Network& network, int rank, const DeviceSpec& spec, Done done);
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;
    ~Device() = default;

    /// The work gets to the device `latency_ns` from now.
    void submit(DeviceWork work, DurationNs latency_ns);
    void record(Stream stream, std::uint32_t event);
    /// `stream` waits for the newest record() of the event.
    void wait(Stream stream, std::uint32_t event);

    [[nodiscard]] bool hasRoom() const { return pending() < spec_.queue_depth; }
    /// Does `then` as soon as there is room, or when all that `stream` (or all streams) has by now is over.
    void whenRoom(Action then);
    void whenDone(std::optional<Stream> stream, Action then);
    /// Does `then` once the newest record() of the event is reached.
    void whenSet(std::uint32_t event, Action then);

  private:
    enum class What : std::uint8_t { Work, Record, Wait };
    struct Entry {
        What what = What::Work;
        TimeNs arrives_ns = 0;
        std::uint64_t mark = 0;  ///< of Record and Wait
        DeviceWork work;
    };
    struct Running {
        TimeNs start_ns = 0;
        double left_ns = 0;    ///< of its own work
        TimeNs since_ns = 0;   ///< when what is left was last worked out
        double rate = 1;       ///< own work done in a nanosecond
        std::size_t open = 0;  ///< collectives and messages that are not over
    };
    struct Lane {
        std::deque<Entry> entries;
        std::optional<Running> running;  ///< the first entry
        TimeNs free_ns = 0;
        std::uint64_t submitted = 0;
        std::uint64_t finished = 0;
        std::uint64_t generation = 0;
    };
    struct Waiter {
        std::array<std::uint64_t, kStreams> finished{};  ///< at least so many on each stream
        bool room = false;
        std::uint64_t mark = 0;  ///< that has to be set; 0: none
        Action then;
    };

    [[nodiscard]] Lane& laneOf(Stream stream) { return lanes_.at(static_cast<std::size_t>(stream)); }
    [[nodiscard]] std::size_t pending() const;
    void push(Stream stream, Entry entry);
    /// Begins what can begin on a stream.
    void pump(Stream stream);
    /// Whether the first entry is through: a mark, or a wait for one that is set.
    bool passMark(Lane& lane);
    static void pop(Lane& lane);
    void begin(Stream stream);
    void planEnd(Stream stream);
    void end(Stream stream);
    void communicate(Stream stream);
    /// Communication has begun or ended: computation beside it changes its pace.
    void changePace();
    [[nodiscard]] double paceOf(const DeviceWork& work) const;
    void serveWaiters();
    void pumpAll();
    void neighbourComes();

    EventQueue& queue_;
    Network& network_;
    int rank_;
    DeviceSpec spec_;
    Done done_;
    std::array<Lane, kStreams> lanes_;
    std::unordered_map<std::uint32_t, std::uint64_t> mark_of_event_;
    std::set<std::uint64_t> set_marks_;
    std::uint64_t next_mark_ = 1;
    int communicating_ = 0;
    TimeNs taken_until_ns_ = 0;
    std::uint64_t slices_ = 0;
    std::vector<Waiter> waiters_;
};

}  // namespace rankscope::tracegen::machine
