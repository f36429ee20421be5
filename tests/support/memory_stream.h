// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/ingest/files/byte_stream.h"

namespace rankscope::test {

/// The text of a trace in memory, read as a file would be: handed out in pieces, so that values are cut where a file's
/// blocks would cut them. The text must outlive it. In a header alone, for targets that link no test framework.
class MemoryStream final : public ByteStream {
  public:
    explicit MemoryStream(std::string_view text) : text_(text) {}

    std::size_t read(std::span<char> to) override {
        const std::size_t count = std::min(to.size(), text_.size() - at_);
        text_.copy(to.data(), count, at_);
        at_ += count;
        return count;
    }
    [[nodiscard]] std::uint64_t diskPosition() const override { return at_; }
    [[nodiscard]] SeekIndex seekIndex() const override { return {}; }

  private:
    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace rankscope::test
