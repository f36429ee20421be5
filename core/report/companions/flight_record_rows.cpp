// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "core/report/companions/joined_companions.h"

namespace rankscope::report {
namespace {

using tables::Access;
using tables::Type;
using tables::Value;

struct FlightRow {
    const FlightDump* dump = nullptr;
    const FlightCall* call = nullptr;
    std::string_view inputs;
    std::string_view outputs;
    std::string_view types;
    std::string_view source;
    const AnalysedRun* run = nullptr;  // nullptr: it is no collective of a run
    std::int64_t collective = 0;

    [[nodiscard]] const FlightGroup& group() const { return dump->groups[call->group]; }
};

/// "2048x4096, 16"; "scalar" for a tensor without dimensions.
std::string sizesText(const std::vector<std::vector<std::int64_t>>& tensors) {
    std::string out;
    for (const std::vector<std::int64_t>& sizes : tensors) {
        out += out.empty() ? "" : ", ";
        out += sizes.empty() ? "scalar" : fmt::format("{}", fmt::join(sizes, "x"));
    }
    return out;
}

std::string_view stateName(FlightState state) {
    switch (state) {
        case FlightState::Scheduled: return "scheduled";
        case FlightState::Started: return "started";
        case FlightState::Completed: break;
    }
    return "completed";
}

/// "train.py:12 step" of the innermost frame.
std::string sourceText(const FlightCall& call) {
    return call.frames.empty() ? ""
                               : fmt::format("{}:{} {}", call.frames.front().file, call.frames.front().line,
                                             call.frames.front().function);
}

std::vector<tables::DeclaredColumn<FlightRow>> flightColumns() {
    using Row = FlightRow;
    return {
        {{"rank", Type::Integer, "its number", Access::Seek}, [](const Row& row) { return Value(row.dump->rank); }},
        {{"record", Type::Integer, "counts the calls of the rank in the order in which it made them", Access::Seek},
         [](const Row& row) { return Value(row.call->record); }},
        {{"group_name", Type::Text, "name of its process group, as recorded"},
         [](const Row& row) { return Value::ofText(row.group().name); }},
        {{"group_description", Type::Text, "its description: default_pg"},
         [](const Row& row) { return Value::ofText(row.group().description); }},
        {{"seq", Type::Integer, "counts the collectives of the group; of a send or receive, those before it",
          Access::Seek},
         [](const Row& row) { return Value(row.call->number); }},
        {{"p2p_seq", Type::Integer, "counts the sends and receives of the group on this rank; null of collectives"},
         [](const Row& row) { return row.call->is_exchange ? Value(row.call->exchange) : Value(); }},
        {{"kind", Type::Text, "as PyTorch names it: all_reduce, send 0->3"},
         [](const Row& row) { return Value::ofText(row.call->kind); }},
        {{"state", Type::Text, "scheduled, started or completed when the dump was written"},
         [](const Row& row) { return Value(stateName(row.call->state)); }},
        {{"input_sizes", Type::Text, "of its input tensors: 2048x4096, 16"},
         [](const Row& row) { return Value::ofText(row.inputs); }},
        {{"output_sizes", Type::Text, "of its output tensors"},
         [](const Row& row) { return Value::ofText(row.outputs); }},
        {{"dtypes", Type::Text, "of its input tensors: BFloat16"},
         [](const Row& row) { return Value::ofText(row.types); }},
        {{"created_unix_ns", Type::Integer, "when it was called, since 1970, on the host's clock"},
         [](const Row& row) { return Value::of(row.call->created_ns); }},
        {{"started_unix_ns", Type::Integer, "when PyTorch saw it run, on the same clock; null if it did not"},
         [](const Row& row) { return Value::of(row.call->started_ns); }},
        {{"completed_unix_ns", Type::Integer, "when PyTorch saw it complete, on the same clock; null if it did not"},
         [](const Row& row) { return Value::of(row.call->completed_ns); }},
        {{"source", Type::Text, "innermost line of the Python stack that called it; null where not recorded"},
         [](const Row& row) { return Value::ofText(row.source); }},
        {{"run", Type::Text, "name of the run that has it; null unless proven"},
         [](const Row& row) { return row.run == nullptr ? Value() : Value(std::string_view(row.run->run->name)); }},
        {{"collective", Type::Integer, "collective.id: what it is in the trace; null unless proven", Access::Seek},
         [](const Row& row) { return row.run == nullptr ? Value() : Value(row.collective); }}};
}

/// Names the collective that a call is, in the first run that has it.
void nameCollective(const tables::Runs& runs, JoinedCompanions& of, std::size_t dump, std::size_t call,
                    FlightRow& row) {
    eachNumberedRun(runs, [&](const AnalysedRun& run, std::int64_t collectives, std::int64_t /*groups*/) {
        const hang::CallLink* const link = of.withDumps(run).links.of(dump, call);
        if (row.run == nullptr && link != nullptr) {
            row.run = &run;
            row.collective = collectives + static_cast<std::int64_t>(std::uint32_t{link->collective});
        }
    });
}

}  // namespace

tables::Table flightRecordTable(const std::shared_ptr<JoinedCompanions>& of) {
    return companionTable<FlightRow>(
        "flight_record", "One call in the dumps of the flight recorder.", flightColumns(), of, &JoinedCompanions::dumps,
        [](const tables::Runs& runs, KeptCompanions<>& kept, tables::DeclaredRows<FlightRow>& rows) {
            const std::vector<FlightDump>& dumps = kept.of->dumps()->dumps;
            for (std::size_t dump = 0; dump < dumps.size(); ++dump) {
                for (std::size_t i = 0; i < dumps[dump].calls.size(); ++i) {
                    const FlightCall& call = dumps[dump].calls[i];
                    FlightRow row{&dumps[dump],
                                  &call,
                                  kept.keep(sizesText(call.inputs)),
                                  kept.keep(sizesText(call.outputs)),
                                  kept.keep(fmt::format("{}", fmt::join(call.types, ", "))),
                                  kept.keep(sourceText(call))};
                    nameCollective(runs, *kept.of, dump, i, row);
                    rows.add(row);
                }
            }
        });
}

}  // namespace rankscope::report
