// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/diagnosis/frame/rule.h"

namespace rankscope {

/// What one rank did in one step, from the end of its previous step to the end of this one, as steps of a run are
/// counted. So work between two steps, such as saving a checkpoint, belongs to the later one.
struct StepContent {
    TimeSpan span;                      ///< on the rank's file clock, to the end of the step's device work
    TimeSpan host;                      ///< the same between the CPU's step marks
    DurationNs waiting_ns = 0;          ///< waiting for other ranks in collectives, without computation
    DurationNs compute_ns = 0;          ///< compute time in `span`
    DurationNs between_ns = 0;          ///< the part of `span` before the step's own start, without computation
    CauseTimes idle;                    ///< by cause, in the step's gaps
    DurationNs profiler_ns = 0;         ///< the profiler's own slices in `host`
    std::int64_t bytes_to_host = 0;     ///< in copies to the host that were launched in `host`
    std::size_t kernels = 0;            ///< launched in `host` and computing
    std::size_t training_kernels = 0;   ///< of these, launched in a backward or by an optimizer
    std::size_t optimizer_kernels = 0;  ///< of these, launched by an optimizer

    /// The rank's own time: all except waiting for other ranks.
    [[nodiscard]] DurationNs own() const { return span.length() - waiting_ns; }
    /// GPU idle time because of the CPU, except causes with their own name (the DataLoader, the allocator).
    [[nodiscard]] DurationNs lateHost() const;
};

/// The content of each step of a rank with device work, in the order of RankFacts::steps. Linear in its slices and
/// device work.
[[nodiscard]] std::vector<StepContent> stepContents(const RuleContext& context, RankPosition rank);

/// What the host threads of a rank recorded in some of its time and nowhere else.
struct OnlyThere {
    struct Name {
        std::string name;
        DurationNs ns = 0;  ///< all slices with that name
        SliceRef longest;
    };
    std::vector<Name> names;    ///< longest first
    DurationNs covered_ns = 0;  ///< the time with at least one of them, on any thread
};

/// What the threads that launch work or mark steps recorded in `there` (operators, named ranges and Python functions,
/// by their starts) under names that do not occur in `elsewhere`. Names of operators and ranges that differ only in
/// numbers count as one: "batch 12" is not new if there is "batch 11". Both lists of spans are sorted by start and
/// disjoint. Linear in slices.
[[nodiscard]] OnlyThere namesOnlyIn(const RankContext& work, std::span<const TimeSpan> there,
                                    std::span<const TimeSpan> elsewhere);

}  // namespace rankscope
