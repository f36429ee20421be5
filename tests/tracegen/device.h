// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <optional>
#include <unordered_map>

#include "tests/tracegen/collective.h"
#include "tests/tracegen/device_work.h"

namespace rankscope::tracegen {

/// One rank's device: streams that work first in, first out. Work starts when it has been launched, its stream is free
/// and what the stream was told to wait for is over; a collective ends when the board says so.
class Device {
  public:
    /// A place in a stream; its work is over at completion().
    struct Ticket {
        Stream stream = Stream::Compute;
        std::uint64_t index = 0;
    };
    using Done = std::function<void(const Event&, const LaunchRecord&)>;

    /// `done` hears of every piece of work as soon as its times are known, a stream's in order.
    Device(int rank, CollectiveBoard& board, Done done) : rank_(rank), board_(board), done_(std::move(done)) {}

    Ticket submit(const DeviceWork& work, TimeNs earliest_ns, LaunchRecord record);
    void record(Stream stream, std::uint32_t event, TimeNs now_ns);
    void wait(Stream stream, std::uint32_t event);

    /// Works out what can be known by now. Whether there was anything.
    bool advance();

    /// The end of the work at `ticket`; nothing while it hangs on another rank.
    [[nodiscard]] std::optional<TimeNs> completion(const Ticket& ticket) const;
    /// The last thing given to `stream`; nothing if it never had any.
    [[nodiscard]] std::optional<Ticket> last(Stream stream) const;
    /// The work launched `depth` launches ago; nothing if there were fewer.
    [[nodiscard]] std::optional<Ticket> launchedBefore(std::size_t depth) const;

  private:
    enum class What : std::uint8_t { Work, Record, Wait };
    struct Entry {
        What what = What::Work;
        TimeNs earliest_ns = 0;
        std::uint64_t mark = 0;  ///< of Record and Wait
        DeviceWork work;
        LaunchRecord record;
    };
    struct Lane {
        std::deque<Entry> waiting;
        std::deque<TimeNs> ends;  ///< of the newest entries that are over
        std::uint64_t resolved = 0;
        std::uint64_t submitted = 0;
        TimeNs free_ns = 0;
    };

    [[nodiscard]] Lane& lane(Stream stream) { return lanes_[static_cast<std::size_t>(stream)]; }
    [[nodiscard]] const Lane& lane(Stream stream) const { return lanes_[static_cast<std::size_t>(stream)]; }
    std::uint64_t push(Stream stream, Entry entry);
    bool resolve(Lane& lane, const Entry& entry);
    bool resolveWork(Lane& lane, const Entry& entry);

    int rank_;
    CollectiveBoard& board_;
    Done done_;
    std::array<Lane, kStreams> lanes_;
    std::deque<Ticket> launches_;
    std::unordered_map<std::uint32_t, std::uint64_t> mark_of_event_;
    std::unordered_map<std::uint64_t, TimeNs> mark_times_;
    std::uint64_t next_mark_ = 1;
};

}  // namespace rankscope::tracegen
