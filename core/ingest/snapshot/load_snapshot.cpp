// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/snapshot/load_snapshot.h"

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "core/ingest/files/byte_stream.h"
#include "core/ingest/snapshot/build_snapshot.h"
#include "core/ingest/snapshot/read_pickle.h"

namespace rankscope {

bool isMemorySnapshot(const std::string& path) {
    const Result<std::unique_ptr<ByteStream>> stream = openBytes(path);
    if (!stream.ok()) {
        return false;
    }
    std::array<char, 2> front{};
    const std::size_t count = stream.value()->read(front);
    return beginsLikePickle(std::string_view(front.data(), count));
}

Result<MemorySnapshot> loadSnapshot(const std::string& path) {
    const Result<std::unique_ptr<ByteStream>> stream = openBytes(path);
    return stream.ok() ? readSnapshot(*stream.value(), path) : Result<MemorySnapshot>(stream.error());
}

Result<MemorySnapshot> readSnapshot(ByteStream& stream, const std::string& path) {
    Result<PickleData> data = readPickle(stream, path);
    if (!data.ok()) {
        return data.error();
    }
    return buildSnapshot(std::move(data).value(), path);
}

}  // namespace rankscope
