// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/pairing/slice_lanes.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace rankscope {
namespace {

std::optional<Lane> hostLane(Category category, bool main_thread) {
    if (category == Category::PythonFunction) {
        return Lane::Python;
    }
    if (category == Category::CpuOp || category == Category::UserAnnotation || isLaunchCall(category)) {
        return main_thread ? Lane::MainThread : Lane::OtherThreads;
    }
    return std::nullopt;
}

std::optional<Lane> deviceLane(WorkClass work) {
    switch (work) {
        case WorkClass::Compute: return Lane::Compute;
        case WorkClass::Communication: return Lane::Communication;
        case WorkClass::Copy: return Lane::Copy;
        case WorkClass::None: return std::nullopt;
    }
    return std::nullopt;
}

}  // namespace

std::vector<std::uint32_t> NameNumbers::numbersOf(const RankTrace& rank) {
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t id = 0; id < rank.strings.size(); ++id) {
        const auto next = static_cast<std::uint32_t>(numbers_.size() + 1);
        numbers.push_back(numbers_.try_emplace(rank.strings.view(StringId(id)), next).first->second);
    }
    return numbers;
}

SliceLanes::SliceLanes(const RankTrace& rank, const RankFacts& facts, NameNumbers& names)
    : rank_(rank), facts_(facts), sequences_(facts.steps.size() * kLaneCount) {
    const std::vector<std::uint32_t> numbers = names.numbersOf(rank);
    for (std::uint32_t t = 0; t < rank.tracks.size(); ++t) {
        const SliceTable& slices = rank.tracks[t].slices;
        for (SliceIndex i = 0; i < slices.size(); ++i) {
            const SliceRef slice{TrackId(t), i};
            const std::optional<Key> key = keyOf(slice);
            const std::optional<RankStepPosition> step = key ? stepAt(key->order_ns) : std::nullopt;
            if (step) {
                Sequence& into = sequences_[*step * kLaneCount + static_cast<std::size_t>(key->lane)];
                into.order_ns.push_back(key->order_ns);
                into.slices.push_back(slice);
                into.names.push_back(slices.name[i].valid() ? numbers[slices.name[i].value] : 0);
            }
        }
    }
    for (Sequence& sequence : sequences_) {
        sort(sequence);
    }
}

std::optional<SliceLanes::Key> SliceLanes::keyOf(SliceRef slice) const {
    const Track& track = rank_.track(slice);
    const TimeNs start_ns = track.slices.start_ns[slice.slice];
    if (track.kind == TrackKind::CpuThread) {
        const auto is_mark = [slice](const RankStep& step) { return step.mark == slice; };
        const bool main_thread = slice.track == facts_.main_thread;
        const std::optional<Lane> lane = hostLane(track.slices.category[slice.slice], main_thread);
        const bool mark = main_thread && track.slices.category[slice.slice] == Category::UserAnnotation &&
                          std::ranges::any_of(facts_.steps, is_mark);
        return lane && !mark ? std::optional(Key{*lane, start_ns}) : std::nullopt;
    }
    const std::vector<WorkClass>& classes = facts_.work_classes[slice.track.value];
    if (track.device != facts_.device || slice.slice >= classes.size()) {
        return std::nullopt;
    }
    const std::optional<Lane> lane = deviceLane(classes[slice.slice]);
    const SliceRef launch = rank_.launches.launchOf(slice);
    return lane ? std::optional(Key{*lane, launch.valid() ? rank_.span(launch).start_ns : start_ns}) : std::nullopt;
}

std::optional<RankStepPosition> SliceLanes::stepAt(TimeNs host_ns) const {
    const auto after =
        std::ranges::upper_bound(facts_.steps, host_ns, {}, [](const RankStep& step) { return step.host.start_ns; });
    if (after == facts_.steps.begin() || !std::prev(after)->host.contains(host_ns)) {
        return std::nullopt;
    }
    return RankStepPosition(after - facts_.steps.begin() - 1);
}

void SliceLanes::sort(Sequence& sequence) {
    std::vector<std::uint32_t> order(sequence.slices.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto key = [&](std::uint32_t i) { return std::pair(sequence.order_ns[i], sequence.slices[i]); };
    if (std::ranges::is_sorted(order, {}, key)) {
        return;
    }
    std::ranges::sort(order, {}, key);
    Sequence sorted;
    for (const std::uint32_t i : order) {
        sorted.order_ns.push_back(sequence.order_ns[i]);
        sorted.slices.push_back(sequence.slices[i]);
        sorted.names.push_back(sequence.names[i]);
    }
    sequence = std::move(sorted);
}

std::optional<LanePlace> SliceLanes::find(SliceRef slice) const {
    const std::optional<Key> key = keyOf(slice);
    const std::optional<RankStepPosition> step = key ? stepAt(key->order_ns) : std::nullopt;
    if (!step) {
        return std::nullopt;
    }
    const Sequence& in = sequence(*step, key->lane);
    const auto [first, last] = std::ranges::equal_range(in.order_ns, key->order_ns);
    for (auto at = first; at != last; ++at) {
        const auto index = static_cast<std::uint32_t>(at - in.order_ns.begin());
        if (in.slices[index] == slice) {
            return LanePlace{*step, key->lane, index};
        }
    }
    return std::nullopt;
}

}  // namespace rankscope
