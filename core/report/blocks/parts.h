// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"
#include "core/report/blocks/block.h"
#include "core/report/check/check_lists.h"
#include "core/report/check/protocol.h"
#include "core/report/joined_logs.h"
#include "core/report/reports.h"
#include "core/report/words/comparison_summary.h"

// The parts of the reports for people, one function per part. Where formats differ in content, the part gets the
// format. Private to core/report.
namespace rankscope::report {

/// The keys of the parts of runParts() for text, in their order.
inline constexpr std::array<std::string_view, 18> kRunParts = {
    "time",    "phases",  "iterations", "parallelism",   "pipelines",   "shards",
    "experts", "tensors", "efficiency", "communication", "overlap",     "buckets",
    "ranks",   "memory",  "late-ranks", "kernels",       "cannot-tell", "health"};

/// What text and Markdown say about a run after its findings: where the time goes, how the work is divided, what these
/// traces cannot tell, and so on. Includes parts without blocks.
[[nodiscard]] std::vector<Part> runParts(const AnalysedRun& run, Format format);
/// Parts of runParts() that HTML has too.
[[nodiscard]] Part shardsPart(const AnalysedRun& run);
[[nodiscard]] Part expertsPart(const AnalysedRun& run);
[[nodiscard]] Part tensorPart(const AnalysedRun& run);
[[nodiscard]] Part iterationsPart(const AnalysedRun& run);
[[nodiscard]] Part efficiencyPart(const AnalysedRun& run, Format format);
[[nodiscard]] Part rankStatisticsPart(const AnalysedRun& run);
[[nodiscard]] Part untoldPart(const AnalysedRun& run);

/// The lines of the health check that say "look here"; their counts are the title.
[[nodiscard]] Part lookHerePart(const Check& check);
/// All lines of the health check, and a row per rank.
[[nodiscard]] Part checkPart(const AnalysedRun& run, const Check& check, Format format);
/// The five steps of the protocol.
[[nodiscard]] Part protocolPart(const AnalysedRun& run, const Validation& validation, Format format);
/// The questions of a check list with their answers.
[[nodiscard]] Part checkListPart(const CheckList& list, Format format);

/// The verdict on two runs with all its numbers, what it is judged by, and which steps it leaves out.
[[nodiscard]] Part comparedVerdictPart(const ComparisonView& view);
/// Where the time of the mean step of two runs went.
[[nodiscard]] Part comparedTimePart(const ComparisonView& view, Format format);
/// What changed in kernels, operators, collectives and ranks. If nothing did, the part is one note that says so.
[[nodiscard]] std::vector<Part> changeParts(const ComparisonView& view, Format format);

/// What a memory snapshot shows: where it is, what it is for, and who asked for it. None without devices.
[[nodiscard]] std::vector<Part> partsOfSnapshot(const ReportedSnapshot& snapshot);
/// What became of NCCL's logs next to a run: its process groups, the findings, and the joined collectives by size.
[[nodiscard]] Part logsPart(const RunWithLogs& of);

}  // namespace rankscope::report
