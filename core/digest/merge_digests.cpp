// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/digest/merge_digests.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include "core/base/natural_order.h"
#include "core/digest/column.h"
#include "core/digest/digest_file.h"
#include "core/digest/tables.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;

/// A source of a part, and its place in the merged file.
struct PartSource {
    DigestSource source;
    std::size_t part = 0;
    std::int64_t id = 0;              ///< in the part
    std::vector<std::int64_t> ranks;  ///< ranks of the part
};

/// Sorts traces in the order of a merged digest.
struct ByPath {
    bool operator()(const DigestSource& a, const DigestSource& b) const {
        if (a.path != b.path) {
            return naturalLess(a.path, b.path) || (!naturalLess(b.path, a.path) && a.path < b.path);
        }
        return a.member != b.member &&
               (naturalLess(a.member, b.member) || (!naturalLess(b.member, a.member) && a.member < b.member));
    }
};

auto age(const DigestSource& source) {
    return std::tuple(source.modified_ns, source.bytes, source.hash, source.definitions, source.tool);
}

/// The part and source that each trace is taken from.
using Chosen = std::map<DigestSource, PartSource, ByPath>;

std::vector<PartSource> sourcesOf(const std::string& path, std::size_t part) {
    const Database digest = openDigest(path);
    std::vector<PartSource> sources;
    std::map<std::int64_t, std::size_t> place;
    for (NumberedSource& numbered : sourcesIn(digest)) {
        place[numbered.id] = sources.size();
        sources.push_back({std::move(numbered.source), part, numbered.id, {}});
    }
    Statement ranks = digest.statement("SELECT id, source FROM rank ORDER BY id");
    while (ranks.next()) {
        if (const auto at = place.find(ranks.number(1)); at != place.end()) {
            sources[at->second].ranks.push_back(ranks.number(0));
        }
    }
    return sources;
}

/// Chooses among the sources of all parts. Unreadable parts go to `refused`.
Chosen choose(const std::vector<std::string>& parts, std::vector<Error>& refused) {
    Chosen chosen;
    for (std::size_t part = 0; part < parts.size(); ++part) {
        try {
            for (PartSource& found : sourcesOf(parts[part], part)) {
                const auto [at, is_new] = chosen.try_emplace(found.source, found);
                if (!is_new && age(at->second.source) < age(found.source)) {
                    at->second = std::move(found);
                }
            }
        } catch (const DigestFault& fault) {
            refused.push_back(digestError(parts[part], fault));
        }
    }
    return chosen;
}

/// The columns of a table of facts without the first, which is the rank: "number, cause, idle_ns".
std::string columnsOf(const Database& database, std::string_view table) {
    std::string names;
    Statement rows = database.statement("SELECT name FROM pragma_table_info(?) WHERE cid > 0 ORDER BY cid");
    rows.bind(table);
    while (rows.next()) {
        names += names.empty() ? "" : ", ";
        names += rows.text(0);
    }
    return names;
}

/// Copies the rows of these tables of one part's ranks, whose new numbers are in the table `fresh`. Copies all or, if
/// the part is damaged, nothing.
void copyPart(const Database& merged, const std::string& part, std::span<const std::string_view> tables,
              bool with_ranks) {
    merged.statement("ATTACH ? AS part").bind(uriOfDigest(part)).run();
    try {
        merged.run("SAVEPOINT part");
        for (const std::string_view table : tables) {
            const std::string columns = columnsOf(merged, table);
            merged.run(
                fmt::format("INSERT INTO main.{0} (rank, {1}) SELECT fresh.new_rank, {1} FROM part.{0} AS old "
                            "JOIN fresh ON fresh.old_rank = old.rank ORDER BY old.rowid",
                            table, columns));
        }
        if (with_ranks) {
            merged.run(
                "INSERT INTO main.rank SELECT fresh.new_rank, fresh.new_source, number, world_size, host, slices, "
                "window_start_ns, window_end_ns, truncated FROM part.rank AS old JOIN fresh ON fresh.old_rank = "
                "old.id");
        }
        merged.run("RELEASE part");
    } catch (const DigestFault&) {
        merged.run("ROLLBACK TO part; RELEASE part");
        merged.run("DETACH part");
        throw;
    }
    merged.run("DETACH part");
}

/// A rank of a part, and its number in the merged digest: a row of `fresh`.
struct FreshRank {
    std::int64_t old_rank = 0;
    std::int64_t new_rank = 0;
    std::int64_t new_source = 0;
};

/// The ranks of each part.
using PartRanks = std::map<std::size_t, std::vector<FreshRank>>;

/// Writes the chosen sources, and gives all their ranks new numbers.
PartRanks number(const Chosen& chosen, const Database& merged) {
    PartRanks by_part;
    std::int64_t ranks = 0;
    for (const auto& [key, found] : chosen) {
        const std::int64_t source = addSource(merged, found.source);
        for (const std::int64_t rank : found.ranks) {
            by_part[found.part].push_back({rank, ++ranks, source});
        }
    }
    return by_part;
}

std::size_t countIn(const Database& database, std::string_view sql) {
    Statement count = database.statement(sql);
    return count.next() ? static_cast<std::size_t>(count.number(0)) : 0;
}

void setFresh(const Database& merged, const std::vector<FreshRank>& ranks) {
    merged.run("DELETE FROM fresh");
    Statement add = merged.statement("INSERT INTO fresh VALUES (?, ?, ?)");
    for (const FreshRank& rank : ranks) {
        add.bind(rank.old_rank).bind(rank.new_rank).bind(rank.new_source).run();
    }
}

/// Copies these tables of all parts. An unreadable part is left out of the file, and of the following steps.
void copyParts(const Database& merged, const std::vector<std::string>& parts, PartRanks& by_part,
               std::span<const std::string_view> tables, bool with_ranks, std::vector<Error>& refused) {
    std::erase_if(by_part, [&](const auto& of_part) {
        const auto& [part, ranks] = of_part;
        setFresh(merged, ranks);
        try {
            copyPart(merged, parts[part], tables, with_ranks);
            return false;
        } catch (const DigestFault& fault) {
            refused.push_back(digestError(parts[part], fault));
            for (const std::string_view table : tablesOfRanks()) {
                merged.run(fmt::format("DELETE FROM {} WHERE rank IN (SELECT new_rank FROM fresh)", table));
            }
            merged.run("DELETE FROM rank WHERE id IN (SELECT new_rank FROM fresh)");
            return true;
        }
    });
}

void writeMerged(const std::vector<std::string>& parts, const Chosen& chosen, const std::string& to,
                 MergedDigests& result) {
    const Database merged = Database::create(to);
    makeTables(merged);
    merged.run("CREATE TEMP TABLE fresh (old_rank INTEGER PRIMARY KEY, new_rank INTEGER, new_source INTEGER)");
    PartRanks by_part = number(chosen, merged);
    // The tables for the map of all steps are together at the start of the file: the map is shown before the rest is
    // read.
    const auto tables = tablesOfRanks();
    copyParts(merged, parts, by_part, tables.first(kTablesOfMap), true, result.refused);
    copyParts(merged, parts, by_part, tables.subspan(kTablesOfMap), false, result.refused);
    merged.run("DELETE FROM source WHERE NOT EXISTS (SELECT 1 FROM rank WHERE rank.source = source.id)");
    result.sources = countIn(merged, "SELECT count(*) FROM source");
    result.ranks = countIn(merged, "SELECT count(*) FROM rank");
}

/// A temporary file that is deleted unless it is kept.
class PartFile {
  public:
    explicit PartFile(const fs::path& beside)
        : path_((beside.parent_path() / (".rankscope-" + std::to_string(::getpid()) + "-merge.part")).string()) {
        std::error_code error;
        fs::remove(path_, error);
    }
    PartFile(const PartFile&) = delete;
    PartFile& operator=(const PartFile&) = delete;
    ~PartFile() {
        std::error_code error;
        fs::remove(path_, error);
    }
    [[nodiscard]] const std::string& path() const { return path_; }
    /// Flushes the file and renames it to `to`.
    [[nodiscard]] std::error_code keepAs(const std::string& to) const {
        const int file = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
        if (file >= 0) {
            (void)::fsync(file);
            (void)::close(file);
        }
        std::error_code error;
        fs::rename(path_, to, error);
        return error;
    }

  private:
    std::string path_;
};

}  // namespace

Result<MergedDigests> mergeDigests(const std::vector<std::string>& parts, const std::string& to) {
    MergedDigests result;
    const Chosen chosen = choose(parts, result.refused);
    if (chosen.empty()) {
        return result.refused.empty() ? Error{to, std::nullopt, "there are no digests to merge"}
                                      : result.refused.front();
    }
    const PartFile file{fs::path(to)};
    try {
        writeMerged(parts, chosen, file.path(), result);
    } catch (const DigestFault& fault) {
        return Error{to, std::nullopt, std::string("cannot be written: ") + fault.what()};
    }
    std::error_code error;
    result.bytes = fs::file_size(file.path(), error);
    if (const std::error_code failed = file.keepAs(to)) {
        return Error{to, std::nullopt, "cannot be written: " + failed.message()};
    }
    return result;
}

}  // namespace rankscope
