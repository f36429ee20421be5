// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/ingest/byte_stream.h"
#include "core/ingest/text_batch.h"

namespace rankscope {

/// Cuts the text of a trace into batches at the starts of events.
class BatchCutter {
  public:
    /// Text in a batch. Small enough for the second-level cache, large enough to make the parser's start cheap.
    static constexpr std::size_t kBatchBytes = std::size_t{256} * 1024;

    explicit BatchCutter(ByteStream& stream) : stream_(stream) {}

    /// Reads up to the first event. Fails with what the text is where it is no trace.
    [[nodiscard]] Result<bool> readHeader(const std::string& path);
    /// Fills `batch` with the next events. False when there is nothing more; the last one says so itself.
    [[nodiscard]] bool next(TextBatch& batch);

    /// Bytes of text so far.
    [[nodiscard]] std::uint64_t position() const { return position_; }
    /// The top-level keys before the events.
    [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& metadata() const { return metadata_; }

  private:
    [[nodiscard]] Error noTrace(const std::string& path, std::string_view head) const;

    ByteStream& stream_;
    std::string left_over_;       // text behind the last cut
    std::uint64_t position_ = 0;  // of the end of left_over_ in the text
    bool ended_ = false;
    std::vector<std::pair<std::string, std::string>> metadata_;
};

}  // namespace rankscope
