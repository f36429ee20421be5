// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/perfetto/packet.h"

#include "core/ingest/perfetto/wire.h"

namespace rankscope::perfetto {
namespace {

Writer writerOf(std::uint32_t field) {
    switch (field) {
        case 1:                          // ftrace_events
        case 2:                          // process_tree
        case 7:                          // sys_stats
        case 9:                          // process_stats
        case 38:                         // battery
        case 39:                         // android_log
        case 40:                         // power_rails
        case 47: return Writer::System;  // packages_list
        case 5:                          // chrome_events
        case 48:                         // chrome_benchmark_metadata
        case 51: return Writer::Chrome;  // chrome_metadata
        default: return Writer::Any;
    }
}

/// Adds the ids of a field of fixed64: one, or several packed.
void addFlows(const Field& field, std::vector<std::uint64_t>& flows) {
    if (field.isNumber()) {
        flows.push_back(field.value);
        return;
    }
    std::string_view rest = field.bytes;
    for (std::uint64_t id = 0; takeFixed(rest, sizeof id, id);) {
        flows.push_back(id);
    }
}

}  // namespace

std::optional<Packet> readPacket(std::string_view bytes) {
    constexpr std::uint64_t kCleared = 1;
    Packet packet;
    Message message(bytes);
    Field field;
    while (message.next(field)) {
        switch (field.number) {
            case 6: packet.clocks = field.bytes; break;
            case 8: packet.time = field.value; break;
            case 10: packet.sequence = field.value; break;
            case 11: packet.event = field.bytes; break;
            case 12: packet.names = field.bytes; break;
            case 13: packet.clears_names = packet.clears_names || (field.value & kCleared) != 0; break;
            case 41: packet.clears_names = packet.clears_names || field.value != 0; break;
            case 42: packet.follows_lost = field.value != 0; break;
            case 50: packet.is_compressed = true; break;
            case 58: packet.clock = field.value; break;
            case 59: packet.defaults = field.bytes; break;
            case 60: packet.track = field.bytes; break;
            default:
                if (const Writer writer = writerOf(field.number); writer != Writer::Any) {
                    packet.writer = writer;
                }
        }
    }
    return message.isDamaged() ? std::nullopt : std::optional(packet);
}

bool readTrackEvent(std::string_view bytes, TrackEvent& event) {
    event.type = EventType::None;
    event.track.reset();
    event.name = event.category = {};
    event.name_id = event.category_id = 0;
    event.correlation.reset();
    event.value = 0;
    event.annotations.clear();
    event.flows.clear();
    Message message(bytes);
    Field field;
    while (message.next(field)) {
        switch (field.number) {
            case 3: event.category_id = event.category_id == 0 ? field.value : event.category_id; break;
            case 4: event.annotations.push_back(field.bytes); break;
            case 9: event.type = field.value <= 4 ? static_cast<EventType>(field.value) : EventType::None; break;
            case 10: event.name_id = field.value; break;
            case 11: event.track = field.value; break;
            case 22: event.category = event.category.empty() ? field.bytes : event.category; break;
            case 23: event.name = field.bytes; break;
            case 30: event.value = static_cast<double>(field.integer()); break;
            case 44: event.value = field.real(); break;
            case 47:
            case 48: addFlows(field, event.flows); break;
            case 52: event.correlation = field.value; break;
            default: break;
        }
    }
    return !message.isDamaged();
}

}  // namespace rankscope::perfetto
