// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/operator_inputs.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/analysis/tables/operators.h"
#include "core/base/bounded_json.h"
#include "core/compare/step_samples.h"

namespace rankscope {
namespace {

using FirstCalls = std::map<std::string_view, SliceRef>;

/// Operators that launched device work in the run, most device time first.
std::vector<std::string_view> operatorsByDeviceTime(const AnalysedRun& run) {
    std::vector<RunOperator> operators = operatorsOverRanks(*run.run, run.facts.ranks);
    std::ranges::stable_sort(operators, std::ranges::greater(),
                             [](const RunOperator& o) { return o.all.device_self_ns; });
    std::vector<std::string_view> names;
    for (const RunOperator& one : operators) {
        if (one.all.device_self_ns > 0) {
            names.push_back(one.name);
        }
    }
    return names;
}

/// The innermost operator around a launch call; an invalid ref if there is none.
SliceRef operatorAround(const RankTrace& trace, SliceRef call) {
    const SliceTable& slices = trace.track(call).slices;
    for (SliceIndex at = call.slice; at != kNoSlice; at = slices.parent[at]) {
        if (slices.category[at] == Category::CpuOp) {
            return {call.track, at};
        }
    }
    return {};
}

/// Per operator, the first call in `rank`'s first steady-state step that launched device work itself. Other calls, such
/// as those of a DataLoader in the same process, are different work under the same name.
FirstCalls firstCalls(const AnalysedRun& run, RankPosition rank) {
    FirstCalls calls;
    const SteadySpans steady(run.facts, rank);
    if (steady.count() == 0) {
        return calls;
    }
    const TimeSpan step = steady.steps().front()->host;
    const RankTrace& trace = *run.run->ranks[rank];
    for (const Launch& launch : trace.launches.all()) {
        const SliceRef call =
            step.contains(trace.span(launch.host).start_ns) ? operatorAround(trace, launch.host) : SliceRef();
        if (call.valid()) {
            const auto [at, is_new] = calls.try_emplace(trace.name(call), call);
            const bool sooner = !is_new && trace.span(call).start_ns < trace.span(at->second).start_ns;
            at->second = sooner ? call : at->second;
        }
    }
    return calls;
}

const nlohmann::json* listOf(const nlohmann::json& args, std::initializer_list<const char*> keys) {
    for (const char* const key : keys) {
        if (const auto at = args.find(key); at != args.end() && at->is_array()) {
            return &*at;
        }
    }
    return nullptr;
}

/// Only inputs that are tensors with a size: PyTorch versions write numbers and empty tensors differently.
RecordedInputs tensorsOf(const nlohmann::json& args) {
    const nlohmann::json* const shapes = listOf(args, {"Input Dims", "Input dims"});
    const nlohmann::json* const types = listOf(args, {"Input type"});
    nlohmann::json sized = nlohmann::json::array();
    nlohmann::json typed = nlohmann::json::array();
    for (std::size_t i = 0; shapes != nullptr && i < shapes->size(); ++i) {
        const nlohmann::json& shape = (*shapes)[i];
        if (shape.is_array() && !shape.empty()) {
            sized.push_back(shape);
            if (types != nullptr && i < types->size()) {
                typed.push_back((*types)[i]);
            }
        }
    }
    return {.shapes = sized.empty() ? std::string() : sized.dump(), .types = typed.empty() ? "" : typed.dump()};
}

RecordedInputs inputsOf(const AnalysedRun& run, RankPosition rank, SliceRef call, const EventReader& read) {
    const Result<std::string> text = read(*run.run->ranks[rank], call);
    const Result<nlohmann::json> event = text.ok() ? parseBoundedJson(text.value()) : nlohmann::json::object();
    if (!event.ok() || !event.value().is_object()) {
        return {};
    }
    const auto args = event.value().find("args");
    return args != event.value().end() && args->is_object() ? tensorsOf(*args) : RecordedInputs();
}

void compare(std::string_view name, const std::string& a, const std::string& b, std::size_t& known,
             std::vector<InputsDiffer::Operator>& differ) {
    if (a.empty() || b.empty()) {
        return;
    }
    ++known;
    if (a != b) {
        differ.push_back({std::string(name), a, b});
    }
}

}  // namespace

InputsDiffer compareInputs(const AnalysedRun& a, const AnalysedRun& b, const EventReader& read) {
    InputsDiffer found;
    if (a.run->ranks.empty() || b.run->ranks.empty() || !read) {
        return found;
    }
    const FirstCalls calls_a = firstCalls(a, RankPosition());
    const FirstCalls calls_b = firstCalls(b, RankPosition());
    std::size_t looked_at = 0;
    for (const std::string_view name : operatorsByDeviceTime(a)) {
        const auto in_a = calls_a.find(name);
        const auto in_b = calls_b.find(name);
        if (in_a == calls_a.end() || in_b == calls_b.end()) {
            continue;
        }
        const RecordedInputs of_a = inputsOf(a, RankPosition(), in_a->second, read);
        if (of_a.shapes.empty()) {
            continue;
        }
        const RecordedInputs of_b = inputsOf(b, RankPosition(), in_b->second, read);
        compare(name, of_a.shapes, of_b.shapes, found.shapes_known, found.shapes);
        compare(name, of_a.types, of_b.types, found.types_known, found.types);
        if (++looked_at == kOperatorsRead) {
            break;
        }
    }
    return found;
}

}  // namespace rankscope
