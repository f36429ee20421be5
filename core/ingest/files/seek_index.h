// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace rankscope {

/// How a file's bytes are packed.
enum class Packing : std::uint8_t {
    Plain,
    Gzip,     ///< one or several gzip members
    Deflate,  ///< raw deflate: a compressed member of a zip
    Stored,   ///< an uncompressed member of a zip
    Zstd,
};

/// Points at which to enter a file, so that one event can be read again without reading all before it.
class SeekIndex {
  public:
    /// Distance of the checkpoints in uncompressed bytes; less than this has to be inflated to reach a byte.
    static constexpr std::uint64_t kSpacing = 16ULL << 20U;

    /// A place where decompression can start.
    struct Checkpoint {
        std::uint64_t output = 0;  ///< offset in the uncompressed text
        std::uint64_t input = 0;   ///< offset in the file of the first byte that is needed
        std::string state;         ///< deflate: the inflation's state there, packed
    };

    Packing packing = Packing::Plain;
    Packing inner = Packing::Plain;  ///< how the text of a deflated member of a zip is packed once more
    std::uint64_t data_start = 0;    ///< where the packed data begin in the file (in a zip)
    std::uint64_t data_end = 0;      ///< where they end; 0: at the file's end
    std::vector<Checkpoint> checkpoints;

    /// Heap bytes of the checkpoints with their inflation states, for the memory budget. Linear in checkpoints.
    [[nodiscard]] std::size_t memoryBytes() const;

    /// Up to `length` bytes of uncompressed text from `offset`; fewer at the end of the file.
    [[nodiscard]] Result<std::string> read(const std::string& path, std::uint64_t offset, std::size_t length) const;
};

}  // namespace rankscope
