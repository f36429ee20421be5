// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/memory/memory_formula.h"
#include "core/diagnosis/frame/analysed_run.h"
#include "core/report/tables/data_table.h"
#include "core/report/tables/table.h"

// What the reports say of what memory is used for.
namespace rankscope::report {

/// What the formulas give for a run, of what the user says of the model and of what the run shows of itself.
struct RunMemoryFormula {
    std::optional<std::int64_t> parameters;  ///< as entered, else as the shards show; nothing: the states are unknown
    bool entered = false;                    ///< the user said how many parameters there are
    int zero_stage = 0;                      ///< the lowest that the shards show; 0: nothing is divided
    std::int64_t ranks = 0;                  ///< among which that stage divides
    std::int32_t undivided = 1;              ///< tensor and pipeline groups divide entered parameters by so much more
    std::array<StateMemory, kStateTypes.size()> states{};  ///< as kStateTypes
    std::optional<ActivationMemory> activations;           ///< see activationMemory
    std::int32_t tensor = 1;                               ///< ranks of a tensor group, which divide activations too

    /// Whether there is anything to show.
    [[nodiscard]] bool any() const { return parameters || activations; }
};

/// See docs/definitions/memory.md, "What memory is for".
[[nodiscard]] RunMemoryFormula runMemoryFormula(const RunFacts& facts);

/// Whether there are memory events of a device, and none that says what is allocated: of PyTorch before 1.12.
[[nodiscard]] bool hasUntoldMemoryEvents(const AnalysedRun& run);
/// Whether there is anything to say: memory events with allocated totals, or the size of the model.
[[nodiscard]] bool hasMemory(const AnalysedRun& run);
/// The fullest rank at its peak, what is not known and why, and what to do; a line each.
[[nodiscard]] std::vector<std::string> memoryLines(const AnalysedRun& run);
/// What is not known of the peak of one device of a rank, and why; a line each.
[[nodiscard]] std::vector<std::string> memoryDoubts(const RankFacts& rank, const MemoryAtPeak& memory);
/// A row per rank and device: what its memory was used for at its peak. At most `rows`, the fullest first.
[[nodiscard]] Table memoryTable(const AnalysedRun& run, std::size_t rows);
/// A row per operator: its memory at the peak of the fullest rank. At most `rows`, the largest first.
[[nodiscard]] Table memoryOperatorTable(const AnalysedRun& run, std::size_t rows);
/// A row per checkpoint of the fullest rank: those of the step of its peak and of the one before, with the one that
/// these change from; all where it is in none.
[[nodiscard]] Table memoryCheckpointTable(const AnalysedRun& run);
/// What the formulas give for the size of the model that was entered, or that the shards show; no rows without one.
[[nodiscard]] Table memoryFormulaTable(const AnalysedRun& run);
/// What the first two leave out after that many rows, and the third: "And 48 more ranks, in --json."; empty where they
/// are whole.
[[nodiscard]] std::string memoryLeftOut(const AnalysedRun& run, std::size_t ranks, std::size_t operators);
/// What the words of these tables mean.
[[nodiscard]] std::string memoryNote();

/// "Step 5, after the backward".
[[nodiscard]] std::string checkpointLabel(const RankFacts& rank, const MemoryCheckpoint& point);

/// A row per rank and device, in full, for programs.
[[nodiscard]] DataTable memoryPeaksTable(const AnalysedRun& run);
/// A row per rank, device, operator and part.
[[nodiscard]] DataTable memoryOperatorsTable(const AnalysedRun& run);
/// The same of one device of a rank, a row for each of MemoryAtPeak::operators.
[[nodiscard]] DataTable memoryOperatorsTable(const AnalysedRun& run, RankPosition rank, const MemoryAtPeak& memory);
/// A row per rank, device and checkpoint.
[[nodiscard]] DataTable memoryCheckpointsTable(const AnalysedRun& run);
/// The same of one device of a rank, a row for each of MemoryAtPeak::checkpoints.
[[nodiscard]] DataTable memoryCheckpointsTable(const AnalysedRun& run, RankPosition rank, const MemoryAtPeak& memory);

}  // namespace rankscope::report
