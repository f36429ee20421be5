// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/perfetto/sequences.h"

#include <algorithm>
#include <vector>

#include "core/ingest/bounds.h"
#include "core/ingest/perfetto/wire.h"

namespace rankscope::perfetto {
namespace {

// Clocks of perfetto/common/builtin_clock.proto.
constexpr std::uint64_t kRealTime = 1;
constexpr std::uint64_t kBootTime = 6;
/// Clocks from here on, up to the next number, belong to one sequence.
constexpr std::uint64_t kFirstOfSequence = 64;
constexpr std::uint64_t kFirstOfTrace = 128;

bool isOfSequence(std::uint64_t clock) {
    return clock >= kFirstOfSequence && clock < kFirstOfTrace;
}

/// A number of units in ns; nothing if that is no time.
std::optional<TimeNs> inNs(std::uint64_t count, DurationNs unit_ns) {
    const auto unit = static_cast<std::uint64_t>(unit_ns);
    return unit == 0 || count > static_cast<std::uint64_t>(kFarthestTime) / unit
               ? std::nullopt
               : std::optional(static_cast<TimeNs>(count * unit));
}

/// An instant on one clock.
struct Reading {
    std::uint64_t clock = 0;
    TimeNs at_ns = 0;
    DurationNs unit_ns = 1;
    bool counts_on = false;
};

std::optional<Reading> readingOf(std::string_view bytes) {
    constexpr std::uint64_t kLongestUnit = 1'000'000'000;
    Reading reading;
    std::uint64_t count = 0;
    Message message(bytes);
    Field field;
    while (message.next(field)) {
        switch (field.number) {
            case 1: reading.clock = field.value; break;
            case 2: count = field.value; break;
            case 3: reading.counts_on = field.value != 0; break;
            case 4:
                reading.unit_ns = static_cast<DurationNs>(std::clamp<std::uint64_t>(field.value, 1, kLongestUnit));
                break;
            default: break;
        }
    }
    const std::optional<TimeNs> at = inNs(count, reading.unit_ns);
    reading.at_ns = at.value_or(0);
    return at && !message.isDamaged() ? std::optional(reading) : std::nullopt;
}

const Reading* readingAt(const std::vector<Reading>& readings, std::uint64_t clock) {
    const auto found = std::ranges::find(readings, clock, &Reading::clock);
    return found == readings.end() ? nullptr : &*found;
}

/// Adds entries, messages of an id and a text. The first one of an id counts.
void addTexts(std::string_view bytes, Texts& to) {
    std::uint64_t id = 0;
    std::string_view text;
    Message message(bytes);
    Field field;
    while (message.next(field)) {
        if (field.number == 1) {
            id = field.value;
        } else if (field.number == 2) {
            text = field.bytes;
        }
    }
    if (!message.isDamaged()) {
        to.try_emplace(id, text);
    }
}

void addNames(std::string_view bytes, Names& to) {
    Message message(bytes);
    Field field;
    while (message.next(field)) {
        switch (field.number) {
            case 1: addTexts(field.bytes, to.categories); break;
            case 2: addTexts(field.bytes, to.events); break;
            case 3: addTexts(field.bytes, to.annotations); break;
            case 29: addTexts(field.bytes, to.texts); break;
            default: break;
        }
    }
}

void setDefaults(std::string_view bytes, Sequence& sequence) {
    Message message(bytes);
    Field field;
    while (message.next(field)) {
        if (field.number == 58) {
            sequence.clock = field.value;
        } else if (field.number == 11) {
            Message of_events(field.bytes);
            Field inside;
            while (of_events.next(inside)) {
                sequence.track = inside.number == 11 ? std::optional(inside.value) : sequence.track;
            }
        }
    }
}

}  // namespace

std::string_view textAt(const Texts& texts, std::uint64_t id) {
    const auto found = texts.find(id);
    return found == texts.end() ? std::string_view() : found->second;
}

Sequence& Sequences::update(const Packet& packet) {
    Sequence& sequence = sequences_[packet.sequence];
    if (packet.clears_names) {
        sequence.names = std::make_shared<Names>();  // slices that are open still have the old ones
        sequence.clock = 0;
        sequence.track.reset();
    }
    if (!packet.defaults.empty()) {
        setDefaults(packet.defaults, sequence);
    }
    if (!packet.names.empty()) {
        addNames(packet.names, *sequence.names);
    }
    if (!packet.clocks.empty()) {
        setClocks(packet.clocks, sequence);
    }
    return sequence;
}

/// Reads what several clocks show at one instant.
void Sequences::setClocks(std::string_view snapshot, Sequence& sequence) {
    std::vector<Reading> readings;
    Message message(snapshot);
    Field field;
    while (message.next(field)) {
        if (const std::optional<Reading> reading = field.number == 1 ? readingOf(field.bytes) : std::nullopt) {
            readings.push_back(*reading);
        }
    }
    const Reading* boot = readingAt(readings, kBootTime);
    const Reading* real = readingAt(readings, kRealTime);
    if (boot != nullptr && real != nullptr && !base_) {
        base_ = real->at_ns - boot->at_ns;
    }
    // Without the boot time, what is known of another clock of the system is as good.
    const Reading* known = boot;
    for (const Reading& reading : readings) {
        known = known == nullptr && !isOfSequence(reading.clock) ? &reading : known;
    }
    if (known == nullptr) {
        return;
    }
    const auto before = clocks_.find(known->clock);
    const TimeNs at_ns = known->at_ns + (known != boot && before != clocks_.end() ? before->second.behind_ns : 0);
    if (!isTime(at_ns)) {
        return;
    }
    for (const Reading& reading : readings) {
        auto& clocks = isOfSequence(reading.clock) ? sequence.clocks : clocks_;
        clocks[reading.clock] = {reading.unit_ns, at_ns - reading.at_ns, reading.counts_on, reading.at_ns};
    }
}

std::optional<TimeNs> Sequences::timeOf(const Packet& packet, Sequence& sequence) const {
    if (!packet.time) {
        return std::nullopt;
    }
    const std::uint64_t number = packet.clock != 0 ? packet.clock : sequence.clock;
    PacketClock plain;
    PacketClock* clock = &plain;
    if (isOfSequence(number)) {
        const auto known = sequence.clocks.find(number);
        clock = known == sequence.clocks.end() ? nullptr : &known->second;
    } else if (const auto known = clocks_.find(number); known != clocks_.end()) {
        plain = known->second;
    } else if (number >= kFirstOfTrace) {
        clock = nullptr;
    }
    const std::optional<TimeNs> given = clock == nullptr ? std::nullopt : inNs(*packet.time, clock->unit_ns);
    if (!given) {
        return std::nullopt;
    }
    if (!clock->counts_on) {
        return isTime(*given + clock->behind_ns) ? std::optional(*given + clock->behind_ns) : std::nullopt;
    }
    if (*given > kFarthestTime - clock->last_ns) {
        return std::nullopt;
    }
    clock->last_ns += *given;
    const TimeNs at = clock->last_ns + clock->behind_ns;
    return isTime(at) ? std::optional(at) : std::nullopt;
}

}  // namespace rankscope::perfetto
