// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/seek_index.h"

#include <zlib.h>

#include <algorithm>
#include <vector>

#include "core/ingest/deflate_window.h"
#include "core/ingest/input_file.h"
#include "core/ingest/packed_streams.h"

namespace rankscope {
namespace {

constexpr std::size_t kInputBytes = 256 * 1024;
constexpr std::uint64_t kGzipTrailerBytes = 8;

/// Reads and throws away `bytes` of a stream.
bool skip(ByteStream& stream, std::uint64_t bytes) {
    std::vector<char> scratch(std::min<std::uint64_t>(bytes, 1U << 20U));
    while (bytes > 0) {
        const std::size_t want = std::min<std::uint64_t>(bytes, scratch.size());
        if (stream.read({scratch.data(), want}) != want) {
            return false;
        }
        bytes -= want;
    }
    return true;
}

std::string readFrom(ByteStream& stream, std::uint64_t skipped, std::size_t length) {
    std::string text(length, '\0');
    text.resize(skip(stream, skipped) ? stream.read(text) : 0);
    return text;
}

/// Inflates in the middle of a deflate stream.
class MidInflate {
  public:
    MidInflate(InputFile file, const SeekIndex::Checkpoint& from) : file_(std::move(file)), input_(kInputBytes) {
        constexpr int kRawDeflate = -15;
        inflateInit2(&zip_, kRawDeflate);
        file_.seek(from.bits != 0 ? from.input - 1 : from.input);
        fill();
        if (from.bits != 0 && zip_.avail_in > 0) {
            const int byte = *zip_.next_in++;
            --zip_.avail_in;
            inflatePrime(&zip_, from.bits, byte >> (8 - from.bits));
        }
        const std::string window = unpackWindow(from.window);
        inflateSetDictionary(&zip_, reinterpret_cast<const Bytef*>(window.data()), static_cast<uInt>(window.size()));
    }
    ~MidInflate() { inflateEnd(&zip_); }
    MidInflate(const MidInflate&) = delete;
    MidInflate& operator=(const MidInflate&) = delete;
    MidInflate(MidInflate&&) = delete;
    MidInflate& operator=(MidInflate&&) = delete;

    /// Where the file goes on behind the end of this deflate stream.
    [[nodiscard]] std::uint64_t inputPosition() const { return file_.position() - zip_.avail_in; }

    /// Fewer bytes than asked for at the end of this deflate stream only.
    std::size_t read(char* to, std::size_t size) {
        zip_.next_out = reinterpret_cast<Bytef*>(to);
        zip_.avail_out = static_cast<uInt>(size);
        while (zip_.avail_out > 0) {
            if (zip_.avail_in == 0 && !fill()) {
                break;
            }
            if (inflate(&zip_, Z_NO_FLUSH) != Z_OK) {
                break;
            }
        }
        return size - zip_.avail_out;
    }

  private:
    bool fill() {
        const std::size_t got = file_.read({reinterpret_cast<char*>(input_.data()), input_.size()});
        zip_.next_in = input_.data();
        zip_.avail_in = static_cast<uInt>(got);
        return got > 0;
    }

    InputFile file_;
    z_stream zip_{};
    std::vector<unsigned char> input_;
};

/// From a checkpoint inside a gzip member or a zip member, on into the gzip members that follow it.
Result<std::string> inflateFrom(const std::string& path, const SeekIndex& index, const SeekIndex::Checkpoint& from,
                                std::uint64_t skipped, std::size_t length) {
    Result<InputFile> file = InputFile::open(path);
    if (!file.ok()) {
        return file.error();
    }
    MidInflate inflater(std::move(file).value(), from);
    std::string text(static_cast<std::size_t>(skipped) + length, '\0');
    std::size_t got = inflater.read(text.data(), text.size());
    if (got < text.size() && index.packing == Packing::Gzip) {
        Result<InputFile> again = InputFile::open(path);
        if (again.ok()) {
            InflateStream next(std::move(again).value(), inflater.inputPosition() + kGzipTrailerBytes, 0,
                               Packing::Gzip);
            got += next.read({text.data() + got, text.size() - got});
        }
    }
    text.resize(got);
    text.erase(0, std::min<std::size_t>(static_cast<std::size_t>(skipped), text.size()));
    return text;
}

}  // namespace

std::size_t SeekIndex::memoryBytes() const {
    std::size_t bytes = checkpoints.capacity() * sizeof(Checkpoint);
    for (const Checkpoint& checkpoint : checkpoints) {
        bytes += checkpoint.window.capacity();
    }
    return bytes;
}

Result<std::string> SeekIndex::read(const std::string& path, std::uint64_t offset, std::size_t length) const {
    Result<InputFile> opened = InputFile::open(path);
    if (!opened.ok()) {
        return opened.error();
    }
    InputFile file = std::move(opened).value();
    if (packing == Packing::Plain || packing == Packing::Stored) {
        PlainStream stream(std::move(file), data_start + offset, data_end, packing);
        return readFrom(stream, 0, length);
    }
    const auto after = std::ranges::upper_bound(checkpoints, offset, {}, &Checkpoint::output);
    const Checkpoint* const from = after == checkpoints.begin() ? nullptr : &*std::prev(after);
    const std::uint64_t skipped = offset - (from != nullptr ? from->output : 0);
    if (packing == Packing::Zstd) {
        if (skipped > 2 * kSpacing) {
            return Error{path, offset,
                         "cannot be read back: the .zst has one frame only, and would have to be read from its start"};
        }
        file.seek(from != nullptr ? from->input : 0);
        ZstdStream stream(std::move(file));
        return readFrom(stream, skipped, length);
    }
    if (from == nullptr) {
        InflateStream stream(std::move(file), data_start, data_end, packing);
        return readFrom(stream, skipped, length);
    }
    return inflateFrom(path, *this, *from, skipped, length);
}

}  // namespace rankscope
