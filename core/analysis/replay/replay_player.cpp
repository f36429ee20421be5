// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replay/replay_player.h"

#include <algorithm>
#include <set>

namespace rankscope {

namespace {

/// Sets `parts` to the parts of `span` outside the waits from `first` on.
void outsideWaits(TimeSpan span, const std::vector<ReplayWait>& waits, std::size_t first,
                  std::vector<TimeSpan>& parts) {
    parts.clear();
    for (std::size_t i = first; i < waits.size() && waits[i].call.start_ns < span.end_ns; ++i) {
        if (waits[i].call.start_ns > span.start_ns) {
            parts.push_back({span.start_ns, waits[i].call.start_ns});
        }
        span.start_ns = std::max(span.start_ns, waits[i].call.end_ns);
    }
    if (!span.empty()) {
        parts.push_back(span);
    }
}

/// By start. Of two changes with the same time, as when two findings both shorten one wait, the one that leaves less
/// counts.
std::vector<HostChange> strongestOfEach(std::vector<HostChange> wanted) {
    std::ranges::stable_sort(wanted, {}, [](const HostChange& c) { return c.span.start_ns; });
    std::vector<HostChange> kept;
    kept.reserve(wanted.size());
    for (const HostChange& one : wanted) {
        if (!kept.empty() && kept.back().span == one.span) {
            kept.back().length_ns = std::min(kept.back().length_ns, one.length_ns);
        } else {
            kept.push_back(one);
        }
    }
    return kept;
}

/// The time of `span` outside the waits. `first` advances to the first wait that ends in or after it: spans come by
/// start.
DurationNs workIn(const TimeSpan& span, const std::vector<ReplayWait>& waits, std::size_t& first) {
    while (first < waits.size() && waits[first].call.end_ns <= span.start_ns) {
        ++first;
    }
    DurationNs work_ns = span.length();
    for (std::size_t i = first; i < waits.size() && waits[i].call.start_ns < span.end_ns; ++i) {
        work_ns -= intersect(waits[i].call, span).length();
    }
    return work_ns;
}

bool anyOverlap(const std::vector<HostChange>& by_start) {
    TimeNs taken_ns = std::numeric_limits<TimeNs>::min();
    return std::ranges::any_of(by_start, [&](const HostChange& one) {
        const bool overlaps = one.span.start_ns < taken_ns;
        taken_ns = std::max(taken_ns, one.span.end_ns);
        return overlaps;
    });
}

/// The same changes, by start, cut where they overlap: there the one that leaves the smaller part of the time counts.
/// One finding may shorten a whole step of a slow host and another a call in it: with both fixed, the call is gone.
std::vector<HostChange> cutApart(const ReplayModel& model, const std::vector<HostChange>& by_start) {
    struct Bound {
        TimeNs at_ns = 0;
        double left = 0;  ///< the remaining part of the time of a change, 0 to 1
        bool begins = false;
    };
    std::vector<Bound> bounds;
    std::size_t wait = 0;
    for (const HostChange& one : by_start) {
        if (one.span.empty()) {
            continue;
        }
        const DurationNs work_ns = workIn(one.span, model.waits, wait);
        const double left =
            work_ns > 0 ? std::clamp(static_cast<double>(one.length_ns) / static_cast<double>(work_ns), 0.0, 1.0) : 0.0;
        bounds.push_back({one.span.start_ns, left, true});
        bounds.push_back({one.span.end_ns, left, false});
    }
    std::ranges::stable_sort(bounds, {}, &Bound::at_ns);
    std::vector<HostChange> pieces;
    std::multiset<double> open;
    wait = 0;
    for (std::size_t i = 0; i < bounds.size(); ++i) {
        if (!open.empty() && bounds[i].at_ns > bounds[i - 1].at_ns) {
            const TimeSpan span{bounds[i - 1].at_ns, bounds[i].at_ns};
            const auto work_ns = static_cast<double>(workIn(span, model.waits, wait));
            pieces.push_back({span, static_cast<DurationNs>(*open.begin() * work_ns)});
        }
        if (bounds[i].begins) {
            open.insert(bounds[i].left);
        } else {
            open.erase(open.find(bounds[i].left));
        }
    }
    return pieces;
}

/// All changes of host time, in order and disjoint. They do not change the length of waits for the device.
std::vector<HostChange> hostChanges(const ReplayModel& model, const ReplayChange& change) {
    std::vector<HostChange> wanted = change.host;
    if (change.ready_batches) {
        for (const TimeSpan& loader : model.loaders) {
            wanted.push_back({loader, change.ready_batch_ns});
        }
    }
    wanted = strongestOfEach(std::move(wanted));
    if (anyOverlap(wanted)) {
        wanted = cutApart(model, wanted);
    }
    std::vector<HostChange> changes;
    changes.reserve(wanted.size());
    std::vector<TimeSpan> parts;
    std::size_t wait = 0;
    TimeNs taken_ns = std::numeric_limits<TimeNs>::min();
    for (const HostChange& one : wanted) {
        const TimeSpan span{std::max(one.span.start_ns, taken_ns), one.span.end_ns};
        if (span.empty()) {
            continue;
        }
        taken_ns = span.end_ns;
        while (wait < model.waits.size() && model.waits[wait].call.end_ns <= span.start_ns) {
            ++wait;
        }
        outsideWaits(span, model.waits, wait, parts);
        DurationNs left_ns = 0;
        for (const TimeSpan& part : parts) {
            left_ns += part.length();
        }
        DurationNs new_left_ns = std::clamp<DurationNs>(one.length_ns, 0, left_ns);
        for (const TimeSpan& part : parts) {
            const double share = static_cast<double>(part.length()) / static_cast<double>(left_ns);
            const auto length_ns = static_cast<DurationNs>(share * static_cast<double>(new_left_ns));
            changes.push_back({part, length_ns});
            left_ns -= part.length();
            new_left_ns -= length_ns;
        }
    }
    return changes;
}

/// How long an event was held back in the time before its start: the whole held time at the end, or nothing.
DurationNs heldIn(const ReplayEvent& event, DurationNs before_ns) {
    return before_ns >= event.held_ns ? event.held_ns : 0;
}

}  // namespace

ReplayPlayer::ReplayPlayer(const ReplayModel& model, const ReplayChange& change, bool coupled)
    : model_(model),
      change_(change),
      host_changes_(hostChanges(model, change)),
      map_(std::max(1.0, change.host_pace)),
      new_start_(model.events.size(), DeviceEvent::kBeforeAll),
      new_end_(model.events.size(), DeviceEvent::kBeforeAll),
      stream_end_(model.streams, DeviceEvent::kBeforeAll),
      open_(model.streams, ReplayEvent::kNone),
      coupled_(coupled) {
    if (change.host_pace > 1.0 && !model.hosts.empty()) {
        const TimeNs start_ns = model.hosts.front().start_ns;
        map_.add({start_ns, start_ns}, {start_ns, start_ns});  // earlier times do not change
    }
}

TimeNs ReplayPlayer::firstChange() const {
    if (change_.queue_gap || change_.host_pace > 1.0 || change_.in_sequence) {
        return std::numeric_limits<TimeNs>::min();
    }
    TimeNs first_ns = std::numeric_limits<TimeNs>::max();
    if (!host_changes_.empty()) {
        first_ns = host_changes_.front().span.start_ns;
    }
    if (change_.no_wait) {
        const auto wait = std::ranges::find_if(model_.waits, change_.no_wait);
        first_ns = wait == model_.waits.end() ? first_ns : std::min(first_ns, wait->call.start_ns);
    }
    if (change_.late_return) {
        const auto wait =
            std::ranges::find_if(model_.waits, [this](const ReplayWait& w) { return change_.late_return(w) != 0; });
        first_ns = wait == model_.waits.end() ? first_ns : std::min(first_ns, wait->call.start_ns);
    }
    if (!change_.removed && !change_.length && !change_.latency && !change_.device_alone && !change_.prompt_device) {
        return first_ns;
    }
    for (const ReplayEvent& event : model_.events) {
        if (event.launched_ns >= first_ns) {
            break;
        }
        const bool meets = coupled_ && event.rendezvous != ReplayEvent::kNone;
        if ((change_.removed && change_.removed(event)) || (change_.device_alone && event.held_ns > 0) ||
            (change_.prompt_device && event.answer_ns > 0) ||
            (change_.latency && change_.latency(event) != event.latency_ns) ||
            (!meets && change_.length && change_.length(event) != event.span.length())) {
            return event.launched_ns;
        }
    }
    return first_ns;
}

void ReplayPlayer::beginAt(TimeNs host_ns) {
    for (; next_event_ < model_.events.size() && model_.events[next_event_].launched_ns < host_ns; ++next_event_) {
        const ReplayEvent& event = model_.events[next_event_];
        new_start_[next_event_] = event.span.start_ns;
        new_end_[next_event_] = event.span.end_ns;
        stream_end_[event.stream] = std::max(stream_end_[event.stream], event.span.end_ns);
    }
    while (next_wait_ < model_.waits.size() && model_.waits[next_wait_].call.start_ns < host_ns) {
        ++next_wait_;
    }
    while (next_hole_ < model_.holes.size() && model_.holes[next_hole_].end_ns <= host_ns) {
        ++next_hole_;
    }
}

bool ReplayPlayer::play() {
    while (next_change_ < host_changes_.size() || next_wait_ < model_.waits.size()) {
        const bool change_first = next_wait_ == model_.waits.size() ||
                                  (next_change_ < host_changes_.size() &&
                                   host_changes_[next_change_].span.start_ns < model_.waits[next_wait_].call.start_ns);
        const TimeNs next_ns =
            change_first ? host_changes_[next_change_].span.start_ns : model_.waits[next_wait_].call.start_ns;
        if (!passHolesUntil(next_ns)) {
            return false;
        }
        if (change_first ? !passHostChange(host_changes_[next_change_]) : !passWait(model_.waits[next_wait_])) {
            return false;
        }
        ++(change_first ? next_change_ : next_wait_);
    }
    return passHolesUntil(std::numeric_limits<TimeNs>::max()) && launchUntil(std::numeric_limits<TimeNs>::max()) &&
           std::ranges::all_of(open_, [this](std::uint32_t event) { return isKnown(event); });
}

bool ReplayPlayer::passHolesUntil(TimeNs old_ns) {
    for (; next_hole_ < model_.holes.size() && model_.holes[next_hole_].start_ns <= old_ns; ++next_hole_) {
        const TimeSpan& hole = model_.holes[next_hole_];
        if (!launchUntil(hole.start_ns)) {
            return false;
        }
        const TimeNs start_ns = map_.recent(hole.start_ns);
        map_.add(hole, {start_ns, std::max(start_ns, hole.end_ns)});
    }
    return true;
}

bool ReplayPlayer::passHostChange(const HostChange& change) {
    if (!launchUntil(change.span.start_ns)) {
        return false;
    }
    const TimeNs start_ns = map_.recent(change.span.start_ns);
    map_.add(change.span, {start_ns, start_ns + change.length_ns});
    return true;
}

bool ReplayPlayer::passWait(const ReplayWait& wait) {
    if (!launchUntil(wait.call.start_ns)) {
        return false;
    }
    const TimeNs start_ns = map_.recent(wait.call.start_ns);
    const DurationNs late_ns = change_.late_return ? change_.late_return(wait) : 0;
    // If everything was done before, the call itself took long.
    TimeNs end_ns = start_ns + std::max<DurationNs>(0, wait.cost_ns - (wait.waited ? 0 : late_ns));
    if (change_.no_wait && change_.no_wait(wait)) {
        // A sync that need not wait costs its call; memory that is not freed costs nothing.
        end_ns = wait.cause == Cause::Allocator ? start_ns : end_ns;
    } else {
        for (std::uint32_t i = 0; i < wait.dependencies; ++i) {
            const std::uint32_t event = model_.dependencies[wait.first_dependency + i];
            if (!isKnown(event)) {
                return false;
            }
            if (new_end_[event] != DeviceEvent::kBeforeAll) {
                end_ns = std::max(end_ns, new_end_[event] + wait.return_ns - (wait.waited ? late_ns : 0));
            }
        }
    }
    map_.add(wait.call, {start_ns, end_ns});
    return true;
}

DurationNs ReplayPlayer::pauseOf(const ReplayEvent& event, DurationNs gap_ns) const {
    const DurationNs held_ns = heldIn(event, gap_ns);
    const DurationNs own_ns = gap_ns - held_ns;
    return (change_.queue_gap ? std::min(own_ns, *change_.queue_gap) : own_ns) + (change_.device_alone ? 0 : held_ns);
}

bool ReplayPlayer::launchUntil(TimeNs old_ns) {
    for (; next_event_ < model_.events.size() && model_.events[next_event_].launched_ns <= old_ns; ++next_event_) {
        if (!launch(static_cast<std::uint32_t>(next_event_))) {
            return false;
        }
    }
    return true;
}

TimeNs ReplayPlayer::startOf(const ReplayEvent& event) const {
    if (event.launched_ns == DeviceEvent::kBeforeAll) {
        return event.span.start_ns;
    }
    const DurationNs latency_ns = change_.latency ? change_.latency(event) : event.latency_ns;
    TimeNs start_ns =
        map_.recent(event.launched_ns) + latency_ns - (change_.device_alone ? heldIn(event, latency_ns) : 0);
    if (stream_end_[event.stream] != DeviceEvent::kBeforeAll) {
        start_ns = std::max(start_ns, stream_end_[event.stream] + pauseOf(event, event.stream_gap_ns));
    }
    if (event.waits_for != ReplayEvent::kNone && new_end_[event.waits_for] != DeviceEvent::kBeforeAll) {
        start_ns = std::max(start_ns, new_end_[event.waits_for] + pauseOf(event, event.wait_gap_ns));
    }
    if (event.comes_after != ReplayEvent::kNone) {
        start_ns = std::max(start_ns, new_end_[event.comes_after] + event.after_gap_ns);
    }
    if (const std::uint32_t communication = before(event); communication != ReplayEvent::kNone) {
        start_ns = std::max(start_ns, new_end_[communication]);
    }
    return start_ns + (change_.prompt_device ? 0 : event.answer_ns);
}

bool ReplayPlayer::launch(std::uint32_t index) {
    const ReplayEvent& event = model_.events[index];
    if (!canStart(event)) {
        return false;
    }
    const bool meets = coupled_ && event.rendezvous != ReplayEvent::kNone;
    TimeNs& stream_end_ns = stream_end_[event.stream];
    if (change_.removed && change_.removed(event)) {
        for (const std::uint32_t other : {event.waits_for, event.comes_after}) {
            if (!event.communication && other != ReplayEvent::kNone) {
                stream_end_ns = std::max(stream_end_ns, new_end_[other]);  // its stream still has to wait
            }
        }
        new_start_[index] = stream_end_ns;
        new_end_[index] = stream_end_ns;  // its dependents then wait for its predecessors
        if (meets) {
            arrivals_.push_back({index, DeviceEvent::kBeforeAll});
        }
        return true;
    }
    const TimeNs start_ns = startOf(event);
    new_start_[index] = start_ns;
    if (change_.in_sequence && event.communication) {
        last_communication_ = index;
    }
    if (meets) {
        new_end_[index] = kUnknown;
        open_[event.stream] = index;
        arrivals_.push_back({index, start_ns});
        return true;
    }
    new_end_[index] = start_ns + (change_.length ? change_.length(event) : event.span.length());
    stream_end_ns = std::max(stream_end_ns, new_end_[index]);
    return true;
}

void ReplayPlayer::finish(std::uint32_t event, TimeNs end_ns) {
    const std::uint32_t stream = model_.events[event].stream;
    new_end_[event] = end_ns;
    stream_end_[stream] = std::max(stream_end_[stream], end_ns);
    open_[stream] = ReplayEvent::kNone;
}

std::vector<TimeSpan> ReplayPlayer::work() const {
    std::vector<TimeSpan> work;
    for (std::size_t i = 0; i < new_end_.size(); ++i) {
        work.push_back({new_start_[i], new_end_[i]});
    }
    return work;
}

std::vector<TimeSpan> ReplayPlayer::steps() const {
    std::vector<TimeSpan> hosts;
    for (const TimeSpan& host : model_.hosts) {
        hosts.push_back({map_.at(host.start_ns), map_.at(host.end_ns)});
    }
    SlotTimes last_end(hosts.size(), DeviceEvent::kBeforeAll);
    for (std::size_t i = 0; i < model_.events.size() && !model_.whole_window;) {
        const StepOrGap slot = model_.events[i].slot;  // many consecutive events are in the same slot
        TimeNs end_ns = last_end[slot];
        for (; i < model_.events.size() && model_.events[i].slot == slot; ++i) {
            end_ns = std::max(end_ns, new_end_[i]);
        }
        last_end[slot] = end_ns;
    }
    return boundSteps(hosts, last_end, model_.earlier_ns);
}

}  // namespace rankscope
