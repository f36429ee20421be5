// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

// The messages of a trace as far as they are read: perfetto/trace/trace_packet.proto and track_event.proto.

namespace rankscope::perfetto {

/// What wrote a packet, if only one kind of program writes such packets.
enum class Writer : std::uint8_t {
    Any,
    System,  ///< Android's or Linux's tracing: schedulers, processes, logs
    Chrome,
};

/// A packet. Its messages are views into it, empty if it does not have them.
struct Packet {
    std::optional<std::uint64_t> time;  ///< in units of its clock
    std::uint64_t clock = 0;            ///< 0: that of its sequence
    std::uint64_t sequence = 0;
    bool clears_names = false;   ///< what its sequence named before does not apply from here on
    bool follows_lost = false;   ///< packets of its sequence before it are lost
    bool is_compressed = false;  ///< it contains compressed packets
    Writer writer = Writer::Any;
    std::string_view clocks;
    std::string_view defaults;
    std::string_view names;
    std::string_view track;
    std::string_view event;
};
/// Reads a packet. Nothing if its bytes make no sense.
[[nodiscard]] std::optional<Packet> readPacket(std::string_view bytes);

enum class EventType : std::uint8_t { None, Begin, End, Instant, Counter };

/// An event of a track.
struct TrackEvent {
    EventType type = EventType::None;
    std::optional<std::uint64_t> track;
    std::string_view name;
    std::uint64_t name_id = 0;  ///< of a name of the sequence, if `name` is empty
    std::string_view category;
    std::uint64_t category_id = 0;
    std::optional<std::uint64_t> correlation;
    double value = 0;                           ///< of a counter
    std::vector<std::string_view> annotations;  ///< messages: core/ingest/perfetto/annotations.h
    std::vector<std::uint64_t> flows;           ///< ids of the flows through it
};
/// Reads an event into `event`, whose vectors keep their memory. False if its bytes make no sense.
[[nodiscard]] bool readTrackEvent(std::string_view bytes, TrackEvent& event);

}  // namespace rankscope::perfetto
