// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replay/replay_player.h"

#include <algorithm>
#include <iterator>

#include "core/analysis/replay/disjoint_host_changes.h"

namespace rankscope {

namespace {

/// How long an event was held back in the time before its start: the whole held time at the end, or nothing.
DurationNs heldIn(const ReplayEvent& event, DurationNs before_ns) {
    return before_ns >= event.held_ns ? event.held_ns : 0;
}

}  // namespace

ReplayPlayer::ReplayPlayer(const ReplayModel& model, const ReplayChange& change, bool coupled)
    : model_(model),
      change_(change),
      host_changes_(disjointHostChanges(model, change)),
      lengths_change_(change.length != nullptr),
      map_(1.0),
      coupled_(coupled) {
    length_.reserve(model.events.size());
    for (const ReplayEvent& event : model.events) {
        length_.push_back(lengths_change_ && !meets(event) ? change.length(event) : event.span.length());
    }
    if (change.removed) {
        removed_.reserve(model.events.size());
        std::ranges::transform(model.events, std::back_inserter(removed_),
                               [&change](const ReplayEvent& event) { return change.removed(event) ? 1 : 0; });
    }
    rewind();
}

void ReplayPlayer::rewind() {
    map_ = HostTimeWarp(std::max(1.0, change_.host_pace));
    if (change_.host_pace > 1.0 && !model_.hosts.empty()) {
        const TimeNs start_ns = model_.hosts.front().start_ns;
        map_.add({start_ns, start_ns}, {start_ns, start_ns});  // earlier times do not change
    }
    new_start_.assign(model_.events.size(), DeviceEvent::kBeforeAll);
    new_end_.assign(model_.events.size(), DeviceEvent::kBeforeAll);
    stream_end_.assign(model_.streams, DeviceEvent::kBeforeAll);
    open_.assign(model_.streams, ReplayEvent::kNone);
    arrivals_.clear();
    last_communication_ = ReplayEvent::kNone;
    next_event_ = 0;
    next_change_ = 0;
    next_wait_ = 0;
    next_hole_ = 0;
}

void ReplayPlayer::relieve(const std::vector<DurationNs>& relief_ns) {
    lengths_change_ = lengths_change_ || !relief_ns.empty();
    for (std::size_t i = 0; i < relief_ns.size(); ++i) {
        const DurationNs recorded_ns = model_.events[i].span.length();
        if (relief_ns[i] == 0 || length_[i] == recorded_ns) {
            length_[i] -= relief_ns[i];
        } else {
            const double left = static_cast<double>(length_[i]) / static_cast<double>(recorded_ns);
            length_[i] -= static_cast<DurationNs>(left * static_cast<double>(relief_ns[i]));
        }
    }
    rewind();
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
    if (removed_.empty() && !lengths_change_ && !change_.latency && !change_.device_alone && !change_.prompt_device) {
        return first_ns;
    }
    for (std::size_t i = 0; i < model_.events.size(); ++i) {
        const ReplayEvent& event = model_.events[i];
        if (event.launched_ns >= first_ns) {
            break;
        }
        if (isRemoved(i) || (change_.device_alone && event.held_ns > 0) ||
            (change_.prompt_device && event.answer_ns > 0) ||
            (change_.latency && change_.latency(event) != event.latency_ns) ||
            (!meets(event) && length_[i] != event.span.length())) {
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
    TimeNs& stream_end_ns = stream_end_[event.stream];
    if (isRemoved(index)) {
        for (const std::uint32_t other : {event.waits_for, event.comes_after}) {
            if (!event.communication && other != ReplayEvent::kNone) {
                stream_end_ns = std::max(stream_end_ns, new_end_[other]);  // its stream still has to wait
            }
        }
        new_start_[index] = stream_end_ns;
        new_end_[index] = stream_end_ns;  // its dependents then wait for its predecessors
        if (meets(event)) {
            arrivals_.push_back({index, DeviceEvent::kBeforeAll});
        }
        return true;
    }
    const TimeNs start_ns = startOf(event);
    new_start_[index] = start_ns;
    if (change_.in_sequence && event.communication) {
        last_communication_ = index;
    }
    if (meets(event)) {
        new_end_[index] = kUnknown;
        open_[event.stream] = index;
        arrivals_.push_back({index, start_ns});
        return true;
    }
    new_end_[index] = start_ns + length_[index];
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
