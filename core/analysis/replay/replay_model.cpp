// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replay/replay_model.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "core/analysis/gaps/host_activity.h"
#include "core/analysis/replay/rank_dependencies.h"
#include "core/analysis/steps/rank_steps.h"
#include "core/analysis/steps/run_steps.h"
#include "core/base/statistics.h"

namespace rankscope {
namespace {

constexpr DurationNs kClockSlackNs = 5'000;
/// A stream that was idle for longer was delayed: between two pieces of queued work it pauses for less.
constexpr DurationNs kHandOverNs = 5'000;
/// The cost of a call that finds its work done, if the trace shows no such call.
constexpr DurationNs kCallCostNs = 10'000;

/// For each event (by start): the last work to end before it starts; if none ended within `slack_ns` before, the first
/// to end within `slack_ns` after, since both instants may be rounded. kNone at the start. Indices into `events`.
std::vector<std::uint32_t> lastEndedBefore(const std::vector<DeviceEvent>& events, DurationNs slack_ns) {
    std::vector<std::uint32_t> by_end(events.size());
    std::iota(by_end.begin(), by_end.end(), 0U);
    const auto end_of = [&](std::uint32_t i) { return events[i].span.end_ns; };
    if (!std::ranges::is_sorted(by_end, {}, end_of)) {
        std::ranges::sort(by_end, {}, end_of);
    }
    std::vector<std::uint32_t> last(events.size(), ReplayEvent::kNone);
    std::size_t ended = 0;
    for (std::size_t i = 0; i < events.size(); ++i) {
        const TimeNs start_ns = events[i].span.start_ns;
        while (ended < by_end.size() && end_of(by_end[ended]) <= start_ns) {
            ++ended;
        }
        // Work as short as the grid seems to end before it starts.
        const auto came_before = [&](std::uint32_t other) {
            return other != i && events[other].span.start_ns <= start_ns;
        };
        std::size_t at = ended;
        while (at > 0 && !came_before(by_end[at - 1])) {
            --at;
        }
        if (at > 0) {
            last[i] = by_end[at - 1];
        }
        if (at > 0 && end_of(last[i]) >= start_ns - slack_ns) {
            continue;
        }
        for (at = ended; at < by_end.size() && end_of(by_end[at]) <= start_ns + slack_ns; ++at) {
            if (came_before(by_end[at])) {
                last[i] = by_end[at];
                break;
            }
        }
    }
    return last;
}

/// The usual time from a launch call to the start on an idle device.
DurationNs medianLatency(const std::vector<DeviceEvent>& events, const std::vector<std::uint32_t>& last_ended) {
    std::vector<DurationNs> latencies;
    for (std::size_t i = 0; i < events.size(); ++i) {
        const DeviceEvent& event = events[i];
        const bool idle = last_ended[i] == ReplayEvent::kNone || events[last_ended[i]].span.end_ns <= event.launched_ns;
        if (event.launch.valid() && idle && event.launched_ns < event.span.start_ns) {
            latencies.push_back(event.span.start_ns - event.launched_ns);
        }
    }
    return latencies.empty() ? kCallCostNs : lowerMedian(std::move(latencies));
}

/// Whether work started late because its launch did: the device was idle for a while, and the call was still running
/// when that began, and until about the start. So the thread stalled in the call, before it had launched. For copies
/// this shows nothing: their calls may wait for the device.
bool launchedLate(const DeviceEvent& event, const DeviceEvent& ended_before, DurationNs median_latency_ns) {
    const TimeNs idle_from_ns = ended_before.span.end_ns;
    return event.work != WorkClass::Copy && event.launch.valid() && event.launch != ended_before.launch &&
           idle_from_ns < event.call.end_ns &&
           event.span.start_ns - idle_from_ns > std::max(kHandOverNs, 2 * median_latency_ns) &&
           event.span.start_ns <= event.call.end_ns + median_latency_ns;
}

/// The calls of a rank that may wait for the device.
std::vector<SliceRef> waitsOf(const RankContext& work) {
    std::vector<SliceRef> waits;
    for (const HostThread& thread : work.threads.all()) {
        for (const SliceIndex i : thread.waits) {
            waits.push_back({thread.track, i});
        }
    }
    return waits;
}

/// Fills a model from a rank, step by step.
class ModelBuilder {
  public:
    explicit ModelBuilder(const RankContext& work)
        : work_(work),
          slack_ns_(work.trace->health.time_slack_ns),
          activities_(*work.trace, work.names, work.threads, waitsOf(work)) {}

    ReplayModel build() {
        addEvents();
        addHostTime();
        for (const StepMark& mark : work_.marks.marks) {
            model_.hosts.push_back(mark.host);
        }
        model_.holes = RecordedWindows(*work_.trace).holes();
        model_.earlier_ns = earlierWorkEnd(work_);
        model_.whole_window = work_.marks.source == StepSource::WholeWindow;
        return std::move(model_);
    }

  private:
    void addEvents();
    void addEvent(const DeviceEvent& event, const DeviceEvent* ended_before, std::uint32_t ended_index,
                  DurationNs median_latency_ns);
    void holdBack(ReplayEvent& replayed, const DeviceEvent& event, DurationNs pause_ns);
    void addHostTime();
    void addWait(SliceRef ref);
    void addFree(SliceRef ref);
    void addBlockedLaunch(const BlockedLaunch& launch);
    void passLaunchesUntil(TimeNs host_ns);
    TimeNs settle(ReplayWait& wait);
    void depend(ReplayWait& wait, std::uint32_t event);

    const RankContext& work_;
    DurationNs slack_ns_ = 0;  // how much work may seem to start before the end of its predecessor
    HostActivities activities_;
    ReplayModel model_;
    std::vector<std::uint32_t> stream_of_track_;
    std::vector<std::uint32_t> last_of_stream_;  // while adding: index in model_.events
    std::vector<std::uint32_t> last_compute_;    // the same of work that is no communication, by launch
    std::map<TrackId, std::uint32_t> last_of_thread_;
    std::vector<const DeviceEvent*> launched_;  // as model_.events
    std::size_t passed_ = 0;                    // launches before the current wait
};

void ModelBuilder::addEvents() {
    const std::vector<DeviceEvent>& events = work_.device.events;
    const std::vector<std::uint32_t> last_ended = lastEndedBefore(events, slack_ns_);
    const DurationNs median_ns = medianLatency(events, last_ended);
    std::vector<std::uint32_t> order(events.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return events[i].launched_ns; });
    std::vector<std::uint32_t> place(events.size());
    stream_of_track_.assign(work_.trace->tracks.size(), ReplayEvent::kNone);
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        place[order[i]] = i;
        std::uint32_t& stream = stream_of_track_[events[i].ref.track.value];
        stream = stream == ReplayEvent::kNone ? model_.streams++ : stream;
    }
    last_of_stream_.assign(model_.streams, ReplayEvent::kNone);
    last_compute_.assign(model_.streams, ReplayEvent::kNone);
    model_.events.reserve(events.size());
    for (const std::uint32_t i : order) {
        const bool any = last_ended[i] != ReplayEvent::kNone;
        addEvent(events[i], any ? &events[last_ended[i]] : nullptr, any ? place[last_ended[i]] : ReplayEvent::kNone,
                 median_ns);
        launched_.push_back(&events[i]);
    }
    orderBehindCommunication(waitsForCommunication(work_), slack_ns_, model_.events);
}

/// Finds what communication comes after, and marks the communication that delayed this work: its stream had paused for
/// `pause_ns`.
void ModelBuilder::holdBack(ReplayEvent& replayed, const DeviceEvent& event, DurationNs pause_ns) {
    if (!replayed.communication) {
        const std::uint32_t before =
            replayed.waits_for != ReplayEvent::kNone ? replayed.waits_for : last_of_stream_[replayed.stream];
        if (before != ReplayEvent::kNone && model_.events[before].communication &&
            (replayed.waits_for == ReplayEvent::kNone || pause_ns > kHandOverNs)) {
            model_.events[before].blocks = true;
        }
        return;
    }
    TimeNs last_ns = DeviceEvent::kBeforeAll;
    for (const std::uint32_t compute : last_compute_) {
        // Work that ends later proves that it need not come first.
        if (compute != ReplayEvent::kNone && model_.events[compute].span.end_ns <= event.span.start_ns + slack_ns_ &&
            model_.events[compute].span.end_ns > last_ns) {
            last_ns = model_.events[compute].span.end_ns;
            replayed.comes_after = compute;
            replayed.after_gap_ns = std::min<DurationNs>(0, event.span.start_ns - last_ns);
        }
    }
}

void ModelBuilder::addEvent(const DeviceEvent& event, const DeviceEvent* ended_before, std::uint32_t ended_index,
                            DurationNs median_latency_ns) {
    const auto index = static_cast<std::uint32_t>(model_.events.size());
    ReplayEvent replayed;
    replayed.ref = event.ref;
    replayed.launched_ns = event.launched_ns;
    replayed.span = event.span;
    replayed.held_ns = event.held_ns;
    replayed.stream = stream_of_track_[event.ref.track.value];
    replayed.slot = slotOf(work_.marks.marks, event.launched_ns);
    const DurationNs observed_ns =
        event.launched_ns == DeviceEvent::kBeforeAll ? 0 : event.span.start_ns - event.launched_ns;
    const bool late = ended_before != nullptr && launchedLate(event, *ended_before, median_latency_ns);
    std::uint32_t& before = last_of_stream_[replayed.stream];
    bool behind_stream = false;
    bool at_once = false;  // it followed the previous work on its stream like queued work: nothing else delayed it
    if (before != ReplayEvent::kNone) {
        const TimeNs end_ns = model_.events[before].span.end_ns;
        replayed.stream_gap_ns = event.span.start_ns - end_ns;
        behind_stream = !late && end_ns > event.launched_ns;
        at_once = behind_stream && replayed.stream_gap_ns <= kHandOverNs;
    }
    const bool behind_other =
        !late && !at_once && ended_before != nullptr && ended_before->ref.track != event.ref.track &&
        ended_before->span.end_ns > event.launched_ns && observed_ns > 2 * median_latency_ns && ended_index < index;
    if (behind_other) {
        replayed.waits_for = ended_index;
        replayed.wait_gap_ns = event.span.start_ns - ended_before->span.end_ns;
    }
    replayed.communication = event.work == WorkClass::Communication;
    holdBack(replayed, event, before == ReplayEvent::kNone ? observed_ns : replayed.stream_gap_ns);
    // A device that answers late does so whenever the work is launched: nothing shows that an earlier call hides it.
    replayed.answer_ns = event.answer_ns;
    const DurationNs prompt_ns = observed_ns - event.answer_ns;
    replayed.stream_gap_ns -= before != ReplayEvent::kNone ? event.answer_ns : 0;
    replayed.wait_gap_ns -= behind_other ? event.answer_ns : 0;
    replayed.latency_ns = behind_stream || behind_other ? std::min(prompt_ns, median_latency_ns) : prompt_ns;
    if (!behind_stream || behind_other) {
        // It followed the previous work on its stream by chance; it could have followed at once.
        replayed.stream_gap_ns = std::min<DurationNs>(replayed.stream_gap_ns, 1'000);
    }
    if (!replayed.communication) {
        last_compute_[replayed.stream] = index;
    }
    // The one that ends last: work of one stream can overlap.
    before = before == ReplayEvent::kNone || model_.events[before].span.end_ns <= event.span.end_ns ? index : before;
    model_.events.push_back(replayed);
}

void ModelBuilder::depend(ReplayWait& wait, std::uint32_t event) {
    model_.dependencies.push_back(event);
    ++wait.dependencies;
}

/// Advances to the work that was launched last at an instant of the host.
void ModelBuilder::passLaunchesUntil(TimeNs host_ns) {
    while (passed_ < launched_.size() && launched_[passed_]->launched_ns <= host_ns) {
        const auto index = static_cast<std::uint32_t>(passed_);
        std::uint32_t& last = last_of_stream_[model_.events[passed_].stream];
        const bool later =
            last == ReplayEvent::kNone || model_.events[last].span.end_ns <= model_.events[passed_].span.end_ns;
        last = later ? index : last;
        last_of_thread_[launched_[passed_]->launch.track] = index;
        ++passed_;
    }
}

/// Finds out whether a call waited for its dependencies. Returns when these were done.
TimeNs ModelBuilder::settle(ReplayWait& wait) {
    TimeNs done_ns = DeviceEvent::kBeforeAll;
    ReplayEvent* last = nullptr;
    for (std::uint32_t i = 0; i < wait.dependencies; ++i) {
        ReplayEvent& event = model_.events[model_.dependencies[wait.first_dependency + i]];
        if (event.span.end_ns > done_ns) {
            done_ns = event.span.end_ns;
            last = &event;
        }
    }
    wait.waited = last != nullptr && done_ns > wait.call.start_ns;
    if (wait.waited) {
        last->blocks = true;
    }
    return done_ns;
}

/// Freeing memory means to wait for everything launched, and then to do the work itself. A call that returned while
/// some of it still ran did not wait: its time is like any other host time.
void ModelBuilder::addFree(SliceRef ref) {
    ReplayWait wait;
    wait.call = work_.trace->span(ref);
    wait.cause = Cause::Allocator;
    wait.label = work_.trace->name(ref);
    wait.first_dependency = static_cast<std::uint32_t>(model_.dependencies.size());
    passLaunchesUntil(wait.call.start_ns);
    for (const std::uint32_t event : last_of_stream_) {
        if (event != ReplayEvent::kNone) {
            depend(wait, event);
        }
    }
    const TimeNs done_ns = settle(wait);
    if (!wait.waited || done_ns > wait.call.end_ns + kClockSlackNs) {
        model_.dependencies.resize(wait.first_dependency);
        return;
    }
    wait.return_ns = wait.call.end_ns - done_ns;
    wait.cost_ns = std::max<DurationNs>(0, wait.return_ns);
    model_.waits.push_back(wait);
}

void ModelBuilder::addWait(SliceRef ref) {
    const TimeSpan call = work_.trace->span(ref);
    passLaunchesUntil(call.start_ns);
    const HostActivity activity = activities_.ofWait(ref);
    if (!activity.wait.valid()) {
        return;
    }
    ReplayWait wait;
    wait.call = call;
    wait.cause = activity.cause;
    wait.label = work_.trace->strings.view(activity.label);
    wait.first_dependency = static_cast<std::uint32_t>(model_.dependencies.size());
    const auto ended = [&](std::uint32_t event) {
        return event != ReplayEvent::kNone && model_.events[event].span.end_ns <= call.end_ns + kClockSlackNs;
    };
    const auto own = last_of_thread_.find(ref.track);
    const std::uint32_t current = own == last_of_thread_.end() ? ReplayEvent::kNone : own->second;
    const std::string_view name = work_.trace->name(ref);
    const bool of_stream = name.find("StreamSynchronize") != std::string_view::npos;
    if (current != ReplayEvent::kNone && launched_[current]->launch == ref) {
        depend(wait, current);  // a copy waits for itself
    } else if (of_stream && ended(current)) {
        depend(wait, last_of_stream_[model_.events[current].stream]);
    } else {
        for (const std::uint32_t event : last_of_stream_) {
            // For a wait for an event, or for another stream than the current, only the work that had ended is known.
            const bool in_call = event != ReplayEvent::kNone && model_.events[event].span.end_ns > call.start_ns;
            if (ended(event) && (in_call || name.find("DeviceSynchronize") != std::string_view::npos)) {
                depend(wait, event);
            }
        }
    }
    const TimeNs done_ns = settle(wait);
    wait.return_ns = wait.waited ? call.end_ns - done_ns : std::min(call.length(), kCallCostNs);
    wait.cost_ns = wait.waited ? std::min(call.length(), kCallCostNs) : call.length();
    model_.waits.push_back(wait);
}

/// The host waits until there is room in the queue. The work that made room did not block the host, which was far
/// ahead.
void ModelBuilder::addBlockedLaunch(const BlockedLaunch& launch) {
    const DeviceEvent& event = *launched_[launch.event];
    ReplayWait wait;
    wait.call = event.call;
    wait.cause = Cause::Launch;
    wait.label = work_.trace->name(event.launch);
    wait.first_dependency = static_cast<std::uint32_t>(model_.dependencies.size());
    depend(wait, launch.released_by);
    wait.waited = true;
    wait.return_ns = event.call.end_ns - model_.events[launch.released_by].span.end_ns;
    wait.cost_ns = std::min(wait.return_ns, kCallCostNs);
    model_.waits.push_back(wait);
}

void ModelBuilder::addHostTime() {
    // One line of time for all threads that work for the device: they wait for one another.
    struct Call {
        TimeSpan span;
        SliceRef ref;
        enum class Kind : std::uint8_t { Loader, Wait, Free, FullQueue } kind = Kind::Wait;
        BlockedLaunch blocked = {};
    };
    std::vector<Call> calls;
    for (const HostThread& thread : work_.threads.all()) {
        if (!thread.track.valid() || !(thread.puts_work || thread.track == work_.marks.thread)) {
            continue;
        }
        for (const SliceIndex i : thread.loaders) {
            calls.push_back({work_.trace->span({thread.track, i}), {thread.track, i}, Call::Kind::Loader, {}});
        }
        for (const SliceIndex i : thread.waits) {
            calls.push_back({work_.trace->span({thread.track, i}), {thread.track, i}, Call::Kind::Wait, {}});
        }
        for (const SliceIndex i : thread.frees) {
            calls.push_back({work_.trace->span({thread.track, i}), {thread.track, i}, Call::Kind::Free, {}});
        }
    }
    for (const BlockedLaunch& blocked : findBlockedLaunches(launched_, work_.device.empty_events)) {
        const DeviceEvent& event = *launched_[blocked.event];
        calls.push_back({event.call, event.launch, Call::Kind::FullQueue, blocked});
    }
    std::ranges::stable_sort(calls, {}, [](const Call& c) { return c.span.start_ns; });
    last_of_stream_.assign(model_.streams, ReplayEvent::kNone);
    TimeNs taken_ns = DeviceEvent::kBeforeAll;
    for (const Call& call : calls) {
        if (call.span.empty() || call.span.start_ns < taken_ns) {
            continue;  // inside a loader wait, or at the same time as a wait of another thread
        }
        const std::size_t waits = model_.waits.size();
        switch (call.kind) {
            case Call::Kind::Loader: model_.loaders.push_back(call.span); break;
            case Call::Kind::Wait: addWait(call.ref); break;
            case Call::Kind::Free: addFree(call.ref); break;
            case Call::Kind::FullQueue: addBlockedLaunch(call.blocked); break;
        }
        if (call.kind == Call::Kind::Loader || model_.waits.size() > waits) {
            taken_ns = call.span.end_ns;
        }
    }
}

}  // namespace

ReplayModel makeReplayModel(const RankContext& work) {
    return ModelBuilder(work).build();
}

}  // namespace rankscope
