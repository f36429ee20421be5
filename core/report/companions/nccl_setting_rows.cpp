// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/companions/nccl_rows.h"

namespace rankscope::report {
namespace {

struct SettingRow {
    const ReadLogs* logs = nullptr;
    const NcclProcess* process = nullptr;
    tables::Value rank;
    const NcclSetting* setting = nullptr;
    const NcclLine* line = nullptr;
};

using tables::Access;
using tables::Type;
using tables::Value;

}  // namespace

tables::Table ncclSettingTable(const std::shared_ptr<JoinedCompanions>& of) {
    return companionTable<SettingRow>(
        "nccl_setting", "One variable that a process sets for NCCL, as its log says.",
        tables::joined<SettingRow>(
            {{{{"rank", Type::Integer, "number of the rank in its job; null where unknown", Access::Seek},
               [](const SettingRow& row) { return row.rank; }},
              {{"host", Type::Text, "of the process"},
               [](const SettingRow& row) { return Value::ofText(row.process->host); }},
              {{"pid", Type::Integer, "of the process", Access::Seek},
               [](const SettingRow& row) { return Value(row.process->pid); }},
              {{"name", Type::Text, "NCCL_SOCKET_IFNAME"},
               [](const SettingRow& row) { return Value::ofText(row.setting->name); }},
              {{"value", Type::Text, "as logged"},
               [](const SettingRow& row) { return Value(std::string_view(row.setting->value)); }}},
             lineColumns<SettingRow>()}),
        of, &JoinedCompanions::logs,
        [](const tables::Runs& /*runs*/, KeptCompanions<>& kept, tables::DeclaredRows<SettingRow>& rows) {
            const ReadLogs& logs = *kept.of->logs();
            const std::vector<Value> ranks = ranksOfProcesses(logs);
            for (std::size_t i = 0; i < logs.logs.processes.size(); ++i) {
                for (const NcclSetting& setting : logs.logs.processes[i].settings) {
                    rows.add({&logs, &logs.logs.processes[i], ranks[i], &setting, &setting.line});
                }
            }
        });
}

}  // namespace rankscope::report
