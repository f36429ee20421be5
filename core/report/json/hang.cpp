// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/hang.h"

#include <algorithm>
#include <iterator>

#include "core/report/json/parts.h"
#include "core/tables/slice_places.h"

namespace rankscope {
namespace {

using report::Json;

/// Raised with the meaning of a field.
constexpr int kHangSchema = 1;

Json placeJson(const hang::Hang& hang, const hang::Place& place) {
    const hang::Group& group = hang.groups[place.group];
    return {{"group", group.name},
            {"description", report::textOrNull(group.description)},
            {"ranks", group.ranks},
            {"number", place.number},
            {"kind", report::textOrNull(place.kind)},
            {"created_ns", report::orNull(place.created_ns)}};
}

/// Runs of the job, with the ids of their collectives and slices.
struct TracesOfHang {
    explicit TracesOfHang(const std::vector<RunWithDumps>& all) : runs(all), places(runsOf(all)) {}

    const std::vector<RunWithDumps>& runs;
    tables::SlicePlaces places;

  private:
    static tables::Runs runsOf(const std::vector<RunWithDumps>& all) {
        tables::Runs out;
        std::ranges::transform(all, std::back_inserter(out), [](const RunWithDumps& one) { return &one.run; });
        return out;
    }
};

Json inTraceJson(const TracesOfHang& traces, std::int64_t rank, const FlightCall& call) {
    const std::optional<report::CallInTrace> found = report::lastCallInTrace(traces.runs, rank, call);
    if (!found) {
        return nullptr;
    }
    const tables::Value slice = traces.places.idOf(*found->run, found->rank, found->slice);
    return {{"run", found->run->run->name},
            {"collective", found->collective},
            {"slice", slice.kind == tables::Value::Kind::Integer ? Json(slice.integer) : Json(nullptr)},
            {"start_ns", found->start_ns},
            {"duration_ns", found->duration_ns},
            {"step", report::orNull(found->step)}};
}

Json lastCallJson(const FlightCall& call, const TracesOfHang& traces, std::int64_t rank) {
    Json frames = Json::array();
    for (const FlightFrame& frame : call.frames) {
        frames.push_back({{"function", frame.function}, {"file", frame.file}, {"line", frame.line}});
    }
    return {{"kind", call.kind},
            {"number", call.number},
            {"created_ns", report::orNull(call.created_ns)},
            {"frames", std::move(frames)},
            {"trace", inTraceJson(traces, rank, call)}};
}

Json tracesJson(const TracesOfHang& traces) {
    Json out = Json::array();
    for (const RunWithDumps& of : traces.runs) {
        Json groups = Json::array();
        for (const hang::GroupLink& link : of.links.groups) {
            groups.push_back({{"group", link.group},
                              {"state", report::linkStateId(link.state)},
                              {"text", report::linkWords(of, link)},
                              {"ranks", link.ranks},
                              {"collectives", link.collectives},
                              {"linked", link.linked},
                              {"by_sequence", link.by_sequence}});
        }
        out.push_back({{"run", of.run.run->name}, {"text", report::linkSummary(of)}, {"groups", std::move(groups)}});
    }
    return out;
}

Json culpritsJson(const hang::Hang& hang, const TracesOfHang& traces) {
    Json out = Json::array();
    for (const report::CulpritGroup& group : report::culpritGroups(hang)) {
        for (const hang::Culprit* culprit : group.culprits) {
            Json evidence = Json::array({placeJson(hang, culprit->at)});
            for (const hang::Place& place : culprit->also) {
                evidence.push_back(placeJson(hang, place));
            }
            out.push_back(
                {{"rank", culprit->rank},
                 {"why", report::whyId(culprit->why)},
                 {"text", group.sentence},
                 {"remedy", group.remedy},
                 {"detail", report::textOrNull(culprit->detail)},
                 {"evidence", std::move(evidence)},
                 {"last_call", culprit->last ? lastCallJson(*culprit->last, traces, culprit->rank) : Json(nullptr)}});
        }
    }
    return out;
}

Json waitingJson(const hang::Hang& hang) {
    Json out = Json::array();
    for (const hang::Waiting& waiting : hang.waiting) {
        out.push_back({{"rank", waiting.rank}, {"waits_for", waiting.waits_for}, {"in", placeJson(hang, waiting.in)}});
    }
    return out;
}

Json mismatchesJson(const hang::Hang& hang) {
    Json out = Json::array();
    for (const hang::Mismatch& mismatch : hang.mismatches) {
        Json variants = Json::array();
        for (const hang::Mismatch::Variant& variant : mismatch.variants) {
            variants.push_back({{"call", variant.call}, {"ranks", variant.ranks}});
        }
        out.push_back({{"at", placeJson(hang, mismatch.at)},
                       {"complete", mismatch.is_complete},
                       {"variants", std::move(variants)}});
    }
    return out;
}

Json unfinishedJson(const hang::Hang& hang) {
    Json out = Json::array();
    for (const hang::Unfinished& call : hang.unfinished) {
        out.push_back({{"at", placeJson(hang, call.at)}, {"ranks", call.ranks}});
    }
    return out;
}

}  // namespace

std::string jsonHang(const hang::Hang& hang, const std::vector<Error>& unreadable,
                     const std::vector<RunWithDumps>& runs) {
    const TracesOfHang traces(runs);
    Json errors = Json::array();
    for (const Error& error : unreadable) {
        errors.push_back(report::errorJson(error));
    }
    const Json document = {{"tool", "rankscope"},
                           {"report", "hang"},
                           {"schema", kHangSchema},
                           {"answer", report::hangAnswer(hang)},
                           {"ranks", hang.ranks},
                           {"missing", hang.missing},
                           {"versions", hang.versions},
                           {"nccl_versions", hang.nccl_versions},
                           {"culprits", culpritsJson(hang, traces)},
                           {"waiting", waitingJson(hang)},
                           {"mismatches", mismatchesJson(hang)},
                           {"deadlocks", hang.cycles},
                           {"unfinished", unfinishedJson(hang)},
                           {"older", hang.older},
                           {"doubts", report::hangDoubts(hang)},
                           {"traces", tracesJson(traces)},
                           {"unreadable", std::move(errors)}};
    return report::textOf(document);
}

}  // namespace rankscope
