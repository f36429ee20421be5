// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/machine/fuse.h"

#include <nlohmann/json.hpp>
#include <string>

namespace rankscope::tracegen::machine {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::int64_t kRankOffset = 100'000'000;

void moveUp(OrderedJson& number, std::int64_t offset) {
    if (number.is_number_integer()) {
        number = number.get<std::int64_t>() + offset;
    }
}

// Two ranks must not share a process, nor a number that joins events.
void separate(OrderedJson& event, std::size_t rank) {
    const std::int64_t offset = kRankOffset * static_cast<std::int64_t>(rank);
    for (const char* key : {"pid", "id"}) {
        if (event.contains(key)) {
            moveUp(event[key], offset);
        }
    }
    if (!event.contains("args")) {
        return;
    }
    for (const char* key : {"correlation", "External id", "wait_on_cuda_event_record_corr_id"}) {
        if (event["args"].contains(key)) {
            moveUp(event["args"][key], offset);
        }
    }
}

// As AMD's TraceFuse: everything says whose it is, and processes are called after their rank.
void sayWhose(OrderedJson& event, std::size_t rank, const OrderedJson& raw_pid, bool device) {
    if (event.value("ph", "") == "M" && event.value("name", "") == "process_name") {
        event["args"]["name"] = "RANK " + std::to_string(rank) + (device ? " - GPU" : " - CPU");
    }
    event["args"]["rank"] = rank;
    if (!raw_pid.is_null()) {
        event["args"]["pid_raw"] = raw_pid;
    }
}

}  // namespace

TraceFile fuse(const std::vector<TraceFile>& files, Fusion fusion) {
    constexpr std::int64_t kDevices = 64;
    OrderedJson events = OrderedJson::array();
    std::int64_t base_ns = 0;
    for (std::size_t rank = 0; rank < files.size(); ++rank) {
        OrderedJson file = OrderedJson::parse(files[rank].text);
        base_ns = file.value("baseTimeNanoseconds", std::int64_t{0});
        for (OrderedJson& event : file["traceEvents"]) {
            const OrderedJson raw_pid = event.contains("pid") ? event["pid"] : OrderedJson();
            const bool device = raw_pid.is_number_integer() && raw_pid.get<std::int64_t>() < kDevices;
            separate(event, rank);
            if (fusion == Fusion::TraceFuse) {
                sayWhose(event, rank, raw_pid, device);
            }
            events.push_back(std::move(event));
        }
    }
    OrderedJson whole = OrderedJson::object();
    if (fusion == Fusion::OffsetPids && base_ns != 0) {
        whole["baseTimeNanoseconds"] = base_ns;
    }
    whole["traceEvents"] = std::move(events);
    return {"merged.json", whole.dump()};
}

}  // namespace rankscope::tracegen::machine
