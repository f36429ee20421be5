// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"
#include "core/report/tables/table.h"

// What the reports for people say, in any markup.
namespace rankscope::report {

/// "rank 3" or "ranks 0, 2 to 5"; files without a rank are named by their position.
[[nodiscard]] std::string rankList(const Run& run, const std::vector<RankPosition>& positions);

/// Statements about ranks, each listed once: many ranks with the same problem take one line.
class SaidOfRanks {
  public:
    /// `what` is true for the rank at `position`; positions in ascending order.
    void say(const std::string& what, RankPosition position);
    /// In the order of their first use: "ranks 1 to 3: launch calls without a GPU record: 22". After `most` lines, a
    /// line says how many more there are.
    [[nodiscard]] std::vector<std::string> lines(const Run& run, std::size_t most) const;

  private:
    struct Said {
        std::string what;
        std::vector<RankPosition> positions;
    };
    std::vector<Said> said_;
    std::unordered_map<std::string, std::size_t> at_;  ///< by statement, its index in said_
};
/// Up to this many lines of one kind are shown; the JSON has all.
inline constexpr std::size_t kMostLines = 200;

/// "4 ranks, steps 9 to 11 (ProfilerStep marks), median step 47.2 ms".
[[nodiscard]] std::string runSummary(const AnalysedRun& run);
/// Whether each step of a run is a whole window, since nothing marks steps: it may contain any number of real steps.
[[nodiscard]] bool isWholeWindow(const RunFacts& facts);
/// "saves 50.1 ms per step (28 %), blocks 59.0 ms per step; confidence high; rank 0; steps 6 to 8"; with a range where
/// isToldAsRange(): "saves 20.1 ms per step (16 %), 95 %: 19.4 ms to 22.9 ms (16 % to 19 %), blocks ...".
[[nodiscard]] std::string findingPrice(const AnalysedRun& run, const Finding& finding);
/// "95 %: 19.4 ms to 22.9 ms (16 % to 19 %)", or from zero "95 %: 0 to 22.9 ms (19 %)": the saving if it is shown as a
/// range; else empty.
[[nodiscard]] std::string savingRangeText(const AnalysedRun& run, const Finding& finding);
/// Where a piece of evidence is: "rank 0, step 6, 68.8 ms at 1.24 s on thread 7".
[[nodiscard]] std::string evidencePlace(const AnalysedRun& run, const Evidence& evidence, bool with_length = true);
/// The text if there are no findings.
[[nodiscard]] std::string noFindings(const AnalysedRun& run);
/// The largest bubble that is measured but has no price, of 1 % of its pipeline's time at work or more; 0 to 1.
[[nodiscard]] std::optional<double> unpricedBubble(const AnalysedRun& run);

/// The shares of the critical path and the rule that decided, or why there is no verdict; and the bubble, which the
/// path omits. The headline says what follows for the run.
[[nodiscard]] std::string verdictLine(const RunFacts& facts);
/// "11 of 12 steps, 91 % of the time recorded".
[[nodiscard]] std::string coverageText(const Coverage& coverage);
/// The same for a run; if only some of its steps were read in full (Run::chosen_steps), "2 of 2 steps that were read of
/// 30, 100 % of the time of those": how long the others took on the run's clock is not known.
[[nodiscard]] std::string coverageText(const Run& run, const Coverage& coverage);
/// What the verdict and the prices are based on: "The verdict and the median step are based on 12 of 12 steps, 99 % of
/// the recorded time, the prices on 11 of 12 steps, 91 % of the recorded time."; empty if no step counts.
[[nodiscard]] std::string coverageLine(const AnalysedRun& run);
/// A row per known phase: the median over the ranks and, if they differ, the range. No rows if none is known.
[[nodiscard]] Table phaseTable(const AnalysedRun& run);
/// A row per rank: where the time of its steps went. No rows if no rank has device work.
[[nodiscard]] Table partitionTable(const AnalysedRun& run);
/// A row per rank, a column per cause that any rank has: why the device was idle.
[[nodiscard]] Table causeTable(const AnalysedRun& run);
/// A row for each of the first `rows` process groups: what it is for, its members, what ran in it, and its part of the
/// exposed communication per step and rank, the mean over all ranks.
[[nodiscard]] Table groupTable(const AnalysedRun& run, std::size_t rows);
/// Why groups have their roles: a line for all groups with the same reason, up to `rows`, and how many more groups
/// there are.
[[nodiscard]] std::vector<std::string> groupEvidence(const AnalysedRun& run, std::size_t rows);
/// The job's grid, "The job is data 2 x tensor 4: all 8 ranks.", and what is not known about it.
[[nodiscard]] std::vector<std::string> gridLines(const AnalysedRun& run);
/// A row for each of the first `rows` ranks: its place in the grid, and its exposed communication per step by role. No
/// rows if neither is known.
[[nodiscard]] Table roleTable(const AnalysedRun& run, std::size_t rows);
/// What the times of roleTable() mean.
[[nodiscard]] std::string rolesNote();
/// The pipelines, how large their bubbles are, and how that is known; one or more sentences per line. Pipelines that
/// differ only in ranks and measured figures share their lines; `most` such groups are listed.
[[nodiscard]] std::vector<std::string> pipelineLines(const AnalysedRun& run, std::size_t most);
/// A row for each of the first `rows` ranks of pipelines: where the time of its step went. No rows if none is known.
[[nodiscard]] Table pipelineTable(const AnalysedRun& run, std::size_t rows);
/// What the times of pipelineTable() mean.
[[nodiscard]] std::string pipelineNote();
/// Who arrives last at the gathers and scatters of shards, their ZeRO stage, and the moved and stored bytes compared
/// with the rules of thumb; empty if no group is of shards.
[[nodiscard]] std::vector<std::string> shardLines(const AnalysedRun& run);
/// A row for each of the first `rows` ranks: its exposed gathers and scatters, the mean per step, and the reasons.
[[nodiscard]] Table shardRankTable(const AnalysedRun& run, std::size_t rows);
/// The `rows` units with most exposed gathers or scatters over all ranks, and the reasons.
[[nodiscard]] Table shardUnitTable(const AnalysedRun& run, std::size_t rows);
/// What the times of both mean.
[[nodiscard]] std::string shardsNote();
/// How even the experts' load is, or why that is not known.
[[nodiscard]] std::vector<std::string> expertLines(const AnalysedRun& run);
/// A row for each of the first `rows` ranks: its dispatches, combines and experts.
[[nodiscard]] Table expertTable(const AnalysedRun& run, std::size_t rows);
/// The share of the steps in which tensor and sequence groups communicate.
[[nodiscard]] std::vector<std::string> tensorLines(const AnalysedRun& run);
/// The `rows` operations of such groups with most exposed time.
[[nodiscard]] Table tensorTable(const AnalysedRun& run, std::size_t rows);
/// The `rows` layers with most exposed time; no rows if no name identifies layers.
[[nodiscard]] Table tensorLayerTable(const AnalysedRun& run, std::size_t rows);
/// What the times of these four mean.
[[nodiscard]] std::string dividedNote();
/// How the kinds of a server's iterations are known, which of them are priced, and what is not known.
[[nodiscard]] std::vector<std::string> iterationLines(const AnalysedRun& run);
/// A row per kind of iteration. No rows if the job is not known to serve.
[[nodiscard]] Table iterationTable(const AnalysedRun& run);
/// What the figures of iterationTable() mean.
[[nodiscard]] std::string iterationsNote();
/// Device time of kernels whose names say that they multiply, without an operator that gives their FLOPs: these are
/// missing.
[[nodiscard]] DurationNs missingProducts(const EfficiencyFacts& facts);
/// "float32 15.7, float16 125": the dense peaks, in TFLOP/s, of the number types that the first rank with counted
/// products uses; "unknown" for types without a known peak. Empty if nothing is counted.
[[nodiscard]] std::string ratedPeaks(const EfficiencyFacts& facts);
/// MFU, HFU and achieved FLOPs, the peaks used, and how much of the device's time was counted; or why they are not
/// known, and what to record or enter.
[[nodiscard]] std::vector<std::string> efficiencyLines(const AnalysedRun& run);
/// A row for each of the first `rows` ranks: its FLOPs and its use of the device. No rows if none are counted.
[[nodiscard]] Table efficiencyTable(const AnalysedRun& run, std::size_t rows);
/// What became of the device's time, part by part, the total last. No rows if nothing is counted.
[[nodiscard]] Table missingShareTable(const AnalysedRun& run);
/// The `rows` products with most device time.
[[nodiscard]] Table productTable(const AnalysedRun& run, std::size_t rows);
/// The `rows` kernels with most time outside counted products.
[[nodiscard]] Table uncountedTable(const AnalysedRun& run, std::size_t rows);
/// What these five cover, and what the words mean.
[[nodiscard]] std::string efficiencyNote();
/// The `rows` names with most device time over all ranks and the whole window.
[[nodiscard]] Table kernelTable(const AnalysedRun& run, std::size_t rows);
/// The `rows` ranks with the longest segment time, the latest first. None with a single rank.
[[nodiscard]] std::vector<const RankLateness*> latestRanks(const RunFacts& facts, std::size_t rows);
/// A row per rank for the `rows` ranks with the longest segment time: how late they are. No rows if that is not known.
[[nodiscard]] Table latenessTable(const AnalysedRun& run, std::size_t rows);
/// What segment time is, and when a late rank is a straggler.
[[nodiscard]] std::string latenessNote();
/// What a step would save without the findings that blame this rank, unless they blame all ranks: "6.10 ms
/// (straggler-rank)", most expensive first; empty if no finding does.
[[nodiscard]] std::string findingsOfRank(const AnalysedRun& run, RankPosition rank);
/// What the medians of the tables are over, and why they need not add up. `without_steady` says how to recognise
/// a rank whose values are of steps that do not count.
[[nodiscard]] std::string mediansNote(
    const AnalysedRun& run,
    std::string_view without_steady = "* No step of this rank is complete and steady: over all its steps.");
/// Which steps are not priced, and why: a sentence per reason.
[[nodiscard]] std::vector<std::string> leftOutSteps(const AnalysedRun& run);
/// The number of files that could not be read, plus ranks that were not read completely.
[[nodiscard]] std::size_t unreadCount(const Run& run);
/// What is missing or wrong in the files, a sentence per problem; empty if all is well.
[[nodiscard]] std::vector<std::string> healthLines(const AnalysedRun& analysed);

}  // namespace rankscope::report
