// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <isa-l/igzip_lib.h>
#include <zstd.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/ingest/files/byte_stream.h"
#include "core/ingest/files/input_file.h"

namespace rankscope {

/// Unpacked bytes: plain JSON, or a stored member of an archive.
class PlainStream final : public ByteStream {
  public:
    /// From `start` to `end` (0: the end of the file).
    PlainStream(InputFile file, std::uint64_t start, std::uint64_t end, Packing packing);
    std::size_t read(std::span<char> to) override;
    [[nodiscard]] std::uint64_t diskPosition() const override { return file_.position(); }
    [[nodiscard]] SeekIndex seekIndex() const override;

  private:
    InputFile file_;
    std::uint64_t start_;
    std::uint64_t end_;
    Packing packing_;
};

/// Gzip (also several members one after the other) or the raw deflate data of a zip member. Saves a checkpoint of the
/// decompressor's state about every SeekIndex::kSpacing bytes of output.
class InflateStream final : public ByteStream {
  public:
    InflateStream(InputFile file, std::uint64_t start, std::uint64_t end, Packing packing);

    /// Continues from a checkpoint of the same file. False if it is not valid.
    [[nodiscard]] bool enter(const SeekIndex::Checkpoint& checkpoint);
    std::size_t read(std::span<char> to) override;
    [[nodiscard]] std::uint64_t diskPosition() const override { return file_.diskPosition(); }
    [[nodiscard]] SeekIndex seekIndex() const override { return index_; }

  private:
    void fillInput();
    [[nodiscard]] bool startNextMember();
    std::size_t inflateSome(std::span<char> to);
    std::size_t handOut(std::span<char> to);
    void keepCheckpoint();

    InputFile file_;
    std::unique_ptr<inflate_state> zip_;
    std::vector<unsigned char> input_;
    bool input_ended_ = false;
    SeekIndex index_;
    std::uint64_t output_ = 0;
    std::uint64_t next_checkpoint_ = SeekIndex::kSpacing;  // the output position of the next checkpoint
    bool ended_ = false;
};

/// Zstandard. Each frame's start is a checkpoint; most files have only one frame. Windows of up to 2 GiB (`zstd --ultra
/// --long=31`) are supported, and take memory up to the size of the file's text.
class ZstdStream final : public ByteStream {
  public:
    /// From `start` to `end` (0: the end of the file).
    ZstdStream(InputFile file, std::uint64_t start, std::uint64_t end);
    std::size_t read(std::span<char> to) override;
    [[nodiscard]] std::uint64_t diskPosition() const override { return file_.diskPosition(); }
    [[nodiscard]] SeekIndex seekIndex() const override { return index_; }

  private:
    struct Freer {
        void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
    };
    [[nodiscard]] bool fillInput();

    InputFile file_;
    std::unique_ptr<ZSTD_DStream, Freer> zstd_;
    std::vector<char> input_;
    ZSTD_inBuffer in_{};
    SeekIndex index_;
    std::uint64_t output_ = 0;
    bool frame_open_ = false;
    bool ended_ = false;
};

/// The next bytes of another stream: a member of a compressed tar.
class RangeStream final : public ByteStream {
  public:
    /// `length` bytes of `text`, from its current position. `index` finds them again.
    RangeStream(std::unique_ptr<ByteStream> text, std::uint64_t length, SeekIndex index);
    /// Up to `most` bytes of `text`: fewer are no damage.
    RangeStream(std::unique_ptr<ByteStream> text, std::uint64_t most);
    /// How the first bytes are packed. Call before reading.
    [[nodiscard]] Packing peekPacking();
    std::size_t read(std::span<char> to) override;
    /// Bytes of the member so far: in a compressed tar it has no position on disk.
    [[nodiscard]] std::uint64_t diskPosition() const override { return given_; }
    [[nodiscard]] SeekIndex seekIndex() const override { return index_; }

  private:
    std::unique_ptr<ByteStream> text_;
    std::uint64_t length_;
    bool may_be_shorter_ = false;
    std::uint64_t given_ = 0;
    std::string front_;  ///< bytes that were examined but not read yet
    SeekIndex index_;
};

/// A member of a compressed archive that is packed itself: two layers. It cannot be entered in the middle.
class TwicePackedStream final : public ByteStream {
  public:
    /// `text` is unpacked once more by `index.inner`: Gzip or Zstd. `index` finds its bytes again.
    TwicePackedStream(std::unique_ptr<ByteStream> text, SeekIndex index);
    std::size_t read(std::span<char> to) override;
    [[nodiscard]] std::uint64_t diskPosition() const override { return inner_->diskPosition(); }
    [[nodiscard]] SeekIndex seekIndex() const override { return index_; }

  private:
    SeekIndex index_;
    std::unique_ptr<ByteStream> inner_;
};

}  // namespace rankscope
