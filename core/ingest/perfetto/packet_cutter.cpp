// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/perfetto/packet_cutter.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/ingest/perfetto/wire.h"

namespace rankscope::perfetto {
namespace {

/// The key of a packet in a trace: field 1, bytes.
constexpr char kPacketKey = '\x0a';
constexpr std::size_t kReadAtOnce = std::size_t{256} * 1024;
/// A key and a length.
constexpr std::size_t kLongestHead = 20;

/// Whether a text is JSON after white space: an object or a list with what these may begin with.
bool isJson(std::string_view front) {
    constexpr std::string_view kSpace = " \n\r\t";
    const std::size_t open = front.find_first_not_of(kSpace);
    if (open == std::string_view::npos || (front[open] != '{' && front[open] != '[')) {
        return open == std::string_view::npos;
    }
    const std::size_t inside = front.find_first_not_of(kSpace, open + 1);
    return inside == std::string_view::npos ||
           std::string_view("\"{}[]-0123456789tfn").find(front[inside]) != std::string_view::npos;
}

/// A field that nearly each packet has, or that a trace begins with: its time, its sequence, clocks, events, names, a
/// track, a configuration, a mark.
bool isExpected(const Field& field) {
    constexpr std::array<std::uint32_t, 5> kNumbers = {3, 8, 10, 13, 41};
    constexpr std::array<std::uint32_t, 8> kMessages = {6, 11, 12, 33, 36, 59, 60, 89};
    return field.isNumber() ? std::ranges::find(kNumbers, field.number) != kNumbers.end()
                            : std::ranges::find(kMessages, field.number) != kMessages.end();
}

bool beginsPacket(std::string_view bytes, bool is_whole) {
    Message packet(bytes);
    bool has_expected = false;
    Field field;
    while (packet.next(field)) {
        has_expected = has_expected || isExpected(field);
    }
    return has_expected && (!is_whole || !packet.isDamaged());
}

}  // namespace

bool PacketCutter::fill(std::size_t bytes) {
    if (end_ - at_ >= bytes) {
        return true;
    }
    if (end_ > at_) {
        std::memmove(buffer_.data(), buffer_.data() + at_, end_ - at_);
    }
    end_ -= at_;
    at_ = 0;
    while (end_ < bytes) {
        if (buffer_.size() < end_ + kReadAtOnce) {
            buffer_.resize(std::max(end_ + kReadAtOnce, std::min(bytes, 2 * buffer_.size())));
        }
        const std::size_t got = stream_.read({buffer_.data() + end_, buffer_.size() - end_});
        end_ += got;
        if (got == 0) {
            return false;
        }
    }
    return true;
}

void PacketCutter::take(std::size_t bytes) {
    at_ += bytes;
    position_ += bytes;
}

/// Skips bytes that may be more than fit the memory. False if the file ends before.
bool PacketCutter::skip(std::uint64_t bytes) {
    while (bytes > 0 && fill(1)) {
        const std::size_t some = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, end_ - at_));
        take(some);
        bytes -= some;
    }
    return bytes == 0;
}

void PacketCutter::endInside() {
    damage_ = "the last packet ends early";
}

/// Skips a field of the trace that is no packet.
bool PacketCutter::skipOther(std::uint64_t key) {
    constexpr std::uint64_t kWireTypes = 7;
    constexpr std::uint64_t kBytes = 2;
    std::string_view value = ahead();
    const std::uint64_t type = key & kWireTypes;
    const std::size_t before = value.size();
    if (type == kBytes || type == 0) {
        const std::optional<std::uint64_t> number = takeVarint(value);
        take(before - value.size());
        return number && skip(type == kBytes ? *number : 0);
    }
    return (type == 1 && skip(8)) || (type == 5 && skip(4));
}

std::optional<CutPacket> PacketCutter::next() {
    while (!damage_ && fill(1)) {
        static_cast<void>(fill(kLongestHead));
        const std::uint64_t offset = position_;
        std::string_view head = ahead();
        const std::size_t before = head.size();
        const bool is_packet = head.front() == kPacketKey;
        const std::optional<std::uint64_t> key = takeVarint(head);
        if (!is_packet) {
            take(before - head.size());
            if (!key || *key < 8 || !skipOther(*key)) {
                damage_ = "byte " + std::to_string(offset) + " is not the start of a packet";
            }
            continue;
        }
        const std::optional<std::uint64_t> length = takeVarint(head);
        if (!length) {
            damage_ = before < kLongestHead ? "the last packet ends early"
                                            : "byte " + std::to_string(offset + 1) + " is not the length of a packet";
            break;
        }
        take(before - head.size());
        if (*length > kLongestPacket) {
            if (!skip(*length)) {
                endInside();
                break;
            }
            return CutPacket{offset, {}, true};
        }
        if (!fill(static_cast<std::size_t>(*length))) {
            endInside();
            break;
        }
        const std::string_view bytes = ahead().substr(0, *length);
        take(bytes.size());
        return CutPacket{offset, bytes, false};
    }
    return std::nullopt;
}

bool isPerfetto(std::string_view front) {
    if (front.size() < 3 || front.front() != kPacketKey || isJson(front)) {
        return false;
    }
    std::string_view rest = front.substr(1);
    const std::optional<std::uint64_t> length = takeVarint(rest);
    if (!length || *length == 0) {
        return false;
    }
    return beginsPacket(rest.substr(0, *length), *length <= rest.size());
}

bool isNamedSo(std::string_view name) {
    for (const std::string_view packed : {".gz", ".zst"}) {
        name.remove_suffix(name.ends_with(packed) ? packed.size() : 0);
    }
    return name.ends_with(".pftrace") || name.ends_with(".perfetto-trace");
}

std::optional<std::string_view> packetAtFront(std::string_view text) {
    if (!text.starts_with(kPacketKey)) {
        return std::nullopt;
    }
    text.remove_prefix(1);
    const std::optional<std::uint64_t> length = takeVarint(text);
    return length && *length <= text.size() ? std::optional(text.substr(0, *length)) : std::nullopt;
}

}  // namespace rankscope::perfetto
