// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/changed_run.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tests/tracegen/simulate.h"
#include "tests/tracegen/write_run.h"

namespace rankscope::fuzz {
namespace {

using nlohmann::json;
using Ranks = std::vector<json>;

constexpr const char* kStepPrefix = "ProfilerStep#";

// ---- what a change is made to
// ----------------------------------------------------------------------------------------

json& chooseRank(Ranks& ranks, Choices& choices) {
    return ranks[choices.below(ranks.size())];
}

json::array_t& eventsOf(json& rank) {
    return rank["traceEvents"].get_ref<json::array_t&>();
}

std::string textAt(const json& object, const char* key) {
    const auto at = object.find(key);
    return at != object.end() && at->is_string() ? at->get<std::string>() : std::string();
}

bool isStep(const json& event) {
    return textAt(event, "name").starts_with(kStepPrefix);
}

double timeOf(const json& event, const char* key) {
    const auto at = event.find(key);
    return at != event.end() && at->is_number() ? at->get<double>() : 0.0;
}

/// Positions of the events that are alike in one way; empty where there are none.
template <class Wanted>
std::vector<std::size_t> positions(const json::array_t& events, Wanted wanted) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (wanted(events[i])) {
            found.push_back(i);
        }
    }
    return found;
}

std::vector<std::size_t> stepMarks(const json::array_t& events) {
    return positions(events, isStep);
}

bool isCollective(const json& event) {
    const std::string name = textAt(event, "name");
    return name.find("nccl") != std::string::npos || name.find("record_param_comms") != std::string::npos ||
           name.find("c10d") != std::string::npos ||
           (event.contains("args") && event["args"].contains("Collective name"));
}

/// One event of a kind that matters: a step's mark, a collective, a DataLoader's, a launch, a kernel, or any.
std::vector<std::size_t> chooseSome(const json::array_t& events, Choices& choices) {
    static constexpr const char* kCategories[] = {"kernel", "cuda_runtime", "cpu_op", "user_annotation", "gpu_memcpy"};
    const std::size_t kind = choices.below(9);
    std::vector<std::size_t> found;
    if (kind < 5) {
        found = positions(events, [&](const json& e) { return textAt(e, "cat") == kCategories[kind]; });
    } else if (kind == 5) {
        found = positions(events, isCollective);
    } else if (kind == 6) {
        found =
            positions(events, [](const json& e) { return textAt(e, "name").find("DataLoader") != std::string::npos; });
    } else if (kind == 7) {
        found = stepMarks(events);
    }
    if (found.empty()) {
        found = positions(events, [](const json& e) { return e.contains("dur"); });
    }
    // One, a few in a row, or all of the kind.
    const std::size_t many = choices.below(4);
    if (many != 3 && !found.empty()) {
        const std::size_t first = choices.below(found.size());
        const std::size_t count = many == 0 ? 1 : 1 + choices.below(12);
        const auto begin = found.begin() + static_cast<std::ptrdiff_t>(first);
        found = {begin, begin + static_cast<std::ptrdiff_t>(std::min(count, found.size() - first))};
    }
    return found;
}

/// Microseconds: often a little, sometimes a step or more, rarely the end of all numbers.
double chooseMicros(Choices& choices) {
    static constexpr double kScales[] = {0.001, 1, 1e3, 1e5, 1e6, 1e12};
    return static_cast<double>(static_cast<std::int8_t>(choices.byte())) * kScales[choices.below(6)];
}

void shift(json& event, double micros) {
    if (event.contains("ts")) {
        event["ts"] = timeOf(event, "ts") + micros;
    }
}

// ---- steps
// -----------------------------------------------------------------------------------------------------------

void renameSteps(Ranks& ranks, Choices& choices) {
    auto& events = eventsOf(chooseRank(ranks, choices));
    const std::int64_t by = static_cast<std::int8_t>(choices.byte()) % 8;
    const std::vector<std::size_t> marks = stepMarks(events);
    const std::size_t only = choices.below(marks.size() + 1);  // the last: all of them
    for (std::size_t i = 0; i < marks.size(); ++i) {
        const std::string name = textAt(events[marks[i]], "name");
        if (only == marks.size() || only == i) {
            events[marks[i]]["name"] = kStepPrefix + std::to_string(std::atoll(name.c_str() + 13) + by);
        }
    }
}

/// The mark of one of the steps; null where there is none.
json chooseMark(const std::vector<json>& events, Choices& choices) {
    const std::vector<std::size_t> marks = stepMarks(events);
    return marks.empty() ? json() : events[marks[choices.below(marks.size())]];
}

void dropStep(Ranks& ranks, Choices& choices) {
    auto& events = eventsOf(chooseRank(ranks, choices));
    const json mark = chooseMark(events, choices);
    if (mark.is_null()) {
        return;
    }
    const bool with_all = choices.below(2) == 1;
    const double start = timeOf(mark, "ts");
    const double end = start + timeOf(mark, "dur");
    std::erase_if(events, [&](const json& e) {
        const double at = timeOf(e, "ts");
        return with_all ? at >= start && at < end && e.contains("dur")
                        : isStep(e) && textAt(e, "name") == textAt(mark, "name");
    });
}

void doubleStep(Ranks& ranks, Choices& choices) {
    auto& events = eventsOf(chooseRank(ranks, choices));
    const json mark = chooseMark(events, choices);
    if (mark.is_null()) {
        return;
    }
    const double start = timeOf(mark, "ts");
    const double end = start + timeOf(mark, "dur");
    const double by = choices.below(2) == 0 ? 0.0 : chooseMicros(choices);
    const bool with_all = choices.below(2) == 1;
    std::vector<json> copies;
    for (const json& e : events) {
        const double at = timeOf(e, "ts");
        if (with_all ? at >= start && at < end : isStep(e) && at == start) {
            copies.push_back(e);
            shift(copies.back(), by);
        }
    }
    events.insert(events.end(), copies.begin(), copies.end());
}

void shiftAfter(Ranks& ranks, Choices& choices) {
    auto& events = eventsOf(chooseRank(ranks, choices));
    const std::vector<std::size_t> marks = stepMarks(events);
    const std::size_t from = choices.below(marks.size() + 1);  // the last: everything, a clock that is off
    const double start = from < marks.size() ? timeOf(events[marks[from]], "ts") : 0.0;
    const double by = chooseMicros(choices);
    for (json& e : events) {
        if (timeOf(e, "ts") >= start) {
            shift(e, by);
        }
    }
}

void stretchSteps(Ranks& ranks, Choices& choices) {
    auto& events = eventsOf(chooseRank(ranks, choices));
    const double by = chooseMicros(choices);
    for (const std::size_t i : stepMarks(events)) {
        events[i]["dur"] = timeOf(events[i], "dur") + by;
    }
}

// ---- times
// -----------------------------------------------------------------------------------------------------------

void setLengths(Ranks& ranks, Choices& choices) {
    auto& events = eventsOf(chooseRank(ranks, choices));
    const std::size_t how = choices.below(4);
    const double by = chooseMicros(choices);
    for (const std::size_t i : chooseSome(events, choices)) {
        const double length = timeOf(events[i], "dur");
        events[i]["dur"] = how == 0 ? 0.0 : how == 1 ? length + by : how == 2 ? -1.0 : by;
    }
}

void moveEvents(Ranks& ranks, Choices& choices) {
    auto& events = eventsOf(chooseRank(ranks, choices));
    const double by = chooseMicros(choices);
    for (const std::size_t i : chooseSome(events, choices)) {
        shift(events[i], by);
    }
}

void roundTimes(Ranks& ranks, Choices& choices) {
    static constexpr double kGrids[] = {1.0, 0.25, 1000.0};
    const double grid = kGrids[choices.below(3)];
    for (json& e : eventsOf(chooseRank(ranks, choices))) {
        for (const char* const key : {"ts", "dur"}) {
            if (e.contains(key)) {
                e[key] = std::floor(timeOf(e, key) / grid) * grid;
            }
        }
    }
}

// ---- events
// ----------------------------------------------------------------------------------------------------------

void dropEvents(Ranks& ranks, Choices& choices) {
    auto& events = eventsOf(chooseRank(ranks, choices));
    const std::vector<std::size_t> lost = chooseSome(events, choices);
    for (auto i = lost.rbegin(); i != lost.rend(); ++i) {
        events.erase(events.begin() + static_cast<std::ptrdiff_t>(*i));
    }
}

void doubleEvents(Ranks& ranks, Choices& choices) {
    auto& events = eventsOf(chooseRank(ranks, choices));
    const double by = choices.below(2) == 0 ? 0.0 : chooseMicros(choices);
    for (const std::size_t i : chooseSome(events, choices)) {
        json copy = events[i];
        shift(copy, by);
        events.push_back(std::move(copy));
    }
}

void swapNames(Ranks& ranks, Choices& choices) {
    auto& events = eventsOf(chooseRank(ranks, choices));
    if (events.empty()) {
        return;
    }
    const std::string other = textAt(events[choices.below(events.size())], "name");
    for (const std::size_t i : chooseSome(events, choices)) {
        events[i]["name"] = other;
    }
}

void moveRows(Ranks& ranks, Choices& choices) {
    auto& events = eventsOf(chooseRank(ranks, choices));
    if (events.empty()) {
        return;
    }
    const json other = events[choices.below(events.size())];
    for (const std::size_t i : chooseSome(events, choices)) {
        for (const char* const key : {"pid", "tid", "cat"}) {
            if (other.contains(key) && choices.below(2) == 1) {
                events[i][key] = other[key];
            }
        }
    }
}

void linkWrongly(Ranks& ranks, Choices& choices) {
    auto& events = eventsOf(chooseRank(ranks, choices));
    const std::int64_t number = choices.number();
    const bool add = choices.below(2) == 0;
    for (const std::size_t i : chooseSome(events, choices)) {
        auto args = events[i].find("args");
        for (const char* const key : {"correlation", "External id", "external id"}) {
            if (args != events[i].end() && args->is_object() && args->contains(key) &&
                (*args)[key].is_number_integer()) {
                const std::int64_t before = add ? (*args)[key].get<std::int64_t>() % 1'000'000 : 0;
                (*args)[key] = before + number / 2;
            }
        }
    }
}

void dropFlows(Ranks& ranks, Choices& choices) {
    std::erase_if(eventsOf(chooseRank(ranks, choices)),
                  [](const json& e) { return textAt(e, "ph") == "s" || textAt(e, "ph") == "f"; });
}

// ---- ranks and groups
// ------------------------------------------------------------------------------------------------

void changeRankNumber(Ranks& ranks, Choices& choices) {
    json& rank = chooseRank(ranks, choices);
    static constexpr const char* kKeys[] = {"rank", "world_size"};
    if (choices.below(8) == 0) {
        rank.erase("distributedInfo");
        return;
    }
    rank["distributedInfo"][kKeys[choices.below(2)]] =
        choices.below(2) == 0 ? static_cast<std::int64_t>(choices.below(6)) : choices.number();
}

void changeGroups(Ranks& ranks, Choices& choices) {
    json& rank = chooseRank(ranks, choices);
    json& info = rank["distributedInfo"];
    if (!info.is_object() || !info.contains("pg_config") || !info["pg_config"].is_array() ||
        info["pg_config"].empty()) {
        return;
    }
    json& group = info["pg_config"][0];
    switch (choices.below(5)) {
        case 0: info["pg_config"].push_back(group); break;
        case 1: group["ranks"].push_back(choices.number()); break;
        case 2: group["ranks"] = json::array(); break;
        case 3: group["pg_size"] = choices.number(); break;
        default: group["pg_name"] = std::to_string(choices.below(3)); break;
    }
}

void dropOrDoubleRank(Ranks& ranks, Choices& choices) {
    const std::size_t which = choices.below(ranks.size());
    if (choices.below(2) == 0 && ranks.size() > 1) {
        ranks.erase(ranks.begin() + static_cast<std::ptrdiff_t>(which));
    } else if (ranks.size() < 6) {
        ranks.push_back(json(ranks[which]));
    }
}

void changeHost(Ranks& ranks, Choices& choices) {
    json& rank = chooseRank(ranks, choices);
    static constexpr const char* kHosts[] = {"", "node0", "node1", "node2"};
    rank["host_name"] = kHosts[choices.below(4)];
    if (choices.below(2) == 1) {
        rank["baseTimeNanoseconds"] = choices.number();
    }
}

// ---- collectives
// -----------------------------------------------------------------------------------------------------

void changeCollectives(Ranks& ranks, Choices& choices) {
    static constexpr const char* kKeys[] = {"Seq",           "Comms Id",          "Group size",
                                            "In msg nelems", "Out msg nelems",    "dtype",
                                            "Rank",          "Global rank start", "Global rank stride"};
    static constexpr const char* kNames[] = {"allreduce", "broadcast", "allgather", "send", "recv", "barrier", ""};
    auto& events = eventsOf(chooseRank(ranks, choices));
    const std::vector<std::size_t> found = positions(events, isCollective);
    const std::size_t first = choices.below(found.size());
    const std::size_t last = std::min(found.size(), first + 1 + choices.below(found.size() + 1));
    const std::size_t what = choices.below(std::size(kKeys) + 4);
    const std::int64_t number = choices.below(2) == 0 ? static_cast<std::int64_t>(choices.below(9)) : choices.number();
    const char* const name = kNames[choices.below(std::size(kNames))];
    for (std::size_t i = first; i < last; ++i) {
        json& args = events[found[i]]["args"];
        if (!args.is_object()) {
            continue;
        }
        if (what < std::size(kKeys)) {
            args[kKeys[what]] = number;
        } else if (what == std::size(kKeys)) {
            args["Collective name"] = name;
        } else if (what == std::size(kKeys) + 1) {
            args["Process Group Ranks"] = number % 2 == 0 ? "[0, 1]" : "[" + std::to_string(number) + ", ...]";
        } else if (what == std::size(kKeys) + 2) {
            args["Process Group Name"] = std::to_string(number % 3);
        } else {
            args["Src Rank"] = number;
            args["Dst Rank"] = number / 2;
        }
    }
}

void dropCollectiveArgs(Ranks& ranks, Choices& choices) {
    for (json& e : eventsOf(chooseRank(ranks, choices))) {
        if (e.contains("args") && e["args"].is_object() && e["args"].contains("Collective name")) {
            e["args"] = json::object({{"correlation", e["args"].value("correlation", json(0))}});
        }
    }
}

struct Change {
    const char* name;
    void (*make)(Ranks& ranks, Choices& choices);
};

constexpr Change kChanges[] = {
    {"rename steps", renameSteps},
    {"drop a step", dropStep},
    {"double a step", doubleStep},
    {"shift all after a step", shiftAfter},
    {"stretch steps", stretchSteps},
    {"set lengths", setLengths},
    {"move events", moveEvents},
    {"round times", roundTimes},
    {"drop events", dropEvents},
    {"double events", doubleEvents},
    {"swap names", swapNames},
    {"move to other rows", moveRows},
    {"link wrongly", linkWrongly},
    {"drop flows", dropFlows},
    {"change a rank's number", changeRankNumber},
    {"change groups", changeGroups},
    {"drop or double a rank", dropOrDoubleRank},
    {"change a host", changeHost},
    {"change collectives", changeCollectives},
    {"drop the args of collectives", dropCollectiveArgs},
};

// ---- base runs
// -------------------------------------------------------------------------------------------------------

tracegen::Config smallConfig(int ranks, tracegen::Vendor vendor, tracegen::Dialect dialect) {
    tracegen::Config config;
    config.ranks = ranks;
    config.steps = 3;
    config.layers = 3;
    config.loader.workers = ranks == 2 ? 0 : 2;
    config.vendor = vendor;
    config.dialect = dialect;
    config.broadcast_buffers = ranks > 2;
    return config;
}

std::vector<std::vector<std::string>> makeBaseRuns() {
    using tracegen::Dialect;
    using tracegen::Vendor;
    std::vector<std::vector<std::string>> runs;
    for (const tracegen::Config& config :
         {smallConfig(2, Vendor::Cuda, Dialect::Modern), smallConfig(4, Vendor::Cuda, Dialect::Modern),
          smallConfig(3, Vendor::Rocm, Dialect::Modern), smallConfig(2, Vendor::Cuda, Dialect::Old)}) {
        const tracegen::RunResult result = tracegen::simulate(config);
        std::vector<std::string>& files = runs.emplace_back();
        for (int rank = 0; rank < config.ranks; ++rank) {
            files.push_back(tracegen::kinetoText(result, rank));
        }
    }
    return runs;
}

const std::vector<std::vector<std::string>>& allBaseRuns() {
    static const std::vector<std::vector<std::string>> runs = makeBaseRuns();
    return runs;
}

const Ranks& parsedBaseRun(std::size_t which) {
    static const std::vector<Ranks> parsed = [] {
        std::vector<Ranks> all;
        for (const auto& files : allBaseRuns()) {
            Ranks& ranks = all.emplace_back();
            for (const std::string& text : files) {
                ranks.push_back(json::parse(text));
            }
        }
        return all;
    }();
    return parsed[which];
}

}  // namespace

std::size_t baseRuns() {
    return allBaseRuns().size();
}

const std::vector<std::string>& baseRun(std::size_t which) {
    return allBaseRuns()[which];
}

ChangedRun changeRun(Choices& choices) {
    const std::size_t base = choices.below(baseRuns());
    Ranks ranks = parsedBaseRun(base);
    ChangedRun changed;
    changed.changes.push_back("base run " + std::to_string(base));
    while (!choices.done() && changed.changes.size() <= kMostChanges) {
        const Change& change = kChanges[choices.byte() % std::size(kChanges)];
        changed.changes.emplace_back(change.name);
        change.make(ranks, choices);
    }
    for (const json& rank : ranks) {
        changed.files.push_back(rank.dump(-1, ' ', false, json::error_handler_t::replace));
    }
    return changed;
}

}  // namespace rankscope::fuzz
