// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/ingest/pickle/pickle_data.h"

namespace rankscope {

class ByteStream;

/// Whether a file with these first bytes is a pickle of protocol 2 or later.
[[nodiscard]] bool beginsLikePickle(std::string_view front);

/// Memory limits of a pickle.
struct PickleLimits {
    /// Memory may grow to this many times the bytes read, plus a fixed allowance.
    std::uint64_t times = 8;
    std::uint64_t spare_bytes = std::uint64_t{8} << 20;
    std::uint64_t most_bytes = std::uint64_t{16} << 30;  ///< the most memory for a file of any length
};

/// Reads a pickle of plain data: None, booleans, numbers, texts, bytes, lists, tuples and dicts, of protocols 2 to 5.
/// Nothing is executed: an opcode that would name, create or call something of Python is refused with its position, and
/// so are sets, and values that another process would have to provide. Memory is bounded by the bytes read, and no
/// function recurses, at any depth of containers. Fails with `path`, the byte and the opcode. Data after the end of the
/// pickle is not read. Linear in the file.
[[nodiscard]] Result<PickleData> readPickle(ByteStream& stream, const std::string& path,
                                            const PickleLimits& limits = {});

/// The data of a pickle as JSON. Tuples become arrays; bytes, and integers over 64 bits, become null. Fails, with
/// `path`, if containers are nested deeper than kJsonDepth, if they repeat items so often that the JSON would be far
/// larger than the pickle, or if a key of a dict is neither a text nor an integer.
[[nodiscard]] Result<nlohmann::json> plainJson(const PickleData& data, const std::string& path);

}  // namespace rankscope
