// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/config_json.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

namespace rankscope::tracegen {
namespace {

using Json = nlohmann::json;

constexpr double kNsPerMs = 1e6;

template <class T>
void read(const Json& json, const char* key, T& into) {
    if (const auto found = json.find(key); found != json.end()) {
        into = found->get<T>();
    }
}

void refuseUnknown(const Json& json, const std::vector<std::string_view>& known) {
    for (const auto& [key, value] : json.items()) {
        if (std::find(known.begin(), known.end(), key) == known.end()) {
            throw std::invalid_argument("the configuration has no '" + key + "'");
        }
    }
}

/// Calls `visit` with the name and the value of each option that stands for itself.
template <class AnyConfig, class Visit>
void visitOptions(AnyConfig& config, const Visit& visit) {
    visit("ranks", config.ranks);
    visit("steps", config.steps);
    visit("first_step", config.first_step);
    visit("warmup_steps", config.warmup_steps);
    visit("seed", config.seed);
    visit("cpu_only", config.cpu_only);
    visit("layers", config.layers);
    visit("kernel_scale", config.kernel_scale);
    visit("bus_gb_per_s", config.bus_gb_per_s);
    visit("bucket_mb", config.bucket_mb);
    visit("with_stack", config.with_stack);
}

/// The same of later options, written where they are used, so that older files stay what they were.
template <class AnyConfig, class Visit>
void visitLaterOptions(AnyConfig& config, const Visit& visit) {
    visit("rerun", config.rerun);
    visit("broadcast_buffers", config.broadcast_buffers);
    visit("scaled_parameters", config.scaled_parameters);
    visit("profile_memory", config.profile_memory);
    visit("product_shapes", config.product_shapes);
    visit("records_sensors", config.records_sensors);
}

LoaderConfig loaderFromJson(const Json& json) {
    refuseUnknown(json, {"workers", "prefetch", "batch_ms", "batch_bytes", "pinned"});
    LoaderConfig loader;
    double batch_ms = static_cast<double>(loader.batch_ns) / kNsPerMs;
    read(json, "workers", loader.workers);
    read(json, "prefetch", loader.prefetch);
    read(json, "batch_ms", batch_ms);
    read(json, "batch_bytes", loader.batch_bytes);
    read(json, "pinned", loader.pinned);
    loader.batch_ns = std::llround(batch_ms * kNsPerMs);
    return loader;
}

Fault faultFromJson(const Json& json) {
    refuseUnknown(json, {"kind", "ranks", "first_step", "last_step", "amount", "count"});
    Fault fault = parseFault(json.at("kind").get<std::string>());
    read(json, "ranks", fault.ranks);
    read(json, "first_step", fault.first_step);
    read(json, "last_step", fault.last_step);
    read(json, "amount", fault.amount);
    read(json, "count", fault.count);
    return fault;
}

Json faultToJson(const Fault& fault) {
    Json json = {{"kind", traitsOf(fault.kind).name}, {"amount", fault.amount}, {"count", fault.count}};
    if (!fault.ranks.empty()) {
        json["ranks"] = fault.ranks;
    }
    if (fault.first_step != 0) {
        json["first_step"] = fault.first_step;
    }
    if (fault.last_step != std::numeric_limits<int>::max()) {
        json["last_step"] = fault.last_step;
    }
    return json;
}

}  // namespace

Vendor vendorFromName(std::string_view name) {
    for (const Vendor vendor : {Vendor::Cuda, Vendor::Rocm}) {
        if (nameOf(vendor) == name) {
            return vendor;
        }
    }
    throw std::invalid_argument("no vendor is called '" + std::string(name) + "'");
}

Dialect dialectFromName(std::string_view name) {
    for (const Dialect dialect : {Dialect::Modern, Dialect::Old}) {
        if (nameOf(dialect) == name) {
            return dialect;
        }
    }
    throw std::invalid_argument("no dialect is called '" + std::string(name) + "'");
}

TimeGrid timeGridFromName(std::string_view name) {
    for (const TimeGrid grid : {TimeGrid::OfDialect, TimeGrid::Microseconds, TimeGrid::Double}) {
        if (nameOf(grid) == name) {
            return grid;
        }
    }
    throw std::invalid_argument("no grid of times is called '" + std::string(name) + "'");
}

Config configFromJson(const Json& json) {
    Config config;
    std::vector<std::string_view> known = {"vendor", "dialect", "time_grid", "loader", "clocks", "faults"};
    const auto know = [&](std::string_view key, const auto&) { known.push_back(key); };
    visitOptions(config, know);
    visitLaterOptions(config, know);
    refuseUnknown(json, known);
    const auto read_option = [&](const char* key, auto& into) { read(json, key, into); };
    visitOptions(config, read_option);
    visitLaterOptions(config, read_option);
    config.vendor = vendorFromName(json.value("vendor", std::string(nameOf(config.vendor))));
    config.dialect = dialectFromName(json.value("dialect", std::string(nameOf(config.dialect))));
    config.time_grid = timeGridFromName(json.value("time_grid", std::string(nameOf(config.time_grid))));
    config.loader = loaderFromJson(json.value("loader", Json::object()));
    for (const Json& clock : json.value("clocks", Json::array())) {
        refuseUnknown(clock, {"offset_ns", "drift_ppm"});
        config.clocks.push_back({clock.value("offset_ns", DurationNs{0}), clock.value("drift_ppm", 0.0)});
    }
    for (const Json& fault : json.value("faults", Json::array())) {
        config.faults.push_back(faultFromJson(fault));
    }
    return config;
}

Json toJson(const Config& config) {
    Json json = {{"vendor", nameOf(config.vendor)},
                 {"dialect", nameOf(config.dialect)},
                 {"time_grid", nameOf(config.time_grid)},
                 {"loader",
                  {{"workers", config.loader.workers},
                   {"prefetch", config.loader.prefetch},
                   {"batch_ms", static_cast<double>(config.loader.batch_ns) / kNsPerMs},
                   {"batch_bytes", config.loader.batch_bytes},
                   {"pinned", config.loader.pinned}}},
                 {"clocks", Json::array()},
                 {"faults", Json::array()}};
    visitOptions(config, [&](const char* key, const auto& value) { json[key] = value; });
    visitLaterOptions(config, [&](const char* key, const auto& value) {
        if (value != 0) {
            json[key] = value;
        }
    });
    for (const RankClock& clock : config.clocks) {
        json["clocks"].push_back({{"offset_ns", clock.offset_ns}, {"drift_ppm", clock.drift_ppm}});
    }
    for (const Fault& fault : config.faults) {
        json["faults"].push_back(faultToJson(fault));
    }
    return json;
}

}  // namespace rankscope::tracegen
