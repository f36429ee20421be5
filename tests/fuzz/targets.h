// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace rankscope::fuzz {

using Input = std::span<const std::uint8_t>;

/// The text of a trace through the loader, analysis and report, from memory.
void fuzzJson(Input input);
/// The bytes of a compressed file (gzip or zstd, told by its first bytes) through the loader.
void fuzzGzip(Input input);
/// The bytes of a zip archive: its members are listed, and each is loaded.
void fuzzZip(Input input);
/// The bytes of a tar, plain or packed as its first bytes say: its members are listed, and each is loaded.
void fuzzTar(Input input);
/// A user's table of name rules, and names that are held against it.
void fuzzNameRules(Input input);
/// The bytes of a memory snapshot: read, its facts, and the reports of them.
void fuzzSnapshot(Input input);
/// The bytes of a dump of the flight recorder: read, compared with a second one, and the reports of both.
void fuzzFlightRecorder(Input input);
/// The bytes of an export of Nsight Systems.
void fuzzNsight(Input input);
/// The text of a log of NCCL: read, judged, and the reports of it.
void fuzzNcclLog(Input input);
/// The bytes of a trace in Perfetto's format.
void fuzzPerfetto(Input input);
/// A question in SQL, asked of a small simulated run.
void fuzzQuery(Input input);
/// Messages of an agent, one a line, to a server of that run.
void fuzzMcp(Input input);
/// A session's file: read, written, and read again. Only where Qt's core is there.
void fuzzSession(Input input);
/// A choice of changes to a small simulated run, which goes through loadRun, analyseRun, compareRuns and all reports:
/// twice, on one and on two threads, with the same result, and parts that add up.
void fuzzRun(Input input);

/// One input's way through the program. It returns, or the process ends: by a sanitizer, an uncaught exception, or
/// demand() where a result contradicts itself.
struct Target {
    std::string_view name;
    void (*run)(Input input);
};

inline constexpr Target kTargets[] = {
    {"json", fuzzJson},
    {"gzip", fuzzGzip},
    {"zip", fuzzZip},
    {"tar", fuzzTar},
    {"name_rules", fuzzNameRules},
    {"snapshot", fuzzSnapshot},
    {"flight_recorder", fuzzFlightRecorder},
    {"nsight", fuzzNsight},
    {"nccl_log", fuzzNcclLog},
    {"perfetto", fuzzPerfetto},
    {"run", fuzzRun},
    {"query", fuzzQuery},
    {"mcp", fuzzMcp},
#ifdef RANKSCOPE_FUZZ_SESSIONS
    {"session", fuzzSession},
#endif
};

}  // namespace rankscope::fuzz
