// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/shards/rank_view.h"

#include <algorithm>
#include <utility>

#include "core/analysis/replay/rank_dependencies.h"
#include "core/analysis/shards/unit_names.h"

namespace rankscope {

RankView::RankView(const RankContext& work, const ReplayModel& model)
    : work_(work), model_(model), waits_(waitsForCommunication(work)) {
    for (std::uint32_t i = 0; i < model.events.size(); ++i) {
        if (model.events[i].communication) {
            events_.emplace_back(model.events[i].ref, i);
        }
    }
    std::ranges::sort(events_);
    for (const DeviceEvent& event : work.device.events) {
        if (event.work == WorkClass::Compute) {
            compute_.push_back(&event);
        }
    }
    launched_ = compute_;
    std::ranges::stable_sort(launched_, {}, &DeviceEvent::launched_ns);
    collectRanges();
}

void RankView::collectRanges() {
    const RankTrace& trace = *work_.trace;
    for (const HostThread& thread : work_.threads.all()) {
        if (!thread.track.valid()) {
            continue;
        }
        const SliceTable& slices = trace.tracks[thread.track.value].slices;
        for (SliceIndex i = 0; i < slices.size(); ++i) {
            if (slices.category[i] != Category::UserAnnotation || !slices.name[i].valid()) {
                continue;
            }
            const std::string_view name = trace.strings.view(slices.name[i]);
            if (const auto unit = unitOfCopyOut(name)) {
                copy_outs_[std::string(*unit)].push_back(slices.span(i));
            } else if (isRateLimiter(name)) {
                const TimeSpan span = slices.span(i);
                const bool waited = std::ranges::any_of(
                    model_.waits, [&](const ReplayWait& wait) { return wait.waited && span.overlaps(wait.call); });
                if (waited) {
                    limiters_.push_back(span);
                }
            }
        }
    }
    for (auto& [unit, spans] : copy_outs_) {
        std::ranges::sort(spans);
    }
    std::ranges::sort(limiters_);
}

/// Whether the host waited in the limiter between its previous launch of communication and this one.
bool RankView::isLimited(const CollectiveMember& member) const {
    const auto after = std::ranges::upper_bound(limiters_, member.call.start_ns, {}, &TimeSpan::end_ns);
    if (after == limiters_.begin()) {
        return false;
    }
    const TimeNs from_ns = std::prev(after)->end_ns;
    auto event = std::ranges::lower_bound(model_.events, from_ns, {}, &ReplayEvent::launched_ns);
    for (; event != model_.events.end() && event->launched_ns < member.call.start_ns; ++event) {
        if (event->communication) {
            return false;
        }
    }
    return true;
}

RankView::Held RankView::held(const CollectiveMember& member) const {
    const SliceRef first = member.slices.front();
    const auto at = std::ranges::lower_bound(events_, first, {}, &std::pair<SliceRef, std::uint32_t>::first);
    if (!member.launch.valid() || at == events_.end() || at->first != first) {
        return {};
    }
    const ReplayEvent& event = model_.events[at->second];
    const auto behind = [&](std::uint32_t index) {
        const ReplayEvent& other = model_.events[index];
        return Held{other.communication ? HeldBy::Communication : HeldBy::Compute, other.ref};
    };
    if (event.waits_for != ReplayEvent::kNone) {
        return behind(event.waits_for);
    }
    if (event.span.start_ns - event.launched_ns == event.latency_ns) {
        return {isLimited(member) ? HeldBy::Limiter : HeldBy::Launch, {}};
    }
    for (std::uint32_t i = at->second; i-- > 0;) {
        const ReplayEvent& other = model_.events[i];
        if (other.stream == event.stream && other.span.end_ns > event.launched_ns) {
            return behind(i);
        }
    }
    return {};
}

const DeviceEvent* RankView::firstLaunchedFrom(TimeNs launched_ns) const {
    const auto at = std::ranges::lower_bound(launched_, launched_ns, {}, &DeviceEvent::launched_ns);
    return at == launched_.end() ? nullptr : *at;
}

Consumer RankView::use(const DeviceEvent& event, TimeNs gathered_ns) const {
    TimeNs ready_ns = event.call.empty() ? event.launched_ns : event.call.end_ns;
    const std::vector<DeviceEvent>& events = work_.device.events;
    for (const DeviceEvent* before = &event; before-- != events.data();) {
        if (before->ref.track == event.ref.track) {
            ready_ns = std::max(ready_ns, before->span.end_ns);
            break;
        }
    }
    const TimeNs until_ns = std::min(gathered_ns, event.span.start_ns);
    return {event.ref, event.span.start_ns, std::max<DurationNs>(0, until_ns - ready_ns)};
}

std::optional<Consumer> RankView::consumerOf(const CollectiveMember& member, std::string_view unit) const {
    if (!member.launch.valid()) {
        return std::nullopt;
    }
    const TimeNs launched_ns = member.call.start_ns;
    const TimeNs gathered_ns = member.span.end_ns - work_.trace->health.time_slack_ns;
    if (const auto named = copy_outs_.find(unit); named != copy_outs_.end()) {
        const auto range = std::ranges::lower_bound(named->second, launched_ns, {}, &TimeSpan::start_ns);
        const DeviceEvent* const first = range == named->second.end() ? nullptr : firstLaunchedFrom(range->start_ns);
        if (first != nullptr && first->launched_ns < range->end_ns && first->span.start_ns >= gathered_ns) {
            return use(*first, member.span.end_ns);
        }
    }
    const auto wait = std::ranges::upper_bound(waits_, launched_ns);
    if (wait == waits_.end()) {
        return std::nullopt;
    }
    const auto from = std::ranges::lower_bound(launched_, *wait, {}, &DeviceEvent::launched_ns);
    const auto first = std::find_if(from, launched_.end(),
                                    [&](const DeviceEvent* event) { return event->span.start_ns >= gathered_ns; });
    return first == launched_.end() ? std::nullopt : std::optional(use(**first, member.span.end_ns));
}

const DeviceEvent* RankView::computeFrom(TimeNs at_ns) const {
    const auto at =
        std::ranges::lower_bound(compute_, at_ns, {}, [](const DeviceEvent* event) { return event->span.start_ns; });
    return at == compute_.end() ? nullptr : *at;
}

DurationNs RankView::computeIn(const TimeSpan& span) const {
    return span.empty() ? 0 : work_.device.compute.lengthIn(span);
}

}  // namespace rankscope
