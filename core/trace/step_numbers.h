// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/time.h"
#include "core/trace/category.h"
#include "core/trace/iteration_names.h"
#include "core/trace/recorded_windows.h"

namespace rankscope {

// How steps get their numbers: in one place, since reading only some steps of a file must count like the analysis.

/// What marks steps on the host, best first. The last three have no numbers of their own: their steps are counted.
enum class StepMarkKind : std::uint8_t {
    ProfilerStep,   ///< `ProfilerStep#N`
    NamedRange,     ///< `step_12`, `iteration 3`
    Iteration,      ///< a server's iterations (iteration_names.h): from the start of one to the start of the next
    OptimizerStep,  ///< a step lasts from the end of one `Optimizer.step#` to the end of the next
    DataLoaderNext  ///< from the start of one `__next__` of the DataLoader to the start of the next
};

/// What a name says about steps.
struct StepMarkName {
    StepMarkKind kind = StepMarkKind::ProfilerStep;
    std::int64_t number = 0;  ///< for the first two kinds
};
/// Nothing for names that do not mark steps.
[[nodiscard]] std::optional<StepMarkName> stepMarkOf(std::string_view name);
/// One name for the marks of all steps: "ProfilerStep*" for "ProfilerStep#12"; other names are unchanged. Valid as long
/// as `name`.
[[nodiscard]] std::string_view nameOverSteps(std::string_view name);
/// Whether slices of this category may be step marks of this kind.
[[nodiscard]] constexpr bool mayMarkSteps(StepMarkKind kind, Category category) {
    return kind == StepMarkKind::Iteration ? mayMarkIterations(category)
                                           : category == Category::CpuOp || category == Category::UserAnnotation;
}
/// Whether steps with marks of this kind have no numbers of their own.
[[nodiscard]] constexpr bool areCounted(StepMarkKind kind) {
    return kind >= StepMarkKind::Iteration;
}

/// A slice that marks steps.
struct MarkSlice {
    StepMarkName mark;
    std::uint32_t thread = 0;  ///< identifies the thread
    std::uint32_t name = 0;    ///< identifies the name
    std::uint32_t index = 0;   ///< identifies the slice for the caller
    TimeSpan span;
};

/// A step on the host.
struct NumberedStep {
    std::int64_t number = 0;
    TimeSpan host;
    /// MarkSlice::index of the slice itself, of the optimizer that ends it, or of the iteration or `__next__` that
    /// begins it.
    std::uint32_t index = 0;
};
/// The steps of a rank, and the kind of marks that they were found by.
struct NumberedSteps {
    StepMarkKind kind = StepMarkKind::ProfilerStep;
    std::uint32_t thread = 0;
    std::vector<NumberedStep> steps;  ///< sorted by start, disjoint; counted steps are counted from 0
};
/// The steps from the best kind of mark. `slices` are by thread, and within each in order of start, outer ones first.
/// Of several threads, loaders or optimizers with marks of that kind, the one with most is used, of equal ones the
/// first to start. A mark nested in the previous one is skipped. The end of the last iteration is unknown, so it is not
/// a step, unless each window has only one: then each is as long as its range. No counted step crosses a hole between
/// `windows`; the count continues after it. Nothing if no kind gives any step. O(n log n).
[[nodiscard]] std::optional<NumberedSteps> numberSteps(const std::vector<MarkSlice>& slices,
                                                       const RecordedWindows& windows = {});

}  // namespace rankscope
