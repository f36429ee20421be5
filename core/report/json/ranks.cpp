// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/report/json/parts.h"
#include "core/report/words/vocabulary.h"
#include "core/trace/trace_format.h"

namespace rankscope::report {
namespace {

/// A span of the rank's file clock as nanoseconds of the run, or nulls if there is none.
void putSpan(Json& out, const RunClock& clock, RankPosition position, const TimeSpan& span) {
    const bool none = span.empty();
    const TimeSpan on_run = clock.ranks[position].toRun(FileSpan(span));
    out["start_ns"] = none ? Json(nullptr) : Json(on_run.start_ns - clock.base_ns);
    out["end_ns"] = none ? Json(nullptr) : Json(on_run.end_ns - clock.base_ns);
}

Json filesJson(const AnalysedRun& run, RankPosition position) {
    Json files = Json::array();
    for (const TraceFile& file : run.run->ranks[position]->files) {
        Json entry = {{"path", file.path},
                      {"member", file.member.empty() ? Json(nullptr) : Json(file.member)},
                      {"format", formatWord(formatOf(*run.run->ranks[position]))},
                      {"bytes", file.bytes},
                      {"json_bytes", file.json_bytes}};
        putSpan(entry, run.clock, position, file.window);
        files.push_back(std::move(entry));
    }
    return files;
}

Json devicesJson(const RankTrace& rank) {
    Json devices = Json::array();
    for (const DeviceProperties& device : rank.devices) {
        const auto known = [](auto number) { return number > 0 ? Json(number) : Json(nullptr); };
        devices.push_back({{"id", device.id},
                           {"name", device.name},
                           {"total_memory_bytes", known(device.total_memory_bytes)},
                           {"multiprocessors", known(device.multiprocessors)}});
    }
    return devices;
}

Json clockJson(const RankClock& clock) {
    return {{"offset_ns", clock.offset_ns},
            {"drift_ppm", clock.drift_ppm},
            {"reference_ns", std::to_string(clock.reference_ns)},
            {"reference", clock.reference},
            {"uncertainty_ns", orNull(clock.uncertainty_ns)},
            {"matches", clock.matches},
            {"method", clockMethodName(clock.method)}};
}

}  // namespace

Json rankJson(const AnalysedRun& run, RankPosition position) {
    const RankTrace& rank = *run.run->ranks[position];
    const RankFacts& facts = run.facts.ranks[position];
    return {{"id", position},
            {"rank", orNull(rank.rank)},
            {"rank_origin", rankOriginName(rank.rank_origin)},
            {"world_size", orNull(rank.world_size)},
            {"files", filesJson(run, position)},
            {"host", rank.host.empty() ? Json(nullptr) : Json(rank.host)},
            {"backend", rank.backend.empty() ? Json(nullptr) : Json(rank.backend)},
            {"devices", devicesJson(rank)},
            {"device", facts.device < 0 ? Json(nullptr) : Json(facts.device)},
            {"other_devices", facts.other_devices},
            {"clock", clockJson(run.clock.ranks[position])},
            {"health", healthJson(rank, facts)}};
}

Json tracksJson(const AnalysedRun& run, RankPosition position) {
    Json tracks = Json::array();
    for (const Track& track : run.run->ranks[position]->tracks) {
        Json entry = {{"name", track.name},
                      {"kind", trackKindName(track.kind)},
                      {"device", track.device < 0 ? Json(nullptr) : Json(track.device)},
                      {"slices", track.slices.size()},
                      {"rows", track.row_count}};
        TimeSpan window;
        if (track.slices.size() > 0) {
            window = {track.slices.start_ns.front(), *std::ranges::max_element(track.slices.end_ns)};
        }
        putSpan(entry, run.clock, position, window);
        tracks.push_back(std::move(entry));
    }
    return tracks;
}

Json stepSummaryJson(const RankFacts& facts) {
    Json indices = Json::array();
    Json complete = Json::array();
    for (const RankStep& step : facts.steps) {
        indices.push_back(step.index);
        if (step.complete) {
            complete.push_back(step.index);
        }
    }
    return {{"source", stepSourceName(facts.step_source)},
            {"indices", std::move(indices)},
            {"complete", std::move(complete)}};
}

Json errorJson(const Error& error) {
    return {{"path", error.path}, {"byte_offset", orNull(error.byte_offset)}, {"cause", error.cause}};
}

Json healthJson(const RankTrace& rank, const RankFacts& facts) {
    const Health& health = rank.health;
    Json parse_issues = Json::array();
    for (const ParseIssue& parse_issue : health.parse_issues) {
        const bool known = parse_issue.file < rank.files.size();
        parse_issues.push_back({{"file", known ? Json(fileLabel(rank.files[parse_issue.file])) : Json(nullptr)},
                                {"byte_offset", parse_issue.byte_offset},
                                {"cause", parse_issue.cause}});
    }
    Json suspects = Json::array();
    for (const CommunicationSuspect& suspect : facts.communication_suspects) {
        suspects.push_back({{"name", suspect.name}, {"calls", suspect.calls}, {"total_ns", suspect.total_ns}});
    }
    return {{"events", health.events},
            {"slices", health.slices},
            {"skipped", health.skipped},
            {"recovered", health.recovered},
            {"overlapping", health.overlapping},
            {"negative_durations", health.negative_durations},
            {"early_kernels", health.early_kernels},
            {"unlinked_launches", health.unlinked_launches},
            {"unlinked_device", health.unlinked_device},
            {"time_resolution_ns", health.time_resolution_ns},
            {"truncated", health.truncated},
            {"parse_issues", std::move(parse_issues)},
            {"communication_suspects", std::move(suspects)},
            {"notes", health.notes}};
}

}  // namespace rankscope::report
