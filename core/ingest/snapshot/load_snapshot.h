// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/trace/memory_snapshot.h"

namespace rankscope {

class ByteStream;

/// Whether a file, plain or packed, begins as a pickle: what `torch.cuda.memory._dump_snapshot()` writes. False if
/// it cannot be read.
[[nodiscard]] bool isMemorySnapshot(const std::string& path);

/// Whether a text, the first 64 KiB of a file, is that of a pickle with the keys of a memory snapshot: for files that
/// nobody named, since a folder may have pickles of any kind.
[[nodiscard]] bool isFrontOfSnapshot(std::string_view front);

/// Reads a memory snapshot of PyTorch's allocator, as `torch.cuda.memory._dump_snapshot()` and `_snapshot()` write it:
/// a pickle of protocol 2 to 5, plain or packed. Executes nothing from it (see read_pickle.h). Fields newer than this
/// program are skipped. Fails with the file and the byte, or with why it is not a snapshot.
[[nodiscard]] Result<MemorySnapshot> loadSnapshot(const std::string& path);

/// The same for bytes from any source; `path` is their name in errors.
[[nodiscard]] Result<MemorySnapshot> readSnapshot(ByteStream& stream, const std::string& path);

}  // namespace rankscope
