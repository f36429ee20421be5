// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/report/json/parts.h"

namespace rankscope::report {
namespace {

Json causesJson(const CauseTimes& causes) {
    Json out = Json::object();
    for (std::size_t i = 0; i < kCauseCount; ++i) {
        const auto cause = static_cast<Cause>(i);
        out[std::string(causeName(cause))] = causes[cause];
    }
    return out;
}

/// The reasons of exposed waiting: the causes of 4.4 while the other rank's device was blocked, and its other
/// activities.
Json waitCausesJson(const WaitTimes& waits) {
    Json out = causesJson(waits.idle);
    out[std::string(waitedForName(WaitedFor::Compute))] = waits.compute_ns;
    out[std::string(waitedForName(WaitedFor::Communication))] = waits.communication_ns;
    out[std::string(waitedForName(WaitedFor::Copy))] = waits.copy_ns;
    out[std::string(waitedForName(WaitedFor::Unknown))] = waits.unknown_ns;
    return out;
}

Json reasonJson(const std::string& reason) {
    return reason.empty() ? Json(nullptr) : Json(reason);
}

void putPartition(Json& row, const RankStep& step) {
    if (!step.partition) {
        for (const char* key :
             {"compute_ns", "exposed_comm_ns", "exposed_transfer_ns", "exposed_wait_ns", "exposed_unsplit_ns",
              "exposed_copy_ns", "idle_ns", "idle_causes", "wait_causes", "comm_ns", "copy_ns", "overlap_ns"}) {
            row[key] = nullptr;
        }
        return;
    }
    const Partition& part = *step.partition;
    row["compute_ns"] = part.compute_ns;
    row["exposed_comm_ns"] = part.exposed_comm_ns;
    row["exposed_transfer_ns"] = orNull(part.exposed_transfer_ns);
    row["exposed_wait_ns"] = orNull(part.exposed_wait_ns);
    row["exposed_unsplit_ns"] = orNull(part.exposed_unsplit_ns);
    row["exposed_copy_ns"] = part.exposed_copy_ns;
    row["idle_ns"] = part.idle_ns;
    row["idle_causes"] = causesJson(step.idle_causes);
    row["wait_causes"] = part.exposed_wait_ns ? waitCausesJson(step.wait_causes) : Json(nullptr);
    row["comm_ns"] = part.comm_ns;
    row["copy_ns"] = part.copy_ns;
    row["overlap_ns"] = part.overlap_ns;
}

/// A row per rank. Durations stay on the rank's own clock, so that the parts add up to them to the nanosecond; only the
/// start is converted to the run's clock.
Json rankStepJson(const AnalysedRun& run, RankPosition position, const RankStep& step) {
    Json row = {{"id", position},
                {"rank", orNull(run.run->ranks[position]->rank)},
                {"start_ns", run.clock.ranks[position].toRun(FileTime(step.span.start_ns)) - run.clock.base_ns},
                {"duration_ns", step.span.length()},
                {"complete", step.complete},
                {"incomplete_reason", reasonJson(step.incomplete_reason)},
                {"outlier", step.outlier},
                {"outlier_reason", reasonJson(step.outlier_reason)}};
    putPartition(row, step);
    return row;
}

}  // namespace

Json stepsJson(const AnalysedRun& run) {
    Json steps = Json::array();
    for (const RunStep& step : run.facts.steps) {
        Json rows = Json::array();
        // Ranks may mark their steps in different ways; the report names the least certain of them.
        StepSource source = StepSource::ProfilerStep;
        for (RankPosition position{0}; position < step.by_rank.size(); ++position) {
            if (const RankStep* const own = run.facts.stepOf(step, position)) {
                source = std::max(source, run.facts.ranks[position].step_source);
                rows.push_back(rankStepJson(run, position, *own));
            }
        }
        steps.push_back({{"index", step.index},
                         {"source", stepSourceName(source)},
                         {"complete", step.complete},
                         {"outlier", step.outlier},
                         {"duration_ns", step.duration_ns},
                         {"critical_id", step.critical_rank},
                         {"ranks", std::move(rows)}});
    }
    return steps;
}

}  // namespace rankscope::report
