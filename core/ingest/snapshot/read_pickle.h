// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/ingest/snapshot/pickle_data.h"

namespace rankscope {

class ByteStream;

/// Whether a file that begins so is a pickle of protocol 2 or later.
[[nodiscard]] bool beginsLikePickle(std::string_view front);

/// What a pickle may cost.
struct PickleLimits {
    /// Memory may grow to this many times what was read, beside what every pickle may have.
    std::uint64_t times = 8;
    std::uint64_t spare_bytes = std::uint64_t{8} << 20;
    std::uint64_t most_bytes = std::uint64_t{16} << 30;  ///< of memory, however long the file is
};

/// Reads a pickle of plain data: None, booleans, numbers, texts, bytes, lists, tuples and dicts, of protocols 2 to 5.
/// Nothing of it is run: an opcode that would name, make or call something of Python is refused with its place, and so
/// are sets, and values that another process would have to give. Memory is bounded by what is read, and no function
/// recurses, at any depth of containers. Fails with `path`, the byte and the opcode. What follows the end of the pickle
/// is not read. Linear in the file.
[[nodiscard]] Result<PickleData> readPickle(ByteStream& stream, const std::string& path,
                                            const PickleLimits& limits = {});

}  // namespace rankscope
