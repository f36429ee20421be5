// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tables/model_rows.h"

namespace rankscope::tables {
namespace {

struct MemoryRow : OfRank {
    std::uint32_t event = 0;

    [[nodiscard]] const MemoryTable& memory() const { return trace().memory; }
};

/// Null for a negative number, which says that it is unknown.
Value unlessUnknown(std::int64_t number) {
    return number < 0 ? Value() : Value(number);
}

}  // namespace

Table memoryEventTable() {
    return declaredTable<MemoryRow>(
        "memory_event", "One allocation or release of memory by PyTorch's allocator (profile_memory=True).",
        joined<MemoryRow>(
            {placeColumns<MemoryRow>(),
             {{{"at_ns", Type::Integer, "from the run's first instant, on the run's clock"},
               [](const MemoryRow& row) { return Value(row.at(row.memory().at_ns[row.event])); }},
              {{"device", Type::Integer, "number of the GPU; null of the CPU's memory"},
               [](const MemoryRow& row) { return unlessUnknown(row.memory().device[row.event]); }},
              {{"bytes", Type::Integer, "allocated, or below 0 freed"},
               [](const MemoryRow& row) { return Value(row.memory().bytes[row.event]); }},
              {{"address", Type::Integer, "of the block, the same in both of its events; null where unknown",
                Access::Seek},
               [](const MemoryRow& row) {
                   const std::uint64_t address = row.memory().address[row.event];
                   return address == 0 ? Value() : Value(static_cast<std::int64_t>(address));
               }},
              {{"allocated_bytes", Type::Integer, "in tensors after it; null where unknown"},
               [](const MemoryRow& row) { return unlessUnknown(row.memory().total_allocated[row.event]); }},
              {{"reserved_bytes", Type::Integer, "that the allocator has then; null where unknown"},
               [](const MemoryRow& row) { return unlessUnknown(row.memory().total_reserved[row.event]); }}}}),
        [](const Runs& runs, DeclaredRows<MemoryRow>& rows, KeptTexts& /*kept*/) {
            eachRankOf(runs, [&rows](const OfRank& rank) {
                for (std::uint32_t event = 0; event < rank.trace().memory.size(); ++event) {
                    rows.add({rank, event});
                }
            });
        });
}

}  // namespace rankscope::tables
