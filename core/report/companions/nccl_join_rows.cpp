// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/companions/nccl_rows.h"

namespace rankscope::report {
namespace {

struct JoinRow {
    const AnalysedRun* run = nullptr;
    std::int64_t process_group = 0;
    const network::GroupJoin* join = nullptr;
    const ReadLogs* logs = nullptr;
    std::string_view text;

    [[nodiscard]] bool isJoined() const { return join->state == network::JoinState::Joined; }
};

using tables::Access;
using tables::Type;
using tables::Value;

}  // namespace

tables::Table ncclJoinTable(const std::shared_ptr<JoinedCompanions>& of) {
    return companionTable<JoinRow>(
        "nccl_join", "One process group with the communicator of the logs that its calls prove it to be, or why not.",
        {tables::runColumn<JoinRow>(),
         {{"process_group", Type::Integer, "process_group.id", Access::Seek},
          [](const JoinRow& row) { return Value(row.process_group); }},
         {{"state", Type::Text, "joined, several-places, or why it is not joined: call-differs, no-calls"},
          [](const JoinRow& row) { return Value(joinStateId(row.join->state)); }},
         {{"communicator", Type::Integer, "nccl_communicator.id of the one that fits best; null if none was compared",
           Access::Seek},
          [](const JoinRow& row) {
              return row.join->ranks == 0 ? Value()
                                          : Value(communicatorId(*row.logs, row.join->job, row.join->communicator));
          }},
         {{"ranks", Type::Integer, "how many have both a trace and a log"},
          [](const JoinRow& row) { return Value(static_cast<std::int64_t>(row.join->ranks)); }},
         {{"collectives", Type::Integer, "how many of these ranks were compared"},
          [](const JoinRow& row) { return Value(static_cast<std::int64_t>(row.join->collectives)); }},
         {{"first_call", Type::Integer, "if joined: the number of its first collective in the communicator, from 0"},
          [](const JoinRow& row) {
              return row.isJoined() ? Value(static_cast<std::int64_t>(row.join->first)) : Value();
          }},
         {{"by_sequence", Type::Integer, "1 if its calls fit at several places and sequence numbers decide, else 0"},
          [](const JoinRow& row) { return tables::flagValue(row.join->by_sequence); }},
         {{"text", Type::Text, "the same, for people"}, [](const JoinRow& row) { return Value(row.text); }}},
        of, &JoinedCompanions::logs,
        [](const tables::Runs& runs, KeptCompanions<>& kept, tables::DeclaredRows<JoinRow>& rows) {
            eachNumberedRun(runs, [&](const AnalysedRun& run, std::int64_t /*collectives*/, std::int64_t groups) {
                const RunWithLogs with = kept.of->withLogs(run);
                for (const network::GroupJoin& join : with.join.groups) {
                    rows.add({&run, groups + join.group, &join, kept.of->logs(), kept.keep(joinWords(with, join))});
                }
            });
        });
}

}  // namespace rankscope::report
