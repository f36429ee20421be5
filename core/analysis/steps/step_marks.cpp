// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/steps/step_marks.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>

namespace rankscope {
namespace {

/// The slices of one kind of mark on one thread.
struct Candidate {
    std::uint32_t track = 0;
    StringId name;  ///< for sources that are told apart by name
    std::vector<SliceIndex> slices;
};

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

bool isHostMark(Category c) {
    return c == Category::CpuOp || c == Category::UserAnnotation;
}

/// What the names of a rank say about steps, looked at once.
struct MarkNames {
    std::vector<StepSource> source;    ///< by name; WholeWindow: no mark
    std::vector<std::int64_t> number;  ///< of ProfilerStep and of named ranges

    explicit MarkNames(const RankTrace& rank)
        : source(rank.strings.size(), StepSource::WholeWindow), number(rank.strings.size(), 0) {
        for (std::uint32_t i = 0; i < rank.strings.size(); ++i) {
            const std::string_view name = rank.strings.view(StringId(i));
            if (const auto profiler = numberAfter(name, "profilerstep#")) {
                source[i] = StepSource::ProfilerStep;
                number[i] = *profiler;
            } else if (const auto range = namedRangeNumber(name)) {
                source[i] = StepSource::NamedRange;
                number[i] = *range;
            } else if (name.starts_with("Optimizer.step#")) {
                source[i] = StepSource::OptimizerStep;
            } else if (name.starts_with("enumerate(DataLoader)#") && name.ends_with("__next__")) {
                source[i] = StepSource::DataLoaderNext;
            }
        }
    }
};

/// All candidates of all sources, in one pass over the host threads.
std::array<std::vector<Candidate>, 4> findCandidates(const RankTrace& rank, const MarkNames& names) {
    std::array<std::vector<Candidate>, 4> found;
    for (std::uint32_t t = 0; t < rank.tracks.size(); ++t) {
        if (rank.tracks[t].kind != TrackKind::CpuThread) {
            continue;
        }
        const SliceTable& slices = rank.tracks[t].slices;
        std::array<std::map<StringId, Candidate>, 4> of_track;
        for (SliceIndex i = 0; i < slices.size(); ++i) {
            const StringId name = slices.name[i];
            const StepSource source = name.valid() ? names.source[name.value] : StepSource::WholeWindow;
            if (source == StepSource::WholeWindow || !isHostMark(slices.category[i])) {
                continue;
            }
            // Two optimizers, or two loaders, alternate inside a step: each name is a candidate of its own.
            const bool by_name = source == StepSource::OptimizerStep || source == StepSource::DataLoaderNext;
            Candidate& candidate = of_track[static_cast<std::size_t>(source)][by_name ? name : StringId()];
            candidate.track = t;
            candidate.slices.push_back(i);
        }
        for (std::size_t source = 0; source < found.size(); ++source) {
            for (auto& [name, candidate] : of_track[source]) {
                found[source].push_back(std::move(candidate));
            }
        }
    }
    return found;
}

/// The candidate with most marks: the main thread's, where several threads carry some.
const Candidate* best(const std::vector<Candidate>& candidates) {
    const auto at = std::ranges::max_element(candidates, {}, [](const Candidate& c) { return c.slices.size(); });
    return at == candidates.end() ? nullptr : &*at;
}

/// One mark a slice: its own span. A mark that begins before the one before has ended (nested ranges) is passed over.
std::vector<StepMark> marksOfSlices(const RankTrace& rank, const MarkNames& names, const Candidate& candidate) {
    const SliceTable& slices = rank.tracks[candidate.track].slices;
    std::vector<StepMark> marks;
    for (const SliceIndex i : candidate.slices) {
        if (marks.empty() || slices.start_ns[i] >= marks.back().host.end_ns) {
            marks.push_back({names.number[slices.name[i].value], slices.span(i), {TrackId(candidate.track), i}});
        }
    }
    return marks;
}

/// One mark between two neighbouring slices: from end to end, or from start to start.
std::vector<StepMark> marksBetween(const RankTrace& rank, const Candidate& candidate, bool from_ends) {
    const SliceTable& slices = rank.tracks[candidate.track].slices;
    const std::vector<TimeNs>& at = from_ends ? slices.end_ns : slices.start_ns;
    std::vector<StepMark> marks;
    SliceIndex before = kNoSlice;
    for (const SliceIndex i : candidate.slices) {
        if (before != kNoSlice && slices.start_ns[i] < slices.end_ns[before]) {
            continue;  // a nested range of the same name
        }
        if (before != kNoSlice && at[before] < at[i]) {
            marks.push_back({static_cast<std::int64_t>(marks.size()),
                             {at[before], at[i]},
                             {TrackId(candidate.track), from_ends ? i : before}});
        }
        before = i;
    }
    return marks;
}

TrackId busiestLauncher(const RankTrace& rank) {
    std::vector<std::uint32_t> launches(rank.tracks.size(), 0);
    for (const Launch& launch : rank.launches.all()) {
        ++launches[launch.host.track.value];
    }
    const auto most = std::ranges::max_element(launches);
    if (most != launches.end() && *most > 0) {
        return TrackId(static_cast<std::uint32_t>(most - launches.begin()));
    }
    std::size_t slices = 0;
    TrackId thread;
    for (std::uint32_t t = 0; t < rank.tracks.size(); ++t) {
        if (rank.tracks[t].kind == TrackKind::CpuThread && rank.tracks[t].slices.size() > slices) {
            slices = rank.tracks[t].slices.size();
            thread = TrackId(t);
        }
    }
    return thread;
}

}  // namespace

StepMarks findStepMarks(const RankTrace& rank) {
    const MarkNames names(rank);
    const auto candidates = findCandidates(rank, names);
    for (const StepSource source :
         {StepSource::ProfilerStep, StepSource::NamedRange, StepSource::OptimizerStep, StepSource::DataLoaderNext}) {
        const Candidate* candidate = best(candidates[static_cast<std::size_t>(source)]);
        if (candidate == nullptr) {
            continue;
        }
        const bool own_span = source == StepSource::ProfilerStep || source == StepSource::NamedRange;
        auto marks = own_span ? marksOfSlices(rank, names, *candidate)
                              : marksBetween(rank, *candidate, source == StepSource::OptimizerStep);
        if (!marks.empty()) {
            return {source, TrackId(candidate->track), std::move(marks)};
        }
    }
    StepMarks whole{StepSource::WholeWindow, busiestLauncher(rank), {}};
    if (!rank.window.empty()) {
        whole.marks.push_back({0, rank.window, {}});
    }
    return whole;
}

}  // namespace rankscope
