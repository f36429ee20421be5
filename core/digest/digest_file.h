// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/digest/column.h"
#include "core/digest/database.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

// A digest is an SQLite file with the ranks of one trace file or, if merged, of many. docs/digest.md describes its
// tables. Traces read from it equal those written into it, to the nanosecond.

/// The ending of the names of digests.
inline constexpr std::string_view kDigestEnding = ".digest";

/// A trace's time of change in Unix time, from the value in a digest. Early digests have it as libstdc++ counts file
/// times, from the year 2174, so it is below 0.
[[nodiscard]] std::int64_t modifiedInUnixTime(std::int64_t stored_ns);

/// The version of the tables and of their columns. A digest of another version is made again.
inline constexpr std::int64_t kDigestFormat = 1;

/// The cause in errors about a file that is named as a digest but is not one: a text, or an empty file.
inline constexpr std::string_view kNoDigest = "is not a digest";

/// The number of bytes at the start of a file that show whether it is a digest.
inline constexpr std::size_t kDigestMagicBytes = 72;
/// Whether a file with these first bytes is an SQLite database that is marked as a digest.
[[nodiscard]] bool isDigest(std::string_view first_bytes);

/// The source of a digest and the program that made it: these decide whether it is up to date.
struct DigestSource {
    std::string path;              ///< absolute, at the time the digest was made
    std::string member;            ///< name inside a zip, else empty
    std::uint64_t bytes = 0;       ///< size of the file on disk
    std::int64_t modified_ns = 0;  ///< as TraceFile::modified_ns
    std::uint64_t hash = 0;        ///< hash of the file's bytes on disk (core/ingest/files/content_hash.h)
    std::string tool;              ///< version of the program that made it
    std::int64_t definitions = 0;  ///< version of the definitions of the numbers in its tables
                                   ///< (docs/definitions/README.md)
    friend bool operator==(const DigestSource&, const DigestSource&) = default;
};

/// An empty digest in memory, to be filled and written as bytes.
[[nodiscard]] Database newDigest();
/// Creates the tables of a digest in a new database. Throws DigestFault.
void makeTables(const Database& database);
/// Adds a source; returns the number by which its ranks refer to it. Throws DigestFault.
[[nodiscard]] std::int64_t addSource(const Database& digest, const DigestSource& source);
/// Adds a rank that was read from that source; returns the number by which all tables refer to it. Throws DigestFault.
[[nodiscard]] std::int64_t addRank(const Database& digest, std::int64_t source, const RankTrace& trace);

/// The database at `path`, if it is a digest of this version. Throws DigestFault if not.
[[nodiscard]] Database openDigest(const std::string& path);
/// A source, and the number by which the ranks of its digest refer to it.
struct NumberedSource {
    std::int64_t id = 0;
    DigestSource source;
};
[[nodiscard]] std::vector<NumberedSource> sourcesIn(const Database& digest);
/// The error that the digest at `path` cannot be read, with that reason.
[[nodiscard]] Error digestError(const std::string& path, const DigestFault& fault);

/// The sources of the digest at `path`. Fails if it is not a digest of this version.
[[nodiscard]] Result<std::vector<DigestSource>> readSources(const std::string& path);
/// What to read from a digest, and how.
struct DigestReading {
    std::vector<RankNumber> ranks = {};  ///< only these; empty: all
    std::size_t threads = 1;             ///< threads that unpack ranks at the same time
    /// Called with each trace as soon as it is unpacked, on any of the threads, to remove what is not needed. Memory
    /// then contains the rest of the ranks, and one whole rank per thread. May be empty.
    std::function<void(RankTrace&)> condense = {};
    /// Called with each rank that cannot be read, and why, on the calling thread. May be empty.
    std::function<void(const Error&)> damaged = {};
};
/// The traces of the ranks in the digest at `path`, by rank. Their file paths are those at the time the digest was
/// made. A damaged rank (each column has a checksum) does not affect others. Fails if it is not a digest of this
/// version, if its list of ranks is missing, or if no rank can be read.
[[nodiscard]] Result<std::vector<RankTrace>> readDigest(const std::string& path, const DigestReading& reading = {});

}  // namespace rankscope
