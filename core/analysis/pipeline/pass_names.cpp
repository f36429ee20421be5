// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/pipeline/pass_names.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "core/analysis/steps/phase_marks.h"

namespace rankscope {
namespace {

/// Removes an integer from the start of `text`; nothing if there is none, or if it exceeds what a job can have.
std::optional<std::int32_t> takeNumber(std::string_view& text) {
    constexpr std::int32_t kMost = 1'000'000;
    std::int32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || number < 0 || number > kMost) {
        return std::nullopt;
    }
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

std::optional<PassKind> kindOfLetter(char letter) {
    switch (letter) {
        case 'F': return PassKind::Forward;
        case 'B':
        case 'I': return PassKind::Backward;
        case 'W': return PassKind::WeightGradient;
        default: return std::nullopt;
    }
}

/// "2F5".
std::optional<PassName> oneAction(std::string_view text) {
    const auto stage = takeNumber(text);
    if (!stage || text.empty()) {
        return std::nullopt;
    }
    const auto kind = kindOfLetter(text.front());
    text.remove_prefix(1);
    const auto micro_batch = takeNumber(text);
    if (!kind || !micro_batch || !text.empty()) {
        return std::nullopt;
    }
    return PassName{*kind, *stage, *micro_batch};
}

/// The name of a Python function: "forward_step" in "megatron/core/pipeline_parallel/schedules.py(297): forward_step".
std::string_view functionOf(std::string_view name) {
    const std::size_t at = name.rfind("): ");
    return at == std::string_view::npos ? std::string_view() : name.substr(at + 3);
}

// Python functions that run one pass: NVIDIA/Megatron-LM megatron/core/pipeline_parallel/schedules.py,
// deepspeedai/DeepSpeed deepspeed/runtime/pipe/engine.py, pytorch/pytorch torch/distributed/pipelining/stage.py.
constexpr std::array<std::pair<std::string_view, PassKind>, 7> kFunctions = {{
    {"forward_step", PassKind::Forward},
    {"backward_step", PassKind::Backward},
    {"_exec_forward_pass", PassKind::Forward},
    {"_exec_backward_pass", PassKind::Backward},
    {"forward_one_chunk", PassKind::Forward},
    {"backward_one_chunk", PassKind::Backward},
    {"backward_weight_one_chunk", PassKind::WeightGradient},
}};

}  // namespace

std::vector<PassName> passesOfAction(std::string_view name) {
    constexpr std::string_view kPipeline = "PP:";
    constexpr std::string_view kTogether = ")OVERLAP_F_B";
    if (name.starts_with(kPipeline)) {
        name.remove_prefix(kPipeline.size());
    }
    if (const auto one = oneAction(name)) {
        return {*one};
    }
    const std::size_t between = name.find(';');
    if (!name.starts_with('(') || !name.ends_with(kTogether) || between == std::string_view::npos) {
        return {};
    }
    name.remove_suffix(kTogether.size());
    const auto first = oneAction(name.substr(1, between - 1));
    const auto second = oneAction(name.substr(between + 1));
    return first && second && first->kind != second->kind ? std::vector{*first, *second} : std::vector<PassName>();
}

std::optional<PassName> numberedPass(std::string_view name) {
    constexpr std::array<std::pair<std::string_view, PassKind>, 2> kNames = {
        {{"Forward ", PassKind::Forward}, {"Backward ", PassKind::Backward}}};
    for (const auto& [word, kind] : kNames) {
        if (name.starts_with(word)) {
            std::string_view rest = name.substr(word.size());
            const auto number = takeNumber(rest);
            return number && rest.empty() ? std::optional(PassName{kind, -1, *number}) : std::nullopt;
        }
    }
    return std::nullopt;
}

std::optional<PassName> plainPass(std::string_view name, Category category) {
    const bool python = category == Category::PythonFunction;
    const std::string_view function = python ? functionOf(name) : name;
    const auto* const known = std::ranges::find(kFunctions, function, &std::pair<std::string_view, PassKind>::first);
    if (known != kFunctions.end()) {
        return PassName{.kind = known->second};
    }
    const auto phase = category == Category::UserAnnotation ? phaseOfRange(name) : std::nullopt;
    if (phase == Phase::Forward || phase == Phase::Backward) {
        return PassName{.kind = phase == Phase::Forward ? PassKind::Forward : PassKind::Backward};
    }
    return std::nullopt;
}

std::vector<PassName> passesOfName(PassSource source, std::string_view name, Category category) {
    if (source == PassSource::Actions) {
        return category == Category::UserAnnotation ? passesOfAction(name) : std::vector<PassName>();
    }
    std::optional<PassName> pass;
    if (source == PassSource::Numbers && category == Category::UserAnnotation) {
        pass = numberedPass(name);
    } else if (source == PassSource::Ranges) {
        pass = plainPass(name, category);
    }
    return pass ? std::vector{*pass} : std::vector<PassName>();
}

}  // namespace rankscope
