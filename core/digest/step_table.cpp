// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/digest/step_table.h"

#include <algorithm>

#include "core/digest/column.h"
#include "core/digest/database.h"
#include "core/digest/digest_file.h"

namespace rankscope {
namespace {

constexpr std::size_t kMostCells = 50'000'000;  // 2.4 GB
/// Longer steps (13 days), and ranks with more slices, come from damaged files; sums of these fit 64 bits.
constexpr DurationNs kLongest = std::int64_t{1} << 50U;
constexpr std::int64_t kMostSlices = 1'000'000'000'000;

struct Row {
    std::int64_t rank = 0;
    std::int64_t step = 0;
    StepTableCell cell;
};

/// As for the tables that traces are read from: the file's content must not produce rows without end.
void expectPlain(const Database& digest, const std::string& table) {
    Statement is_plain = digest.statement(
        "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = ?1 AND type = 'table' AND rootpage > 0)"
        " AND NOT EXISTS (SELECT 1 FROM pragma_table_xinfo(?1) WHERE hidden <> 0)");
    if (!is_plain.bind(table).next() || is_plain.number(0) == 0) {
        throw DigestFault("it has no plain table \"" + table + "\"");
    }
}

void addRows(const Database& digest, std::vector<Row>& rows) {
    expectPlain(digest, "step");
    Statement steps = digest.statement(
        "SELECT rank.number, step.number, end_ns - start_ns, compute_ns, exposed_comm_ns, idle_ns, complete, "
        "exposed_copy_ns"
        " FROM step JOIN rank ON rank.id = step.rank WHERE rank.number >= 0");
    while (steps.next()) {
        const auto part = [&](int column) { return std::clamp<DurationNs>(steps.number(column), 0, kLongest); };
        rows.push_back({steps.number(0),
                        steps.number(1),
                        {part(2), part(3), part(4), part(5), true, steps.number(6) != 0, part(7)}});
        if (rows.size() > kMostCells) {
            throw DigestFault("it has too many steps for a map");
        }
    }
}

/// The distinct values of a member over all rows, ascending.
template <class Member>
std::vector<std::int64_t> valuesOf(const std::vector<Row>& rows, Member member) {
    std::vector<std::int64_t> values(rows.size());
    std::ranges::transform(rows, values.begin(), member);
    std::ranges::sort(values);
    values.erase(std::ranges::unique(values).begin(), values.end());
    return values;
}

std::size_t placeOf(const std::vector<std::int64_t>& values, std::int64_t value) {
    return static_cast<std::size_t>(std::ranges::lower_bound(values, value) - values.begin());
}

StepTable tableOf(const std::vector<Row>& rows) {
    StepTable table;
    const std::vector<std::int64_t> ranks = valuesOf(rows, &Row::rank);
    table.steps = valuesOf(rows, &Row::step);
    if (ranks.size() * table.steps.size() > kMostCells) {
        throw DigestFault("its steps have too many different numbers for a map");
    }
    table.cells.resize(ranks.size() * table.steps.size());
    for (const Row& row : rows) {
        table.cells[placeOf(ranks, row.rank) * table.steps.size() + placeOf(table.steps, row.step)] = row.cell;
    }
    for (const std::int64_t rank : ranks) {
        table.ranks.emplace_back(rank);
    }
    return table;
}

}  // namespace

Result<StepTable> readStepTable(const std::vector<std::string>& digests) {
    std::vector<Row> rows;
    for (const std::string& path : digests) {
        try {
            addRows(openDigest(path), rows);
        } catch (const DigestFault& fault) {
            return digestError(path, fault);
        }
    }
    try {
        return tableOf(rows);
    } catch (const DigestFault& fault) {
        return digestError(digests.empty() ? std::string() : digests.front(), fault);
    }
}

Result<std::vector<DigestedRank>> readDigestedRanks(const std::vector<std::string>& digests) {
    std::vector<DigestedRank> ranks;
    for (const std::string& path : digests) {
        try {
            const Database digest = openDigest(path);
            Statement rows =
                digest.statement("SELECT number, slices, world_size, window_start_ns FROM rank ORDER BY id");
            while (rows.next()) {
                DigestedRank& rank = ranks.emplace_back();
                if (!rows.isNull(0)) {
                    rank.rank = RankNumber(rows.number(0));
                }
                rank.slices = static_cast<std::uint64_t>(std::clamp<std::int64_t>(rows.number(1), 0, kMostSlices));
                if (!rows.isNull(2)) {
                    rank.world_size = static_cast<std::int32_t>(rows.number(2));
                }
                rank.start_ns = rows.number(3);
            }
        } catch (const DigestFault& fault) {
            return digestError(path, fault);
        }
    }
    return ranks;
}

std::string mostIdleCause(const std::vector<std::string>& digests, RankNumber rank, std::int64_t step) {
    std::string cause;
    for (const std::string& path : digests) {
        try {
            const Database digest = openDigest(path);
            expectPlain(digest, "step_cause");
            Statement rows = digest.statement(
                "SELECT cause FROM step_cause WHERE number = ? AND rank IN (SELECT id FROM rank WHERE number = ?)"
                " ORDER BY idle_ns DESC LIMIT 1");
            if (rows.bind(step).bind(std::int64_t{rank.value}).next()) {
                cause = rows.text(0);
            }
        } catch (const DigestFault&) {
            continue;  // a digest without it has no data
        }
    }
    return cause;
}

}  // namespace rankscope
