// SPDX-License-Identifier: GPL-3.0-or-later
#include <string_view>

#include "core/tables/model_rows.h"
#include "core/tables/slice_places.h"
#include "core/tables/stored_rows.h"

namespace rankscope::tables {
namespace {

void addRun(const AnalysedRun& run, StoredRows& rows) {
    std::size_t slices = 0;
    for (const auto& rank : run.run->ranks) {
        for (const Track& track : rank->tracks) {
            slices += track.slices.size();
        }
    }
    rows.add({std::string_view(run.run->name), static_cast<std::int64_t>(run.run->ranks.size()),
              static_cast<std::int64_t>(run.facts.steps.size()), static_cast<std::int64_t>(slices),
              static_cast<std::int64_t>(run.diagnosis.findings.size()), std::int64_t{run.clock.base_ns}});
}

void addRank(const AnalysedRun& run, RankPosition rank, StoredRows& rows) {
    const RankTrace& trace = *run.run->ranks[rank];
    const RankClock& clock = run.clock.ranks[rank];
    const std::string_view device = trace.devices.empty() ? std::string_view() : trace.devices.front().name;
    rows.add({std::string_view(run.run->name), static_cast<std::int64_t>(rank), rankValue(run, rank),
              Value::ofText(trace.host), Value::ofText(device), Value::of(trace.world_size),
              static_cast<std::int64_t>(trace.files.size()),
              trace.window.empty() ? Value() : Value(onRunClock(run, rank, trace.window.start_ns)),
              trace.window.empty() ? Value() : Value(onRunClock(run, rank, trace.window.end_ns)), clock.offset_ns,
              Value::of(clock.uncertainty_ns), clockMethodName(clock.method)});
}

}  // namespace

Table runTable() {
    return {"run",
            "One run: the traces of all ranks of a job.",
            {{"run", Type::Text, "its name"},
             {"ranks", Type::Integer, "how many were read"},
             {"steps", Type::Integer, "how many it has"},
             {"slices", Type::Integer, "how many were recorded on all ranks"},
             {"findings", Type::Integer, "how many the diagnosis has"},
             {"base_ns", Type::Integer, "its first instant, on the run's clock; all times count from here"}},
            [](const Runs& runs) -> std::unique_ptr<Rows> {
                auto rows = std::make_unique<StoredRows>(6);
                for (const AnalysedRun* run : runs) {
                    addRun(*run, *rows);
                }
                return rows;
            }};
}

Table rankTable() {
    return {"rank",
            "One rank of a run: a process with its GPU.",
            {{"run", Type::Text, "name of the run"},
             {"id", Type::Integer, "position among the ranks of the run"},
             {"rank", Type::Integer, "its number; null where no file says it"},
             {"host", Type::Text, "where it ran"},
             {"gpu", Type::Text, "name of its first device"},
             {"world_size", Type::Integer, "how many ranks the job has"},
             {"files", Type::Integer, "how many it was read from"},
             {"start_ns", Type::Integer, "first start of a slice, from the run's first instant"},
             {"end_ns", Type::Integer, "last end of a slice, from the run's first instant"},
             {"offset_ns", Type::Integer, "what was added to the times of its files"},
             {"uncertainty_ns", Type::Integer, "how far off that may be; null where unknown"},
             {"clock", Type::Text, "how the offset was found"}},
            [](const Runs& runs) -> std::unique_ptr<Rows> {
                auto rows = std::make_unique<StoredRows>(12);
                for (const AnalysedRun* run : runs) {
                    for (RankPosition rank{0}; rank < run->run->ranks.size(); ++rank) {
                        addRank(*run, rank, *rows);
                    }
                }
                return rows;
            }};
}

Table trackTable() {
    return {"track",
            "One thread of the CPU, or one stream of a GPU.",
            {{"id", Type::Integer, "its number", Access::Seek},
             {"run", Type::Text, "name of the run"},
             {"rank", Type::Integer, "number of the rank; null where no file says it"},
             {"kind", Type::Text, "cpu-thread, stream, stream-annotation, stream-sync or other"},
             {"name", Type::Text, "for people: stream 7"},
             {"process", Type::Text, "process id or device, as recorded"},
             {"lane", Type::Text, "thread id or stream, as recorded"},
             {"device", Type::Integer, "number of the GPU; null of threads"},
             {"slices", Type::Integer, "how many it has"}},
            [](const Runs& runs) -> std::unique_ptr<Rows> {
                auto rows = std::make_unique<StoredRows>(9);
                std::int64_t id = 0;
                const SlicePlaces places(runs);
                for (const SlicePlaces::OfTrack& of : places.tracks()) {
                    const Track& track = of.of();
                    const StringPool& strings = of.trace().strings;
                    rows->add({id++, std::string_view(of.run->run->name), rankValue(*of.run, of.rank),
                               trackKindName(track.kind), std::string_view(track.name),
                               Value::ofText(strings.view(track.process)), Value::ofText(strings.view(track.lane)),
                               track.device < 0 ? Value() : Value(std::int64_t{track.device}),
                               static_cast<std::int64_t>(track.slices.size())});
                }
                return rows;
            }};
}

}  // namespace rankscope::tables
