// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tables/collective_rows.h"

#include <algorithm>

namespace rankscope::tables {
namespace {

using CollectiveRow = PlacedCollective;

/// The first start or the last end of its members, on the run's clock.
template <class Choose>
Value endOf(const CollectiveRow& row, TimeNs TimeSpan::*of, const Choose& choose) {
    std::optional<std::int64_t> best;
    for (const CollectiveMember& member : row.collective->members) {
        const std::int64_t at = onRunClock(*row.run, member.rank, member.span.*of);
        best = best ? choose(*best, at) : at;
    }
    return best ? Value(*best) : Value();
}

Value startOf(const CollectiveRow& row) {
    return endOf(row, &TimeSpan::start_ns, [](std::int64_t a, std::int64_t b) { return std::min(a, b); });
}

Value lastEndOf(const CollectiveRow& row) {
    return endOf(row, &TimeSpan::end_ns, [](std::int64_t a, std::int64_t b) { return std::max(a, b); });
}

Value realOf(const std::optional<double>& value) {
    return value ? Value(*value) : Value();
}

}  // namespace

Table collectiveTable() {
    return declaredTable<CollectiveRow>(
        "collective", "One communication operation, matched over its ranks.",
        {idColumn<CollectiveRow>(),
         runColumn<CollectiveRow>(),
         {{"process_group", Type::Integer, "process_group.id", Access::Seek},
          [](const CollectiveRow& row) { return Value(row.group); }},
         {{"kind", Type::Text, "what it does: all-reduce, all-gather, send-receive"},
          [](const CollectiveRow& row) { return Value(collectiveKindName(row.collective->kind)); }},
         {{"name", Type::Text, "as recorded, else the kernel's name"},
          [](const CollectiveRow& row) { return Value::ofText(row.collective->name); }},
         {{"dtype", Type::Text, "type of its elements; null where not recorded"},
          [](const CollectiveRow& row) { return Value::ofText(row.collective->dtype); }},
         {{"bytes", Type::Integer, "output of an all-gather, input of other kinds; null where not recorded"},
          [](const CollectiveRow& row) { return Value::of(row.collective->bytes); }},
         {{"match", Type::Text, "how its members were found: comms-id, sequence, order or unmatched"},
          [](const CollectiveRow& row) { return Value(matchMethodName(row.collective->method)); }},
         {{"members", Type::Integer, "how many of its ranks were read"},
          [](const CollectiveRow& row) { return Value(static_cast<std::int64_t>(row.collective->members.size())); }},
         {{"complete", Type::Integer, "1 if all ranks of its group were read, else 0"},
          [](const CollectiveRow& row) { return flagValue(row.collective->complete); }},
         {{"start_ns", Type::Integer, "start of the first member, from the run's first instant, on the run's clock"},
          startOf},
         {{"end_ns", Type::Integer, "end of the last member, on the same clock"}, lastEndOf},
         {{"transfer_ns", Type::Integer, "time in which it transfers; null if it cannot be separated from waiting"},
          [](const CollectiveRow& row) { return Value::of(row.collective->transfer_ns); }},
         {{"baseline_transfer_ns", Type::Integer, "the same at the speed of its peers; null unless it is slow"},
          [](const CollectiveRow& row) { return Value::of(row.collective->baseline_transfer_ns); }},
         {{"algorithm_gb_per_s", Type::Real, "bytes over transfer, in GB/s, GB = 1e9"},
          [](const CollectiveRow& row) { return realOf(row.collective->algorithm_gb_per_s); }},
         {{"bus_gb_per_s", Type::Real, "bus bandwidth as nccl-tests defines it, in GB/s"},
          [](const CollectiveRow& row) { return realOf(row.collective->bus_gb_per_s); }}},
        [](const Runs& runs, DeclaredRows<CollectiveRow>& rows, KeptTexts& /*kept*/) {
            eachCollective(runs, [&rows](const PlacedCollective& collective) { rows.add(collective); });
        });
}

}  // namespace rankscope::tables
