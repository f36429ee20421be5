// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <cstring>

#include "core/ingest/deflate_window.h"
#include "core/ingest/packed_streams.h"

namespace rankscope {
namespace {

constexpr std::size_t kInputBytes = std::size_t{256} * 1024;
constexpr int kRawDeflate = -15;
constexpr int kGzip = 15 + 16;

// zlib's data_type after Z_BLOCK: bit 7 at the end of a block, bit 6 in the last one, the low bits are unused bits.
constexpr int kEndOfBlock = 128;
constexpr int kLastBlock = 64;
constexpr int kUnusedBits = 7;

}  // namespace

InflateStream::InflateStream(InputFile file, std::uint64_t start, std::uint64_t end, Packing packing)
    : file_(std::move(file)), input_(kInputBytes) {
    index_.packing = packing;
    index_.data_start = start;
    index_.data_end = end;
    file_.seek(start);
    if (inflateInit2(&zip_, packing == Packing::Gzip ? kGzip : kRawDeflate) != Z_OK) {
        damage_ = "no memory to decompress";
        ended_ = true;
    }
}

InflateStream::~InflateStream() {
    inflateEnd(&zip_);
}

bool InflateStream::fillInput() {
    std::size_t room = input_.size();
    if (index_.data_end != 0) {
        room = std::min<std::uint64_t>(room, index_.data_end - file_.position());
    }
    const std::size_t got = file_.read({reinterpret_cast<char*>(input_.data()), room});
    zip_.next_in = input_.data();
    zip_.avail_in = static_cast<uInt>(got);
    return got > 0;
}

/// After the end of one gzip member: whether another one follows. Zero padding and junk behind it end the stream.
bool InflateStream::startNextMember() {
    if (index_.packing != Packing::Gzip || (zip_.avail_in == 0 && !fillInput())) {
        return false;
    }
    constexpr unsigned char kGzipMagic = 0x1f;
    return zip_.next_in[0] == kGzipMagic && inflateReset(&zip_) == Z_OK;
}

void InflateStream::keepCheckpoint() {
    const bool at_block_end = (zip_.data_type & kEndOfBlock) != 0 && (zip_.data_type & kLastBlock) == 0;
    const std::uint64_t last = index_.checkpoints.empty() ? 0 : index_.checkpoints.back().output;
    if (!at_block_end || output_ - last < SeekIndex::kSpacing) {
        return;
    }
    std::array<unsigned char, kDeflateWindow> window{};
    uInt size = 0;
    inflateGetDictionary(&zip_, window.data(), &size);
    index_.checkpoints.push_back({output_, file_.position() - zip_.avail_in, zip_.data_type & kUnusedBits,
                                  packWindow({reinterpret_cast<const char*>(window.data()), size})});
}

std::size_t InflateStream::read(std::span<char> to) {
    std::size_t done = 0;
    while (done < to.size() && !ended_) {
        if (zip_.avail_in == 0 && !fillInput()) {
            damage_ = "the compressed data ends early";
            ended_ = true;
            break;
        }
        zip_.next_out = reinterpret_cast<unsigned char*>(to.data() + done);
        zip_.avail_out = static_cast<uInt>(to.size() - done);
        const uInt before = zip_.avail_out;
        const int status = inflate(&zip_, Z_BLOCK);
        done += before - zip_.avail_out;
        output_ += before - zip_.avail_out;
        if (status == Z_STREAM_END) {
            ended_ = !startNextMember();
        } else if (status != Z_OK && status != Z_BUF_ERROR) {
            damage_ = "the compressed data is damaged at byte " + std::to_string(file_.position() - zip_.avail_in) +
                      " of the file" + (zip_.msg != nullptr ? std::string(" (") + zip_.msg + ")" : std::string());
            ended_ = true;
        } else {
            keepCheckpoint();
        }
    }
    return done;
}

}  // namespace rankscope
