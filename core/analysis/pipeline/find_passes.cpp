// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/pipeline/find_passes.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/analysis/pipeline/gathered_pass.h"
#include "core/analysis/pipeline/launched_work.h"
#include "core/analysis/pipeline/pass_names.h"
#include "core/analysis/steps/phase_marks.h"
#include "core/analysis/steps/step_bounds.h"

namespace rankscope {
namespace {

using StepPasses = std::vector<std::vector<PipelinePass>>;

/// A range on the host that runs one pass, or two at once.
struct PassRange {
    TimeSpan host;
    SliceRef slice;
    std::vector<PassName> passes;
};

/// The ranges of one thread, by start, without those inside others.
void addRangesOf(const RankTrace& rank, TrackId track, PassSource source, std::vector<PassRange>& ranges) {
    const SliceTable& slices = rank.tracks[track.value].slices;
    std::unordered_map<std::uint64_t, std::vector<PassName>> known;  // by name and category
    TimeNs until_ns = std::numeric_limits<TimeNs>::min();
    for (SliceIndex i = 0; i < slices.size(); ++i) {
        const Category category = slices.category[i];
        const bool telling = category == Category::UserAnnotation || category == Category::PythonFunction;
        if (!telling || !slices.name[i].valid() || slices.start_ns[i] < until_ns) {
            continue;
        }
        const auto key = (std::uint64_t{slices.name[i].value} << 8U) | static_cast<std::uint64_t>(category);
        const auto [at, is_new] = known.try_emplace(key);
        if (is_new) {
            at->second = passesOfName(source, rank.strings.view(slices.name[i]), category);
        }
        if (!at->second.empty()) {
            ranges.push_back({slices.span(i), {track, i}, at->second});
            until_ns = slices.end_ns[i];
        }
    }
}

/// All ranges of a rank, by start. A range on another thread inside one of them does not run a pass of its own.
std::vector<PassRange> rangesOf(const RankContext& work, PassSource source) {
    std::vector<PassRange> all;
    for (std::uint32_t t = 0; t < work.trace->tracks.size(); ++t) {
        if (work.trace->tracks[t].kind == TrackKind::CpuThread) {
            addRangesOf(*work.trace, TrackId(t), source, all);
        }
    }
    std::ranges::stable_sort(all, {}, [](const PassRange& range) { return range.host.start_ns; });
    std::vector<PassRange> apart;
    for (PassRange& range : all) {
        if (apart.empty() || range.host.start_ns >= apart.back().host.end_ns) {
            apart.push_back(std::move(range));
        }
    }
    return apart;
}

/// Which pass of a range that runs two at once a piece of work belongs to: autograd launches the backward's.
std::size_t passOf(const PassRange& range, Phase phase) {
    const bool backward = phase == Phase::Backward;
    const bool second = range.passes.size() > 1 && (range.passes[1].kind != PassKind::Forward) == backward;
    return second ? 1 : 0;
}

PipelinePass namedPass(const PassRange& range, const PassName& name) {
    PipelinePass pass;
    pass.kind = name.kind;
    pass.stage = name.stage;
    pass.micro_batch = name.micro_batch;
    pass.mark = range.slice;
    pass.overlapped = range.passes.size() > 1;
    return pass;
}

/// The passes of `ranges`, in order: those of one range are consecutive.
std::vector<std::array<GatheredPass, 2>> passesOfRanges(const RankContext& work, const std::vector<PassRange>& ranges,
                                                        const std::vector<SliceRef>& inner) {
    std::vector<std::array<GatheredPass, 2>> passes(ranges.size());
    for (std::size_t r = 0; r < ranges.size(); ++r) {
        for (std::size_t p = 0; p < ranges[r].passes.size(); ++p) {
            passes[r][p] = GatheredPass(namedPass(ranges[r], ranges[r].passes[p]));
        }
    }
    const PassParts parts(work.device, inner);
    const bool two_at_once =
        std::ranges::any_of(ranges, [](const PassRange& range) { return range.passes.size() > 1; });
    const PhaseMarks marks = two_at_once ? findPhaseMarks(work) : PhaseMarks();
    std::vector<std::size_t> hints(marks.ranges.size(), 0);
    for (const DeviceEvent& event : work.device.events) {
        const PassPart part = parts.of(event);
        if (!event.launch.valid() || part == PassPart::None) {
            continue;
        }
        const auto next = std::ranges::upper_bound(ranges, event.call.start_ns, {},
                                                   [](const PassRange& range) { return range.host.start_ns; });
        if (next == ranges.begin() || !std::prev(next)->host.contains(event.call.start_ns)) {
            continue;
        }
        const auto r = static_cast<std::size_t>(std::prev(next) - ranges.begin());
        const std::uint32_t track = event.launch.track.value;
        const Phase phase =
            two_at_once ? phaseAt(marks.ranges[track], event.call.start_ns, hints[track]) : Phase::Other;
        const bool either = ranges[r].passes.size() > 1 && part == PassPart::Aside;  // two streams for two passes
        passes[r][passOf(ranges[r], phase)].add(event, either ? PassPart::Work : part);
    }
    return passes;
}

void sortByStart(StepPasses& steps) {
    for (std::vector<PipelinePass>& passes : steps) {
        std::ranges::stable_sort(passes, {}, [](const PipelinePass& pass) { return pass.span.start_ns; });
    }
}

/// Whether `one` begins another pass than `last`: another kind, after a send or receive, or of another forward.
bool beginsPass(const LaunchedWork* last, std::optional<std::ptrdiff_t> forward, const LaunchedWork& one) {
    const bool of_another = forward && one.forward && *forward != *one.forward;
    return last == nullptr || last->place() != one.place() || of_another;
}

/// Removes passes with too little work compared with the largest pass of their kind.
void leaveOutScraps(StepPasses& steps) {
    constexpr std::size_t kScrap = 10;
    std::array<std::size_t, kPassKinds> most{};
    for (const auto& passes : steps) {
        for (const PipelinePass& pass : passes) {
            std::size_t& so_far = most[static_cast<std::size_t>(pass.kind)];
            so_far = std::max(so_far, pass.pieces);
        }
    }
    for (auto& passes : steps) {
        std::erase_if(passes, [&](const PipelinePass& pass) {
            return pass.pieces == 0 || kScrap * pass.pieces < most[static_cast<std::size_t>(pass.kind)];
        });
    }
}

/// Removes what comes after the last backward, or gradient of weights: that is not a forward, but clipping and so on.
void leaveOutWhatFollows(StepPasses& steps) {
    for (auto& passes : steps) {
        const auto last = std::find_if(passes.rbegin(), passes.rend(),
                                       [](const PipelinePass& pass) { return pass.kind != PassKind::Forward; });
        passes.erase(last == passes.rend() ? passes.end() : last.base(), passes.end());
    }
}

}  // namespace

StepPasses passesByName(const RankContext& work, PassSource source, std::size_t steps,
                        const std::vector<SliceRef>& inner) {
    StepPasses found(steps);
    const std::vector<PassRange> ranges = rangesOf(work, source);
    const auto passes = passesOfRanges(work, ranges, inner);
    for (std::size_t r = 0; r < ranges.size(); ++r) {
        const auto step = slotOf(work.marks.marks, ranges[r].host.start_ns).step();
        for (std::size_t p = 0; step && *step < steps && p < ranges[r].passes.size(); ++p) {
            PipelinePass pass = passes[r][p].whole();
            if (work.device.device < 0) {
                pass.span = ranges[r].host;
            }
            if (!pass.span.empty()) {
                found[*step].push_back(pass);
            }
        }
    }
    sortByStart(found);
    return found;
}

StepPasses passesBetween(const RankContext& work, const std::vector<TimeNs>& exchanges, std::size_t steps,
                         const std::vector<SliceRef>& inner, bool weights) {
    std::vector<std::vector<GatheredPass>> gathered(steps);
    const LaunchedWork* last = nullptr;
    std::optional<std::ptrdiff_t> forward;  // the forward of the pass that contains `last`
    const std::vector<LaunchedWork> launched = launchedWork(work, exchanges, inner, weights);
    for (const LaunchedWork& one : launched) {
        if (one.kind && one.step < steps) {
            if (beginsPass(last, forward, one)) {
                PipelinePass pass;
                pass.kind = *one.kind;
                gathered[one.step].emplace_back(pass);
                forward = std::nullopt;
            }
            forward = one.forward ? one.forward : forward;
            gathered[one.step].back().add(*one.event, one.part);
        }
        last = &one;
    }
    StepPasses found(steps);
    for (std::size_t step = 0; step < steps; ++step) {
        for (const GatheredPass& pass : gathered[step]) {
            found[step].push_back(pass.whole());
        }
    }
    leaveOutScraps(found);
    sortByStart(found);
    leaveOutWhatFollows(found);
    return found;
}

}  // namespace rankscope
