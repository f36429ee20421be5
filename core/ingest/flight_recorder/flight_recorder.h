// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/ingest/files/input_file.h"
#include "core/trace/flight_dump.h"

namespace rankscope {

class ByteStream;

/// Whether a text, the first 64 KiB of a file, begins like a dump of PyTorch's flight recorder.
[[nodiscard]] bool isFrontOfFlightDump(std::string_view front);
/// The same for a file, plain, packed or in an archive. False if it cannot be read.
[[nodiscard]] bool beginsLikeFlightDump(const std::string& path);

/// Reads a dump of PyTorch's flight recorder, a pickle or JSON, plain or packed, of format 2.0 or later. The rank is in
/// the dump, or in the file's name ("rank_3.pickle", "nccl_trace_rank_3"), or it is the only rank that all groups of
/// the dump share. Executes nothing from the file. Calls without the fields that identify them are skipped. Fails with
/// the file, the byte if it is known, and the cause. Linear in the file.
[[nodiscard]] Result<FlightDump> loadFlightDump(const std::string& path);

/// The same for bytes from any source; `path` is their name in errors, and may name the rank.
[[nodiscard]] Result<FlightDump> readFlightDump(ByteStream& stream, const std::string& path);

/// The dump in a document with the keys of PyTorch's flight recorder. Fails, with `path`, if it is none, or if its rank
/// is unknown. Linear in the document.
[[nodiscard]] Result<FlightDump> buildFlightDump(const nlohmann::json& document, const std::string& path);

/// The dumps of one job, one per rank, and what was named and could not be read.
struct FlightDumps {
    std::vector<FlightDump> dumps;  ///< by rank, ascending
    std::vector<Error> unreadable;
};

/// Reads files, and in and below folders, and in archives, all files that begin like a dump, whatever their names;
/// hidden files and links are skipped. If a rank has two dumps, the one with the later call is kept, and the other is
/// in `unreadable`. Progress is reported before each file, with the index of its path.
[[nodiscard]] FlightDumps loadFlightDumps(const std::vector<std::string>& paths, const ReadingOfFiles& reading = {});

}  // namespace rankscope
