// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/step_numbers.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <map>
#include <utility>

namespace rankscope {
namespace {

std::optional<std::int64_t> numberAfter(std::string_view name, std::string_view prefix) {
    if (name.size() <= prefix.size()) {
        return {};
    }
    const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
    if (!std::equal(prefix.begin(), prefix.end(), name.begin(), [&](char p, char n) { return same(n, p); })) {
        return {};
    }
    std::int64_t number = 0;
    const char* end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(name.data() + prefix.size(), end, number);
    return error == std::errc() && stop == end && number >= 0 ? std::optional(number) : std::nullopt;
}

std::optional<std::int64_t> namedRangeNumber(std::string_view name) {
    for (const std::string_view prefix :
         {"step_", "step ", "step#", "iteration_", "iteration ", "iter_", "train_step_"}) {
        if (const auto number = numberAfter(name, prefix)) {
            return number;
        }
    }
    return {};
}

using Slices = std::vector<const MarkSlice*>;

/// One step per slice: its own span. A mark that begins before the previous one has ended (nested ranges) is skipped.
std::vector<NumberedStep> stepsOfSlices(const Slices& slices) {
    std::vector<NumberedStep> steps;
    for (const MarkSlice* slice : slices) {
        if (steps.empty() || slice->span.start_ns >= steps.back().host.end_ns) {
            steps.push_back({slice->mark.number, slice->span, slice->index});
        }
    }
    return steps;
}

/// One step between two consecutive slices of a window: from end to end, or from start to start.
std::vector<NumberedStep> stepsBetween(const Slices& slices, const RecordedWindows& windows, bool from_ends) {
    const auto at = [from_ends](const MarkSlice& slice) { return from_ends ? slice.span.end_ns : slice.span.start_ns; };
    std::vector<NumberedStep> steps;
    const MarkSlice* before = nullptr;
    for (const MarkSlice* slice : slices) {
        if (before != nullptr && slice->span.start_ns < before->span.end_ns) {
            continue;  // a nested range of the same name
        }
        if (before != nullptr && at(*before) < at(*slice) && !windows.holeBetween(at(*before), at(*slice))) {
            steps.push_back({static_cast<std::int64_t>(steps.size()),
                             {at(*before), at(*slice)},
                             from_ends ? slice->index : before->index});
        }
        before = slice;
    }
    return steps;
}

/// The first slice of each window.
Slices firstOfWindows(const Slices& slices, const RecordedWindows& windows) {
    Slices first;
    for (const MarkSlice* slice : slices) {
        if (first.empty() || windows.holeBetween(first.back()->span.start_ns, slice->span.start_ns)) {
            first.push_back(slice);
        }
    }
    return first;
}

/// The thread, loader or optimizer with most marks of a kind; empty if there are none.
Slices mostOf(const std::vector<MarkSlice>& slices, StepMarkKind kind) {
    // Two optimizers, or two loaders, alternate inside a step, so each name is counted by itself. The names of
    // iterations contain their content.
    const bool by_name = areCounted(kind) && kind != StepMarkKind::Iteration;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Slices> candidates;
    for (const MarkSlice& slice : slices) {
        if (slice.mark.kind == kind) {
            candidates[{slice.thread, by_name ? slice.name : 0}].push_back(&slice);
        }
    }
    const auto better = [](const auto& a, const auto& b) {
        const bool sooner = a.second.front()->span.start_ns > b.second.front()->span.start_ns;
        return a.second.size() != b.second.size() ? a.second.size() < b.second.size() : sooner;
    };
    const auto most = std::ranges::max_element(candidates, better);
    return most == candidates.end() ? Slices() : most->second;
}

}  // namespace

std::optional<StepMarkName> stepMarkOf(std::string_view name) {
    if (const auto profiler = numberAfter(name, "profilerstep#")) {
        return StepMarkName{StepMarkKind::ProfilerStep, *profiler};
    }
    if (const auto range = namedRangeNumber(name)) {
        return StepMarkName{StepMarkKind::NamedRange, *range};
    }
    if (name.starts_with("Optimizer.step#")) {
        return StepMarkName{StepMarkKind::OptimizerStep, 0};
    }
    if (name.starts_with("enumerate(DataLoader)#") && name.ends_with("__next__")) {
        return StepMarkName{StepMarkKind::DataLoaderNext, 0};
    }
    return iterationOf(name) ? std::optional(StepMarkName{StepMarkKind::Iteration, 0}) : std::nullopt;
}

std::string_view nameOverSteps(std::string_view name) {
    return name.starts_with("ProfilerStep#") ? "ProfilerStep*" : name;
}

std::optional<NumberedSteps> numberSteps(const std::vector<MarkSlice>& slices, const RecordedWindows& windows) {
    for (const StepMarkKind kind : {StepMarkKind::ProfilerStep, StepMarkKind::NamedRange, StepMarkKind::Iteration,
                                    StepMarkKind::OptimizerStep, StepMarkKind::DataLoaderNext}) {
        const Slices most = mostOf(slices, kind);
        if (most.empty()) {
            continue;
        }
        std::vector<NumberedStep> steps =
            areCounted(kind) ? stepsBetween(most, windows, kind == StepMarkKind::OptimizerStep) : stepsOfSlices(most);
        if (steps.empty() && kind == StepMarkKind::Iteration) {
            steps = stepsOfSlices(firstOfWindows(most, windows));
            for (std::size_t i = 0; i < steps.size(); ++i) {
                steps[i].number = static_cast<std::int64_t>(i);
            }
        }
        if (!steps.empty()) {
            return NumberedSteps{kind, most.front()->thread, std::move(steps)};
        }
    }
    return std::nullopt;
}

}  // namespace rankscope
