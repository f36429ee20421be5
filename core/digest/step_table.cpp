// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/digest/step_table.h"

#include <algorithm>

#include "core/digest/column.h"
#include "core/digest/database.h"
#include "core/digest/digest_file.h"

namespace rankscope {
namespace {

constexpr std::size_t kMostCells = 50'000'000;  // 2 GB

struct Row {
    std::int64_t rank = 0;
    std::int64_t step = 0;
    StepTableCell cell;
};

/// As for the tables that traces are read from: what stands in the file must not make rows without end.
void expectPlainSteps(const Database& digest) {
    Statement is_plain = digest.statement(
        "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'step' AND type = 'table' AND rootpage > 0)"
        " AND NOT EXISTS (SELECT 1 FROM pragma_table_xinfo('step') WHERE hidden <> 0)");
    if (!is_plain.next() || is_plain.number(0) == 0) {
        throw DigestFault("it has no plain table \"step\"");
    }
}

void addRows(const Database& digest, std::vector<Row>& rows) {
    expectPlainSteps(digest);
    Statement steps = digest.statement(
        "SELECT rank.number, step.number, end_ns - start_ns, compute_ns, exposed_comm_ns, idle_ns"
        " FROM step JOIN rank ON rank.id = step.rank WHERE rank.number >= 0");
    while (steps.next()) {
        const auto part = [&](int column) { return std::max<DurationNs>(0, steps.number(column)); };
        rows.push_back({steps.number(0), steps.number(1), {part(2), part(3), part(4), part(5), true}});
        if (rows.size() > kMostCells) {
            throw DigestFault("it has too many steps for a map of them");
        }
    }
}

/// The different values of a member of all rows, ascending.
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
        throw DigestFault("its steps have too many numbers for a map of them");
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

}  // namespace rankscope
