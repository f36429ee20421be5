// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/diagnosis/analysed_run.h"
#include "core/report/model/data_table.h"
#include "core/report/model/table.h"

// What the reports say of what memory is used for.
namespace rankscope::report {

/// Whether there is anything to say: memory events that tell what is allocated, or the size of the model.
[[nodiscard]] bool hasMemory(const AnalysedRun& run);
/// The fullest rank at its peak, what cannot be told and why, and what to do; a line each.
[[nodiscard]] std::vector<std::string> memoryLines(const AnalysedRun& run);
/// A row a rank and device: what held its memory at its peak. At most `rows`, the fullest first.
[[nodiscard]] Table memoryTable(const AnalysedRun& run, std::size_t rows);
/// A row an operator: what it holds at the peak of the fullest rank. At most `rows`, the largest first.
[[nodiscard]] Table memoryOperatorTable(const AnalysedRun& run, std::size_t rows);
/// A row a checkpoint of the fullest rank: those of the step of its peak, and of the one before; all where it is in
/// none.
[[nodiscard]] Table memoryCheckpointTable(const AnalysedRun& run);
/// What the formulas give for the size of the model that was entered, or that the shards show; no rows without one.
[[nodiscard]] Table memoryFormulaTable(const AnalysedRun& run);
/// By how many devices the job's grid divides what the formulas leave whole.
struct UndividedMemory {
    std::int32_t states = 1;       ///< parameters, gradients and optimizer state
    std::int32_t activations = 1;  ///< the formula divides them among the stages of a pipeline itself
};
[[nodiscard]] UndividedMemory undividedMemory(const AnalysedRun& run);
/// What the words of these tables mean.
[[nodiscard]] std::string memoryNote();

/// "Step 5, after the backward".
[[nodiscard]] std::string checkpointLabel(const RankFacts& rank, const MemoryCheckpoint& point);

/// A row a rank and device, in full, for programs.
[[nodiscard]] DataTable memoryPeaksTable(const AnalysedRun& run);
/// A row a rank, device, operator and part.
[[nodiscard]] DataTable memoryOperatorsTable(const AnalysedRun& run);
/// A row a rank, device and checkpoint.
[[nodiscard]] DataTable memoryCheckpointsTable(const AnalysedRun& run);

}  // namespace rankscope::report
