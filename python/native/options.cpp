// SPDX-License-Identifier: GPL-3.0-or-later
#include "python/native/options.h"

#include <pybind11/stl.h>

#include <array>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/parallelism/role.h"
#include "python/native/failure.h"

namespace rankscope::python {
namespace {

namespace py = pybind11;
using Numbers = std::map<std::string, double>;

[[noreturn]] void wrong(const std::string& why) {
    throw py::value_error(why);
}

void readSteps(const py::handle& value, RunRequest& request) {
    const auto [first, last] = value.cast<std::pair<std::int64_t, std::int64_t>>();
    if (first > last) {
        wrong("steps: the first is behind the last");
    }
    request.load.first_step = first;
    request.load.last_step = last;
}

void readRanks(const py::handle& value, RunRequest& request) {
    for (const std::int32_t rank : value.cast<std::vector<std::int32_t>>()) {
        request.load.ranks.emplace_back(rank);
    }
}

void readMemory(const py::handle& value, RunRequest& request) {
    constexpr double kBytes = 1e9;
    const auto gigabytes = value.cast<double>();
    if (!(gigabytes > 0)) {
        wrong("memory_gb must be above 0");
    }
    request.load.memory_bytes = static_cast<std::uint64_t>(gigabytes * kBytes);
}

void readOffsets(const py::handle& value, RunRequest& request) {
    for (const auto& [rank, offset_ns] : value.cast<std::map<std::int32_t, std::int64_t>>()) {
        request.clock_offsets[RankNumber(rank)] = offset_ns;
    }
}

void readPathMap(const py::handle& value, RunRequest& request) {
    for (const auto& [from, to] : value.cast<std::map<std::string, std::string>>()) {
        const std::optional<MappedFolder> folder = mappedFolderOf(from + "=" + to);
        if (!folder) {
            wrong("path_map: \"" + from + "\" and \"" + to + "\" must be absolute paths");
        }
        request.load.path_map.push_back(*folder);
    }
}

void readNameRules(const py::handle& value, RunRequest& request) {
    request.name_rules = valueOr("ReadError", NameRules::fromFile(value.cast<std::string>()));
}

void readRoles(const py::handle& value, RunRequest& request) {
    for (const auto& [group, name] : value.cast<std::map<std::string, std::string>>()) {
        const std::optional<Role> role = roleOf(name);
        if (!role) {
            wrong("roles: there is no role \"" + name + "\"; the roles are " + roleNames());
        }
        request.roles.emplace_back(group, *role);
    }
}

void readIterations(const py::handle& value, RunRequest& request) {
    const auto name = value.cast<std::string>();
    request.iterations = iterationKindOf(name);
    if (!request.iterations) {
        wrong("iterations: \"" + name + "\" is not prefill, decode or mixed");
    }
}

void readModel(const py::handle& value, RunRequest& request) {
    constexpr double kMost = 1e18;
    ModelSize& model = request.model;
    const std::map<std::string, std::optional<std::int64_t>*> places = {
        {"parameters", &model.parameters}, {"layers", &model.layers},           {"hidden", &model.hidden},
        {"sequence", &model.sequence},     {"micro_batch", &model.micro_batch}, {"heads", &model.heads}};
    for (const auto& [name, number] : value.cast<Numbers>()) {
        const auto place = places.find(name);
        if (place == places.end() || !(number >= 1 && number <= kMost)) {
            wrong("model: \"" + name + "\" must be parameters, layers, hidden, sequence, micro_batch or heads, from 1");
        }
        *place->second = static_cast<std::int64_t>(number);
    }
}

void readWork(const py::handle& value, RunRequest& request) {
    EfficiencyOptions& work = request.efficiency;
    const std::map<std::string, std::optional<double>*> places = {{"peak_tflops", &work.peak_tflops},
                                                                  {"model_flops", &work.model_flops},
                                                                  {"tokens", &work.tokens},
                                                                  {"batch", &work.batch}};
    for (const auto& [name, number] : value.cast<Numbers>()) {
        const auto place = places.find(name);
        if (place == places.end() || !(number > 0)) {
            wrong("work: \"" + name + "\" must be peak_tflops, model_flops, tokens or batch, above 0");
        }
        *place->second = number;
    }
}

void readLinks(const py::handle& value, RunRequest& request) {
    for (const auto& [name, speed] : value.cast<Numbers>()) {
        if ((name != "inside" && name != "across") || !(speed > 0)) {
            wrong("link_speed: \"" + name + "\" must be inside or across, in GB/s above 0");
        }
        (name == "inside" ? request.links.inside_gb_per_s : request.links.across_gb_per_s) = speed;
    }
}

using Reader = void (*)(const py::handle& value, RunRequest& request);

const std::map<std::string, Reader>& readers() {
    static const std::map<std::string, Reader> all = {
        {"ranks", readRanks},
        {"steps", readSteps},
        {"memory_gb", readMemory},
        {"clock_offsets", readOffsets},
        {"path_map", readPathMap},
        {"name_rules", readNameRules},
        {"roles", readRoles},
        {"iterations", readIterations},
        {"model", readModel},
        {"work", readWork},
        {"link_speed", readLinks},
        {"threads", [](const py::handle& value, RunRequest& to) { to.load.threads = value.cast<unsigned>(); }},
        {"file_clocks", [](const py::handle& value, RunRequest& to) { to.file_clocks = value.cast<bool>(); }}};
    return all;
}

}  // namespace

void readOptions(const py::dict& options, RunRequest& request) {
    request.load.path_map = pathMapForUser();  // what is given overrides it
    for (const auto& [key, value] : options) {
        const auto name = key.cast<std::string>();
        const auto reader = readers().find(name);
        if (reader == readers().end()) {
            throw py::type_error("there is no option " + name);
        }
        if (value.is_none()) {
            continue;
        }
        try {
            reader->second(value, request);
        } catch (const py::cast_error&) {
            throw py::type_error("the option " + name + " has a wrong type: " + py::repr(value).cast<std::string>());
        }
    }
}

}  // namespace rankscope::python
