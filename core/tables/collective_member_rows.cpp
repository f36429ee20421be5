// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tables/collective_rows.h"

namespace rankscope::tables {
namespace {

struct MemberRow : OfRank {
    std::int64_t collective = 0;
    const CollectiveMember* member = nullptr;
    const SlicePlaces* places = nullptr;

    [[nodiscard]] const TimeSpan& span() const { return member->span; }
    [[nodiscard]] Value idOf(SliceRef slice) const { return places->idOf(*run, rank, slice); }
};

}  // namespace

Table collectiveMemberTable() {
    return declaredTable<MemberRow, std::optional<SlicePlaces>>(
        "collective_member", "The part of one rank in a collective.",
        joined<MemberRow>(
            {{{{"collective", Type::Integer, "collective.id", Access::Seek},
               [](const MemberRow& row) { return Value(row.collective); }}},
             placeColumns<MemberRow>(),
             timeColumns<MemberRow>(),
             {{{"ready_ns", Type::Integer,
                "when the rank could have started it, from the run's first instant; null where unknown"},
               [](const MemberRow& row) {
                   return row.member->ready_ns ? Value(row.at(*row.member->ready_ns)) : Value();
               }},
              {{"wait_ns", Type::Integer, "time in it before the transfer; null where unknown"},
               [](const MemberRow& row) { return Value::of(row.member->wait_ns); }},
              {{"clocked_wait_ns", Type::Integer, "the same by the run's clock: until the last member starts"},
               [](const MemberRow& row) { return Value::of(row.member->clocked_wait_ns); }},
              {{"slice", Type::Integer, "slice.id of its first kernel, or of its operator without a GPU", Access::Seek},
               [](const MemberRow& row) {
                   return row.member->slices.empty() ? Value() : row.idOf(row.member->slices.front());
               }},
              {{"slices", Type::Integer, "how many kernels or operators it has"},
               [](const MemberRow& row) { return Value(static_cast<std::int64_t>(row.member->slices.size())); }},
              {{"op", Type::Integer, "slice.id of the operator that calls it; null where not recorded", Access::Seek},
               [](const MemberRow& row) { return row.idOf(row.member->op); }},
              {{"launch", Type::Integer, "slice.id of the call that launched its first kernel", Access::Seek},
               [](const MemberRow& row) { return row.idOf(row.member->launch); }}}}),
        [](const Runs& runs, DeclaredRows<MemberRow>& rows, std::optional<SlicePlaces>& places) {
            places.emplace(runs);
            eachCollective(runs, [&](const PlacedCollective& of) {
                for (const CollectiveMember& member : of.collective->members) {
                    rows.add({{of.run, member.rank}, of.id, &member, &*places});
                }
            });
        });
}

}  // namespace rankscope::tables
