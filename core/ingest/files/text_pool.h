// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/ingest/files/byte_stream.h"

namespace rankscope {

/// Streams of the text of one compressed tar, which go on where the member before ended: else each member would be
/// unpacked to from the nearest checkpoint, and from the start where there is none. For members that are opened in the
/// order of the text, by any number of threads, each thread unpacks the text once. Keeps files open while it lives.
class TextPool : public std::enable_shared_from_this<TextPool> {
  public:
    TextPool(std::string path, std::shared_ptr<const SeekIndex> index);

    /// The text from `offset` on. The stream comes back to the pool when it goes.
    [[nodiscard]] Result<std::unique_ptr<ByteStream>> openAt(std::uint64_t offset);

  private:
    class Lent;
    /// A stream, and the place in the text that it has come to.
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
