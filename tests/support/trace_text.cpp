// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/trace_text.h"

namespace rankscope::test {

EventLine named(std::string name) {
    EventLine event;
    event.name = std::move(name);
    return event;
}

std::string eventJson(const EventLine& event) {
    std::string json = "  {\n    \"ph\": \"X\", \"cat\": \"" + event.category + "\", \"name\": \"" + event.name +
                       "\", \"pid\": " + event.pid + ", \"tid\": " + event.tid + ",\n    \"ts\": " + event.ts +
                       ", \"dur\": " + event.dur;
    if (!event.args.empty()) {
        json += ",\n    \"args\": {\n      " + event.args + "\n    }";
    }
    return json + "\n  }";
}

std::string traceJson(const std::vector<std::string>& events, std::string_view header) {
    std::string json = "{\n  \"schemaVersion\": 1,\n  " + std::string(header) + "\"traceEvents\": [\n";
    for (std::size_t i = 0; i < events.size(); ++i) {
        json += (i > 0 ? ",\n" : "") + events[i];
    }
    return json + "\n  ],\n  \"traceName\": \"t.json\"\n}\n";
}

std::string traceOfRank(int rank, int events) {
    std::vector<std::string> lines;
    for (int i = 0; i < events; ++i) {
        EventLine line;
        line.name = "op " + std::to_string(i * 7919LL) + " of rank " + std::to_string(rank);
        line.ts = std::to_string(10 * i);
        lines.push_back(eventJson(line));
    }
    return traceJson(lines, "\"distributedInfo\": {\"rank\": " + std::to_string(rank) + ", \"world_size\": 4},\n");
}

}  // namespace rankscope::test
