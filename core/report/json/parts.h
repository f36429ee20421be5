// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/analysis/memory/memory_part.h"
#include "core/base/result.h"
#include "core/diagnosis/frame/analysed_run.h"
#include "core/report/joined_logs.h"
#include "core/report/reports.h"
#include "core/report/tables/data_table.h"

// The parts of the JSON report, one function per part. Private to core/report: other code does not need nlohmann's
// header.
namespace rankscope::report {

struct Validation;  // core/report/check/protocol.h

using Json = nlohmann::ordered_json;

/// The value, or null if there is none.
template <class T>
[[nodiscard]] Json orNull(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

/// The text, or null if it is empty.
[[nodiscard]] inline Json textOrNull(const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
}

/// A document as text in UTF-8: names in traces may contain any bytes.
[[nodiscard]] inline std::string textOf(const Json& document) {
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// The value of a cell; null for none.
[[nodiscard]] Json cellJson(const Cell& cell);
/// The rows of a table as objects with the keys of its columns, without the run's name in the first column, and without
/// `left_out`.
[[nodiscard]] Json tableJson(const DataTable& table, std::initializer_list<std::string_view> left_out = {});

/// A path that could not be read, with the offset in its uncompressed text if that is known, and the cause.
[[nodiscard]] Json errorJson(const Error& error);
/// The `health` of a rank: the numbers of events read, skipped, repaired and doubtful; its first parse issues, each
/// with its file and its offset in the uncompressed text; and, from its facts, the kernels that look like communication
/// but count as compute.
[[nodiscard]] Json healthJson(const RankTrace& rank, const RankFacts& facts);
/// The steps that were read in full, and what the tables of digests show of all steps; null if everything requested was
/// read.
[[nodiscard]] Json chosenStepsJson(const Run& run);
/// One entry of `ranks`; `position` is the `id` that the rest of the report uses.
[[nodiscard]] Json rankJson(const AnalysedRun& run, RankPosition position);
/// The tracks of a rank, for `info`.
[[nodiscard]] Json tracksJson(const AnalysedRun& run, RankPosition position);
/// How the steps of a rank were found, and the steps, for `info`.
[[nodiscard]] Json stepSummaryJson(const RankFacts& facts);
[[nodiscard]] Json stepsJson(const AnalysedRun& run);
/// One entry per phase, with its times on each rank that has them.
[[nodiscard]] Json phasesJson(const AnalysedRun& run);
/// A table cut after its longest rows, and the number of rows left out.
struct CutTable {
    Json rows = Json::array();
    std::size_t left_out = 0;
};
/// With more names than this, they are ranges numbered one by one, and a report of many ranks would grow past use.
inline constexpr std::size_t kTableRows = 500;
[[nodiscard]] CutTable operatorsJson(const AnalysedRun& run);
[[nodiscard]] CutTable kernelsJson(const AnalysedRun& run);
/// The part of the window that a number is based on.
[[nodiscard]] Json coverageJson(const Coverage& coverage);
[[nodiscard]] Json verdictJson(const AnalysedRun& run);
/// DDP's own marks, one entry per rank that uses DDP.
[[nodiscard]] Json ddpJson(const AnalysedRun& run);
/// The collectives that DDP sent, and when each rank was ready for them and sent them.
[[nodiscard]] Json ddpMessagesJson(const AnalysedRun& run);
/// What the parts of DDP cost, worth a finding or not.
[[nodiscard]] Json ddpPricesJson(const Diagnosis& diagnosis);
/// Memory of the devices, one entry per rank and device with memory events.
[[nodiscard]] Json memoryJson(const AnalysedRun& run);
/// What memory was used for at its peak, one entry per rank and device.
[[nodiscard]] Json memoryAtPeakJson(const AnalysedRun& run);
/// The memory that the formulas give for the size of the model; null if unknown.
[[nodiscard]] Json memoryFormulaJson(const AnalysedRun& run);
/// Bytes by use.
[[nodiscard]] Json memoryPartsJson(const MemoryParts& parts);
/// One entry of `memory_snapshots`.
[[nodiscard]] Json snapshotJson(const ReportedSnapshot& reported);
/// One entry of `nccl_logs`.
[[nodiscard]] Json joinedLogsJson(const RunWithLogs& of);
[[nodiscard]] Json groupsJson(const CollectiveFacts& facts);
/// What the groups are for, the ranks' places in the grid, and the exposed communication of each role.
[[nodiscard]] Json parallelismJson(const AnalysedRun& run);
/// The pipelines: passes, schedule and bubble.
[[nodiscard]] Json pipelineJson(const AnalysedRun& run);
/// The gathers and scatters of shard groups; null if no group is of shards.
[[nodiscard]] Json shardsJson(const AnalysedRun& run);
/// Dispatches and combines of expert groups; null if no group is of experts.
[[nodiscard]] Json expertsJson(const AnalysedRun& run);
/// What tensor and sequence groups communicate; null if no group has such a role.
[[nodiscard]] Json tensorJson(const AnalysedRun& run);
/// The iterations of a server by their kind; null if the job is not known to serve.
[[nodiscard]] Json iterationsJson(const AnalysedRun& run);
/// How much of the hardware the run uses, and where the rest went.
[[nodiscard]] Json efficiencyJson(const AnalysedRun& run);
[[nodiscard]] Json collectivesJson(const AnalysedRun& run);
/// Latency and bandwidth by kind of collective and group.
[[nodiscard]] Json transferFitsJson(const CollectiveFacts& facts);
/// The link that each fit is of, and ring and tree times by number of ranks and size.
[[nodiscard]] Json fittedLinksJson(const AnalysedRun& run);
/// Hidden and exposed communication of each step of each rank that has both computation and communication.
[[nodiscard]] Json overlapJson(const AnalysedRun& run);
/// DDP's buckets, and the step with other sizes of them; null if there are none, or if that was not asked for.
[[nodiscard]] Json bucketsJson(const AnalysedRun& run);
/// Each fact of the ranks, as a distribution over all ranks.
[[nodiscard]] Json rankStatisticsJson(const AnalysedRun& run);
/// The health check.
[[nodiscard]] Json checkJson(const AnalysedRun& run);
/// The check lists, answered.
[[nodiscard]] Json checkListsJson(const AnalysedRun& run);
/// The protocol, validated by a later run if there is one.
[[nodiscard]] Json protocolJson(const AnalysedRun& run, const Validation& validation);
[[nodiscard]] Json unmatchedJson(const CollectiveFacts& facts);
/// Segment times and lateness, one entry per rank; empty if the ranks have fewer than two blocking collectives in
/// common.
[[nodiscard]] Json stragglersJson(const AnalysedRun& run);
[[nodiscard]] Json findingsJson(const AnalysedRun& run);
[[nodiscard]] Json cannotTellJson(const Diagnosis& diagnosis);
/// One entry of `comparisons`: from run `a` to run `b`.
[[nodiscard]] Json comparisonJson(const AnalysedRun& a, const AnalysedRun& b, const ComparedRuns& compared);

/// What a short report leaves out of each entry of `runs`, as paths of keys: "overlap/steps" is the key `steps` of each
/// entry of `overlap`. All of it is per step, or per collective and rank; its sums stay.
[[nodiscard]] std::span<const std::string_view> leftOutPaths();
/// The number of places that a short report keeps of each finding's evidence; `evidence_left_out` counts the others.
inline constexpr std::size_t kShortEvidence = 3;
/// Makes an entry of `runs` short. Linear in its size.
void shorten(Json& run);

}  // namespace rankscope::report
