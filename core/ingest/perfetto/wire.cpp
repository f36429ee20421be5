// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/perfetto/wire.h"

namespace rankscope::perfetto {
namespace {

constexpr std::uint64_t kMostFieldNumber = (std::uint64_t{1} << 29U) - 1;

}  // namespace

bool takeFixed(std::string_view& bytes, std::size_t size, std::uint64_t& value) {
    if (bytes.size() < size) {
        return false;
    }
    value = 0;
    for (std::size_t i = 0; i < size; ++i) {
        value |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
    }
    bytes.remove_prefix(size);
    return true;
}

std::optional<std::uint64_t> takeLongVarint(std::string_view& bytes) {
    constexpr std::size_t kLongest = 10;
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes.size() && i < kLongest; ++i) {
        const auto byte = static_cast<unsigned char>(bytes[i]);
        if (i + 1 == kLongest && byte > 1) {
            return std::nullopt;
        }
        value |= std::uint64_t{byte & 0x7fU} << (7 * i);
        if (byte < 0x80U) {
            bytes.remove_prefix(i + 1);
            return value;
        }
    }
    return std::nullopt;
}

bool Message::takeValue(std::uint64_t wire_type, Field& field) {
    constexpr std::uint64_t kVarint = 0;
    constexpr std::uint64_t kFixed64 = 1;
    constexpr std::uint64_t kBytes = 2;
    constexpr std::uint64_t kFixed32 = 5;
    if (wire_type == kFixed64 || wire_type == kFixed32) {
        return takeFixed(rest_, wire_type == kFixed64 ? 8 : 4, field.value);
    }
    const std::optional<std::uint64_t> value =
        wire_type == kVarint || wire_type == kBytes ? takeVarint(rest_) : std::nullopt;
    if (!value || (wire_type == kBytes && *value > rest_.size())) {
        return false;
    }
    if (wire_type == kVarint) {
        field.value = *value;
    } else {
        field.bytes = rest_.substr(0, *value);
        rest_.remove_prefix(*value);
    }
    return true;
}

bool Message::next(Field& field) {
    field = {};
    if (rest_.empty() || damaged_) {
        return false;
    }
    constexpr std::uint64_t kWireTypes = 7;
    const std::optional<std::uint64_t> key = takeVarint(rest_);
    const std::uint64_t number = key.value_or(0) >> 3U;
    if (number == 0 || number > kMostFieldNumber || !takeValue(*key & kWireTypes, field)) {
        damaged_ = true;
        return false;
    }
    field.number = static_cast<std::uint32_t>(number);
    return true;
}

}  // namespace rankscope::perfetto
