// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/files/packed_streams.h"

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

}  // namespace rankscope
