// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/ingest/files/byte_stream.h"

namespace rankscope {

/// Another stream, whose first bytes can be looked at before they are read.
class FrontStream final : public ByteStream {
  public:
    /// Reads up to `bytes` of `stream`, which must be at its start and must outlive this.
    FrontStream(ByteStream& stream, std::size_t bytes, const std::stop_token& stop);

    /// The first bytes; fewer than wanted if the stream has no more. Valid until the next read().
    [[nodiscard]] std::string_view front() const { return std::string_view(front_).substr(given_); }
    std::size_t read(std::span<char> to) override;
    [[nodiscard]] std::uint64_t diskPosition() const override { return stream_.diskPosition(); }
    [[nodiscard]] SeekIndex seekIndex() const override { return stream_.seekIndex(); }

  private:
    ByteStream& stream_;
    std::string front_;
    std::size_t given_ = 0;  // bytes of front_ that were read
};

}  // namespace rankscope
