// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"
#include "core/trace/iteration_names.h"

namespace rankscope {

// The iterations of a server of language models: facts of docs/definitions/serving.md.

/// What shows that a step is an iteration of a server, best first.
enum class IterationSign : std::uint8_t {
    Range,     ///< a range of the server, or one of its functions in a recorded stack
    Attention  ///< attention kernels, or kernels for exchanges between experts, that are made for one kind
};

/// A step of a rank as an iteration, if the job serves.
struct StepIteration {
    std::optional<IterationKind> kind;  ///< nothing if unknown
    IterationSign sign = IterationSign::Range;
    std::string_view told_by;  ///< the name of the range or kernel; a string of the rank's trace
    std::string_view server;   ///< the server that has this range: "vLLM"; empty for kernels
    /// From all names of the step: the prompt tokens that it reads, and the tokens that it generates. Nothing if the
    /// names do not have them.
    std::optional<std::int64_t> prompt_tokens;
    std::optional<std::int64_t> new_tokens;
};

/// The complete steps of a run with iterations of one kind. Times are in nanoseconds.
struct IterationSums {
    std::optional<IterationKind> kind;  ///< nothing: steps of unknown kind
    std::size_t steps = 0;              ///< steps of the run, complete or not
    std::size_t complete = 0;           ///< the rest of this struct is over these
    bool priced = false;                ///< prices and medians of the run are of this kind
    DurationNs total_ns = 0;            ///< statistics of RunStep::duration_ns, like the next four; nearest rank, the
                                        ///< lower one
    DurationNs lower_quartile_ns = 0;
    DurationNs median_ns = 0;
    DurationNs upper_quartile_ns = 0;
    DurationNs longest_ns = 0;
    std::optional<std::int64_t> prompt_tokens;  ///< over the recorded replicas; nothing if they, or a step's, are
                                                ///< unknown
    std::optional<std::int64_t> new_tokens;

    // Sums over the steps of ranks with device work. The four parts add up to `rank_steps_ns`.
    std::size_t rank_steps = 0;
    DurationNs rank_steps_ns = 0;
    DurationNs compute_ns = 0;
    DurationNs exposed_comm_ns = 0;
    DurationNs exposed_copy_ns = 0;
    DurationNs idle_ns = 0;
    std::size_t kernels = 0;         ///< kernels and copies launched in them
    std::size_t graph_launches = 0;  ///< calls that launch a CUDA graph
    std::size_t graph_kernels = 0;   ///< the part of `kernels` that these launched
    DurationNs kernels_ns = 0;       ///< their lengths
    DurationNs graph_kernels_ns = 0;

    /// Tokens read and generated per second; nothing if they are not known, or without time.
    [[nodiscard]] std::optional<double> tokensPerSecond() const;
};

/// The iterations of a run.
struct IterationFacts {
    std::vector<IterationSums> kinds;   ///< prefill, decode, mixed, unknown; only those that exist
    std::vector<std::string> evidence;  ///< sentences: what shows each kind
    std::vector<std::string> notes;     ///< sentences: what is unknown, and why
    /// Decode iterations that begin after one that reads prompts, of all decodes that follow another iteration: their
    /// requests waited for that one.
    std::size_t decodes_held_up = 0;
    std::size_t decodes = 0;

    /// Whether anything shows that the job serves.
    [[nodiscard]] bool any() const { return !kinds.empty(); }
    /// The sums of a kind; null if there are none.
    [[nodiscard]] const IterationSums* of(std::optional<IterationKind> kind) const;
    /// The sums of the kind that medians and prices of the run are of; null if there is none.
    [[nodiscard]] const IterationSums* priced() const;
};

/// The index of a kind among all of them: the last is for the unknown kind.
inline constexpr std::size_t kKindsWithUnknown = kIterationKinds + 1;
[[nodiscard]] constexpr std::size_t indexOf(const std::optional<IterationKind>& kind) {
    return kind ? static_cast<std::size_t>(*kind) : kIterationKinds;
}
[[nodiscard]] constexpr std::optional<IterationKind> kindAt(std::size_t index) {
    return index < kIterationKinds ? std::optional(static_cast<IterationKind>(index)) : std::nullopt;
}

/// For people: "prefill", "decode", "mixed", and "cannot tell" for nothing.
[[nodiscard]] std::string_view iterationTitle(std::optional<IterationKind> kind);

/// What the name of a kernel says about the iteration that it runs in.
enum class AttentionSign : std::uint8_t {
    None,
    Prefill,  ///< made for prompts: no decode runs it
    Decode,   ///< made for single tokens
    Either,   ///< used for prompts, and possibly for decodes
};
[[nodiscard]] AttentionSign attentionSignOf(std::string_view kernel);

}  // namespace rankscope
