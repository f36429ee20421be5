// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "core/ingest/perfetto/annotations.h"
#include "core/ingest/perfetto/packet.h"
#include "core/ingest/perfetto/packet_cutter.h"
#include "core/ingest/perfetto/perfetto.h"
#include "core/ingest/perfetto/wire.h"

namespace rankscope::perfetto {
namespace {

constexpr std::size_t kFirstPiece = std::size_t{64} * 1024;

/// The bytes of the packet at `offset`.
Result<std::string> packetAt(const SeekIndex& index, const std::string& path, std::uint64_t offset) {
    for (std::size_t length = kFirstPiece;; length *= 8) {
        Result<std::string> text = index.read(path, offset, length);
        if (!text.ok()) {
            return text;
        }
        if (const std::optional<std::string_view> packet = packetAtFront(text.value())) {
            return std::string(*packet);
        }
        if (text.value().size() < length || length > 2 * kLongestPacket) {
            return Error{path, offset, "there is no complete packet here"};
        }
    }
}

/// Whether an argument, or one inside it, refers to a text by its id.
bool refersToNames(std::string_view annotation, int depth) {
    Message message(annotation);
    Field field;
    while (message.next(field)) {
        const bool is_inside = field.number == 11 || field.number == 12;
        if (field.number == 1 || field.number == 17 ||
            (is_inside && depth < kDeepestAnnotation && refersToNames(field.bytes, depth + 1))) {
            return true;
        }
    }
    return false;
}

bool refersToNames(const TrackEvent& event) {
    return event.name_id != 0 || event.category_id != 0 ||
           std::ranges::any_of(event.annotations, [](std::string_view a) { return refersToNames(a, 0); });
}

/// The names that the sequence of the packet at `offset` knows there: all packets before it are read.
Result<std::shared_ptr<const Names>> namesAt(const SeekIndex& index, const std::string& path, std::uint64_t offset) {
    const Result<std::unique_ptr<ByteStream>> stream = index.openAt(path, 0);
    if (!stream.ok()) {
        return stream.error();
    }
    PacketCutter cutter(*stream.value());
    Sequences sequences;
    while (const std::optional<CutPacket> cut = cutter.next()) {
        const std::optional<Packet> packet = readPacket(cut->bytes);
        if (packet) {
            const Sequence& sequence = sequences.update(*packet);
            if (cut->offset == offset) {
                return std::shared_ptr<const Names>(sequence.names);
            }
        }
        if (cut->offset >= offset) {
            break;
        }
    }
    return std::shared_ptr<const Names>(std::make_shared<Names>());
}

void appendMember(std::string_view key, std::string_view text, std::string& to) {
    appendQuoted(key, to);
    to += ": ";
    appendQuoted(text, to);
    to += ", ";
}

}  // namespace

bool beginsWithPacket(std::string_view text) {
    return text.starts_with('\x0a');
}

Result<std::string> packetEventText(const SeekIndex& index, const std::string& path, std::uint64_t offset) {
    const Result<std::string> bytes = packetAt(index, path, offset);
    if (!bytes.ok()) {
        return bytes.error();
    }
    const std::optional<Packet> packet = readPacket(bytes.value());
    TrackEvent event;
    if (!packet || packet->event.empty() || !readTrackEvent(packet->event, event)) {
        return Error{path, offset, "there is no event here"};
    }
    std::shared_ptr<const Names> names = std::make_shared<Names>();
    if (refersToNames(event)) {
        Result<std::shared_ptr<const Names>> known = namesAt(index, path, offset);
        if (!known.ok()) {
            return known.error();
        }
        names = std::move(known).value();
    }
    std::string text = R"({"ph": "X", )";
    appendMember("cat", event.category.empty() ? textAt(names->categories, event.category_id) : event.category, text);
    appendMember("name", event.name.empty() ? textAt(names->events, event.name_id) : event.name, text);
    text += R"("args": {)";
    for (std::size_t i = 0; i < event.annotations.size(); ++i) {
        text += i == 0 ? "" : ", ";
        appendQuoted(annotationName(event.annotations[i], *names), text);
        text += ": ";
        appendValue(event.annotations[i], *names, text);
    }
    return text + "}}";
}

}  // namespace rankscope::perfetto
