// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/merged_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace rankscope::test {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kFuseStep = 100'000'000;
constexpr std::int64_t kHandStep = 10'000'000;

void move(Json& object, const char* key, const char* raw_key, std::int64_t by, Json& raw_in) {
    if (object.contains(key) && object[key].is_number_integer()) {
        raw_in[raw_key] = object[key];
        object[key] = object[key].get<std::int64_t>() + by;
    }
}

void fuse(Json& event, std::int64_t rank, std::int64_t step) {
    Json args = event.contains("args") ? event["args"] : Json::object();
    args["rank"] = rank;
    args["pid_raw"] = event["pid"];
    move(event, "pid", "pid_raw", rank * step, args);
    move(event, "id", "id_raw", rank * kFuseStep, args);
    move(args, "correlation", "correlation_raw", rank * kFuseStep, args);
    event["args"] = args;
}

void movePid(Json& event, std::int64_t by) {
    if (event["pid"].is_number_integer()) {
        event["pid"] = event["pid"].get<std::int64_t>() + by;
    }
}

void change(Json& event, std::int64_t rank, Merger merger) {
    switch (merger) {
        case Merger::TraceFuse: fuse(event, rank, kFuseStep); break;
        case Merger::TraceFuseSamePids:
            event["pid"] = event["pid"].is_number_integer() && event["pid"] > 64 ? Json(77) : event["pid"];
            fuse(event, rank, 0);
            break;
        case Merger::NamedProcesses:
        case Merger::MovedPids:
        case Merger::MovedAndSorted: movePid(event, rank * kHandStep); break;
        case Merger::NamedPids:
            event["pid"] = "[TP0" + std::to_string(rank) + "] " +
                           (event["pid"].is_string() ? event["pid"].get<std::string>() : event["pid"].dump());
            break;
        case Merger::OneDevice:
            if (event.contains("args") && event["args"].contains("device")) {
                event["args"]["device"] = 0;
            }
            if (event["pid"].is_number_integer() && event["pid"] < 64) {
                event["pid"] = 0;
            }
            break;
        case Merger::Concatenated: break;
    }
}

/// Names for the processes of a rank, as metadata events.
void name(const std::set<std::int64_t>& pids, std::int64_t rank, Json& events) {
    for (const std::int64_t pid : pids) {
        events.push_back({{"name", "process_name"},
                          {"ph", "M"},
                          {"ts", 0},
                          {"pid", pid + rank * kHandStep},
                          {"tid", 0},
                          {"args", {{"name", "rank " + std::to_string(rank)}}}});
    }
}

}  // namespace

std::string withoutIdentity(const std::string& trace) {
    const Json read = Json::parse(trace);
    Json written;
    if (read.contains("baseTimeNanoseconds")) {
        written["baseTimeNanoseconds"] = read["baseTimeNanoseconds"];
    }
    written["traceEvents"] = read["traceEvents"];
    return written.dump();
}

std::string mergedFile(const std::vector<std::string>& traces, Merger merger) {
    Json merged = Json::parse(traces.front());
    Json events = Json::array();
    for (std::size_t rank = 0; rank < traces.size(); ++rank) {
        const auto number = static_cast<std::int64_t>(rank);
        std::set<std::int64_t> pids;
        const Json read = Json::parse(traces[rank]);
        for (Json event : read["traceEvents"]) {
            if (event["pid"].is_number_integer()) {
                pids.insert(event["pid"].get<std::int64_t>());
            }
            change(event, number, merger);
            events.push_back(std::move(event));
        }
        if (merger == Merger::NamedProcesses) {
            name(pids, number, events);
        }
    }
    if (merger == Merger::MovedAndSorted) {
        std::ranges::stable_sort(events.get_ref<Json::array_t&>(), {},
                                 [](const Json& event) { return event["ts"].get<double>(); });
    }
    merged["traceEvents"] = std::move(events);
    return merged.dump();
}

}  // namespace rankscope::test
