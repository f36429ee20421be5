// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/base/result.h"
#include "core/ingest/load.h"

namespace rankscope {

/// CRC-64 (ECMA-182, reflected) of a trace's bytes on disk, of a member of a zip of its packed bytes: tells whether a
/// file that was only copied or touched still is what it was. It is no proof against somebody who wants two files to
/// look alike.
[[nodiscard]] Result<std::uint64_t> contentHash(const FileSource& file);

}  // namespace rankscope
