// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/memory/stack_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace rankscope {
namespace {

using namespace std::string_view_literals;

/// What fits into a cell of a spreadsheet.
constexpr std::size_t kMostFrameBytes = 32'000;

struct Place {
    std::string_view file;
    std::string_view function;
};

Place placeOf(const MemorySnapshot& snapshot, std::uint32_t frame) {
    const SnapshotFrame& at = snapshot.frames[frame];
    return {snapshot.strings.view(at.file), snapshot.strings.view(at.function)};
}

bool isAny(std::string_view text, std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, text) != names.end();
}

/// Whether the file is PyTorch's own, at this path inside it.
bool isTorch(std::string_view file, std::string_view inside) {
    const std::size_t at = file.rfind("torch/"sv);
    return at != std::string_view::npos && file.substr(at).starts_with(inside);
}

/// Autograd nodes in Python are backward(); the engine has a name in both languages; DDP allocates its buckets of
/// gradients when it is constructed.
bool isBackward(const Place& place) {
    return isAny(place.function, {"backward"sv, "_engine_run_backward"sv, "_ddp_init_helper"sv}) ||
           place.function.find("torch::autograd::Engine::"sv) != std::string_view::npos;
}

bool isOptimizer(const Place& place) {
    return isTorch(place.file, "torch/optim/"sv) || place.file.find("/optimizer/"sv) != std::string_view::npos ||
           place.file.find("/optimizers/"sv) != std::string_view::npos;
}

bool isModel(const Place& place) {
    return (isTorch(place.file, "torch/nn/modules/"sv) &&
            isAny(place.function, {"__init__"sv, "reset_parameters"sv, "_apply"sv, "to"sv, "cuda"sv, "to_empty"sv,
                                   "half"sv, "bfloat16"sv, "convert"sv, "load_state_dict"sv})) ||
           place.function == "from_pretrained"sv;
}

bool isForward(const Place& place) {
    return place.function == "forward"sv ||
           (isTorch(place.file, "torch/nn/modules/module.py"sv) &&
            isAny(place.function, {"_call_impl"sv, "_wrapped_call_impl"sv, "__call__"sv}));
}

/// Whether this file is the user's own code: not a library, not C++.
bool isOwnCode(std::string_view file) {
    return file.ends_with(".py"sv) && file.find("site-packages/"sv) == std::string_view::npos &&
           file.find("dist-packages/"sv) == std::string_view::npos &&
           file.find("/torch/"sv) == std::string_view::npos && file.find("/lib/python3"sv) == std::string_view::npos &&
           !file.starts_with('<');
}

std::string_view baseName(std::string_view file) {
    const std::size_t slash = file.find_last_of("/\\"sv);
    return slash == std::string_view::npos ? file : file.substr(slash + 1);
}

}  // namespace

MemoryPart partOfStack(const MemorySnapshot& snapshot, std::uint32_t stack) {
    const std::vector<std::uint32_t>& frames = snapshot.stacks[stack];
    const auto any = [&](bool (*says)(const Place&)) {
        return std::ranges::any_of(frames, [&](std::uint32_t frame) { return says(placeOf(snapshot, frame)); });
    };
    if (any(isBackward)) {
        return MemoryPart::Gradients;
    }
    if (any(isOptimizer)) {
        return MemoryPart::OptimizerState;
    }
    for (const std::uint32_t frame : frames) {
        const Place place = placeOf(snapshot, frame);
        if (isModel(place)) {
            return MemoryPart::Parameters;
        }
        if (isForward(place)) {
            return MemoryPart::Activations;
        }
    }
    return MemoryPart::Unknown;
}

std::string frameText(const MemorySnapshot& snapshot, std::uint32_t frame) {
    const Place place = placeOf(snapshot, frame);
    return fmt::format("{}({}): {}", place.file, snapshot.frames[frame].line, place.function);
}

std::vector<std::string> frameTexts(const MemorySnapshot& snapshot, std::uint32_t stack) {
    std::vector<std::string> texts;
    std::size_t bytes = 0;
    for (const std::uint32_t frame : snapshot.stacks[stack]) {
        texts.push_back(frameText(snapshot, frame));
        bytes += texts.back().size();
        if (bytes > kMostFrameBytes) {
            texts.pop_back();
            break;
        }
    }
    return texts;
}

std::string stackTitle(const MemorySnapshot& snapshot, std::uint32_t stack) {
    const std::vector<std::uint32_t>& frames = snapshot.stacks[stack];
    if (frames.empty()) {
        return {};
    }
    const auto file = [&](std::uint32_t frame) { return placeOf(snapshot, frame).file; };
    auto at = std::ranges::find_if(frames, isOwnCode, file);
    if (at == frames.end()) {
        at = std::ranges::find_if(
            frames, [](std::string_view name) { return name.ends_with(".py"sv); }, file);
    }
    const std::uint32_t frame = at == frames.end() ? frames.front() : *at;
    const Place place = placeOf(snapshot, frame);
    return fmt::format("{}({}): {}", baseName(place.file), snapshot.frames[frame].line, place.function);
}

}  // namespace rankscope
