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

// What the reports say about the use of memory.
namespace rankscope::report {

/// The memory that the formulas give for a run, from the model's size as entered and as the run shows it.
struct RunMemoryFormula {
    std::optional<std::int64_t> parameters;  ///< as entered, else as the shards show; nothing: the model's states are
                                             ///< unknown
    bool entered = false;                    ///< the user entered the number of parameters
    int zero_stage = 0;                      ///< the lowest stage that the shards show; 0: nothing is divided
    std::int64_t ranks = 0;                  ///< the ranks among which that stage divides
    std::int32_t undivided = 1;              ///< entered parameters are also divided by this, for tensor and pipeline
                                             ///< groups
    std::array<StateMemory, kStateTypes.size()> states{};  ///< as kStateTypes
    std::optional<ActivationMemory> activations;           ///< see activationMemory()
    std::int32_t tensor = 1;                               ///< ranks of a tensor group, which divide activations too

    /// Whether there is anything to show.
    [[nodiscard]] bool any() const { return parameters || activations; }
};

/// See docs/definitions/memory.md, "What memory is for".
[[nodiscard]] RunMemoryFormula runMemoryFormula(const RunFacts& facts);

/// Whether there are memory events of a device, but none with the allocated total: files of PyTorch before 1.12.
[[nodiscard]] bool hasUntoldMemoryEvents(const AnalysedRun& run);
/// Whether there is anything to report: memory events with allocated totals, or the size of the model.
[[nodiscard]] bool hasMemory(const AnalysedRun& run);
/// The fullest rank at its peak, what is not known and why, and what to do; one line each.
[[nodiscard]] std::vector<std::string> memoryLines(const AnalysedRun& run);
/// What is not known about the peak of one device of a rank, and why; one line each.
[[nodiscard]] std::vector<std::string> memoryDoubts(const RankFacts& rank, const MemoryAtPeak& memory);
/// A row per rank and device: what its memory was used for at its peak. Up to `rows`, the fullest first.
[[nodiscard]] Table memoryTable(const AnalysedRun& run, std::size_t rows);
/// A row per operator: its memory at the peak of the fullest rank. Up to `rows`, the largest first.
[[nodiscard]] Table memoryOperatorTable(const AnalysedRun& run, std::size_t rows);
/// A row per checkpoint of the fullest rank: those of the step of its peak and of the step before, and the checkpoint
/// before them as reference; all if the peak is in no step.
[[nodiscard]] Table memoryCheckpointTable(const AnalysedRun& run);
/// The memory that the formulas give for the size of the model, as entered or as the shards show it; no rows without a
/// size.
[[nodiscard]] Table memoryFormulaTable(const AnalysedRun& run);
/// How many rows the first two tables leave out, and the third: "And 48 more ranks, in --json."; empty if nothing is
/// left out.
[[nodiscard]] std::string memoryLeftOut(const AnalysedRun& run, std::size_t ranks, std::size_t operators);
/// What the words of these tables mean.
[[nodiscard]] std::string memoryNote();

/// "Step 5, after the backward".
[[nodiscard]] std::string checkpointLabel(const RankFacts& rank, const MemoryCheckpoint& point);

/// A row per rank and device, in full, for programs.
[[nodiscard]] DataTable memoryPeaksTable(const AnalysedRun& run);
/// A row per rank, device, operator and part.
[[nodiscard]] DataTable memoryOperatorsTable(const AnalysedRun& run);
/// The same for one device of a rank, a row for each of MemoryAtPeak::operators.
[[nodiscard]] DataTable memoryOperatorsTable(const AnalysedRun& run, RankPosition rank, const MemoryAtPeak& memory);
/// A row per rank, device and checkpoint.
[[nodiscard]] DataTable memoryCheckpointsTable(const AnalysedRun& run);
/// The same for one device of a rank, a row for each of MemoryAtPeak::checkpoints.
[[nodiscard]] DataTable memoryCheckpointsTable(const AnalysedRun& run, RankPosition rank, const MemoryAtPeak& memory);

}  // namespace rankscope::report
