// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tables/slice_orders.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <ranges>

#include "core/tables/model_rows.h"

namespace rankscope::tables {
namespace {

/// Turns counts, each at the index above its own, into starts.
void addUp(std::vector<std::uint32_t>& counts) {
    std::partial_sum(counts.begin(), counts.end(), counts.begin());
}

}  // namespace

StartOrder::StartOrder(const SlicePlaces& places) : slices_(places.slices()) {
    std::vector<std::int64_t> start_ns(places.slices());
    for (const SlicePlaces::OfTrack& track : places.tracks()) {
        const std::vector<TimeNs>& own = track.of().slices.start_ns;
        std::ranges::transform(own, start_ns.begin() + static_cast<std::ptrdiff_t>(track.first),
                               [&](TimeNs ns) { return onRunClock(*track.run, track.rank, ns); });
    }
    std::iota(slices_.begin(), slices_.end(), 0U);
    std::ranges::stable_sort(slices_, {}, [&](std::uint32_t slice) { return start_ns[slice]; });
    start_ns_.reserve(slices_.size());
    std::ranges::transform(slices_, std::back_inserter(start_ns_), [&](std::uint32_t at) { return start_ns[at]; });
}

Ranges::Range StartOrder::between(std::int64_t least, std::int64_t most) const {
    const auto first = std::ranges::lower_bound(start_ns_, least);
    const auto last = std::max(first, std::ranges::upper_bound(start_ns_, most));
    return {first - start_ns_.begin(), last - start_ns_.begin()};
}

StepOrder::StepOrder(const SlicePlaces& places) : step_(places.slices(), kNone) {
    for (const SlicePlaces::OfTrack& track : places.tracks()) {
        for (const RankStep& step : track.run->facts.ranks[track.rank].steps) {
            numbers_.push_back(step.index);
        }
    }
    std::ranges::sort(numbers_);
    numbers_.erase(std::unique(numbers_.begin(), numbers_.end()), numbers_.end());
    std::ranges::for_each(places.tracks(), [this](const SlicePlaces::OfTrack& track) { fill(track); });
    followLaunches(places);
}

/// The step that contains an instant of the host of a rank.
std::uint32_t StepOrder::at(const AnalysedRun& run, RankPosition rank, TimeNs file_ns) const {
    const std::vector<RankStep>& steps = run.facts.ranks[rank].steps;
    const auto after = std::ranges::upper_bound(steps, file_ns, {}, [](const RankStep& s) { return s.host.start_ns; });
    if (after == steps.begin() || !std::prev(after)->host.contains(file_ns)) {
        return kNone;
    }
    const auto number = std::ranges::lower_bound(numbers_, std::prev(after)->index);
    return static_cast<std::uint32_t>(number - numbers_.begin());
}

/// Their starts are in ascending order: only those within a step are looked at.
void StepOrder::fill(const SlicePlaces::OfTrack& track) {
    const std::vector<TimeNs>& starts = track.of().slices.start_ns;
    for (const RankStep& step : track.run->facts.ranks[track.rank].steps) {
        auto i = static_cast<std::size_t>(std::ranges::lower_bound(starts, step.host.start_ns) - starts.begin());
        for (; i < starts.size() && starts[i] < step.host.end_ns; ++i) {
            step_[track.first + i] = at(*track.run, track.rank, starts[i]);
        }
    }
}

/// The first call that launched a piece of GPU work decides.
void StepOrder::followLaunches(const SlicePlaces& places) {
    places.eachRank([&](const AnalysedRun& run, RankPosition rank) {
        const RankTrace& trace = *run.run->ranks[rank];
        for (const Launch& launch : std::views::reverse(trace.launches.all())) {
            if (launch.host.valid() && launch.device.valid() && trace.track(launch.device).device >= 0) {
                const auto device = static_cast<std::size_t>(places.idOf(run, rank, launch.device).integer);
                step_[device] = at(run, rank, trace.span(launch.host).start_ns);
            }
        }
    });
}

std::optional<std::int64_t> StepOrder::stepOf(std::uint64_t slice) const {
    const std::uint32_t step = step_[slice];
    return step == kNone ? std::nullopt : std::optional(numbers_[step]);
}

const std::vector<std::uint32_t>& StepOrder::slices() const {
    if (!begin_.empty()) {
        return slices_;
    }
    begin_.assign(numbers_.size() + 2, 0);  // those outside of steps are last, and left out
    for (const std::uint32_t step : step_) {
        ++begin_[std::min<std::size_t>(step, numbers_.size()) + 1];
    }
    addUp(begin_);
    begin_.pop_back();
    slices_.resize(begin_.back());
    std::vector<std::uint32_t> next = begin_;
    for (std::uint32_t slice = 0; slice < step_.size(); ++slice) {
        if (step_[slice] != kNone) {
            slices_[next[step_[slice]]++] = slice;
        }
    }
    return slices_;
}

Ranges::Range StepOrder::of(std::int64_t step) const {
    const auto number = std::ranges::lower_bound(numbers_, step);
    if (slices().empty() || number == numbers_.end() || *number != step) {
        return {};
    }
    const auto at = static_cast<std::size_t>(number - numbers_.begin());
    return {begin_[at], begin_[at + 1]};
}

ChildOrder::ChildOrder(const SlicePlaces& places) : begin_(places.slices() + 1, 0) {
    const auto each_child = [&](const auto& visit) {
        for (const SlicePlaces::OfTrack& track : places.tracks()) {
            const std::vector<SliceIndex>& parents = track.of().slices.parent;
            for (SliceIndex i = 0; i < parents.size(); ++i) {
                if (parents[i] != kNoSlice) {
                    visit(track.first + parents[i], track.first + i);
                }
            }
        }
    };
    each_child([&](std::uint64_t parent, std::uint64_t /*child*/) { ++begin_[parent + 1]; });
    addUp(begin_);
    slices_.resize(begin_.back());
    std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
    each_child([&](std::uint64_t parent, std::uint64_t child) {
        slices_[next[parent]++] = static_cast<std::uint32_t>(child);
    });
}

}  // namespace rankscope::tables
