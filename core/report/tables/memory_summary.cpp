// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/memory_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "core/analysis/memory/memory_advice.h"
#include "core/analysis/memory/memory_formula.h"
#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/report/tables/run_tables.h"

namespace rankscope::report {
namespace {

/// The memory of one device of one rank.
struct Place {
    RankPosition rank;
    const MemoryAtPeak* memory = nullptr;
};

/// The fullest first.
std::vector<Place> placesOf(const AnalysedRun& run) {
    std::vector<Place> places;
    for (RankPosition r{0}; r < run.facts.memory.ranks.size(); ++r) {
        for (const MemoryAtPeak& memory : run.facts.memory.ranks[r]) {
            places.push_back({r, &memory});
        }
    }
    std::ranges::stable_sort(places, std::greater<>(), [](const Place& place) { return place.memory->allocated; });
    return places;
}

std::string bytesOf(double bytes) {
    return formatBytes(static_cast<std::uint64_t>(std::max(0.0, bytes)));
}
std::string bytesOf(std::int64_t bytes) {
    return bytes < 0 ? "-" + formatBytes(static_cast<std::uint64_t>(-bytes))
                     : formatBytes(static_cast<std::uint64_t>(bytes));
}

std::string nameOf(const AnalysedRun& run, const Place& place) {
    std::string name = rankLabel(*run.run->ranks[place.rank], place.rank);
    if (run.facts.memory.ranks[place.rank].size() > 1) {
        name += fmt::format(", GPU {}", place.memory->device);
    }
    return name;
}

std::string peakText(const AnalysedRun& run, const Place& place) {
    const MemoryAtPeak& memory = *place.memory;
    std::string parts;
    for (std::size_t p = 0; p < kMemoryParts; ++p) {
        const std::int64_t bytes = memory.parts.bytes[p];
        if (bytes != 0 && static_cast<MemoryPart>(p) != MemoryPart::Unknown) {
            parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", memoryPartName(static_cast<MemoryPart>(p)),
                                 bytesOf(bytes));
        }
    }
    const std::string when =
        memory.step ? fmt::format(" in step {}", run.facts.ranks[place.rank].steps[*memory.step].index) : "";
    return fmt::format("{} is fullest{}: {} allocated of {} reserved{}. The use of {} of it is not known.",
                       nameOf(run, place), when, bytesOf(memory.allocated), bytesOf(memory.reserved),
                       parts.empty() ? "" : ": " + parts,
                       formatPercent(memory.allocated <= 0 ? 0.0
                                                           : static_cast<double>(memory.parts[MemoryPart::Unknown]) /
                                                                 static_cast<double>(memory.allocated)));
}

void addActivations(const ActivationMemory& memory, std::int32_t tensor, Table& table) {
    const auto add = [&table, tensor](std::string_view name, double bytes) {
        const std::string_view whole = tensor > 1 ? ", as if no tensor group divided them" : "";
        table.rows.push_back({fmt::format("activations, {}{}", name, whole), "-", "-", "-", bytesOf(bytes)});
    };
    if (memory.all) {
        add("all kept", *memory.all);
    }
    add("without attention scores (34 S B H per layer)", memory.without_scores);
    add("checkpointed (2 S B H per layer)", memory.checkpointed);
}

std::vector<Column> withDevice(std::vector<Column> further) {
    further.insert(further.begin(), {"device", "device", Unit::Number});
    return rankColumns(std::move(further));
}

DataTable operatorColumns() {
    return {"memory_operators",
            withDevice({{"operator", "requested by", Unit::Name},
                        {"part", "use", Unit::Word},
                        {"bytes", "bytes", Unit::Bytes},
                        {"blocks", "blocks", Unit::Count},
                        {"largest_bytes", "largest", Unit::Bytes}}),
            {}};
}

void addOperators(const AnalysedRun& run, const Place& place, DataTable& table) {
    for (const OperatorMemory& sum : place.memory->operators) {
        std::vector<Cell> row = {run.run->name};
        putRank(row, run, place.rank);
        row.insert(row.end(), {place.memory->device, textCell(sum.name), textCell(memoryPartName(sum.part)), sum.bytes,
                               numberCell(sum.blocks), sum.largest});
        table.rows.push_back(std::move(row));
    }
}

DataTable checkpointColumns() {
    return {"memory_checkpoints",
            withDevice({{"label", "checkpoint", Unit::Text},
                        {"step", "step", Unit::Number},
                        {"phase", "phase", Unit::Word},
                        {"at_ns", "at", Unit::Duration},
                        {"allocated_bytes", "allocated", Unit::Bytes},
                        {"reserved_bytes", "reserved", Unit::Bytes},
                        {"peak_bytes", "peak", Unit::Bytes},
                        {"delta_bytes", "change", Unit::Bytes}}),
            {}};
}

void addCheckpoints(const AnalysedRun& run, const Place& place, DataTable& table) {
    const RankFacts& rank = run.facts.ranks[place.rank];
    for (const MemoryCheckpoint& point : place.memory->checkpoints) {
        std::vector<Cell> row = {run.run->name};
        putRank(row, run, place.rank);
        row.insert(row.end(),
                   {place.memory->device, checkpointLabel(rank, point),
                    point.step ? Cell(rank.steps[*point.step].index) : Cell(),
                    point.phase ? textCell(phaseName(*point.phase)) : Cell(), timeCell(run, place.rank, point.at_ns),
                    point.allocated, point.reserved, point.peak, point.delta});
        table.rows.push_back(std::move(row));
    }
}

}  // namespace

RunMemoryFormula runMemoryFormula(const RunFacts& facts) {
    const ModelSize& model = facts.memory.model;
    const ZeroStage& stage = facts.shards.stage;
    const JobGrid& grid = facts.parallelism.grid;
    RunMemoryFormula formula;
    formula.entered = model.parameters.has_value();
    formula.parameters = formula.entered ? model.parameters : stage.parameters;
    formula.zero_stage = stage.lowest.value_or(0);
    formula.ranks = stage.ranks;
    formula.tensor = grid.sizeOf(Role::Tensor);
    formula.undivided = formula.entered ? formula.tensor * grid.sizeOf(Role::Pipeline) : 1;
    if (formula.parameters) {
        std::ranges::transform(kStateTypes, formula.states.begin(), [&](StateTypes types) {
            return stateMemory(*formula.parameters, types, formula.zero_stage, formula.ranks);
        });
    }
    formula.activations = activationMemory(model, grid.sizeOf(Role::Pipeline));
    return formula;
}

bool hasUntoldMemoryEvents(const AnalysedRun& run) {
    return !run.facts.memory.any() && std::ranges::any_of(run.run->ranks, [](const auto& rank) {
        return std::ranges::any_of(rank->memory.device, [](std::int16_t device) { return device >= 0; });
    });
}

bool hasMemory(const AnalysedRun& run) {
    return run.facts.memory.any() || hasUntoldMemoryEvents(run) || !memoryFormulaTable(run).rows.empty();
}

std::vector<std::string> memoryDoubts(const RankFacts& rank, const MemoryAtPeak& memory) {
    std::vector<std::string> lines;
    if (!memory.has_addresses) {
        lines.emplace_back(
            "The memory events have no block addresses, so the use of memory is not known. Record with PyTorch 1.12 or "
            "later.");
    } else if (!rank.phases.told[Phase::Backward]) {
        lines.emplace_back("The trace shows no backward, so memory freed in the window counts as temporary.");
    }
    if (memory.unseen > 0) {
        lines.push_back(fmt::format("Events that change {} in total are missing, so parts may be off by that much.",
                                    bytesOf(memory.unseen)));
    }
    return lines;
}

std::vector<std::string> memoryLines(const AnalysedRun& run) {
    std::vector<std::string> lines;
    const std::vector<Place> places = placesOf(run);
    if (places.empty()) {
        if (hasUntoldMemoryEvents(run)) {
            lines.emplace_back(
                "The memory events have neither totals nor block addresses, so the use of memory is not known. Record "
                "with profile_memory=True and PyTorch 1.12 or later.");
        }
        return lines;
    }
    const MemoryAtPeak& fullest = *places.front().memory;
    lines.push_back(peakText(run, places.front()));
    std::ranges::move(memoryDoubts(run.facts.ranks[places.front().rank], fullest), std::back_inserter(lines));
    if (const std::string_view remedy = memoryRemedy(dominantPart(fullest.parts)); !remedy.empty()) {
        lines.emplace_back(remedy);
    }
    return lines;
}

Table memoryTable(const AnalysedRun& run, std::size_t rows) {
    Table table;
    table.header = {"rank"};
    const std::vector<Place> places = placesOf(run);
    MemoryParts any;
    for (const Place& place : places) {
        for (std::size_t p = 0; p < kMemoryParts; ++p) {
            any.bytes[p] += std::abs(place.memory->parts.bytes[p]);
        }
    }
    for (std::size_t p = 0; p < kMemoryParts; ++p) {
        if (any.bytes[p] != 0) {
            table.header.emplace_back(memoryPartName(static_cast<MemoryPart>(p)));
        }
    }
    table.header.insert(table.header.end(), {"allocated", "cache", "reserved"});
    for (const Place& place : places) {
        if (table.rows.size() == rows) {
            break;
        }
        std::vector<std::string>& row = table.rows.emplace_back();
        row.push_back(nameOf(run, place));
        for (std::size_t p = 0; p < kMemoryParts; ++p) {
            if (any.bytes[p] != 0) {
                row.push_back(bytesOf(place.memory->parts.bytes[p]));
            }
        }
        row.insert(row.end(),
                   {bytesOf(place.memory->allocated), bytesOf(place.memory->cache()), bytesOf(place.memory->reserved)});
    }
    return table;
}

namespace {

/// The checkpoints of the step of the peak and of the step before, and the one before them as reference; all if the
/// peak is in no step.
std::span<const MemoryCheckpoint> checkpointsShown(const MemoryAtPeak& memory) {
    const std::span<const MemoryCheckpoint> all = memory.checkpoints;
    const auto is_near = [&memory](const MemoryCheckpoint& point) {
        return !memory.step || (point.step && *point.step <= *memory.step && *point.step + 1 >= *memory.step);
    };
    const auto near = std::ranges::find_if(all, is_near);
    if (near == all.end()) {
        return {};
    }
    const auto first = near == all.begin() ? near : near - 1;
    const auto last = std::find_if_not(near, all.end(), is_near);
    return {first, last};
}

}  // namespace

std::string memoryLeftOut(const AnalysedRun& run, std::size_t ranks, std::size_t operators) {
    const std::vector<Place> places = placesOf(run);
    std::string text;
    const auto add = [&text](std::size_t all, std::size_t shown, std::string_view what) {
        if (all > shown) {
            text += (text.empty() ? "" : " and ") + formatCounted(all - shown, what);
        }
    };
    add(places.size(), ranks, "more rank");
    if (!places.empty()) {
        const MemoryAtPeak& fullest = *places.front().memory;
        add(fullest.operators.size(), operators, "more operator");
        add(fullest.checkpoints.size(), checkpointsShown(fullest).size(), "more checkpoint");
    }
    return text.empty() ? text : "And " + text + ", in --json.";
}

Table memoryOperatorTable(const AnalysedRun& run, std::size_t rows) {
    Table table;
    table.header = {"requested by", "use", "bytes", "blocks", "largest"};
    table.left_columns = 2;
    const std::vector<Place> places = placesOf(run);
    if (places.empty()) {
        return table;
    }
    for (const OperatorMemory& sum : places.front().memory->operators) {
        if (table.rows.size() == rows) {
            break;
        }
        table.rows.push_back({sum.name.empty() ? "before the window" : shortName(printable(sum.name)),
                              std::string(memoryPartName(sum.part)), bytesOf(sum.bytes), formatCount(sum.blocks),
                              bytesOf(sum.largest)});
    }
    return table;
}

std::string checkpointLabel(const RankFacts& rank, const MemoryCheckpoint& point) {
    const std::string step = point.step ? fmt::format("step {}", rank.steps[*point.step].index) : "between steps";
    if (point.phase) {
        return fmt::format("{}, after the {}", step, phaseName(*point.phase));
    }
    return point.step ? fmt::format("end of {}", step) : "start of the window";
}

Table memoryCheckpointTable(const AnalysedRun& run) {
    Table table;
    table.header = {"checkpoint", "allocated", "reserved", "peak since the last", "change"};
    const std::vector<Place> places = placesOf(run);
    if (places.empty()) {
        return table;
    }
    for (const MemoryCheckpoint& point : checkpointsShown(*places.front().memory)) {
        const bool first = table.rows.empty();  // its reference is not shown
        table.rows.push_back({checkpointLabel(run.facts.ranks[places.front().rank], point), bytesOf(point.allocated),
                              bytesOf(point.reserved), bytesOf(point.peak),
                              first ? "-" : (point.delta > 0 ? "+" : "") + bytesOf(point.delta)});
    }
    return table;
}

Table memoryFormulaTable(const AnalysedRun& run) {
    Table table;
    table.header = {"by the formula", "parameters", "gradients", "optimizer state (Adam)", "total"};
    const RunMemoryFormula formula = runMemoryFormula(run.facts);
    for (std::size_t t = 0; formula.parameters && t < kStateTypes.size(); ++t) {
        const StateMemory& memory = formula.states[t];
        std::string name =
            fmt::format("{} parameters {}, {}", formatCount(static_cast<std::uint64_t>(*formula.parameters)),
                        formula.entered ? "as entered" : "as the shards show", stateTypesTitle(kStateTypes[t]));
        if (formula.zero_stage > 0) {
            name += fmt::format(", ZeRO stage {} over {}", formula.zero_stage, formula.ranks);
        }
        if (formula.undivided > 1) {
            name += fmt::format(", not divided: the grid divides it by {}", formula.undivided);
        }
        table.rows.push_back({std::move(name), bytesOf(memory.parameters), bytesOf(memory.gradients),
                              bytesOf(memory.optimizer_state), bytesOf(memory.total())});
    }
    if (formula.activations) {
        addActivations(*formula.activations, formula.tensor, table);
    }
    return table;
}

std::string memoryNote() {
    return "At a rank's peak, in bytes of its tensors. The phases in which a block is allocated and freed show its "
           "use. Activations: allocated outside backward and optimizer, live into a backward. Gradients: allocated in "
           "a backward, live until the optimizer step. Optimizer state: allocated in the optimizer and kept. "
           "Temporary: freed within its phase. Held: there before the window and kept, such as parameters. Cache: "
           "reserved, but in no tensor.";
}

DataTable memoryPeaksTable(const AnalysedRun& run) {
    std::vector<Column> columns = {{"step", "step", Unit::Number},
                                   {"at_ns", "at", Unit::Duration},
                                   {"allocated_bytes", "allocated", Unit::Bytes},
                                   {"reserved_bytes", "reserved", Unit::Bytes},
                                   {"cache_bytes", "cache", Unit::Bytes}};
    for (std::size_t p = 0; p < kMemoryParts; ++p) {
        const std::string name(memoryPartName(static_cast<MemoryPart>(p)));
        columns.push_back({name + "_bytes", name, Unit::Bytes});
    }
    DataTable table{"memory_peaks", withDevice(std::move(columns)), {}};
    for (RankPosition r{0}; r < run.facts.memory.ranks.size(); ++r) {
        for (const MemoryAtPeak& memory : run.facts.memory.ranks[r]) {
            std::vector<Cell> row = {run.run->name};
            putRank(row, run, r);
            row.insert(row.end(),
                       {memory.device, memory.step ? Cell(run.facts.ranks[r].steps[*memory.step].index) : Cell(),
                        timeCell(run, r, memory.at_ns), memory.allocated, memory.reserved, memory.cache()});
            row.insert(row.end(), memory.parts.bytes.begin(), memory.parts.bytes.end());
            table.rows.push_back(std::move(row));
        }
    }
    return table;
}

DataTable memoryOperatorsTable(const AnalysedRun& run) {
    DataTable table = operatorColumns();
    for (RankPosition r{0}; r < run.facts.memory.ranks.size(); ++r) {
        for (const MemoryAtPeak& memory : run.facts.memory.ranks[r]) {
            addOperators(run, {r, &memory}, table);
        }
    }
    return table;
}

DataTable memoryOperatorsTable(const AnalysedRun& run, RankPosition rank, const MemoryAtPeak& memory) {
    DataTable table = operatorColumns();
    addOperators(run, {rank, &memory}, table);
    return table;
}

DataTable memoryCheckpointsTable(const AnalysedRun& run) {
    DataTable table = checkpointColumns();
    for (RankPosition r{0}; r < run.facts.memory.ranks.size(); ++r) {
        for (const MemoryAtPeak& memory : run.facts.memory.ranks[r]) {
            addCheckpoints(run, {r, &memory}, table);
        }
    }
    return table;
}

DataTable memoryCheckpointsTable(const AnalysedRun& run, RankPosition rank, const MemoryAtPeak& memory) {
    DataTable table = checkpointColumns();
    addCheckpoints(run, {rank, &memory}, table);
    return table;
}

}  // namespace rankscope::report
