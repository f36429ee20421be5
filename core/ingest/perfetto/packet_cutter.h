// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ingest/files/byte_stream.h"

namespace rankscope::perfetto {

/// The largest packet that is read; a larger one is skipped.
inline constexpr std::size_t kLongestPacket = std::size_t{64} << 20U;

/// A packet of a trace: its bytes, without its key and its length, and where its key is in the file.
struct CutPacket {
    std::uint64_t offset = 0;
    std::string_view bytes;    ///< valid until the next one is cut
    bool is_too_long = false;  ///< longer than kLongestPacket: without its bytes
};

/// Cuts a trace into its packets. Takes memory in proportion to the largest packet that is there, not to what a length
/// says.
class PacketCutter {
  public:
    explicit PacketCutter(ByteStream& stream) : stream_(stream) {}

    /// The next packet. Nothing at the end, and where the bytes are no packets.
    [[nodiscard]] std::optional<CutPacket> next();
    /// Why there are no more packets, if the file does not end after one.
    [[nodiscard]] const std::optional<std::string>& damage() const { return damage_; }
    /// Bytes of the trace cut so far.
    [[nodiscard]] std::uint64_t position() const { return position_; }

  private:
    [[nodiscard]] std::string_view ahead() const { return {buffer_.data() + at_, end_ - at_}; }
    [[nodiscard]] bool fill(std::size_t bytes);
    void take(std::size_t bytes);
    [[nodiscard]] bool skip(std::uint64_t bytes);
    [[nodiscard]] bool skipOther(std::uint64_t key);
    void endInside();

    ByteStream& stream_;
    std::vector<char> buffer_;
    std::size_t at_ = 0;   // what is ahead begins here in the buffer
    std::size_t end_ = 0;  // and ends here
    std::uint64_t position_ = 0;
    std::optional<std::string> damage_;
};

/// Whether a file that begins with `front` is a trace of Perfetto: its first bytes are those of a packet with fields
/// that packets begin with, and not JSON after an empty line.
[[nodiscard]] bool isPerfetto(std::string_view front);
/// As many first bytes as isPerfetto() wants.
inline constexpr std::size_t kPerfettoFront = 4096;

/// Whether a file has a name of traces of Perfetto.
[[nodiscard]] bool isNamedSo(std::string_view name);

/// The packet at the front of `text`, without its key and its length; nothing if it is not there whole.
[[nodiscard]] std::optional<std::string_view> packetAtFront(std::string_view text);

}  // namespace rankscope::perfetto
