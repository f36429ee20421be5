// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/companions/joined_companions.h"

namespace rankscope::report {
namespace {

struct LinkRow {
    const AnalysedRun* run = nullptr;
    std::int64_t process_group = 0;
    const hang::GroupLink* link = nullptr;
    std::string_view text;
};

using tables::Access;
using tables::Type;
using tables::Value;

std::vector<tables::DeclaredColumn<LinkRow>> linkColumns() {
    using Row = LinkRow;
    return {tables::runColumn<Row>(),
            {{"process_group", Type::Integer, "process_group.id", Access::Seek},
             [](const Row& row) { return Value(row.process_group); }},
            {{"state", Type::Text, "linked, or why it is not: call-differs, other-time, not-in-dumps"},
             [](const Row& row) { return Value(linkStateId(row.link->state)); }},
            {{"ranks", Type::Integer, "how many have both a trace and a dump"},
             [](const Row& row) { return Value(static_cast<std::int64_t>(row.link->ranks)); }},
            {{"collectives", Type::Integer, "how many are in the traces of these ranks"},
             [](const Row& row) { return Value(static_cast<std::int64_t>(row.link->collectives)); }},
            {{"linked", Type::Integer, "how many of them are calls of the dumps"},
             [](const Row& row) { return Value(static_cast<std::int64_t>(row.link->linked)); }},
            {{"by_sequence", Type::Integer, "1 if the trace has sequence numbers, else 0"},
             [](const Row& row) { return tables::flagValue(row.link->by_sequence); }},
            {{"text", Type::Text, "the same, for people"}, [](const Row& row) { return Value(row.text); }}};
}

}  // namespace

tables::Table flightLinkTable(const std::shared_ptr<JoinedCompanions>& of) {
    return companionTable<LinkRow>(
        "flight_link", "One process group with its calls in dumps of the flight recorder, or why it has none there.",
        linkColumns(), of, &JoinedCompanions::dumps,
        [](const tables::Runs& runs, KeptCompanions<>& kept, tables::DeclaredRows<LinkRow>& rows) {
            eachNumberedRun(runs, [&](const AnalysedRun& run, std::int64_t /*collectives*/, std::int64_t groups) {
                const RunWithDumps& with = kept.of->withDumps(run);
                for (const hang::GroupLink& link : with.links.groups) {
                    rows.add({&run, groups + link.group, &link, kept.keep(linkWords(with, link))});
                }
            });
        });
}

}  // namespace rankscope::report
