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

/// Whether an error says that a file is not a trace at all: JSON that the profiler has not written (a config, an
/// execution trace), or not JSON and not named so either (a compressed log). A folder may contain such files next to
/// its traces; a damaged or cut trace is a different case.
[[nodiscard]] bool saysNoTrace(const Error& error);

/// A piece of an event array: whole events, judged by their first bytes, with space around the text for the brackets
/// and the padding that the parser needs.
struct TextBatch {
    static constexpr std::size_t kFront = 1;      ///< room for `[`
    static constexpr std::size_t kBack = 1 + 64;  ///< room for `]` and simdjson's padding

    std::vector<char> buffer;  ///< kFront + text + at least kBack
    std::size_t size = 0;      ///< bytes of text
    std::uint64_t offset = 0;  ///< offset of the text in the uncompressed file
    bool last = false;         ///< the file ends here: the array's end and what follows it are in this batch

    /// The text of the batch, `size` bytes. Valid until the buffer grows.
    [[nodiscard]] std::string_view text() const { return {buffer.data() + kFront, size}; }
    /// The start of the text, for reading bytes into it: up to capacity(); then set `size`.
    [[nodiscard]] char* data() { return buffer.data() + kFront; }
    /// The space for text in bytes, without the space before and after it.
    [[nodiscard]] std::size_t capacity() const {
        return buffer.size() < kFront + kBack ? 0 : buffer.size() - kFront - kBack;
    }
    /// Makes room for `bytes` bytes of text, and keeps the content. Never returns memory; invalidates text() and data()
    /// if the buffer grows.
    void reserve(std::size_t bytes) {
        if (capacity() < bytes) {
            buffer.resize(bytes + kFront + kBack);
        }
    }
};

/// Cuts the text of a trace into batches at the starts of events.
class BatchCutter {
  public:
    /// Text in a batch. Small enough for the second-level cache, large enough that starting the parser is cheap.
    static constexpr std::size_t kBatchBytes = std::size_t{256} * 1024;

    explicit BatchCutter(ByteStream& stream) : stream_(stream) {}

    /// Reads up to the first event. Fails with what the text is if it is not a trace, as soon as that is known: it
    /// reads up to 4 MiB of a list, and 1 MiB of white space. A stop cancels it.
    [[nodiscard]] Result<bool> readHeader(const std::string& path, const std::stop_token& stop = {});
    /// Fills `batch` with the next events. False if there is nothing more; the last batch is marked as `last`.
    [[nodiscard]] bool next(TextBatch& batch);

    /// Bytes of text read so far.
    [[nodiscard]] std::uint64_t position() const { return position_; }
    /// The top-level keys before the events.
    [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& metadata() const { return metadata_; }

  private:
    /// What the start of a text shows.
    struct Begins {
        bool known = false;      ///< it is known whether the text is a trace
        std::size_t events = 0;  ///< where its events begin; kNowhere if it is not a trace
    };
    /// The first `searched` bytes of `head` have been examined before; `ended`: there is no more text.
    [[nodiscard]] Begins begins(std::string_view head, std::size_t searched, bool ended) const;
    /// Removes a byte order mark and white space at the start of the text, and counts their bytes.
    void dropLeading(std::string& head);
    [[nodiscard]] Error noTrace(const std::string& path, std::string_view head) const;

    ByteStream& stream_;
    std::string left_over_;       // text after the last cut
    std::uint64_t position_ = 0;  // position of the end of left_over_ in the text
    std::uint64_t leading_ = 0;   // bytes before the first one that is not white space
    bool ended_ = false;
    std::vector<std::pair<std::string, std::string>> metadata_;
};

}  // namespace rankscope
