// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tables/model_rows.h"

namespace rankscope::tables {
namespace {

struct RankRow : OfRank {
    [[nodiscard]] const RankClock& clock() const { return run->clock.ranks[rank]; }
    /// An end of the time in which it was recorded; null if nothing was.
    [[nodiscard]] Value end(TimeNs TimeSpan::*of) const {
        const TimeSpan& window = trace().window;
        return window.empty() ? Value() : Value(at(window.*of));
    }
};

Value firstDevice(const RankRow& row) {
    const std::vector<DeviceProperties>& devices = row.trace().devices;
    return devices.empty() ? Value() : Value::ofText(devices.front().name);
}

}  // namespace

Table rankTable() {
    return declaredTable<RankRow>(
        "rank", "One rank of a run: a process with its GPU.",
        {runColumn<RankRow>(),
         {{"id", Type::Integer, "position among the ranks of the run", Access::Seek},
          [](const RankRow& row) { return Value(static_cast<std::int64_t>(row.rank)); }},
         {{"rank", Type::Integer, "its number; null where no file says it", Access::Seek},
          [](const RankRow& row) { return rankValue(*row.run, row.rank); }},
         {{"host", Type::Text, "where it ran"}, [](const RankRow& row) { return Value::ofText(row.trace().host); }},
         {{"gpu", Type::Text, "name of its first device"}, firstDevice},
         {{"world_size", Type::Integer, "how many ranks the job has"},
          [](const RankRow& row) { return Value::of(row.trace().world_size); }},
         {{"files", Type::Integer, "how many it was read from"},
          [](const RankRow& row) { return Value(static_cast<std::int64_t>(row.trace().files.size())); }},
         {{"start_ns", Type::Integer, "first start of a slice, from the run's first instant"},
          [](const RankRow& row) { return row.end(&TimeSpan::start_ns); }},
         {{"end_ns", Type::Integer, "last end of a slice, from the run's first instant"},
          [](const RankRow& row) { return row.end(&TimeSpan::end_ns); }},
         {{"offset_ns", Type::Integer, "what was added to the times of its files"},
          [](const RankRow& row) { return Value(row.clock().offset_ns); }},
         {{"uncertainty_ns", Type::Integer, "how far off that may be; null where unknown"},
          [](const RankRow& row) { return Value::of(row.clock().uncertainty_ns); }},
         {{"clock", Type::Text, "how the offset was found"},
          [](const RankRow& row) { return Value(clockMethodName(row.clock().method)); }}},
        [](const Runs& runs, DeclaredRows<RankRow>& rows, KeptTexts& /*kept*/) {
            eachRankOf(runs, [&rows](const OfRank& rank) { rows.add({rank}); });
        });
}

}  // namespace rankscope::tables
