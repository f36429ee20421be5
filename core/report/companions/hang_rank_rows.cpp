// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/base/format.h"
#include "core/report/companions/joined_companions.h"
#include "core/report/hang.h"

namespace rankscope::report {
namespace {

using tables::Access;
using tables::Type;
using tables::Value;

/// A rank, and what the dumps say of it: at most one of `culprit` and `waiting` is used, in this order.
struct HangRow {
    const ReadDumps* dumps = nullptr;
    std::int64_t rank = 0;
    const FlightDump* dump = nullptr;  // nullptr: it has none
    const hang::Culprit* culprit = nullptr;
    const hang::Waiting* waiting = nullptr;
    std::string_view waits_for;

    [[nodiscard]] const hang::Place* place() const {
        return culprit != nullptr ? &culprit->at : waiting != nullptr ? &waiting->in : nullptr;
    }
};

/// "0 1 2".
std::string numbersText(const std::vector<std::int64_t>& numbers) {
    std::string out;
    for (const std::int64_t number : numbers) {
        out += (out.empty() ? "" : " ") + std::to_string(number);
    }
    return out;
}

/// The entry of a rank; nullptr if there is none.
template <class Entry>
const Entry* entryOf(const std::vector<Entry>& all, std::int64_t rank) {
    const auto at = std::ranges::find(all, rank, &Entry::rank);
    return at == all.end() ? nullptr : &*at;
}

std::string_view stateOf(const HangRow& row) {
    return row.dump == nullptr      ? "missing"
           : row.culprit != nullptr ? "stops"
           : row.waiting != nullptr ? "waits"
                                    : "runs";
}

std::vector<tables::DeclaredColumn<HangRow>> hangColumns() {
    using Row = HangRow;
    return {{{"rank", Type::Integer, "its number", Access::Seek}, [](const Row& row) { return Value(row.rank); }},
            {{"state", Type::Text, "stops: others wait for it; waits, runs, or missing: it has no dump"},
             [](const Row& row) { return Value(stateOf(row)); }},
            {{"why", Type::Text, "why it stops the others: not-entered, not-completed, differs, deadlock"},
             [](const Row& row) { return row.culprit == nullptr ? Value() : Value(whyId(row.culprit->why)); }},
            {{"group_label", Type::Text,
              "description, else name, of the group of the call that it did not make, or waits in"},
             [](const Row& row) {
                 return row.place() == nullptr ? Value()
                                               : Value::ofText(row.dumps->hang.groups[row.place()->group].label());
             }},
            {{"seq", Type::Integer, "number of that call in its group"},
             [](const Row& row) { return row.place() == nullptr ? Value() : Value(row.place()->number); }},
            {{"kind", Type::Text, "of that call, as PyTorch names it: all_reduce, send 0->3"},
             [](const Row& row) { return row.place() == nullptr ? Value() : Value::ofText(row.place()->kind); }},
            {{"waits_for", Type::Text, "numbers of the ranks that it waits for, with spaces between them"},
             [](const Row& row) { return Value::ofText(row.waits_for); }},
            {{"calls", Type::Integer, "how many its dump has"},
             [](const Row& row) {
                 return row.dump == nullptr ? Value() : Value(static_cast<std::int64_t>(row.dump->calls.size()));
             }},
            {{"file", Type::Text, "the dump"},
             [](const Row& row) { return row.dump == nullptr ? Value() : Value::ofText(row.dump->path); }}};
}

}  // namespace

tables::Table hangRankTable(const std::shared_ptr<JoinedCompanions>& of) {
    return companionTable<HangRow>(
        "hang_rank", "One rank in the dumps of the flight recorder: whether it stops others, or waits.", hangColumns(),
        of, &JoinedCompanions::dumps,
        [](const tables::Runs& /*runs*/, KeptCompanions<>& kept, tables::DeclaredRows<HangRow>& rows) {
            const ReadDumps& dumps = *kept.of->dumps();
            std::vector<std::int64_t> ranks = dumps.hang.ranks;
            ranks.insert(ranks.end(), dumps.hang.missing.begin(), dumps.hang.missing.end());
            std::ranges::sort(ranks);
            for (const std::int64_t rank : ranks) {
                const hang::Waiting* const waiting = entryOf(dumps.hang.waiting, rank);
                rows.add({&dumps, rank, entryOf(dumps.dumps, rank), entryOf(dumps.hang.culprits, rank), waiting,
                          kept.keep(waiting == nullptr ? "" : numbersText(waiting->waits_for))});
            }
        });
}

}  // namespace rankscope::report
