// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/session/session_document.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "core/base/bounded_json.h"
#include "core/ingest/bounds.h"
#include "ui/window/session/job_document.h"
#include "ui/window/session/layout_document.h"
#include "ui/window/session/timeline_document.h"

namespace rankscope::ui {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSchema = "rankscope-session";
constexpr int kVersion = 1;
constexpr const char* kCompanions = "snapshots";  // the first kind of them

/// The path relative to `folder` if the file is below it, otherwise the path itself.
std::string named(const std::string& path, const fs::path& folder) {
    const fs::path relative = fs::path(path).lexically_relative(folder);
    const bool below = !relative.empty() && *relative.begin() != "..";
    return below ? relative.generic_string() : path;
}

/// The path that named() wrote.
std::string placed(const std::string& name, const fs::path& folder) {
    return (folder / name).lexically_normal().string();
}

Json clockJson(const ClockChoice& clock) {
    Json typed = Json::array();
    for (const auto& [rank, offset_ns] : clock.typed_offset_ns) {
        typed.push_back({{"rank", rank}, {"offset_ns", offset_ns}});
    }
    return {{"file_times", clock.file_times}, {"typed", typed}};
}

Json rolesJson(const RoleChoices& roles) {
    Json json = Json::array();
    for (const auto& [group, role] : roles) {
        json.push_back({{"group", group}, {"role", roleName(role)}});
    }
    return json;
}

/// The roles of groups in a session; unknown roles are left out.
RoleChoices rolesOf(const Json& json) {
    RoleChoices roles;
    for (const Json& said : json) {
        if (const auto role = roleOf(said.at("role").get<std::string>())) {
            roles.emplace_back(said.at("group").get<std::string>(), *role);
        }
    }
    return roles;
}

ClockChoice clockOf(const Json& json) {
    ClockChoice clock;
    clock.file_times = json.at("file_times").get<bool>();
    for (const Json& typed : json.at("typed")) {
        clock.typed_offset_ns[typed.at("rank").get<RankNumber>()] = typed.at("offset_ns").get<DurationNs>();
    }
    return clock;
}

constexpr std::array<const char*, kRankMeasureCount> kRankMeasureNames = {"lateness", "exposed", "idle",  "step",
                                                                          "memory",   "passes",  "bubble"};

Json roleJson(const std::optional<Role>& role) {
    return role ? Json(roleName(*role)) : Json(nullptr);
}

std::optional<Role> roleOfJson(const Json& json, const char* key) {
    const Json role = json.value(key, Json());
    return role.is_null() ? std::nullopt : roleOf(role.get<std::string>());
}

Json gridJson(const GridChoice& grid) {
    Json json = {{"run", grid.run}};
    if (grid.axes) {
        json["axes"] = {{"across", roleJson(grid.axes->across)}, {"down", roleJson(grid.axes->down)}};
    }
    if (grid.measure) {
        json["measure"] = kRankMeasureNames.at(static_cast<std::size_t>(*grid.measure));
        json["role"] = roleJson(grid.role);
    }
    return json;
}

/// Unknown measures are left out.
GridChoice gridOf(const Json& json) {
    GridChoice grid;
    grid.run = json.at("run").get<std::uint32_t>();
    if (const auto axes = json.find("axes"); axes != json.end()) {
        grid.axes = {roleOfJson(*axes, "across"), roleOfJson(*axes, "down")};
    }
    const auto measure = std::ranges::find(kRankMeasureNames, json.value("measure", std::string()));
    if (measure != kRankMeasureNames.end()) {
        grid.measure = static_cast<RankMeasure>(measure - kRankMeasureNames.begin());
        grid.role = roleOfJson(json, "role");
    }
    return grid;
}

/// Whether any number in it is not whole, or too large for 64 bits: a session contains no such numbers.
bool holdsFraction(const Json& json) {
    return json.is_structured() ? std::ranges::any_of(json, holdsFraction) : json.is_number_float();
}

SessionDocument::OpenRun runOf(const Json& json, const fs::path& folder) {
    SessionDocument::OpenRun run;
    run.name = json.at("name").get<std::string>();
    for (const Json& file : json.at("files")) {
        run.files.push_back(placed(file.get<std::string>(), folder));
    }
    run.choice.clocks = clockOf(json.at("clock"));
    run.choice.roles = rolesOf(json.value("roles", Json::array()));
    run.choice.iterations = iterationKindOf(json.value("iterations", std::string()));
    run.choice.job = jobFromJson(json.value("job", Json::object()));
    if (const auto base = json.find("base_ns"); base != json.end() && isTime(base->get<TimeNs>())) {
        run.choice.base_ns = RunTime(base->get<TimeNs>());
    }
    if (const auto part = json.find("part"); part != json.end()) {
        if (part->contains("rank")) {
            run.part.rank = part->at("rank").get<RankNumber>();
        }
        if (part->contains("step")) {
            run.part.step = part->at("step").get<std::int64_t>();
        }
        run.part.one_run = part->value("one_run", false);
    }
    return run;
}

PathMap mapOf(const Json& json) {
    PathMap map;
    for (const Json& pair : json) {
        map.push_back({pair.at("from").get<std::string>(), pair.at("to").get<std::string>()});
    }
    return map;
}

/// The recordings of a side of a comparison, "a" or "b". The first one has the name that versions with one recording a
/// side read.
std::vector<std::size_t> recordingsOf(const Json& compared, const std::string& side) {
    std::vector<std::size_t> runs = {compared.at(side).get<std::size_t>()};
    const auto more = compared.value(side + "_more", std::vector<std::size_t>());
    runs.insert(runs.end(), more.begin(), more.end());
    return runs;
}

void addRecordings(Json& compared, const std::string& side, const std::vector<std::size_t>& runs) {
    compared[side] = runs.front();
    if (runs.size() > 1) {
        compared[side + "_more"] = std::vector<std::size_t>(runs.begin() + 1, runs.end());
    }
}

SessionDocument documentOf(const Json& json, const fs::path& folder) {
    SessionDocument document;
    document.map = mapOf(json.value("map", Json::array()));
    for (const Json& run : json.at("runs")) {
        document.runs.push_back(runOf(run, folder));
    }
    for (const Json& file : json.value(kCompanions, Json::array())) {
        document.companions.push_back(placed(file.get<std::string>(), folder));
    }
    if (const auto view = json.find("view"); view != json.end()) {
        document.timeline.window = spanFromJson(*view);
    }
    if (const auto timeline = json.find("timeline"); timeline != json.end()) {
        readTimeline(*timeline, document.timeline);
    }
    if (const auto slice = json.find("selection"); slice != json.end()) {
        document.selection =
            SliceSelection{slice->at("run").get<std::uint32_t>(),
                           slice->at("rank").get<RankPosition>(),
                           {TrackId(slice->at("track").get<std::uint32_t>()), slice->at("slice").get<SliceIndex>()}};
    }
    if (const auto compared = json.find("compared"); compared != json.end()) {
        document.compared = {{recordingsOf(*compared, "a"), recordingsOf(*compared, "b")},
                             compared->value("linked", true),
                             compared->value("by_phase", false),
                             compared->value("stacked", false)};
    }
    document.search = json.value("search", std::string());
    document.question = json.value("question", std::string());
    document.panel = json.value("panel", std::string());
    document.side_panel = json.value("side_panel", true);
    document.bottom_panel = json.value("bottom_panel", true);
    if (const auto grid = json.find("grid"); grid != json.end()) {
        document.grid = gridOf(*grid);
    }
    if (const auto layout = json.find("layout"); layout != json.end()) {
        document.layout = layoutFromJson(*layout);
    }
    return document;
}

}  // namespace

std::string sessionJson(const SessionDocument& document, const fs::path& folder) {
    Json json = {{"schema", kSchema}, {"version", kVersion}, {"runs", Json::array()}};
    for (const SessionDocument::OpenRun& run : document.runs) {
        Json files = Json::array();
        for (const std::string& file : run.files) {
            files.push_back(named(file, folder));
        }
        json["runs"].push_back({{"name", run.name}, {"files", files}, {"clock", clockJson(run.choice.clocks)}});
        if (!run.choice.roles.empty()) {
            json["runs"].back()["roles"] = rolesJson(run.choice.roles);
        }
        if (run.choice.iterations) {
            json["runs"].back()["iterations"] = iterationKindName(*run.choice.iterations);
        }
        if (run.choice.job != JobChoice()) {
            json["runs"].back()["job"] = jobJson(run.choice.job);
        }
        if (run.choice.base_ns) {
            json["runs"].back()["base_ns"] = run.choice.base_ns->plain();
        }
        if (run.part.rank) {
            json["runs"].back()["part"]["rank"] = *run.part.rank;
        }
        if (run.part.step) {
            json["runs"].back()["part"]["step"] = *run.part.step;
        }
        if (run.part.one_run) {
            json["runs"].back()["part"]["one_run"] = true;
        }
    }
    for (const MappedFolder& mapped : document.map) {
        json["map"].push_back({{"from", mapped.from}, {"to", mapped.to}});
    }
    for (const std::string& file : document.companions) {
        json[kCompanions].push_back(named(file, folder));
    }
    if (!document.timeline.window.empty()) {
        json["view"] = spanToJson(document.timeline.window);
        json["timeline"] = timelineJson(document.timeline);
    }
    if (document.selection) {
        const SliceSelection& slice = *document.selection;
        json["selection"] = {
            {"run", slice.run}, {"rank", slice.rank}, {"track", slice.slice.track.value}, {"slice", slice.slice.slice}};
    }
    if (document.compared) {
        json["compared"] = {{"linked", document.compared->linked},
                            {"by_phase", document.compared->by_phase},
                            {"stacked", document.compared->stacked}};
        addRecordings(json["compared"], "a", document.compared->sides.front());
        addRecordings(json["compared"], "b", document.compared->sides.back());
    }
    json["search"] = document.search;
    if (!document.question.empty()) {
        json["question"] = document.question;
    }
    json["panel"] = document.panel;
    json["side_panel"] = document.side_panel;
    json["bottom_panel"] = document.bottom_panel;
    if (document.grid != GridChoice()) {
        json["grid"] = gridJson(document.grid);
    }
    if (document.layout) {
        json["layout"] = layoutJson(*document.layout);
    }
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<SessionDocument> readSession(std::string_view json, const fs::path& path) {
    const auto wrong = [&path](const std::string& cause) { return Error{path.string(), std::nullopt, cause}; };
    if (nestedDeeperThan(json, kJsonDepth)) {
        return wrong("is damaged: it is nested too deeply");
    }
    const Json parsed = Json::parse(json, nullptr, false);
    if (parsed.is_discarded()) {
        return wrong("is damaged: it is incomplete or not JSON");
    }
    if (holdsFraction(parsed)) {
        return wrong("is damaged: a number in it is not an integer");
    }
    if (!parsed.is_object() || parsed.value("schema", Json()) != kSchema) {
        return wrong("is not a Rankscope session");
    }
    const Json version = parsed.value("version", Json());
    if (!version.is_number_integer() || version.get<int>() < 1) {
        return wrong("is damaged: it has no version");
    }
    if (version.get<int>() > kVersion) {
        return wrong("is from a newer Rankscope: its version is " + std::to_string(version.get<int>()) +
                     ", this program reads up to " + std::to_string(kVersion));
    }
    try {
        return documentOf(parsed, path.parent_path());
    } catch (const Json::exception& error) {
        // nlohmann names the type and the key, after a tag in brackets.
        const std::string what = error.what();
        return wrong("is damaged: " + what.substr(what.find(']') == std::string::npos ? 0 : what.find(']') + 2));
    }
}

}  // namespace rankscope::ui
