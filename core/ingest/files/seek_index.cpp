// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/files/seek_index.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/ingest/files/byte_stream.h"
#include "core/ingest/files/input_file.h"
#include "core/ingest/files/packed_streams.h"

namespace rankscope {
namespace {

/// The last checkpoint at or before `offset`; null if there is none.
const SeekIndex::Checkpoint* checkpointBefore(const SeekIndex& index, std::uint64_t offset) {
    const auto after = std::ranges::upper_bound(index.checkpoints, offset, {}, &SeekIndex::Checkpoint::output);
    return after == index.checkpoints.begin() ? nullptr : &*std::prev(after);
}

/// Why a byte takes too long to reach; empty if it does not.
std::string whyTooFar(const SeekIndex& index, std::uint64_t offset) {
    constexpr std::uint64_t kFarthest = 2 * SeekIndex::kSpacing;
    if (index.inner != Packing::Plain && offset > kFarthest) {
        return "cannot be read back: it is compressed twice in the archive, and would have to be read from its start";
    }
    if (index.around) {
        return whyTooFar(*index.around, index.data_start + (index.inner == Packing::Plain ? offset : 0));
    }
    if (index.packing == Packing::Zstd && offset - index.nearestStart(offset) > kFarthest) {
        return "cannot be read back: the .zst has only one frame, and would have to be read from its start";
    }
    return {};
}

using Opened = Result<std::unique_ptr<ByteStream>>;

/// A file, or a member stored in the file itself, from its nearest checkpoint on.
Opened openInFile(const SeekIndex& index, const std::string& path, std::uint64_t offset) {
    Result<InputFile> opened = InputFile::open(path);
    if (!opened.ok()) {
        return opened.error();
    }
    InputFile file = std::move(opened).value();
    std::unique_ptr<ByteStream> stream;
    if (index.packing == Packing::Plain || index.packing == Packing::Stored) {
        stream =
            std::make_unique<PlainStream>(std::move(file), index.data_start + offset, index.data_end, index.packing);
        return stream;
    }
    const SeekIndex::Checkpoint* const from = checkpointBefore(index, offset);
    if (index.packing == Packing::Zstd) {
        stream = std::make_unique<ZstdStream>(std::move(file), from != nullptr ? from->input : index.data_start,
                                              index.data_end);
    } else {
        auto inflate =
            std::make_unique<InflateStream>(std::move(file), index.data_start, index.data_end, index.packing);
        if (from != nullptr && !inflate->enter(*from)) {
            return Error{path, offset, "cannot be read back: its checkpoint is damaged"};
        }
        stream = std::move(inflate);
    }
    skipText(*stream, offset - index.nearestStart(offset));
    return stream;
}

/// A member of a compressed tar.
Opened openInText(const SeekIndex& index, const std::string& path, std::uint64_t offset) {
    Opened text = index.around->openAt(path, index.data_start + offset);
    if (!text.ok()) {
        return text;
    }
    std::unique_ptr<ByteStream> member =
        std::make_unique<RangeStream>(std::move(text).value(), index.data_end - index.data_start - offset, index);
    return member;
}

}  // namespace

void skipText(ByteStream& stream, std::uint64_t bytes) {
    std::vector<char> scratch(std::min<std::uint64_t>(bytes, 1U << 20U));
    while (bytes > 0) {
        const std::size_t want = std::min<std::uint64_t>(bytes, scratch.size());
        if (stream.read({scratch.data(), want}) != want) {
            return;
        }
        bytes -= want;
    }
}

std::uint64_t SeekIndex::nearestStart(std::uint64_t offset) const {
    const Checkpoint* const from = checkpointBefore(*this, offset);
    return from != nullptr ? from->output : 0;
}

std::size_t SeekIndex::memoryBytes() const {
    std::size_t bytes = checkpoints.capacity() * sizeof(Checkpoint);
    for (const Checkpoint& checkpoint : checkpoints) {
        bytes += checkpoint.state.capacity();
    }
    return bytes;
}

Result<std::unique_ptr<ByteStream>> SeekIndex::openAt(const std::string& path, std::uint64_t offset) const {
    if (inner == Packing::Plain) {
        return around ? openInText(*this, path, std::min(offset, data_end - data_start))
                      : openInFile(*this, path, offset);
    }
    SeekIndex once = *this;
    once.inner = Packing::Plain;
    Opened text = once.openAt(path, 0);
    if (!text.ok()) {
        return text;
    }
    std::unique_ptr<ByteStream> stream = std::make_unique<TwicePackedStream>(std::move(text).value(), *this);
    skipText(*stream, offset);
    return stream;
}

Result<std::string> SeekIndex::read(const std::string& path, std::uint64_t offset, std::size_t length) const {
    if (std::string why = whyTooFar(*this, offset); !why.empty()) {
        return Error{path, offset, std::move(why)};
    }
    Opened stream = openAt(path, offset);
    if (!stream.ok()) {
        return stream.error();
    }
    std::string text(length, '\0');
    text.resize(stream.value()->read(text));
    return text;
}

}  // namespace rankscope
