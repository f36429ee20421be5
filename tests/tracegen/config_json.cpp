// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/config_json.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

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

void refuseUnknown(const Json& json, std::initializer_list<std::string_view> known) {
    for (const auto& [key, value] : json.items()) {
        if (std::find(known.begin(), known.end(), key) == known.end()) {
            throw std::invalid_argument("the configuration has no '" + key + "'");
        }
    }
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
    refuseUnknown(json, {"ranks",
                         "steps",
                         "first_step",
                         "warmup_steps",
                         "seed",
                         "rerun",
                         "vendor",
                         "dialect",
                         "time_grid",
                         "cpu_only",
                         "layers",
                         "kernel_scale",
                         "bus_gb_per_s",
                         "bucket_mb",
                         "broadcast_buffers",
                         "scaled_parameters",
                         "with_stack",
                         "profile_memory",
                         "loader",
                         "clocks",
                         "faults"});
    Config config;
    read(json, "ranks", config.ranks);
    read(json, "steps", config.steps);
    read(json, "first_step", config.first_step);
    read(json, "warmup_steps", config.warmup_steps);
    read(json, "seed", config.seed);
    read(json, "rerun", config.rerun);
    config.vendor = vendorFromName(json.value("vendor", std::string(nameOf(config.vendor))));
    config.dialect = dialectFromName(json.value("dialect", std::string(nameOf(config.dialect))));
    config.time_grid = timeGridFromName(json.value("time_grid", std::string(nameOf(config.time_grid))));
    read(json, "cpu_only", config.cpu_only);
    read(json, "layers", config.layers);
    read(json, "kernel_scale", config.kernel_scale);
    read(json, "bus_gb_per_s", config.bus_gb_per_s);
    read(json, "bucket_mb", config.bucket_mb);
    read(json, "broadcast_buffers", config.broadcast_buffers);
    read(json, "scaled_parameters", config.scaled_parameters);
    read(json, "with_stack", config.with_stack);
    read(json, "profile_memory", config.profile_memory);
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
    Json json = {{"ranks", config.ranks},
                 {"steps", config.steps},
                 {"first_step", config.first_step},
                 {"warmup_steps", config.warmup_steps},
                 {"seed", config.seed},
                 {"vendor", nameOf(config.vendor)},
                 {"dialect", nameOf(config.dialect)},
                 {"time_grid", nameOf(config.time_grid)},
                 {"cpu_only", config.cpu_only},
                 {"layers", config.layers},
                 {"kernel_scale", config.kernel_scale},
                 {"bus_gb_per_s", config.bus_gb_per_s},
                 {"bucket_mb", config.bucket_mb},
                 {"with_stack", config.with_stack},
                 {"loader",
                  {{"workers", config.loader.workers},
                   {"prefetch", config.loader.prefetch},
                   {"batch_ms", static_cast<double>(config.loader.batch_ns) / kNsPerMs},
                   {"batch_bytes", config.loader.batch_bytes},
                   {"pinned", config.loader.pinned}}},
                 {"clocks", Json::array()},
                 {"faults", Json::array()}};
    if (config.rerun != 0) {
        json["rerun"] = config.rerun;
    }
    // Later options, written where they are used, so that older files stay what they were.
    if (config.broadcast_buffers) {
        json["broadcast_buffers"] = true;
    }
    if (config.scaled_parameters > 0) {
        json["scaled_parameters"] = config.scaled_parameters;
    }
    if (config.profile_memory) {
        json["profile_memory"] = true;
    }
    for (const RankClock& clock : config.clocks) {
        json["clocks"].push_back({{"offset_ns", clock.offset_ns}, {"drift_ppm", clock.drift_ppm}});
    }
    for (const Fault& fault : config.faults) {
        json["faults"].push_back(faultToJson(fault));
    }
    return json;
}

}  // namespace rankscope::tracegen
