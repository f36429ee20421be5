// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tables/collective_rows.h"

namespace rankscope::tables {
namespace {

struct GroupRow {
    const AnalysedRun* run = nullptr;
    std::int64_t id = 0;
    std::uint32_t index = 0;  // in CollectiveFacts::groups
    std::string_view ranks;

    [[nodiscard]] const CollectiveGroup& group() const { return run->facts.collectives.groups[index]; }
};

/// "0 1 2".
std::string numbersOf(const std::vector<RankNumber>& ranks) {
    std::string text;
    for (const RankNumber rank : ranks) {
        text += (text.empty() ? "" : " ") + std::to_string(rank.value);
    }
    return text;
}

Value roleOf(const GroupRow& row) {
    const std::optional<Role> role = row.run->facts.parallelism.roleOfGroup(row.index);
    return role ? Value(roleName(*role)) : Value();
}

}  // namespace

Table processGroupTable() {
    return declaredTable<GroupRow>(
        "process_group", "Ranks that communicate with one another.",
        {idColumn<GroupRow>(),
         runColumn<GroupRow>(),
         {{"name", Type::Text, "as recorded"}, [](const GroupRow& row) { return Value::ofText(row.group().name); }},
         {{"description", Type::Text, "as recorded: default_pg"},
          [](const GroupRow& row) { return Value::ofText(row.group().description); }},
         {{"role", Type::Text, "what it is for: data, tensor, pipeline; null where unknown"}, roleOf},
         {{"size", Type::Integer, "number of its ranks; null where unknown"},
          [](const GroupRow& row) { return row.group().size < 0 ? Value() : Value(std::int64_t{row.group().size}); }},
         {{"ranks", Type::Text, "numbers of its ranks, with spaces between them; null where unknown"},
          [](const GroupRow& row) { return Value::ofText(row.ranks); }},
         {{"origin", Type::Text, "where its ranks are taken from: configuration, rank-list, world"},
          [](const GroupRow& row) { return Value(groupOriginName(row.group().origin)); }}},
        [](const Runs& runs, DeclaredRows<GroupRow>& rows, KeptTexts& kept) {
            std::int64_t id = 0;
            for (const AnalysedRun* run : runs) {
                const std::vector<CollectiveGroup>& groups = run->facts.collectives.groups;
                for (std::uint32_t index = 0; index < groups.size(); ++index) {
                    rows.add({run, id++, index, kept.emplace_back(numbersOf(groups[index].ranks))});
                }
            }
        });
}

}  // namespace rankscope::tables
