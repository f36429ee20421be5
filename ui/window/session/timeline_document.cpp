// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/session/timeline_document.h"

#include <array>
#include <nlohmann/json.hpp>

namespace rankscope::ui {
namespace {

constexpr std::array<const char*, kOverlayCount> kOverlayNames = {"gaps",       "overlap", "exposed",
                                                                  "stragglers", "links",   "critical-path"};
constexpr std::array<const char*, kStepMeasureCount> kMeasureNames = {"lateness", "step-time", "exposed-communication",
                                                                      "idle", "compute"};

Json rowJson(const TimelineState::Row& row) {
    return {{"run", row.run}, {"rank", row.rank}, {"kind", row.kind}, {"id", row.id}};
}

TimelineState::Row rowOf(const Json& json) {
    return {json.at("run").get<std::uint32_t>(), json.at("rank").get<RankPosition>(),
            json.at("kind").get<std::uint8_t>(), json.at("id").get<std::uint32_t>()};
}

Json rowsJson(const std::vector<TimelineState::Row>& rows) {
    Json json = Json::array();
    for (const TimelineState::Row& row : rows) {
        json.push_back(rowJson(row));
    }
    return json;
}

std::vector<TimelineState::Row> rowsOf(const Json& json, const char* key) {
    std::vector<TimelineState::Row> rows;
    for (const Json& row : json.value(key, Json::array())) {
        rows.push_back(rowOf(row));
    }
    return rows;
}

Json placeJson(const TimelineState::Place& place) {
    Json json = rowJson(place.row);
    json["pinned"] = place.pinned;
    json["offset"] = place.offset;
    return json;
}

TimelineState::Place placeOf(const Json& json) {
    return {rowOf(json), json.at("pinned").get<bool>(), json.at("offset").get<int>()};
}

Json marksJson(const std::vector<TimeMark>& marks) {
    Json all = Json::array();
    for (const TimeMark& mark : marks) {
        Json json = spanToJson(mark.span);
        json["text"] = mark.text.toStdString();
        json["kept"] = mark.kept;
        json["run"] = mark.run;
        json["rank"] = mark.rank;
        all.push_back(std::move(json));
    }
    return all;
}

// How the rows are arranged.
Json standingJson(const TimelineState& state) {
    Json folds = Json::array();
    for (const TimelineState::Fold& fold : state.folds) {
        folds.push_back(
            {{"run", fold.run}, {"rank", fold.rank}, {"kind", fold.kind}, {"id", fold.id}, {"amount", fold.amount}});
    }
    Json sizes = Json::array();
    for (const TimelineState::Size& size : state.sizes) {
        Json json = rowJson(size.row);
        json["pixels"] = size.pixels;
        sizes.push_back(std::move(json));
    }
    Json orders = Json::array();
    for (const TimelineState::Order& order : state.orders) {
        Json json = rowJson(order.list);
        json["tracks"] = order.tracks;
        orders.push_back(std::move(json));
    }
    Json json = {{"folds", folds},
                 {"rank_order", rankOrderName(state.rank_order)},
                 {"fold_alike", state.fold_alike},
                 {"taken_out", rowsJson(state.taken_out)},
                 {"pinned", rowsJson(state.pinned)},
                 {"hidden", rowsJson(state.hidden)},
                 {"sizes", sizes},
                 {"orders", orders}};
    if (state.one_rank) {
        json["one_rank"] = *state.one_rank;
    }
    if (state.grouped_by) {
        json["grouped_by"] = roleName(*state.grouped_by);
    }
    return json;
}

void readStanding(const Json& json, TimelineState& state) {
    for (const Json& fold : json.at("folds")) {
        const TimelineState::Row row = rowOf(fold);
        state.folds.push_back({row.run, row.rank, row.kind, row.id, fold.at("amount").get<std::uint8_t>()});
    }
    for (std::size_t i = 0; i < kRankOrderCount; ++i) {
        if (json.value("rank_order", std::string()) == rankOrderName(static_cast<RankOrder>(i))) {
            state.rank_order = static_cast<RankOrder>(i);
        }
    }
    state.grouped_by = roleOf(json.value("grouped_by", std::string()));
    state.fold_alike = json.value("fold_alike", true);
    if (const auto one_rank = json.find("one_rank"); one_rank != json.end()) {
        state.one_rank = one_rank->get<bool>();
    }
    state.taken_out = rowsOf(json, "taken_out");
    state.pinned = rowsOf(json, "pinned");
    state.hidden = rowsOf(json, "hidden");
    for (const Json& size : json.value("sizes", Json::array())) {
        state.sizes.push_back({rowOf(size), size.at("pixels").get<int>()});
    }
    for (const Json& order : json.value("orders", Json::array())) {
        state.orders.push_back({rowOf(order), order.at("tracks").get<std::vector<std::uint32_t>>()});
    }
}

}  // namespace

Json spanToJson(const TimeSpan& span) {
    return {{"start_ns", span.start_ns}, {"end_ns", span.end_ns}};
}

TimeSpan spanFromJson(const Json& json) {
    return {json.at("start_ns").get<TimeNs>(), json.at("end_ns").get<TimeNs>()};
}

Json timelineJson(const TimelineState& state) {
    Json overlays = Json::object();
    for (std::size_t i = 0; i < kOverlayCount; ++i) {
        overlays[kOverlayNames[i]] = state.overlays.shown[i];
    }
    Json json = {{"scroll", state.scroll},
                 {"overlays", overlays},
                 {"overview", state.overview},
                 {"measure", kMeasureNames[static_cast<std::size_t>(state.measure)]},
                 {"marks", marksJson(state.marks)}};
    if (state.names_width > 0) {
        json["names_width"] = state.names_width;
    }
    json.update(standingJson(state));
    if (state.area) {
        json["area"] = spanToJson(state.area->span);
        json["area"]["from"] = placeJson(state.area->from);
        json["area"]["to"] = placeJson(state.area->to);
    }
    return json;
}

void readTimeline(const Json& json, TimelineState& state) {
    state.scroll = json.at("scroll").get<int>();
    state.overview = json.at("overview").get<bool>();
    state.names_width = json.value("names_width", 0);
    for (std::size_t i = 0; i < kOverlayCount; ++i) {
        state.overlays.shown[i] = json.at("overlays").value(kOverlayNames[i], OverlaySet().shown[i]);
    }
    for (std::size_t i = 0; i < kStepMeasureCount; ++i) {
        if (json.at("measure") == kMeasureNames[i]) {
            state.measure = static_cast<StepMeasure>(i);
        }
    }
    for (const Json& mark : json.at("marks")) {
        // Sessions of the first versions do not name the rank: in that case the mark belongs to the first one.
        state.marks.push_back({spanFromJson(mark), QString::fromStdString(mark.at("text").get<std::string>()),
                               mark.at("kept").get<bool>(), mark.value("run", 0U), mark.value("rank", RankPosition())});
    }
    readStanding(json, state);
    if (const auto area = json.find("area"); area != json.end()) {
        state.area = {spanFromJson(*area), placeOf(area->at("from")), placeOf(area->at("to"))};
    }
}

}  // namespace rankscope::ui
