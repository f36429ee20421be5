// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>

#include "core/report/tables/run_tables.h"
#include "core/report/tables/step_medians.h"

namespace rankscope::report {
namespace {

/// The parts of a step, with their columns.
struct PartColumn {
    const char* key;
    const char* title;
    std::optional<DurationNs> (*of)(const Partition&);
};

constexpr std::array<PartColumn, 10> kParts = {{
    {"compute_ns", "compute", [](const Partition& p) { return std::optional(p.compute_ns); }},
    {"exposed_comm_ns", "exposed comm", [](const Partition& p) { return std::optional(p.exposed_comm_ns); }},
    {"exposed_transfer_ns", "(transfer)", [](const Partition& p) { return p.exposed_transfer_ns; }},
    {"exposed_wait_ns", "(waiting)", [](const Partition& p) { return p.exposed_wait_ns; }},
    {"exposed_unsplit_ns", "(not divided)", [](const Partition& p) { return p.exposed_unsplit_ns; }},
    {"exposed_copy_ns", "exposed copy", [](const Partition& p) { return std::optional(p.exposed_copy_ns); }},
    {"idle_ns", "idle", [](const Partition& p) { return std::optional(p.idle_ns); }},
    {"comm_ns", "comm", [](const Partition& p) { return std::optional(p.comm_ns); }},
    {"copy_ns", "copy", [](const Partition& p) { return std::optional(p.copy_ns); }},
    {"overlap_ns", "comm under compute", [](const Partition& p) { return std::optional(p.overlap_ns); }},
}};

/// "host-sync" as "host_sync_ns".
std::string causeKey(Cause cause) {
    std::string key(causeName(cause));
    std::ranges::replace(key, '-', '_');
    return key + "_ns";
}

void putParts(std::vector<Cell>& row, const std::optional<Partition>& partition) {
    for (const PartColumn& part : kParts) {
        row.push_back(partition ? cellOf(part.of(*partition)) : Cell());
    }
}

void addPartColumns(DataTable& table, const std::string& prefix) {
    for (const PartColumn& part : kParts) {
        table.columns.push_back({prefix + part.key, part.title, Unit::Duration});
    }
}

void addCauseColumns(DataTable& table, const std::string& prefix) {
    for (std::size_t i = 0; i < kCauseCount; ++i) {
        const auto cause = static_cast<Cause>(i);
        table.columns.push_back({prefix + causeKey(cause), std::string(causeTitle(cause)), Unit::Duration});
    }
}

void putCauses(std::vector<Cell>& row, const CauseTimes& causes) {
    for (const DurationNs ns : causes.ns) {
        row.push_back(numberCell(ns));
    }
}

/// Calls `visit` for each step of each rank, in the order of the run's steps.
template <class Visit>
void forEachStep(const AnalysedRun& run, Visit visit) {
    for (const RunStep& step : run.facts.steps) {
        for (RankPosition position{0}; position < step.by_rank.size(); ++position) {
            if (const RankStep* const own = run.facts.stepOf(step, position)) {
                visit(position, *own);
            }
        }
    }
}

}  // namespace

DataTable runStepsTable(const AnalysedRun& run) {
    DataTable table{"run_steps",
                    {{"run", "run", Unit::Name},
                     {"step", "step", Unit::Number},
                     {"duration_ns", "duration", Unit::Duration},
                     {"complete", "complete", Unit::Flag},
                     {"outlier", "outlier", Unit::Flag},
                     {"critical_id", "position of the critical rank", Unit::Number},
                     {"critical_rank", "critical rank", Unit::Number},
                     {"kind", "kind of iteration", Unit::Word}},
                    {}};
    for (const RunStep& step : run.facts.steps) {
        std::vector<Cell> row = {run.run->name, step.index, step.duration_ns, step.complete, step.outlier};
        putRank(row, run, step.critical_rank);
        row.push_back(step.kind ? textCell(iterationKindName(*step.kind)) : Cell());
        table.rows.push_back(std::move(row));
    }
    return table;
}

DataTable stepsTable(const AnalysedRun& run) {
    DataTable table{"steps",
                    rankColumns({{"step", "step", Unit::Number},
                                 {"start_ns", "start", Unit::Duration},
                                 {"duration_ns", "duration", Unit::Duration},
                                 {"complete", "complete", Unit::Flag},
                                 {"incomplete_reason", "why not complete", Unit::Text},
                                 {"outlier", "outlier", Unit::Flag},
                                 {"outlier_reason", "why an outlier", Unit::Text},
                                 {"kind", "kind of iteration", Unit::Word}}),
                    {}};
    addPartColumns(table, "");
    forEachStep(run, [&](RankPosition position, const RankStep& step) {
        std::vector<Cell> row = {run.run->name};
        putRank(row, run, position);
        row.insert(
            row.end(),
            {step.index, timeCell(run, position, step.span.start_ns), step.span.length(), step.complete,
             textCell(step.incomplete_reason), step.outlier, textCell(step.outlier_reason),
             step.iteration && step.iteration->kind ? textCell(iterationKindName(*step.iteration->kind)) : Cell()});
        putParts(row, step.partition);
        table.rows.push_back(std::move(row));
    });
    return table;
}

DataTable idleCausesTable(const AnalysedRun& run) {
    DataTable table{
        "idle_causes", rankColumns({{"step", "step", Unit::Number}, {"idle_ns", "idle", Unit::Duration}}), {}};
    addCauseColumns(table, "");
    forEachStep(run, [&](RankPosition position, const RankStep& step) {
        if (step.partition) {
            std::vector<Cell> row = {run.run->name};
            putRank(row, run, position);
            row.insert(row.end(), {step.index, step.partition->idle_ns});
            putCauses(row, step.idle_causes);
            table.rows.push_back(std::move(row));
        }
    });
    return table;
}

DataTable ranksTable(const AnalysedRun& run) {
    DataTable table{"ranks",
                    rankColumns({{"host", "host", Unit::Name},
                                 {"backend", "backend", Unit::Name},
                                 {"device", "device", Unit::Number},
                                 {"device_name", "GPU name", Unit::Name},
                                 {"events", "events", Unit::Count},
                                 {"steps", "steps", Unit::Count},
                                 {"steady_steps", "steady-state steps", Unit::Count},
                                 {"median_step_ns", "step", Unit::Duration}}),
                    {}};
    addPartColumns(table, "median_");
    table.columns.insert(table.columns.end(), {{"median_overlap_share", "comm overlapped", Unit::Share},
                                               {"median_busy_share", "GPU busy", Unit::Share}});
    addCauseColumns(table, "median_idle_");
    for (RankPosition position{0}; position < run.run->ranks.size(); ++position) {
        const RankTrace& rank = *run.run->ranks[position];
        const RankFacts& facts = run.facts.ranks[position];
        const std::optional<StepMedians> medians = stepMedians(facts);
        const auto device = std::ranges::find(rank.devices, facts.device, &DeviceProperties::id);
        std::vector<Cell> row = {run.run->name};
        putRank(row, run, position);
        row.insert(row.end(),
                   {textCell(rank.host), textCell(rank.backend), facts.device < 0 ? Cell() : numberCell(facts.device),
                    device == rank.devices.end() ? Cell() : textCell(device->name), numberCell(rank.health.events),
                    numberCell(facts.steps.size()), numberCell(medians ? medians->steady : 0),
                    medians ? Cell(medians->duration_ns) : Cell()});
        const bool has_device = medians && medians->partition;
        putParts(row, has_device ? medians->partition : std::nullopt);
        row.push_back(has_device ? cellOf(medians->overlap) : Cell());
        row.push_back(has_device ? cellOf(medians->utilisation) : Cell());
        if (has_device) {
            putCauses(row, medians->idle_causes);
        }
        row.resize(table.columns.size());
        table.rows.push_back(std::move(row));
    }
    return table;
}

DataTable typicalStepsTable(const AnalysedRun& run) {
    DataTable table{"typical_steps",
                    rankColumns({{"counted_steps", "counted steps", Unit::Count},
                                 {"steps", "of steps", Unit::Count},
                                 {"step_ns", "step", Unit::Duration}}),
                    {}};
    addPartColumns(table, "");
    table.columns.insert(table.columns.end(),
                         {{"overlap_share", "comm overlapped", Unit::Share}, {"busy_share", "GPU busy", Unit::Share}});
    addCauseColumns(table, "cause_");
    for (RankPosition position{0}; position < run.run->ranks.size(); ++position) {
        const std::optional<StepMedians> typical = pricedMedians(run.facts, position);
        if (!typical || !typical->partition) {
            continue;
        }
        std::vector<Cell> row = {run.run->name};
        putRank(row, run, position);
        row.insert(row.end(), {numberCell(typical->steady), numberCell(typical->steps), typical->duration_ns});
        putParts(row, typical->partition);
        row.insert(row.end(), {cellOf(typical->overlap), cellOf(typical->utilisation)});
        putCauses(row, typical->idle_causes);
        table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace rankscope::report
