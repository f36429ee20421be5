// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/ingest/files/byte_stream.h"

namespace rankscope {

/// Streams of the text of one compressed tar, which continue where the previous member ended: else each member would be
/// unpacked from the nearest checkpoint, or from the start. If members are opened in the order of the text, by any
/// number of threads, each thread unpacks the text once. Keeps files open while it exists.
class TextPool : public std::enable_shared_from_this<TextPool> {
  public:
    TextPool(std::string path, std::shared_ptr<const SeekIndex> index);

    /// The text from `offset` on. The stream returns to the pool when it is destroyed.
    [[nodiscard]] Result<std::unique_ptr<ByteStream>> openAt(std::uint64_t offset);

  private:
    class Lent;
    /// An unused stream, and its position in the text.
    struct Idle {
        std::unique_ptr<ByteStream> stream;
        std::uint64_t position = 0;
    };

    Idle take(std::uint64_t offset);
    void giveBack(Idle idle);

    std::string path_;
    std::shared_ptr<const SeekIndex> index_;
    std::mutex mutex_;
    std::vector<Idle> idle_;
};

}  // namespace rankscope
