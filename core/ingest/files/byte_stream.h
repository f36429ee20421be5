// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/result.h"
#include "core/ingest/files/seek_index.h"
#include "core/ingest/load.h"

namespace rankscope {

/// The uncompressed bytes of a file, from start to end, once.
class ByteStream {
  public:
    virtual ~ByteStream() = default;

    /// Fills `to` with the next bytes; fewer only at the end. Damaged data ends the stream early.
    virtual std::size_t read(std::span<char> to) = 0;
    /// Bytes of the file on disk consumed so far, for progress.
    [[nodiscard]] virtual std::uint64_t diskPosition() const = 0;
    /// From now on, a stop request ends the stream early. The caller knows why it ended.
    void stopWhen(std::stop_token stop) { stop_ = std::move(stop); }
    /// Why the stream ended before it should, if it did ("the gzip data ends early").
    [[nodiscard]] const std::optional<std::string>& damage() const { return damage_; }
    /// How to find bytes again; complete once the stream has been read.
    [[nodiscard]] virtual SeekIndex seekIndex() const = 0;

  protected:
    std::optional<std::string> damage_;
    std::stop_token stop_;
};

/// How a file with these first bytes is packed: Gzip, Zstd or Plain.
[[nodiscard]] Packing packingOf(std::string_view magic);

/// Opens a plain, gzip or zstd file, recognised by its first bytes and not by its name, with any content.
[[nodiscard]] Result<std::unique_ptr<ByteStream>> openBytes(const std::string& path);

/// Opens a plain, gzip or zstd file, recognised by its first bytes and not by its name, or a member of an archive.
/// Fails with what the file is if it is another known type.
[[nodiscard]] Result<std::unique_ptr<ByteStream>> openByteStream(const FileSource& file);

}  // namespace rankscope
