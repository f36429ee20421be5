// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace rankscope {

/// A piece of an event array: whole events, as far as one can tell by their look, with room around the text for the
/// brackets and the padding that the parser wants.
struct TextBatch {
    static constexpr std::size_t kFront = 1;      ///< room for `[`
    static constexpr std::size_t kBack = 1 + 64;  ///< room for `]` and simdjson's padding

    std::vector<char> buffer;  ///< kFront + text + at least kBack
    std::size_t size = 0;      ///< bytes of text
    std::uint64_t offset = 0;  ///< of the text in the uncompressed file
    bool last = false;         ///< the file ends here: the array's end and what follows it are in this batch

    [[nodiscard]] std::string_view text() const { return {buffer.data() + kFront, size}; }
    [[nodiscard]] char* data() { return buffer.data() + kFront; }
    [[nodiscard]] std::size_t capacity() const {
        return buffer.size() < kFront + kBack ? 0 : buffer.size() - kFront - kBack;
    }
    void reserve(std::size_t bytes) {
        if (capacity() < bytes) {
            buffer.resize(bytes + kFront + kBack);
        }
    }
};

}  // namespace rankscope
