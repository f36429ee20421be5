// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

// The wire format of protobuf, read from bytes that may say anything: each length is held against the bytes that are
// there, nothing recurses, and nothing is allocated.

namespace rankscope::perfetto {

/// Takes a number of `size` bytes, the lowest first. False if there are fewer.
[[nodiscard]] bool takeFixed(std::string_view& bytes, std::size_t size, std::uint64_t& value);
/// takeVarint() for any number of bytes.
[[nodiscard]] std::optional<std::uint64_t> takeLongVarint(std::string_view& bytes);
/// Takes a varint from the front of `bytes`. Nothing if it is cut, longer than ten bytes or beyond 64 bits.
[[nodiscard]] inline std::optional<std::uint64_t> takeVarint(std::string_view& bytes) {
    if (bytes.empty() || static_cast<unsigned char>(bytes.front()) >= 0x80U) {
        return takeLongVarint(bytes);
    }
    const auto value = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    return value;
}

/// One field of a message.
struct Field {
    std::uint32_t number = 0;
    std::uint64_t value = 0;  ///< of a number; 0 for bytes
    std::string_view bytes;   ///< of a text or a message, inside the message read; empty for a number

    /// Whether it is a number of any type, and not bytes.
    [[nodiscard]] bool isNumber() const { return bytes.data() == nullptr; }
    /// A `double` in a field of 64 bits.
    [[nodiscard]] double real() const { return std::bit_cast<double>(value); }
    /// An `int64`.
    [[nodiscard]] std::int64_t integer() const { return std::bit_cast<std::int64_t>(value); }
};

/// The fields of a message, in order.
class Message {
  public:
    explicit Message(std::string_view bytes) : rest_(bytes) {}

    /// Reads the next field into `field`. False at the end, and where the bytes make no sense.
    [[nodiscard]] bool next(Field& field);
    /// Whether next() returned false because the bytes make no sense.
    [[nodiscard]] bool isDamaged() const { return damaged_; }

  private:
    [[nodiscard]] bool takeValue(std::uint64_t wire_type, Field& field);

    std::string_view rest_;
    bool damaged_ = false;
};

}  // namespace rankscope::perfetto
