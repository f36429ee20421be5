// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/packed_streams.h"

namespace rankscope {

ZstdStream::ZstdStream(InputFile file)
    : file_(std::move(file)), zstd_(ZSTD_createDStream()), input_(ZSTD_DStreamInSize()) {
    index_.packing = Packing::Zstd;
    in_ = {input_.data(), 0, 0};
}

bool ZstdStream::fillInput() {
    in_ = {input_.data(), file_.read(input_), 0};
    return in_.size > 0;
}

std::size_t ZstdStream::read(std::span<char> to) {
    ZSTD_outBuffer out{to.data(), to.size(), 0};
    while (out.pos < out.size && !ended_) {
        const bool at_end = in_.pos == in_.size && !fillInput();
        if (at_end && !frame_open_) {
            ended_ = true;
            break;
        }
        if (!frame_open_) {
            index_.checkpoints.push_back({output_ + out.pos, file_.position() - (in_.size - in_.pos), {}});
        }
        const std::size_t before = out.pos;
        const std::size_t status = ZSTD_decompressStream(zstd_.get(), &out, &in_);
        if (ZSTD_isError(status) != 0U) {
            damage_ = std::string("the compressed data is damaged near byte ") + std::to_string(file_.position()) +
                      " of the file (" + ZSTD_getErrorName(status) + ")";
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
