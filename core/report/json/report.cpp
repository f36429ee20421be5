// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/reports.h"

#include "core/report/check/protocol.h"
#include "core/report/json/parts.h"
#include "core/report/version.h"

namespace rankscope {
namespace {

using report::Json;

Json envelope(std::string_view kind, const ReportInput& input, std::optional<JsonDetail> detail = {}) {
    Json unreadable = Json::array();
    for (const Error& error : input.unreadable) {
        unreadable.push_back(report::errorJson(error));
    }
    Json out = {{"schema", kReportSchema},
                {"tool", {{"name", "rankscope"}, {"version", toolVersion()}}},
                {"definitions", kDefinitions},
                {"report", kind}};
    if (detail) {
        out["detail"] = *detail == JsonDetail::All;
    }
    out["runs"] = Json::array();
    out["unreadable"] = std::move(unreadable);
    return out;
}

/// What both reports say about a run.
Json runHead(const AnalysedRun& run) {
    Json unreadable = Json::array();
    for (const Error& error : run.run->unreadable) {
        unreadable.push_back(report::errorJson(error));
    }
    return {{"name", run.run->name},
            {"base_ns", std::to_string(run.clock.base_ns)},
            {"ranks", Json::array()},
            {"missing_ranks", run.run->missing_ranks},
            {"unreadable", std::move(unreadable)},
            {"notes", run.run->notes},
            {"chosen_steps", report::chosenStepsJson(*run.run)},
            {"one_clock", report::orNull(run.clock.one_clock)},
            {"clock_notes", run.clock.notes}};
}

void putTable(Json& out, const std::string& key, report::CutTable table) {
    out[key] = std::move(table.rows);
    out[key + "_left_out"] = table.left_out;
}

void putSteps(Json& out, const AnalysedRun& run) {
    const DurationNs median = run.facts.median_step_ns;
    out["median_step_ns"] = median > 0 ? Json(median) : Json(nullptr);
    out["mean_step_ns"] = run.facts.mean_step_ns > 0 ? Json(run.facts.mean_step_ns) : Json(nullptr);
    out["prices_of"] = stepBasisName(run.facts.basis);
}

void putDiagnosis(Json& out, const AnalysedRun& run) {
    out["verdict"] = report::verdictJson(run);
    out["findings"] = report::findingsJson(run);
    out["cannot_tell"] = report::cannotTellJson(run.diagnosis);
}

/// The start of a run in both reports.
Json runWithRanks(const AnalysedRun& run) {
    Json out = runHead(run);
    for (RankPosition position{0}; position < run.run->ranks.size(); ++position) {
        out["ranks"].push_back(report::rankJson(run, position));
    }
    putSteps(out, run);
    out["coverage"] = report::coverageJson(run.diagnosis.prices);
    return out;
}

Json analysisOf(const AnalysedRun& run) {
    Json out = runWithRanks(run);
    out["steps"] = report::stepsJson(run);
    out["phases"] = report::phasesJson(run);
    out["groups"] = report::groupsJson(run.facts.collectives);
    out["parallelism"] = report::parallelismJson(run);
    out["pipeline"] = report::pipelineJson(run);
    out["shards"] = report::shardsJson(run);
    out["experts"] = report::expertsJson(run);
    out["tensor"] = report::tensorJson(run);
    out["iterations"] = report::iterationsJson(run);
    out["efficiency"] = report::efficiencyJson(run);
    out["collectives"] = report::collectivesJson(run);
    out["unmatched_collectives"] = report::unmatchedJson(run.facts.collectives);
    out["transfer_fits"] = report::transferFitsJson(run.facts.collectives);
    out["fitted_links"] = report::fittedLinksJson(run);
    out["overlap"] = report::overlapJson(run);
    out["buckets"] = report::bucketsJson(run);
    out["rank_statistics"] = report::rankStatisticsJson(run);
    const std::optional<double>& slowdown = run.facts.slowdown_beside_waiting;
    out["slowdown_beside_waiting"] = slowdown ? Json(*slowdown) : Json(nullptr);
    out["stragglers"] = report::stragglersJson(run);
    putTable(out, "operators", report::operatorsJson(run));
    putTable(out, "kernels", report::kernelsJson(run));
    out["ddp"] = report::ddpJson(run);
    out["ddp_messages"] = report::ddpMessagesJson(run);
    out["ddp_prices"] = report::ddpPricesJson(run.diagnosis);
    out["memory"] = report::memoryJson(run);
    out["memory_at_peak"] = report::memoryAtPeakJson(run);
    out["memory_formula"] = report::memoryFormulaJson(run);
    putDiagnosis(out, run);
    return out;
}

/// The health check with the places it refers to.
Json checkedRun(const AnalysedRun& run) {
    Json out = runWithRanks(run);
    out["verdict"] = report::verdictJson(run);
    out["findings"] = report::findingsJson(run);
    return out;
}

void putCheck(Json& out, const ReportInput& input, std::size_t run) {
    out["check"] = report::checkJson(*input.runs[run]);
    out["check_lists"] = report::checkListsJson(*input.runs[run]);
    out["protocol"] = report::protocolJson(*input.runs[run], report::validationOf(input, run));
}

void putRun(Json& out, Json run, JsonDetail detail) {
    if (detail == JsonDetail::Short) {
        report::shorten(run);
    }
    out["runs"].push_back(std::move(run));
}

Json infoOf(const AnalysedRun& run) {
    Json out = runHead(run);
    for (RankPosition position{0}; position < run.run->ranks.size(); ++position) {
        Json rank = report::rankJson(run, position);
        rank["tracks"] = report::tracksJson(run, position);
        rank["steps"] = report::stepSummaryJson(run.facts.ranks[position]);
        out["ranks"].push_back(std::move(rank));
    }
    out["parallelism"] = report::parallelismJson(run);
    return out;
}

void putSnapshots(Json& out, const ReportInput& input) {
    out["memory_snapshots"] = Json::array();
    for (const ReportedSnapshot& snapshot : input.snapshots) {
        out["memory_snapshots"].push_back(report::snapshotJson(snapshot));
    }
}

}  // namespace

std::string jsonReport(const ReportInput& input, JsonDetail detail) {
    Json out = envelope("analysis", input, detail);
    for (std::size_t run = 0; run < input.runs.size(); ++run) {
        Json one = analysisOf(*input.runs[run]);
        putCheck(one, input, run);
        putRun(out, std::move(one), detail);
    }
    out["comparisons"] = Json::array();
    for (const ComparedRuns& compared : input.comparisons) {
        out["comparisons"].push_back(
            report::comparisonJson(*input.runs[compared.a], *input.runs[compared.b], compared));
    }
    putSnapshots(out, input);
    out["nccl_logs"] = Json::array();
    for (const RunWithLogs& of : runsWithLogs(input)) {
        out["nccl_logs"].push_back(report::joinedLogsJson(of));
    }
    return report::textOf(out);
}

std::string jsonVerdict(const AnalysedRun& run) {
    Json out = {{"name", run.run->name}};
    putSteps(out, run);
    putDiagnosis(out, run);
    return report::textOf(out);
}

std::string jsonComparison(const AnalysedRun& a, const AnalysedRun& b, const RunComparison& comparison) {
    return report::textOf(report::comparisonJson(a, b, {0, 1, &comparison}));
}

std::string jsonCheck(const ReportInput& input, JsonDetail detail) {
    Json out = envelope("check", input, detail);
    for (std::size_t run = 0; run < input.runs.size(); ++run) {
        Json one = checkedRun(*input.runs[run]);
        putCheck(one, input, run);
        putRun(out, std::move(one), detail);
    }
    return report::textOf(out);
}

std::string jsonInfo(const ReportInput& input) {
    Json out = envelope("info", input);
    for (const AnalysedRun* run : input.runs) {
        out["runs"].push_back(infoOf(*run));
    }
    putSnapshots(out, input);
    return report::textOf(out);
}

}  // namespace rankscope
