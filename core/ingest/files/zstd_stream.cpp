// SPDX-License-Identifier: GPL-3.0-or-later
#include <zstd_errors.h>

#include <algorithm>

#include "core/ingest/files/packed_streams.h"

namespace rankscope {
namespace {

constexpr int kLargestWindowLog = 31;  // the library's own limit

std::string reasonOf(std::size_t status, std::uint64_t place) {
    switch (ZSTD_getErrorCode(status)) {
        case ZSTD_error_frameParameter_windowTooLarge:
            return "it was packed with a window of more than 2 GiB (zstd --long): pack it again with a smaller one";
        case ZSTD_error_memory_allocation:
            return "there is not enough memory for the window it was packed with (zstd --long): pack it again with a "
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
            damage_ = reasonOf(status, file_.position());
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
