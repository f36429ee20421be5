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

/// The cause of the error of a pickle, plain or packed.
inline constexpr std::string_view kPickle =
    "is a Python pickle, not a profiler trace; rankscope-cli info reads memory snapshots";

/// What is said of a database that is not a file of its own, as exports of Nsight Systems must be.
inline constexpr std::string_view kPackedDatabase =
    "is an SQLite database; one in an archive cannot be opened: unpack it";

/// Whether a file of that name is a report of Nsight Systems, which only its own programs can read.
[[nodiscard]] bool isNsightReportName(std::string_view name);
/// What is said of it: how to export it.
inline constexpr std::string_view kNsightReport =
    "is an Nsight Systems report; export it: nsys export --type sqlite --output report.sqlite report.nsys-rep";

/// How a file with these first bytes is packed: Gzip, Zstd or Plain.
[[nodiscard]] Packing packingOf(std::string_view magic);

/// Opens a plain, gzip or zstd file, recognised by its first bytes and not by its name, or a member of an archive, with
/// any content. A text is its path, or "job.zip:rank0.log" for a member (core/ingest/files/named_file.h).
[[nodiscard]] Result<std::unique_ptr<ByteStream>> openBytes(const FileSource& file);
[[nodiscard]] Result<std::unique_ptr<ByteStream>> openBytes(const std::string& name);

/// Opens a plain, gzip or zstd file, recognised by its first bytes and not by its name, or a member of an archive.
/// Fails with what the file is if it is another known type.
[[nodiscard]] Result<std::unique_ptr<ByteStream>> openByteStream(const FileSource& file);

/// The first bytes of a file, as openBytes() opens it: up to this many. Empty if it cannot be read.
[[nodiscard]] std::string frontOf(const std::string& name, std::size_t bytes);

}  // namespace rankscope
