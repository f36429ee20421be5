// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/snapshot/load_snapshot.h"

#include <cstddef>
#include <string_view>
#include <utility>

#include "core/ingest/files/byte_stream.h"
#include "core/ingest/pickle/read_pickle.h"
#include "core/ingest/snapshot/build_snapshot.h"

namespace rankscope {

bool isMemorySnapshot(const std::string& path) {
    return beginsLikePickle(frontOf(path, 2));
}

bool isFrontOfSnapshot(std::string_view front) {
    const auto has = [front](std::string_view key) { return front.find(key) != std::string_view::npos; };
    return beginsLikePickle(front) && has("segments") && (has("total_size") || has("device_traces"));
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
