// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace rankscope {

class ByteStream;  // core/ingest/files/byte_stream.h

/// How a file's bytes are packed.
enum class Packing : std::uint8_t {
    Plain,
    Gzip,     ///< one or several gzip members
    Deflate,  ///< raw deflate: a compressed member of a zip
    Stored,   ///< an uncompressed member of an archive
    Zstd,
};

/// Points at which to enter a file, so that one event can be read again without reading everything before it.
class SeekIndex {
  public:
    /// Distance of the checkpoints in uncompressed bytes; to reach a byte, less than this has to be unpacked.
    static constexpr std::uint64_t kSpacing = 16ULL << 20U;

    /// A place where decompression can start.
    struct Checkpoint {
        std::uint64_t output = 0;  ///< offset in the uncompressed text
        std::uint64_t input = 0;   ///< offset in the file of the first byte needed
        std::string state;         ///< deflate: the decompressor's state there, packed
    };

    Packing packing = Packing::Plain;
    Packing inner = Packing::Plain;  ///< the packing of the text of a member of an archive that is itself packed
    std::uint64_t data_start = 0;    ///< where the packed data begins in the file (in an archive)
    std::uint64_t data_end = 0;      ///< where it ends; 0: at the file's end
    std::vector<Checkpoint> checkpoints;
    /// For a member of a compressed tar: how to find the bytes of that tar's text, which contains data_start and
    /// data_end.
    std::shared_ptr<const SeekIndex> around = nullptr;

    /// Heap bytes of the checkpoints with their decompressor states, for the memory budget. Linear in checkpoints.
    [[nodiscard]] std::size_t memoryBytes() const;

    /// Where unpacking begins to reach `offset`: the last checkpoint before it, else 0.
    [[nodiscard]] std::uint64_t nearestStart(std::uint64_t offset) const;
    /// The uncompressed text from `offset` on, which must not be after its end; without a checkpoint nearby it is
    /// unpacked from its start. The stream's own index equals this one if `offset` is 0 and the data is not packed
    /// twice.
    [[nodiscard]] Result<std::unique_ptr<ByteStream>> openAt(const std::string& path, std::uint64_t offset) const;
    /// Up to `length` bytes of uncompressed text from `offset`; fewer at the end of the file. Fails if more than a few
    /// tens of megabytes would have to be unpacked.
    [[nodiscard]] Result<std::string> read(const std::string& path, std::uint64_t offset, std::size_t length) const;
};

/// Reads and discards `bytes` of a stream, or all if it has fewer.
void skipText(ByteStream& stream, std::uint64_t bytes);

}  // namespace rankscope
