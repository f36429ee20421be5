// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/digest/digest_file.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <utility>

#include "core/base/parallel.h"
#include "core/digest/column.h"
#include "core/digest/columns.h"
#include "core/digest/pack_trace.h"
#include "core/digest/tables.h"

namespace rankscope {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kSqliteMagic = "SQLite format 3\0"sv;

void packStrings(const StringPool& strings, ColumnWriter& column) {
    column.put(strings.size());
    for (std::uint32_t i = 0; i < strings.size(); ++i) {
        column.putText(strings.view(StringId(i)));
    }
}

void unpackStrings(ColumnReader& column, StringPool& strings) {
    const std::size_t count = column.getCount();
    for (std::size_t i = 0; i < count; ++i) {
        if (strings.intern(column.getText()).value != i) {
            column.fail("contains a text twice");
        }
    }
}

/// All columns of a rank as one: for each its name, its number of bytes, and the packed bytes.
std::string packTrace(const RankTrace& trace) {
    ColumnsOut columns;
    packStrings(trace.strings, columns["strings"]);
    packIdentity(trace, columns);
    packSlices(trace, columns);
    packArgs(trace, columns);
    ColumnWriter all;
    for (const auto& [name, column] : columns.all()) {
        all.putText(name);
        all.put(column.bytes().size());
        all.putText(packBytes(column.bytes()));
    }
    return all.bytes();
}

void expectIds(const RankTrace& trace, const ColumnReader& column) {
    for (const Track& track : trace.tracks) {
        for (const StringId id : {track.process, track.lane}) {
            if (id.value >= trace.strings.size()) {
                column.fail("names a text that does not exist");
            }
        }
    }
}

RankTrace unpackTrace(std::string_view packed, Unpacker& unpacker) {
    ColumnsIn columns;
    for (ColumnReader all("list", packed); !all.atEnd();) {
        std::string name(all.getText());
        const std::uint64_t size = all.get();
        std::string bytes = unpacker.unpack(name, all.getText(), size);
        columns.add(std::move(name), std::move(bytes));
    }
    RankTrace trace;
    unpackStrings(columns["strings"], trace.strings);
    unpackIdentity(columns, trace);
    expectIds(trace, columns["tracks"]);
    unpackSlices(columns, trace);
    unpackArgs(columns, trace);
    columns.expectEnds();
    return trace;
}

Statement& bindRank(Statement& statement, const std::optional<std::int64_t>& number) {
    return number ? statement.bind(*number) : statement.bindNull();
}

/// A rank in the tables of a digest.
struct ListedRank {
    std::int64_t id = 0;
    std::optional<std::int64_t> number;  ///< nothing if no file has it
};

bool wanted(const ListedRank& listed, const std::vector<RankNumber>& ranks) {
    return ranks.empty() ||
           (listed.number && std::ranges::any_of(ranks, [&](RankNumber rank) { return rank.value == *listed.number; }));
}

/// The requested ranks of a digest. Reads only their own table, so that a damaged trace affects only its own rank.
std::vector<ListedRank> ranksIn(const Database& digest, const std::vector<RankNumber>& ranks) {
    Statement rows = digest.statement("SELECT id, number FROM rank ORDER BY id");
    std::vector<ListedRank> listed;
    while (rows.next()) {
        ListedRank rank{rows.number(0), std::nullopt};
        if (!rows.isNull(1)) {
            rank.number = rows.number(1);
        }
        if (wanted(rank, ranks)) {
            listed.push_back(rank);
        }
    }
    return listed;
}

/// The hash of the trace from which a rank was read; nothing if its source is damaged.
std::optional<std::uint64_t> hashOf(const Database& digest, const ListedRank& rank) {
    try {
        Statement row =
            digest.statement("SELECT hash FROM source WHERE id = (SELECT source FROM rank WHERE rank.id = ?)");
        const bool is_there = row.bind(rank.id).next();
        return is_there ? std::optional(static_cast<std::uint64_t>(row.number(0))) : std::nullopt;
    } catch (const DigestFault&) {
        return std::nullopt;
    }
}

RankTrace traceOf(const Database& digest, const ListedRank& rank, Unpacker& unpacker) {
    Statement row = digest.statement("SELECT columns FROM trace WHERE rank = ?");
    if (!row.bind(rank.id).next()) {
        throw DigestFault("its trace is missing");
    }
    RankTrace trace = unpackTrace(row.blob(0), unpacker);
    for (TraceFile& file : trace.files) {
        file.modified_ns = modifiedInUnixTime(file.modified_ns);
        file.content_hash = hashOf(digest, rank);
    }
    return trace;
}

std::string nameOf(const ListedRank& rank) {
    return rank.number ? "rank " + std::to_string(*rank.number) : "the rank in row " + std::to_string(rank.id);
}

/// The traces that were read; the others go to `damaged`. Throws if all are damaged.
std::vector<RankTrace> whatWasRead(const std::string& path, const std::vector<ListedRank>& ranks,
                                   std::vector<std::optional<RankTrace>> read, const std::vector<std::string>& faults,
                                   const std::function<void(const Error&)>& damaged) {
    std::vector<RankTrace> traces;
    std::vector<Error> errors;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        if (read[i]) {
            traces.push_back(std::move(*read[i]));
        } else {
            errors.push_back({path, std::nullopt, nameOf(ranks[i]) + " cannot be read: " + faults[i]});
        }
    }
    if (traces.empty() && !errors.empty()) {
        throw DigestFault(errors.front().cause);
    }
    for (const Error& error : errors) {
        if (damaged) {
            damaged(error);
        }
    }
    return traces;
}

/// The result of `read`, or the fault that it throws, as an error of the file.
template <class Read>
auto asResult(const std::string& path, const Read& read) -> Result<decltype(read())> {
    try {
        return read();
    } catch (const DigestFault& fault) {
        return digestError(path, fault);
    }
}

}  // namespace

bool isDigest(std::string_view first_bytes) {
    constexpr std::size_t kIdAt = 68;
    if (first_bytes.size() < kDigestMagicBytes || !first_bytes.starts_with(kSqliteMagic)) {
        return false;
    }
    std::int64_t id = 0;
    for (const char byte : first_bytes.substr(kIdAt, 4)) {
        id = id * 256 + static_cast<unsigned char>(byte);
    }
    return id == kDigestId;
}

std::int64_t modifiedInUnixTime(std::int64_t stored_ns) {
    constexpr std::int64_t kFrom1970To2174 = 6'437'664'000'000'000'000;
    return stored_ns < 0 ? stored_ns + kFrom1970To2174 : stored_ns;
}

Database newDigest() {
    Database database = Database::inMemory();
    makeTables(database);
    return database;
}

void makeTables(const Database& database) {
    database.run(tablesOfDigest());
}

std::int64_t addSource(const Database& digest, const DigestSource& source) {
    Statement add = digest.statement(
        "INSERT INTO source (path, member, bytes, modified_ns, hash, tool, definitions)"
        " VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id");
    add.bind(source.path).bind(source.member).bind(static_cast<std::int64_t>(source.bytes)).bind(source.modified_ns);
    add.bind(static_cast<std::int64_t>(source.hash)).bind(source.tool).bind(source.definitions);
    (void)add.next();
    return add.number(0);
}

std::int64_t addRank(const Database& digest, std::int64_t source, const RankTrace& trace) {
    Statement add = digest.statement(
        "INSERT INTO rank (source, number, world_size, host, slices, window_start_ns, window_end_ns, truncated)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id");
    add.bind(source);
    bindRank(add, trace.rank ? std::optional<std::int64_t>(trace.rank->value) : std::nullopt);
    bindRank(add, trace.world_size);
    add.bind(trace.host).bind(static_cast<std::int64_t>(trace.health.slices));
    add.bind(trace.window.start_ns).bind(trace.window.end_ns).bind(std::int64_t{trace.health.truncated ? 1 : 0});
    (void)add.next();
    const std::int64_t rank = add.number(0);
    digest.statement("INSERT INTO trace (rank, columns) VALUES (?, ?)").bind(rank).bindBlob(packTrace(trace)).run();
    return rank;
}

namespace {

/// Throws unless only plain tables are read: the rows of a view, a virtual table or generated columns are computed from
/// the file's content, possibly without end.
void expectPlainTables(const Database& database) {
    for (const std::string_view table : {"source"sv, "rank"sv, "trace"sv}) {
        Statement is_plain = database.statement(
            "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = ?1 AND type = 'table' AND rootpage > 0)"
            " AND NOT EXISTS (SELECT 1 FROM pragma_table_xinfo(?1) WHERE hidden <> 0)");
        if (!is_plain.bind(table).next() || is_plain.number(0) == 0) {
            throw DigestFault("it has no plain table \"" + std::string(table) + "\"");
        }
    }
}

/// Throws if the file does not begin like a database: a text named as a digest, or an empty file.
void expectDatabase(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file.is_open()) {
        return;  // SQLite reports why
    }
    std::array<char, kSqliteMagic.size()> head{};
    file.read(head.data(), head.size());
    if (std::string_view(head.data(), static_cast<std::size_t>(file.gcount())) != kSqliteMagic) {
        throw DigestFault(std::string(kNoDigest));
    }
}

}  // namespace

Database openDigest(const std::string& path) {
    expectDatabase(path);
    Database database = Database::open(path);
    const auto pragma = [&](std::string_view sql) {
        Statement asked = database.statement(sql);
        return asked.next() ? asked.number(0) : 0;
    };
    if (pragma("PRAGMA application_id") != kDigestId) {
        throw DigestFault("it is a database of another program");
    }
    if (const std::int64_t format = pragma("PRAGMA user_version"); format != kDigestFormat) {
        throw DigestFault("it has format " + std::to_string(format) + ", but this version reads format " +
                          std::to_string(kDigestFormat) + ". Make it again with `rankscope-cli digest`");
    }
    expectPlainTables(database);
    return database;
}

Error digestError(const std::string& path, const DigestFault& fault) {
    const std::string why = fault.what();
    return {path, std::nullopt, why == kNoDigest ? why : "cannot be read as a digest: " + why};
}

std::vector<NumberedSource> sourcesIn(const Database& digest) {
    Statement rows = digest.statement(
        "SELECT path, member, bytes, modified_ns, hash, tool, definitions, id FROM source ORDER BY id");
    std::vector<NumberedSource> sources;
    while (rows.next()) {
        sources.push_back({rows.number(7),
                           {std::string(rows.text(0)), std::string(rows.text(1)),
                            static_cast<std::uint64_t>(rows.number(2)), modifiedInUnixTime(rows.number(3)),
                            static_cast<std::uint64_t>(rows.number(4)), std::string(rows.text(5)), rows.number(6)}});
    }
    return sources;
}

Result<std::vector<DigestSource>> readSources(const std::string& path) {
    return asResult(path, [&] {
        std::vector<DigestSource> sources;
        for (NumberedSource& numbered : sourcesIn(openDigest(path))) {
            sources.push_back(std::move(numbered.source));
        }
        return sources;
    });
}

Result<std::vector<RankTrace>> readDigest(const std::string& path, const DigestReading& reading) {
    return asResult(path, [&] {
        const std::vector<ListedRank> ranks = ranksIn(openDigest(path), reading.ranks);
        std::vector<std::optional<RankTrace>> read(ranks.size());
        std::vector<std::string> faults(ranks.size());
        shareIndices(ranks.size(), reading.threads, [&](const auto& next) {
            const Database database = openDigest(path);  // one per thread
            Unpacker unpacker;
            while (const std::optional<std::size_t> i = next()) {
                try {
                    read[*i] = traceOf(database, ranks[*i], unpacker);
                    if (reading.condense) {
                        reading.condense(*read[*i]);
                    }
                } catch (const DigestFault& fault) {
                    read[*i].reset();
                    faults[*i] = fault.what();
                }
            }
        });
        return whatWasRead(path, ranks, std::move(read), faults, reading.damaged);
    });
}

}  // namespace rankscope
