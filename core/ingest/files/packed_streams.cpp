// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/files/packed_streams.h"

#include <isa-l/igzip_lib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

namespace rankscope {

PlainStream::PlainStream(InputFile file, std::uint64_t start, std::uint64_t end, Packing packing)
    : file_(std::move(file)), start_(start), end_(end), packing_(packing) {
    file_.seek(start);
}

std::size_t PlainStream::read(std::span<char> to) {
    const std::uint64_t left = end_ == 0 ? to.size() : end_ - file_.position();
    return file_.read(to.first(std::min<std::uint64_t>(left, to.size())));
}

SeekIndex PlainStream::seekIndex() const {
    SeekIndex index;
    index.packing = packing_;
    index.data_start = start_;
    index.data_end = end_;
    return index;
}

namespace {

static_assert(std::is_trivially_copyable_v<inflate_state>);

/// The state of the decompressor between two calls, packed: with its tables and its window it is 87 KiB, for every 16
/// MiB of text. Its pointers into the callers' buffers are left out.
std::string packState(const inflate_state& state) {
    const auto copy = std::make_unique<inflate_state>(state);
    copy->next_in = nullptr;
    copy->avail_in = 0;
    copy->next_out = nullptr;
    copy->avail_out = 0;
    // The buffer has 32 KiB of history, and text that has not been read yet; the rest is stale.
    unsigned char* const text = copy->tmp_out_buffer;
    std::fill(text, text + std::max(0, copy->tmp_out_processed - ISAL_DEF_HIST_SIZE), 0);
    std::fill(text + copy->tmp_out_valid, std::end(copy->tmp_out_buffer), 0);
    std::string packed(ZSTD_compressBound(sizeof(inflate_state)), '\0');
    constexpr int kFastest = 1;
    const std::size_t size = ZSTD_compress(packed.data(), packed.size(), copy.get(), sizeof(inflate_state), kFastest);
    packed.resize(ZSTD_isError(size) != 0U ? 0 : size);
    packed.shrink_to_fit();
    return packed;
}

/// Restores `state` from its packed form. False if `packed` is invalid.
bool unpackState(std::string_view packed, inflate_state& state) {
    return ZSTD_decompress(&state, sizeof(inflate_state), packed.data(), packed.size()) == sizeof(inflate_state);
}

constexpr std::size_t kInputBytes = std::size_t{256} * 1024;
/// 64 KiB of extra fields, a name and a comment.
constexpr std::size_t kLongestHeader = std::size_t{128} * 1024;
constexpr unsigned char kGzipMagic = 0x1f;

std::string_view inflateReason(int status) {
    switch (status) {
        case ISAL_INVALID_BLOCK: return "invalid block";
        case ISAL_INVALID_SYMBOL: return "invalid code";
        case ISAL_INVALID_LOOKBACK: return "invalid distance too far back";
        case ISAL_INVALID_WRAPPER: return "incorrect header";
        case ISAL_UNSUPPORTED_METHOD: return "unknown compression method";
        case ISAL_INCORRECT_CHECKSUM: return "incorrect data check";
        default: return "unknown error";
    }
}

}  // namespace

InflateStream::InflateStream(InputFile file, std::uint64_t start, std::uint64_t end, Packing packing)
    : file_(std::move(file)), zip_(std::make_unique<inflate_state>()), input_(kInputBytes) {
    index_.packing = packing;
    index_.data_start = start;
    index_.data_end = end;
    file_.seek(start);
    isal_inflate_init(zip_.get());
    zip_->crc_flag = packing == Packing::Gzip ? ISAL_GZIP : ISAL_DEFLATE;
}

bool InflateStream::enter(const SeekIndex::Checkpoint& checkpoint) {
    if (!unpackState(checkpoint.state, *zip_)) {
        return false;
    }
    file_.seek(checkpoint.input);
    output_ = checkpoint.output;
    next_checkpoint_ = output_ + SeekIndex::kSpacing;
    return true;
}

/// Refills the input after its unread part.
void InflateStream::fillInput() {
    const std::size_t left = zip_->avail_in;
    if (left > 0) {
        std::memmove(input_.data(), zip_->next_in, left);
    }
    std::size_t room = input_.size() - left;
    if (index_.data_end != 0) {
        room = std::min<std::uint64_t>(room, index_.data_end - file_.position());
    }
    const std::size_t got = file_.read({reinterpret_cast<char*>(input_.data() + left), room});
    zip_->next_in = input_.data();
    zip_->avail_in = static_cast<std::uint32_t>(left + got);
    input_ended_ = got < room;
}

/// After the end of a gzip member: whether another one follows. Zero padding and other bytes after it end the stream.
bool InflateStream::startNextMember() {
    if (index_.packing != Packing::Gzip) {
        return false;
    }
    // ISA-L loses the flags of a gzip header that comes in two pieces.
    if (zip_->avail_in < kLongestHeader && !input_ended_) {
        fillInput();
    }
    if (zip_->avail_in == 0 || zip_->next_in[0] != kGzipMagic) {
        return false;
    }
    isal_inflate_reset(zip_.get());
    return true;
}

void InflateStream::keepCheckpoint() {
    if (output_ >= next_checkpoint_ && file_.seekable()) {
        index_.checkpoints.push_back({output_, file_.position() - zip_->avail_in, packState(*zip_)});
        next_checkpoint_ = output_ + SeekIndex::kSpacing;
    }
}

/// Inflates into `to`, from the unread input or else the next piece of it.
std::size_t InflateStream::inflateSome(std::span<char> to) {
    if (zip_->avail_in == 0) {
        fillInput();
    }
    const bool input_left = zip_->avail_in > 0;
    zip_->next_out = reinterpret_cast<std::uint8_t*>(to.data());
    zip_->avail_out = static_cast<std::uint32_t>(to.size());
    const int status = isal_inflate(zip_.get());
    const std::size_t got = to.size() - zip_->avail_out;
    output_ += got;
    if (status < 0) {
        const auto read_ahead = static_cast<std::uint64_t>(std::max(0, zip_->read_in_length) / 8);
        const std::uint64_t place = file_.position() - zip_->avail_in - read_ahead;
        damage_ = "the compressed data is damaged at byte " + std::to_string(place) + " of the file (" +
                  std::string(inflateReason(status)) + ")";
    } else if (zip_->block_state == ISAL_BLOCK_FINISH) {
        ended_ = !startNextMember();
    } else if (!input_left && got == 0) {
        damage_ = "the compressed data ends early";
        ended_ = true;
    }
    return got;
}

/// Returns what was inflated before the damage: the state is up to 64 KiB ahead of the reader.
std::size_t InflateStream::handOut(std::span<char> to) {
    const auto ready = static_cast<std::size_t>(zip_->tmp_out_valid - zip_->tmp_out_processed);
    const std::size_t size = std::min(ready, to.size());
    std::copy_n(zip_->tmp_out_buffer + zip_->tmp_out_processed, size, to.data());
    zip_->tmp_out_processed += static_cast<std::int32_t>(size);
    ended_ = size == ready;
    return size;
}

std::size_t InflateStream::read(std::span<char> to) {
    std::size_t done = 0;
    while (done < to.size() && !ended_ && !stop_.stop_requested()) {
        done += damage_ ? handOut(to.subspan(done)) : inflateSome(to.subspan(done));
        if (!damage_) {
            keepCheckpoint();
        }
    }
    return done;
}

RangeStream::RangeStream(std::unique_ptr<ByteStream> text, std::uint64_t length, SeekIndex index)
    : text_(std::move(text)), length_(length), index_(std::move(index)) {}

RangeStream::RangeStream(std::unique_ptr<ByteStream> text, std::uint64_t most)
    : text_(std::move(text)), length_(most), may_be_shorter_(true) {}

Packing RangeStream::peekPacking() {
    constexpr std::size_t kMagic = 4;
    front_.resize(std::min<std::uint64_t>(kMagic, length_));
    front_.resize(text_->read(front_));
    return packingOf(front_);
}

std::size_t RangeStream::read(std::span<char> to) {
    text_->stopWhen(stop_);
    const std::size_t want = std::min<std::uint64_t>(to.size(), length_ - given_);
    const std::size_t known = std::min(want, front_.size());
    std::ranges::copy(std::string_view(front_).substr(0, known), to.begin());
    front_.erase(0, known);
    const std::size_t got = known + text_->read(to.subspan(known, want - known));
    given_ += got;
    if (got < want && !stop_.stop_requested()) {
        damage_ = text_->damage();
        if (!damage_ && !may_be_shorter_) {
            damage_ = "the archive ends early";
        }
    }
    return got;
}

TwicePackedStream::TwicePackedStream(std::unique_ptr<ByteStream> text, SeekIndex index) : index_(std::move(index)) {
    InputFile once = InputFile::over(std::move(text));
    if (index_.inner == Packing::Zstd) {
        inner_ = std::make_unique<ZstdStream>(std::move(once), 0, 0);
    } else {
        inner_ = std::make_unique<InflateStream>(std::move(once), 0, 0, Packing::Gzip);
    }
}

std::size_t TwicePackedStream::read(std::span<char> to) {
    inner_->stopWhen(stop_);
    const std::size_t got = inner_->read(to);
    damage_ = inner_->damage();
    return got;
}

namespace {

constexpr int kLargestWindowLog = 31;  // the library's own limit

std::string zstdReason(std::size_t status, std::uint64_t place) {
    switch (ZSTD_getErrorCode(status)) {
        case ZSTD_error_frameParameter_windowTooLarge:
            return "it was compressed with a window of more than 2 GiB (zstd --long); compress it again with a smaller "
                   "one";
        case ZSTD_error_memory_allocation:
            return "there is not enough memory for its compression window (zstd --long); compress it again with a "
                   "smaller one";
        default:
            return "the compressed data is damaged near byte " + std::to_string(place) + " of the file (" +
                   ZSTD_getErrorName(status) + ")";
    }
}

}  // namespace

ZstdStream::ZstdStream(InputFile file, std::uint64_t start, std::uint64_t end)
    : file_(std::move(file)), zstd_(ZSTD_createDStream()), input_(ZSTD_DStreamInSize()) {
    ZSTD_DCtx_setParameter(zstd_.get(), ZSTD_d_windowLogMax, kLargestWindowLog);
    index_.packing = Packing::Zstd;
    index_.data_start = start;
    index_.data_end = end;
    file_.seek(start);
    in_ = {input_.data(), 0, 0};
}

bool ZstdStream::fillInput() {
    const std::uint64_t left = index_.data_end == 0 ? input_.size() : index_.data_end - file_.position();
    const std::size_t want = std::min<std::uint64_t>(left, input_.size());
    in_ = {input_.data(), file_.read({input_.data(), want}), 0};
    return in_.size > 0;
}

std::size_t ZstdStream::read(std::span<char> to) {
    ZSTD_outBuffer out{to.data(), to.size(), 0};
    while (out.pos < out.size && !ended_ && !stop_.stop_requested()) {
        const bool at_end = in_.pos == in_.size && !fillInput();
        if (at_end && !frame_open_) {
            ended_ = true;
            break;
        }
        if (!frame_open_ && file_.seekable()) {
            index_.checkpoints.push_back({output_ + out.pos, file_.position() - (in_.size - in_.pos), {}});
        }
        const std::size_t before = out.pos;
        const std::size_t status = ZSTD_decompressStream(zstd_.get(), &out, &in_);
        if (ZSTD_isError(status) != 0U) {
            damage_ = zstdReason(status, file_.position());
            ended_ = true;
        } else if (at_end && status != 0 && out.pos == before) {
            damage_ = "the compressed data ends early";
            ended_ = true;
        }
        frame_open_ = status != 0;
    }
    output_ += out.pos;
    return out.pos;
}

}  // namespace rankscope
