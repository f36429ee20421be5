// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/files/seek_index.h"

#include <algorithm>
#include <vector>

#include "core/ingest/files/input_file.h"
#include "core/ingest/files/packed_streams.h"

namespace rankscope {
namespace {

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

}  // namespace

std::size_t SeekIndex::memoryBytes() const {
    std::size_t bytes = checkpoints.capacity() * sizeof(Checkpoint);
    for (const Checkpoint& checkpoint : checkpoints) {
        bytes += checkpoint.state.capacity();
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
    if (inner != Packing::Plain) {
        if (offset > 2 * kSpacing) {
            return Error{
                path, offset,
                "cannot be read back: it is compressed twice in the .zip, and would have to be read from its start"};
        }
        TwicePackedStream stream(std::move(file), data_start, data_end, inner);
        return readFrom(stream, offset, length);
    }
    if (packing == Packing::Zstd) {
        if (skipped > 2 * kSpacing) {
            return Error{path, offset,
                         "cannot be read back: the .zst has only one frame, and would have to be read from its start"};
        }
        ZstdStream stream(std::move(file), from != nullptr ? from->input : data_start, data_end);
        return readFrom(stream, skipped, length);
    }
    InflateStream stream(std::move(file), data_start, data_end, packing);
    if (from != nullptr && !stream.enter(*from)) {
        return Error{path, offset, "cannot be read back: its checkpoint is damaged"};
    }
    return readFrom(stream, skipped, length);
}

}  // namespace rankscope
