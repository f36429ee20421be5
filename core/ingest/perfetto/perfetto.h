// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/ingest/files/seek_index.h"
#include "core/ingest/kineto/event_pipeline.h"

// Traces in Perfetto's own format, protobuf (`.pftrace`, `.perfetto-trace`), as PyTorch's profiler exports them. Their
// events have the names, categories and args of the profiler's JSON, and are read as these. Those of rocprofv3 have
// other categories and args, which are translated (rocprof.h).

namespace rankscope::perfetto {

/// Reads all packets of `stream`, on one thread, into one part. Memory is that of the largest packet, of the slices
/// that are open at a time, and of what is kept. A trace that ends early, or goes on with what are no packets, is read
/// up to there. Fails if another program wrote it, and says which; `path` is only for the error. A stop cancels it
/// between two packets.
[[nodiscard]] Result<ReadFile> readPackets(ByteStream& stream, const std::string& path, const ReadProgress& progress,
                                           const std::stop_token& stop);

/// Whether a text from a file begins with a packet, and not with an event in JSON.
[[nodiscard]] bool beginsWithPacket(std::string_view text);

/// The event in the packet at byte `offset` of a file, as JSON with all its args. Names that an earlier packet gave are
/// searched from the start of the file. Fails if there is no event.
[[nodiscard]] Result<std::string> packetEventText(const SeekIndex& index, const std::string& path,
                                                  std::uint64_t offset);

}  // namespace rankscope::perfetto
