// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/ingest/files/byte_stream.h"

namespace rankscope {

/// Whether an error says that a file is no trace at all: JSON that the profiler has not written (a config, an execution
/// trace), or no JSON, and not called so either (a log that is compressed). A folder may have such files beside its
/// traces; a trace that is damaged or cut is another matter.
[[nodiscard]] bool saysNoTrace(const Error& error);

/// A piece of an event array: whole events, judged by their first bytes, with room around the text for the brackets and
/// the padding that the parser needs.
struct TextBatch {
    static constexpr std::size_t kFront = 1;      ///< room for `[`
    static constexpr std::size_t kBack = 1 + 64;  ///< room for `]` and simdjson's padding

    std::vector<char> buffer;  ///< kFront + text + at least kBack
    std::size_t size = 0;      ///< bytes of text
    std::uint64_t offset = 0;  ///< of the text in the uncompressed file
    bool last = false;         ///< the file ends here: the array's end and what follows it are in this batch

    /// The text of the batch, `size` bytes. Valid until the buffer grows.
    [[nodiscard]] std::string_view text() const { return {buffer.data() + kFront, size}; }
    /// The start of the text, to read bytes into it: up to capacity(); then set `size`.
    [[nodiscard]] char* data() { return buffer.data() + kFront; }
    /// Room for text in bytes, without the room before and after it.
    [[nodiscard]] std::size_t capacity() const {
        return buffer.size() < kFront + kBack ? 0 : buffer.size() - kFront - kBack;
    }
    /// Makes room for `bytes` bytes of text, and keeps what is there. Never gives memory back; what text() and data()
    /// returned is not valid any more where the buffer grows.
    void reserve(std::size_t bytes) {
        if (capacity() < bytes) {
            buffer.resize(bytes + kFront + kBack);
        }
    }
};

/// Cuts the text of a trace into batches at the starts of events.
class BatchCutter {
  public:
    /// Text in a batch. Small enough for the second-level cache, large enough to make the parser's start cheap.
    static constexpr std::size_t kBatchBytes = std::size_t{256} * 1024;

    explicit BatchCutter(ByteStream& stream) : stream_(stream) {}

    /// Reads up to the first event. Fails with what the text is if it is no trace, as soon as that is known: it looks
    /// at the first 4 MiB of a list, and 1 MiB of white space. A stop cancels it.
    [[nodiscard]] Result<bool> readHeader(const std::string& path, const std::stop_token& stop = {});
    /// Fills `batch` with the next events. False when there is nothing more; the last one says so itself.
    [[nodiscard]] bool next(TextBatch& batch);

    /// Bytes of text so far.
    [[nodiscard]] std::uint64_t position() const { return position_; }
    /// The top-level keys before the events.
    [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& metadata() const { return metadata_; }

  private:
    /// What the front of a text says of it.
    struct Begins {
        bool known = false;      ///< whether it is a trace can be determined
        std::size_t events = 0;  ///< where its events begin; kNowhere where it is none
    };
    /// `searched` bytes of `head` have been looked at before; `ended`: there is no more text.
    [[nodiscard]] Begins begins(std::string_view head, std::size_t searched, bool ended) const;
    /// Drops a byte order mark and the white space at the front of the text, and counts it.
    void dropLeading(std::string& head);
    [[nodiscard]] Error noTrace(const std::string& path, std::string_view head) const;

    ByteStream& stream_;
    std::string left_over_;       // text behind the last cut
    std::uint64_t position_ = 0;  // of the end of left_over_ in the text
    std::uint64_t leading_ = 0;   // bytes before the first that is no white space
    bool ended_ = false;
    std::vector<std::pair<std::string, std::string>> metadata_;
};

}  // namespace rankscope
