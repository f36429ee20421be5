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

/// Bytes as they are in the file: plain JSON, or a stored member of an archive.
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

/// Gzip (several members one after the other included) or the raw deflate data of a zip member. Keeps a checkpoint of
/// the inflation's state about every SeekIndex::kSpacing bytes of output.
class InflateStream final : public ByteStream {
  public:
    InflateStream(InputFile file, std::uint64_t start, std::uint64_t end, Packing packing);

    /// Continues from a checkpoint of the same file. False if it is not one.
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
    std::uint64_t next_checkpoint_ = SeekIndex::kSpacing;  // output from which on one is wanted
    bool ended_ = false;
};

/// Zstandard. Each frame's start is a checkpoint; most files have one frame only. Windows of up to 2 GiB (`zstd --ultra
/// --long=31`) are read, and take as much memory as the file has text for.
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
    /// `length` bytes of `text`, from where it is on. `index` finds them again.
    RangeStream(std::unique_ptr<ByteStream> text, std::uint64_t length, SeekIndex index);
    /// Up to `most` bytes of `text`: that it has fewer is no damage.
    RangeStream(std::unique_ptr<ByteStream> text, std::uint64_t most);
    /// How the bytes that come first are packed. Before anything is read.
    [[nodiscard]] Packing peekPacking();
    std::size_t read(std::span<char> to) override;
    /// Bytes of the member so far: a compressed tar has no place on disk for it.
    [[nodiscard]] std::uint64_t diskPosition() const override { return given_; }
    [[nodiscard]] SeekIndex seekIndex() const override { return index_; }

  private:
    std::unique_ptr<ByteStream> text_;
    std::uint64_t length_;
    bool may_be_shorter_ = false;
    std::uint64_t given_ = 0;
    std::string front_;  ///< what was looked at, and not read yet
    SeekIndex index_;
};

/// A member of an archive that was compressed although it is packed itself: two layers. It cannot be entered in the
/// middle.
class TwicePackedStream final : public ByteStream {
  public:
    /// `text` is unpacked once more, as `index.inner` says: Gzip or Zstd. `index` finds its bytes again.
    TwicePackedStream(std::unique_ptr<ByteStream> text, SeekIndex index);
    std::size_t read(std::span<char> to) override;
    [[nodiscard]] std::uint64_t diskPosition() const override { return inner_->diskPosition(); }
    [[nodiscard]] SeekIndex seekIndex() const override { return index_; }

  private:
    SeekIndex index_;
    std::unique_ptr<ByteStream> inner_;
};

}  // namespace rankscope
