// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/perfetto/tracks.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/ingest/perfetto/wire.h"

namespace rankscope::perfetto {
namespace {

/// Tracks around a track that are looked at: parents may be in a circle.
constexpr int kMostParents = 64;

std::int64_t numberIn(std::uint64_t value) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(value));  // pids are int32, negative ones ten bytes
}

void readProcess(std::string_view bytes, TrackInfo& into) {
    Message message(bytes);
    Field field;
    into.pid = 0;
    while (message.next(field)) {
        switch (field.number) {
            case 1: into.pid = numberIn(field.value); break;
            case 6: into.process_name = field.bytes; break;
            case 8: into.process_labels = field.bytes; break;
            default: break;
        }
    }
}

void readThread(std::string_view bytes, TrackInfo& into) {
    Message message(bytes);
    Field field;
    std::string_view name;
    while (message.next(field)) {
        switch (field.number) {
            case 1: into.pid = numberIn(field.value); break;
            case 2: into.tid = field.integer(); break;
            case 5: name = field.bytes; break;
            default: break;
        }
    }
    into.name = into.name.empty() ? name : into.name;
}

void readCounter(std::string_view bytes, TrackInfo& into) {
    // perfetto/trace/track_event/counter_descriptor.proto: time in ns, count, bytes
    constexpr std::array<std::string_view, 4> kUnits = {"", "ns", "count", "bytes"};
    Message message(bytes);
    Field field;
    while (message.next(field)) {
        switch (field.number) {
            case 3: into.unit = into.unit.empty() ? kUnits.at(field.value % kUnits.size()) : into.unit; break;
            case 4: into.unit_factor = static_cast<double>(field.integer()); break;
            case 6: into.unit = field.bytes; break;
            default: break;
        }
    }
}

/// The number behind a word: "324121" in "thread 324121 (python)".
std::string_view numberBehind(std::string_view text, std::string_view word) {
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        const std::string_view behind = text.substr(at + word.size());
        const std::size_t digits = std::min(behind.find_first_not_of("0123456789"), behind.size());
        if (digits > 0) {
            return behind.substr(0, digits);
        }
    }
    return {};
}

/// The second part of "0:7:stream 7", if it is a number.
std::string_view laneInKey(std::string_view key) {
    const std::size_t from = key.find(':');
    const std::size_t to = from == std::string_view::npos ? from : key.find(':', from + 1);
    const std::string_view lane =
        to == std::string_view::npos ? std::string_view() : key.substr(from + 1, to - from - 1);
    return lane.find_first_not_of("0123456789") == std::string_view::npos ? lane : std::string_view();
}

std::string laneOf(const TrackInfo& track, std::uint64_t id) {
    if (track.tid) {
        return std::to_string(*track.tid);
    }
    for (const std::string_view lane :
         {numberBehind(track.name, "thread "), laneInKey(track.key), numberBehind(track.name, "stream ")}) {
        if (!lane.empty()) {
            return std::string(lane);
        }
    }
    return track.name.empty() ? "track " + std::to_string(id) : track.name;
}

}  // namespace

bool Tracks::add(std::string_view descriptor) {
    TrackInfo info;
    std::uint64_t id = 0;
    Message message(descriptor);
    Field field;
    while (message.next(field)) {
        switch (field.number) {
            case 1: id = field.value; break;
            case 2:
            case 10: info.name = field.bytes; break;
            case 3: readProcess(field.bytes, info); break;
            case 4: readThread(field.bytes, info); break;
            case 5: info.parent = field.value; break;
            case 6:
            case 7: info.is_of_chrome = true; break;
            case 8: readCounter(field.bytes, info); break;
            case 16: info.key = field.bytes; break;
            default: break;
        }
    }
    if (message.isDamaged()) {
        return false;
    }
    has_chrome_ = has_chrome_ || info.is_of_chrome;
    tracks_[id] = std::move(info);
    ++descriptors_;
    return true;
}

Place Tracks::find(std::uint64_t track) const {
    Place place;
    const auto own = tracks_.find(track);
    if (own == tracks_.end()) {
        place.process = "unknown";
        place.lane = "track " + std::to_string(track);
        return place;
    }
    place.lane = laneOf(own->second, track);
    place.name = own->second.name;
    place.unit = own->second.unit;
    place.unit_factor = own->second.unit_factor;
    auto at = own;
    for (int i = 0; i < kMostParents && at != tracks_.end(); ++i) {
        const TrackInfo& around = at->second;
        if (around.pid && place.process.empty()) {
            place.process = std::to_string(*around.pid);
        }
        if (!around.process_name.empty() && place.process_name.empty()) {
            place.process_name = around.process_name;
            place.process_labels = around.process_labels;
        }
        place.outermost = around.name.empty() ? place.outermost : around.name;
        if (!around.parent || *around.parent == at->first) {
            break;
        }
        at = tracks_.find(*around.parent);
    }
    if (place.process.empty()) {
        place.process = place.outermost.empty() ? "unknown" : place.outermost;
    }
    return place;
}

const Place& Tracks::placeOf(std::uint64_t track) {
    Found& found = places_[track];
    if (found.descriptors != descriptors_) {
        found = {find(track), descriptors_};
    }
    return found.place;
}

}  // namespace rankscope::perfetto
