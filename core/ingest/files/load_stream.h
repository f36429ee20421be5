// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>

#include "core/ingest/files/byte_stream.h"
#include "core/ingest/load.h"

namespace rankscope {

/// Reads a stream of JSON into a rank trace: what loadFile does once the file is open, and what a test does with a text
/// that stands in memory. `file` says what it is called; nothing of it is opened.
[[nodiscard]] Result<RankTrace> loadStream(ByteStream& stream, const FileSource& file, const LoadOptions& options,
                                           LoadObserver& observer, std::stop_token stop);

}  // namespace rankscope
