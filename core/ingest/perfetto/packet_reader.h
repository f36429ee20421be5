// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/ingest/assembly/partial_trace.h"
#include "core/ingest/perfetto/packet.h"
#include "core/ingest/perfetto/packet_cutter.h"
#include "core/ingest/perfetto/sequences.h"
#include "core/ingest/perfetto/tracks.h"

namespace rankscope::perfetto {

/// Slices that may be open at a time; those that begin while this many are open are skipped.
inline constexpr std::size_t kMostOpen = std::size_t{1} << 20U;

/// Reads the packets of a trace into a partial trace, as the events that PyTorch's profiler writes as JSON: slices from
/// their begins and ends, launches and the links of forward and backward from flows, readings of sensors from counters.
class PacketReader {
  public:
    explicit PacketReader(PartialTrace& into) : into_(into) {}

    /// Reads the next packet of the file. A packet that makes no sense is skipped, and counted with its place.
    void read(const CutPacket& packet);
    /// To be called after the last packet. Slices that are still open are skipped.
    void finish();

    /// What the trace says of itself, as the top-level keys of the profiler's JSON: "distributedInfo", and what else
    /// its instants have by these names; the time of day as "baseTimeNanoseconds".
    [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& keys() const { return keys_; }
    /// What kind of program wrote packets that only it writes.
    [[nodiscard]] Writer writer() const { return tracks_.hasChrome() ? Writer::Chrome : writer_; }

  private:
    /// A slice whose end was not read yet.
    struct Open {
        std::uint64_t offset = 0;
        TimeNs start_ns = 0;
        std::string event;                   ///< the bytes of its begin
        std::shared_ptr<const Names> names;  ///< as they were then
    };
    struct Stack {
        std::vector<Open> open;
        std::uint64_t skipped = 0;  ///< begins after the last of `open`
    };

    void begin(const Packet& packet, Stack& stack, const Sequence& sequence, TimeNs at_ns);
    void end(std::uint64_t track, Stack& stack, TimeNs at_ns);
    void addSlice(std::uint64_t track, const Open& open, TimeNs end_ns);
    void addFlows(const EventText& slice, std::uint64_t offset);
    void addInstant(std::uint64_t track, const Names& names, TimeNs at_ns);
    void addCounter(std::uint64_t track, const Names& names, TimeNs at_ns);
    void addKeys(const Names& names);
    void setText(EventText& event, std::uint64_t track, const Names& names);
    void setArgs(EventText& event, const Names& names);
    void placeOfRocprof(std::string_view track, const Names& names);
    void introduce(const Place& place);
    void add(const EventText& event, std::uint64_t offset);
    void skip(std::string_view why);
    void sortFlows();

    PartialTrace& into_;
    Sequences sequences_;
    Tracks tracks_;
    std::unordered_map<std::uint64_t, Stack> stacks_;
    std::unordered_set<std::uint64_t> introduced_;  // tracks whose names are in into_
    std::vector<std::pair<std::string, std::string>> keys_;
    std::size_t open_ = 0;
    std::uint64_t offset_ = 0;  // of the packet that is read
    Writer writer_ = Writer::Any;
    // The event that is read, and its texts.
    TrackEvent event_;
    bool is_of_rocprof_ = false;
    EventText text_;
    std::string name_;
    std::string start_;
    std::string duration_;
    std::string value_;
    std::array<std::string, static_cast<std::size_t>(Arg::Count)> args_;
};

}  // namespace rankscope::perfetto
