// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/companions/nccl_rows.h"

namespace rankscope::report {
namespace {

struct CommunicatorRow : NumberedCommunicator {
    std::string_view hosts;
};

using tables::Access;
using tables::Type;
using tables::Value;

}  // namespace

tables::Table ncclCommunicatorTable(const std::shared_ptr<JoinedCompanions>& of) {
    return companionTable<CommunicatorRow>(
        "nccl_communicator", "One communicator in the logs of NCCL.",
        {tables::idColumn<CommunicatorRow>(),
         {{"job", Type::Integer, "number of its job in the logs, from 0", Access::Seek},
          [](const CommunicatorRow& row) { return Value(static_cast<std::int64_t>(row.job)); }},
         {{"comm_id", Type::Text, "commId, as logged; null where the log has none"},
          [](const CommunicatorRow& row) { return Value::ofText(row.communicator->id); }},
         {{"ranks", Type::Integer, "how many it has"},
          [](const CommunicatorRow& row) { return Value(std::int64_t{row.communicator->ranks}); }},
         {{"logged", Type::Integer, "how many of them are in the logs"},
          [](const CommunicatorRow& row) {
              return Value(static_cast<std::int64_t>(row.communicator->members.size()));
          }},
         {{"hosts", Type::Text, "of these ranks, with spaces between them"},
          [](const CommunicatorRow& row) { return Value::ofText(row.hosts); }},
         {{"host_count", Type::Integer, "of all its ranks; null where unknown"},
          [](const CommunicatorRow& row) {
              const std::size_t count = row.communicator->hostCount();
              return count == 0 ? Value() : Value(static_cast<std::int64_t>(count));
          }},
         {{"channels", Type::Integer, "for collectives, the fewest of a rank; null where unknown"},
          [](const CommunicatorRow& row) {
              return row.communicator->channels == 0 ? Value() : Value(std::int64_t{row.communicator->channels});
          }}},
        of, &JoinedCompanions::logs,
        [](const tables::Runs& /*runs*/, KeptCompanions<>& kept, tables::DeclaredRows<CommunicatorRow>& rows) {
            eachCommunicator(*kept.of->logs(), [&](const NumberedCommunicator& one) {
                std::string hosts;
                for (const std::string& host : one.communicator->hosts) {
                    hosts += (hosts.empty() ? "" : " ") + host;
                }
                rows.add({one, kept.keep(std::move(hosts))});
            });
        });
}

}  // namespace rankscope::report
