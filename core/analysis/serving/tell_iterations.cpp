// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/serving/tell_iterations.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "core/analysis/steps/step_bounds.h"
#include "core/trace/iteration_names.h"

namespace rankscope {
namespace {

/// Adds another iteration of the same step.
void join(StepIteration& whole, const StepIteration& part) {
    const auto add = [](std::optional<std::int64_t>& sum, const std::optional<std::int64_t>& more) {
        sum = sum && more ? std::optional(*sum + *more) : std::nullopt;
    };
    // A prefill and a decode one after the other are not a mixed batch.
    if (indexOf(whole.kind) != indexOf(part.kind)) {
        whole.kind.reset();
    }
    add(whole.prompt_tokens, part.prompt_tokens);
    add(whole.new_tokens, part.new_tokens);
}

using NamedIterations = std::vector<std::optional<IterationName>>;  // by StringId

NamedIterations namedIterations(const RankTrace& rank) {
    NamedIterations named(rank.strings.size());
    for (std::uint32_t i = 0; i < named.size(); ++i) {
        named[i] = iterationOf(rank.strings.view(StringId(i)));
    }
    return named;
}

/// From the ranges of one thread. Nested ones add nothing.
void tellByRanges(const RankContext& work, const SliceTable& slices, const NamedIterations& named,
                  std::vector<MeasuredStep>& steps) {
    std::optional<TimeNs> open_until_ns;
    for (SliceIndex i = 0; i < slices.size(); ++i) {
        const StringId name = slices.name[i];
        if (!name.valid() || !named[name.value] || !mayMarkIterations(slices.category[i])) {
            continue;
        }
        const TimeSpan span = slices.span(i);
        if (open_until_ns && span.start_ns < *open_until_ns) {
            continue;
        }
        open_until_ns = span.end_ns;
        const std::optional<RankStepPosition> step = slotOf(work.marks.marks, span.start_ns).step();
        if (!step) {
            continue;
        }
        const IterationName& says = *named[name.value];
        const StepIteration told{.kind = says.kind,
                                 .sign = IterationSign::Range,
                                 .told_by = work.trace->strings.view(name),
                                 .server = says.server,
                                 .prompt_tokens = says.prompt_tokens,
                                 .new_tokens = says.new_tokens};
        std::optional<StepIteration>& own = steps[*step].iteration;
        own ? join(*own, told) : void(own = told);
    }
}

/// The attention kernels that a step launched: the first of each sign.
struct Attention {
    std::array<StringId, 4> first{};  ///< by AttentionSign
    [[nodiscard]] StringId of(AttentionSign sign) const { return first.at(static_cast<std::size_t>(sign)); }
};

std::vector<Attention> attentionOf(const RankContext& work, std::size_t steps) {
    const RankTrace& rank = *work.trace;
    std::vector<std::optional<AttentionSign>> signs(rank.strings.size());
    std::vector<Attention> found(steps);
    for (const DeviceEvent& event : work.device.events) {
        const StringId name = rank.track(event.ref).slices.name[event.ref.slice];
        if (!name.valid()) {
            continue;
        }
        std::optional<AttentionSign>& sign = signs[name.value];
        sign = sign ? sign : attentionSignOf(rank.strings.view(name));
        if (*sign == AttentionSign::None) {
            continue;
        }
        if (const auto step = slotOf(work.marks.marks, event.launched_ns).step()) {
            StringId& first = found[*step].first.at(static_cast<std::size_t>(*sign));
            first = first.valid() ? first : name;
        }
    }
    return found;
}

void tellByAttention(const RankContext& work, const Attention& attention, std::optional<StepIteration>& iteration) {
    const bool decodes = attention.of(AttentionSign::Decode).valid();
    const bool reads_prompts = attention.of(AttentionSign::Prefill).valid();
    if (!decodes && !reads_prompts) {
        return;
    }
    StepIteration told{
        .kind = decodes ? IterationKind::Decode : IterationKind::Prefill,
        .sign = IterationSign::Attention,
        .told_by = work.trace->strings.view(attention.of(decodes ? AttentionSign::Decode : AttentionSign::Prefill)),
        .server = {},
        .prompt_tokens = {},
        .new_tokens = {}};
    if (decodes && (reads_prompts || attention.of(AttentionSign::Either).valid())) {
        // A window without marks may contain several iterations in sequence.
        const bool one = work.marks.source != StepSource::WholeWindow;
        told.kind = one ? std::optional(IterationKind::Mixed) : std::nullopt;
    }
    if (!iteration) {
        iteration = told;
    } else if (!iteration->kind) {
        iteration->kind = told.kind;
        iteration->sign = told.sign;
        iteration->told_by = told.told_by;
    }
}

/// The index of the kind that all ranks show.
std::size_t kindOf(const RunStep& step, const std::vector<MeasuredRank>& ranks) {
    std::optional<std::size_t> kind;
    for (RankPosition r{0}; r < step.by_rank.size(); ++r) {
        if (const auto own = step.of(r)) {
            const std::optional<StepIteration>& told = ranks[r].steps[*own].iteration;
            const std::size_t own_kind = told ? indexOf(told->kind) : indexOf(std::nullopt);
            if (kind.value_or(own_kind) != own_kind) {
                return indexOf(std::nullopt);
            }
            kind = own_kind;
        }
    }
    return kind.value_or(indexOf(std::nullopt));
}

std::string reasonOf(std::size_t kind, std::size_t priced) {
    const auto title = [](std::size_t of) { return std::string(iterationTitle(kindAt(of))); };
    const std::string unknown = "its kind is unknown";
    return (kind < kIterationKinds ? "it is a " + title(kind) + " iteration" : unknown) + "; only " +
           (priced < kIterationKinds ? title(priced) + " iterations" : "iterations of unknown kind") + " are priced";
}

}  // namespace

void tellIterations(const RankContext& work, std::vector<MeasuredStep>& steps) {
    const NamedIterations named = namedIterations(*work.trace);
    const bool any_range =
        std::ranges::any_of(named, [](const std::optional<IterationName>& one) { return one.has_value(); });
    for (const Track& track : work.trace->tracks) {
        if (any_range && track.kind == TrackKind::CpuThread) {
            tellByRanges(work, track.slices, named, steps);
        }
    }
    const auto is_open = [](const MeasuredStep& step) { return !step.iteration || !step.iteration->kind; };
    if (std::ranges::none_of(steps, is_open)) {
        return;
    }
    const std::vector<Attention> attention = attentionOf(work, steps.size());
    for (std::size_t s = 0; s < steps.size(); ++s) {
        if (is_open(steps[s])) {
            tellByAttention(work, attention[s], steps[s].iteration);
        }
    }
}

void separateKinds(const std::vector<MeasuredRank>& ranks, std::vector<RunStep>& steps,
                   std::optional<IterationKind> wanted) {
    std::array<DurationNs, kKindsWithUnknown> times{};
    for (RunStep& step : steps) {
        const std::size_t kind = kindOf(step, ranks);
        step.kind = kindAt(kind);
        times.at(kind) += step.complete ? step.duration_ns : 0;
    }
    const auto longest = static_cast<std::size_t>(std::ranges::max_element(times) - times.begin());
    const std::size_t priced = wanted && times.at(indexOf(wanted)) > 0 ? indexOf(wanted) : longest;
    for (RunStep& step : steps) {
        const std::size_t kind = indexOf(step.kind);
        if (step.complete && kind != priced && times.at(priced) > 0) {
            step.other_kind = true;
            step.outlier = true;
            step.outlier_reason = reasonOf(kind, priced);
        }
    }
}

}  // namespace rankscope
