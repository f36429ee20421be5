// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/gaps/gap_causes.h"

#include <algorithm>
#include <cassert>

#include "core/analysis/gaps/held_work.h"

namespace rankscope {
namespace {

/// Appends a part, or extends the previous one if it is the same.
void append(std::vector<CausePart>& parts, const HostActivity& activity, const TimeSpan& span) {
    if (span.empty()) {
        return;
    }
    if (!parts.empty() && parts.back().cause == activity.cause && parts.back().label == activity.label) {
        parts.back().span.end_ns = span.end_ns;
        return;
    }
    CausePart part;
    part.cause = activity.cause;
    part.span = span;
    part.label = activity.label;
    part.evidence = activity.evidence;
    parts.push_back(part);
}

HostActivity only(Cause cause, SliceRef evidence = {}) {
    HostActivity activity;
    activity.cause = cause;
    activity.evidence.add(evidence);
    return activity;
}

/// Host time that would not delay the device if the host ran ahead.
bool isLateHost(Cause cause) {
    return cause == Cause::Launch || cause == Cause::Operator || cause == Cause::Python || cause == Cause::Unrecorded;
}

}  // namespace

GapCauses::GapCauses(const RankTrace& rank, const HostNames& names, const HostThreads& threads,
                     std::span<const HostStall> stalls, TrackId main_thread, DurationNs median_launch_interval_ns)
    : rank_(rank),
      names_(names),
      threads_(threads),
      activities_(rank, names, threads),
      stalls_(stalls),
      main_thread_(main_thread),
      long_stretch_ns_(multiple(kLaunchesInLongStretch, median_launch_interval_ns)),
      teams_(rank.tracks.size()) {
    for (std::uint32_t t = 0; t < teams_.size(); ++t) {
        teams_[t] = {TrackId(t)};
    }
    for (const HostThread& thread : threads.all()) {
        if (thread.puts_work || (thread.track.valid() && thread.track == main_thread)) {
            std::vector<TrackId>& team = teams_[thread.track.value];
            team = threads.partners(rank, thread.track);
            // The main thread marks the steps and waits for data, even if another thread does all the launching.
            const bool knows_main = thread.track == main_thread || std::ranges::find(team, main_thread) != team.end();
            if (!knows_main && main_thread.valid() &&
                rank.tracks[main_thread.value].process == rank.tracks[thread.track.value].process) {
                team.push_back(main_thread);
            }
            team.insert(team.begin(), thread.track);
        }
    }
}

void GapCauses::divide(const TimeSpan& gap, const DeviceEvent* before, const DeviceEvent* releasing,
                       std::vector<CausePart>& parts) const {
    parts.clear();
    if (releasing == nullptr) {
        if (main_thread_.valid()) {
            divideHostTime(main_thread_, gap, gap, before, parts);
        } else {
            append(parts, only(Cause::Unrecorded), gap);
        }
        markLongStretches(main_thread_, parts);
        return;
    }
    if (!releasing->launch.valid()) {
        append(parts, only(Cause::Unrecorded, releasing->ref), gap);
        markLongStretches({}, parts);
        return;
    }
    // From here on the work was ready, but another process had the device.
    const TimeNs ready_ns = std::max(gap.start_ns, gap.end_ns - releasing->held_ns);
    const HostActivity held = only(Cause::DeviceShared, releasing->ref);
    if (releasing->call.end_ns <= gap.start_ns) {
        const TimeSpan queued{gap.start_ns, ready_ns};
        const bool follows = before != nullptr || followsLeftOut(gap, *releasing);
        const bool short_one = queued.length() < kKernelToKernelNs && follows;
        const bool one_graph = before != nullptr && before->launch == releasing->launch;
        append(parts, only(short_one ? Cause::KernelToKernel : one_graph ? Cause::InsideGraph : Cause::Queued), queued);
        append(parts, held, {ready_ns, gap.end_ns});
        return;
    }
    const TimeNs launched_ns = std::clamp(releasing->call.start_ns, gap.start_ns, gap.end_ns);
    divideHostTime(releasing->launch.track, {gap.start_ns, launched_ns}, gap, before, parts);
    markLongStretches(releasing->launch.track, parts);
    // Before the first work of a file, work may be running that was launched before the recording.
    const TimeNs handed_over_ns = std::clamp(releasing->call.end_ns, launched_ns, ready_ns);
    const bool may_queue =
        before == nullptr && !followsLeftOut(gap, *releasing) && ready_ns - handed_over_ns >= kLeastHeldNs;
    const TimeNs answered_ns = std::max(launched_ns, ready_ns - releasing->answer_ns);
    divideLatency(releasing->launch, {launched_ns, may_queue ? handed_over_ns : answered_ns}, parts);
    HostActivity late = only(Cause::LateAnswer, releasing->launch);
    late.evidence.add(releasing->ref);
    if (threads_.uploadsGraph(releasing->launch)) {
        late.cause = Cause::WarmUp;
        late.label = rank_.track(releasing->launch).slices.name[releasing->launch.slice];
    }
    append(parts, late, {may_queue ? ready_ns : answered_ns, ready_ns});
    append(parts, only(Cause::Queued), {may_queue ? handed_over_ns : ready_ns, ready_ns});
    append(parts, held, {ready_ns, gap.end_ns});
}

bool GapCauses::followsLeftOut(const TimeSpan& gap, const DeviceEvent& releasing) const {
    const std::int32_t device = rank_.track(releasing.ref).device;
    return std::ranges::any_of(rank_.earlier.devices, [&](const EarlierSteps::DeviceEnds& ends) {
        return ends.device == device && ends.work_ns == gap.start_ns;
    });
}

HostActivity GapCauses::stalled(const HostStall& stall) const {
    HostActivity activity;
    activity.cause = Cause::HostStall;
    activity.soft = false;
    if (stall.slice != kNoSlice) {
        // A step's mark says nothing about what the thread did.
        if (activities_.of(stall.track, stall.slice).label.valid()) {
            activity.label = rank_.tracks[stall.track.value].slices.name[stall.slice];
        }
        activity.evidence.add({stall.track, stall.slice});
    }
    return activity;
}

HostActivity GapCauses::activityAt(TrackId thread, SliceIndex inner, TimeNs at_ns) const {
    // If this thread is not busy, another one may work for it: that one is checked first (followThreads()).
    const HostActivity activity = activities_.of(thread, inner);
    const HostStall* stall = activity.soft ? nullptr : stallAt(stalls_, thread, at_ns);
    return stall == nullptr ? activity : stalled(*stall);
}

void GapCauses::divideLatency(SliceRef launch, const TimeSpan& latency, std::vector<CausePart>& parts) const {
    // A copy call that blocks the host until its copy is done costs this time as a copy, not as a launch.
    const HostActivity call = activities_.of(launch.track, launch.slice);
    if (call.wait.valid() || call.cause == Cause::WarmUp) {
        append(parts, call, latency);
        return;
    }
    HostActivity waiting = only(Cause::LaunchLatency, launch);
    if (const SliceRef reducer = threads_.reducerAround(rank_, names_, launch); reducer.valid()) {
        waiting.label = rank_.track(reducer).slices.name[reducer.slice];
    }
    // The thread may stall inside the call, before it has handed the work over.
    const TimeSpan inside = intersect(latency, rank_.span(launch));
    TimeNs at_ns = latency.start_ns;
    const auto set_apart = [&](const HostActivity& activity, const TimeSpan& span) {
        append(parts, waiting, {at_ns, span.start_ns});
        append(parts, activity, span);
        at_ns = span.end_ns;
    };
    forEachInnermost(rank_.track(launch).slices, inside, [&](SliceIndex inner, const TimeSpan& span) {
        if (const HostStall* stall = stallAt(stalls_, launch.track, span.start_ns); stall != nullptr) {
            set_apart(stalled(*stall), span);
        } else if (inner != kNoSlice && inner != launch.slice) {
            // The code of a kernel is loaded inside the first call that launches it.
            if (const HostActivity within = activities_.of(launch.track, inner); within.cause == Cause::WarmUp) {
                set_apart(within, span);
            }
        }
    });
    append(parts, waiting, {at_ns, latency.end_ns});
}

void GapCauses::markLongStretches(TrackId thread, std::vector<CausePart>& parts) const {
    for (std::size_t first = 0; first < parts.size();) {
        // A launch ends a stretch, even if its work left no trace on the device (in whole microseconds short kernels
        // have zero length): the host did launch work.
        std::size_t last = first;
        while (last < parts.size() && isLateHost(parts[last].cause) &&
               (last == first || parts[last - 1].cause != Cause::Launch)) {
            ++last;
        }
        if (last == first) {
            ++first;
            continue;
        }
        const TimeSpan stretch{parts[first].span.start_ns, parts[last - 1].span.end_ns};
        const bool is_long = stretch.length() >= long_stretch_ns_;
        const SliceRef code = is_long ? codeAround(thread, stretch) : SliceRef();
        const TimeSpan inside = code.valid() ? rank_.span(code) : stretch;
        for (; first < last; ++first) {
            // The time next to that code is normal work.
            const TimeSpan& span = parts[first].span;
            const bool within = is_long && 2 * intersect(span, inside).length() > span.length();
            parts[first].long_stretch = within;
            parts[first].code = within ? code : SliceRef();
        }
    }
}

SliceRef GapCauses::codeAround(TrackId thread, const TimeSpan& span) const {
    if (!thread.valid()) {
        return {};
    }
    for (const TrackId track : teams_[thread.value]) {
        if (const SliceRef code = activities_.codeAround(track, span); code.valid()) {
            return code;
        }
    }
    return {};
}

HostActivity GapCauses::drainedBy(TrackId thread, const TimeSpan& gap, const DeviceEvent* before) const {
    if (before == nullptr) {
        return {};
    }
    for (const TrackId track : teams_[thread.value]) {
        const SliceRef wait = threads_.lastWaitBefore(rank_, track, gap.start_ns);
        if (!wait.valid()) {
            continue;
        }
        // The host may return from a pageable copy slightly before the copy ends; then the last work was its own.
        const bool own_copy = before->launch == wait;
        const bool waited =
            before->launched_ns < rank_.span(wait).start_ns && rank_.span(wait).end_ns >= gap.start_ns - kClockSlackNs;
        if (own_copy || waited) {
            HostActivity activity = activities_.ofWait(wait);
            if (activity.wait.valid()) {
                return activity;
            }
        }
    }
    return {};
}

/// Visits the window with the activity of the first of `threads` from `at` on that was really busy; if none was, with
/// that of the first thread.
template <class Emit>
void GapCauses::followThreads(const std::vector<TrackId>& threads, std::size_t at, const TimeSpan& window,
                              const Emit& emit, const HostActivity* fallback) const {
    if (at == threads.size()) {
        // None of them is busy, although one may have to be.
        for (const TrackId thread : threads) {
            if (const HostStall* stall = stallAt(stalls_, thread, window.start_ns); stall != nullptr) {
                emit(stalled(*stall), window);
                return;
            }
        }
        emit(*fallback, window);
        return;
    }
    const TrackId track = threads[at];
    TimeNs from_ns = window.start_ns;
    while (from_ns < window.end_ns) {
        const SliceIndex loader = threads_.loaderAt(rank_, track, from_ns);
        if (loader != kNoSlice) {
            const TimeNs end_ns = std::min(window.end_ns, rank_.span({track, loader}).end_ns);
            assert(end_ns > from_ns);
            emit(activities_.of(track, loader), TimeSpan{from_ns, end_ns});
            from_ns = end_ns;
            continue;
        }
        const TimeNs until_ns = std::min(window.end_ns, threads_.nextLoader(rank_, track, from_ns));
        assert(until_ns > from_ns);
        forEachInnermost(rank_.tracks[track.value].slices, {from_ns, until_ns},
                         [&](SliceIndex inner, const TimeSpan& span) {
                             const HostActivity activity = activityAt(track, inner, span.start_ns);
                             if (!activity.soft) {
                                 emit(activity, span);
                             } else {
                                 followThreads(threads, at + 1, span, emit, at == 0 ? &activity : fallback);
                             }
                         });
        from_ns = until_ns;
    }
}

void GapCauses::divideHostTime(TrackId thread, const TimeSpan& window, const TimeSpan& gap, const DeviceEvent* before,
                               std::vector<CausePart>& parts) const {
    if (window.empty()) {
        return;
    }
    HostActivity drain = drainedBy(thread, gap, before);
    const auto emit = [&](const HostActivity& activity, const TimeSpan& span) {
        if (activity.wait.valid() && rank_.span(activity.wait).start_ns <= gap.start_ns) {
            drain = activity;
        }
        append(parts, drain.wait.valid() && isLateHost(activity.cause) ? drain : activity, span);
    };
    followThreads(teams_[thread.value], 0, window, emit, nullptr);
}

}  // namespace rankscope
