// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/gaps/held_work.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/statistics.h"
#include "core/trace/recorded_windows.h"

namespace rankscope {
namespace {

/// Again and again: this many times, over this many quarters of the recorded time.
constexpr std::size_t kLeastTimes = 5;
constexpr std::size_t kQuarters = 4;
constexpr std::size_t kLeastQuarters = 3;
/// A place in the device's repeated work is identified by this many names in a row. From this many visits on it is
/// known whether work regularly starts late there. Time slices of another process hit different places; what the
/// program itself waits for, and work that was not recorded, are at the same place in each step.
constexpr std::size_t kNamesOfPlace = 9;
constexpr std::size_t kLeastSeen = 3;

bool launchesKernel(const RankTrace& rank, const HostNames& names, SliceRef call) {
    return names.kind(rank.track(call).slices.name[call.slice], rank.category(call)) == HostKind::KernelLaunch;
}

bool losesRecords(const HostThreads& threads) {
    std::size_t launches = 0;
    std::size_t lost = 0;
    for (const HostThread& thread : threads.all()) {
        launches += thread.launches.size();
        lost += thread.unlinked.size();
    }
    return isSystematic(lost, launches);
}

/// How a piece of work started: in which state of the device, and after what.
struct Start {
    TimeNs ended_ns = DeviceEvent::kBeforeAll;  ///< the last end of any work before it
    bool after_other = false;                   ///< some work had ended before it
    bool idle = true;                           ///< nothing ran
    bool computing = false;                     ///< something other than communication ran
};

/// By event. Both walks are in order of time, so each event is visited once.
std::vector<Start> startsOf(const std::vector<DeviceEvent>& events) {
    std::vector<std::uint32_t> by_end(events.size());
    std::iota(by_end.begin(), by_end.end(), 0U);
    std::ranges::stable_sort(by_end, {}, [&](std::uint32_t i) { return events[i].span.end_ns; });
    std::vector<Start> starts(events.size());
    std::size_t ended = 0;
    TimeNs any_end_ns = DeviceEvent::kBeforeAll;
    TimeNs compute_end_ns = DeviceEvent::kBeforeAll;
    for (std::uint32_t i = 0; i < events.size(); ++i) {
        const TimeNs start_ns = events[i].span.start_ns;
        while (ended < by_end.size() && events[by_end[ended]].span.end_ns <= start_ns) {
            ++ended;
        }
        Start& start = starts[i];
        if (ended > 0) {
            start.after_other = true;
            start.ended_ns = events[by_end[ended - 1]].span.end_ns;
        }
        start.idle = any_end_ns <= start_ns;
        start.computing = compute_end_ns > start_ns;
        any_end_ns = std::max(any_end_ns, events[i].span.end_ns);
        if (events[i].work != WorkClass::Communication) {
            compute_end_ns = std::max(compute_end_ns, events[i].span.end_ns);
        }
    }
    return starts;
}

/// The median time from the end of a launch call to the start on an idle device; never below zero. It includes an
/// offset between the clocks of host and device.
DurationNs baselineLatency(const std::vector<DeviceEvent>& events, const std::vector<Start>& starts) {
    std::vector<DurationNs> latencies;
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (events[i].launch.valid() && starts[i].idle && starts[i].ended_ns < events[i].call.start_ns) {
            latencies.push_back(events[i].span.start_ns - events[i].call.end_ns);
        }
    }
    return std::max<DurationNs>(0, lowerMedian(std::move(latencies)));
}

/// How the device reached a piece of work at one place of its repeated work.
struct Seen {
    std::size_t all = 0;
    std::size_t late = 0;  ///< late by at least half of the limit: repeated delays need not exceed the limit
    /// Late at least half of the time: the work waits for something of its own there.
    [[nodiscard]] bool waitsAnyway() const { return all >= kLeastSeen && 2 * late > all; }
    [[nodiscard]] bool isChance() const { return all >= kLeastSeen && 2 * late <= all; }
};

/// By event: the same number for the same place, identified by its name and those of the previous work on its stream,
/// whose order is the program's.
std::vector<std::uint64_t> placesOf(const RankTrace& rank, const std::vector<DeviceEvent>& events) {
    std::unordered_map<std::uint32_t, std::deque<std::uint64_t>> before;  // by track
    std::vector<std::uint64_t> places;
    places.reserve(events.size());
    for (const DeviceEvent& event : events) {
        std::deque<std::uint64_t>& names = before[event.ref.track.value];
        names.push_back(rank.track(event.ref).slices.name[event.ref.slice].value);
        if (names.size() > kNamesOfPlace) {
            names.pop_front();
        }
        constexpr std::uint64_t kPrime = 0x100000001b3U;  // prime of the FNV hash
        std::uint64_t place = event.ref.track.value;
        for (const std::uint64_t name : names) {
            place = (place ^ (name + 1)) * kPrime;
        }
        places.push_back(place);
    }
    return places;
}

class HeldWork {
  public:
    HeldWork(const RankTrace& rank, const HostNames& names, DeviceWork& work)
        : rank_(rank),
          names_(names),
          events_(work.events),
          windows_(rank),
          starts_(startsOf(work.events)),
          places_(placesOf(rank, work.events)) {
        const DurationNs latency_ns = baselineLatency(events_, starts_);
        for (std::uint32_t i = 0; i < events_.size(); ++i) {
            late_ns_.push_back(lateBy(i, latency_ns));
            Seen& seen = seen_[places_[i]];
            ++seen.all;
            seen.late += 2 * late_ns_.back() >= kLeastHeldNs ? 1U : 0U;
        }
    }

    /// Whether it happens again and again, and mostly where it is not the rule.
    [[nodiscard]] bool strikesAgain() const {
        std::array<bool, kQuarters> quarters{};
        std::size_t times = 0;
        std::size_t all = 0;
        for (std::uint32_t i = 0; i < events_.size(); ++i) {
            all += late_ns_[i] >= kLeastHeldNs && starts_[i].idle ? 1U : 0U;
            if (isProof(i)) {
                ++times;
                quarters.at(quarterOf(events_[i].span.start_ns)) = true;
            }
        }
        return times >= kLeastTimes && 2 * times >= all &&
               static_cast<std::size_t>(std::ranges::count(quarters, true)) >= kLeastQuarters;
    }

    void markHeld() {
        for (std::uint32_t i = 0; i < events_.size(); ++i) {
            const bool held = late_ns_[i] >= kLeastHeldNs && !seen_.at(places_[i]).waitsAnyway();
            events_[i].held_ns = held ? late_ns_[i] : 0;
        }
    }

    /// Work that an idle device started late although the launch call returned when the device was idle already. If it
    /// had been launched before that, the gap shows it.
    void markLateAnswers() {
        for (std::uint32_t i = 0; i < events_.size(); ++i) {
            DeviceEvent& event = events_[i];
            const bool is_late = late_ns_[i] >= kLeastHeldNs && starts_[i].idle && event.held_ns == 0;
            event.answer_ns = is_late && event.call.end_ns > starts_[i].ended_ns ? late_ns_[i] : 0;
        }
    }

  private:
    /// How long the work was ready before it started; 0 if that is not known.
    [[nodiscard]] DurationNs lateBy(std::uint32_t event, DurationNs latency_ns) const {
        const DeviceEvent& at = events_[event];
        const Start& start = starts_[event];
        if (!at.launch.valid() || start.computing || !start.after_other) {
            return 0;
        }
        return std::max<DurationNs>(0, at.span.start_ns - std::max(start.ended_ns, at.call.end_ns + latency_ns));
    }

    /// Whether only another user of the device explains it. A graph may delay its own work, a collective may wait for a
    /// helper on the host, a copy for memory.
    [[nodiscard]] bool isProof(std::uint32_t event) const {
        const DeviceEvent& at = events_[event];
        return late_ns_[event] >= kLeastHeldNs && starts_[event].idle && at.work == WorkClass::Compute &&
               launchesKernel(rank_, names_, at.launch) && seen_.at(places_[event]).isChance();
    }

    [[nodiscard]] std::size_t quarterOf(TimeNs at_ns) const {
        const TimeNs first_ns = events_.front().span.start_ns;
        const DurationNs all_ns = windows_.lengthIn({first_ns, events_.back().span.start_ns + 1});
        const DurationNs until_ns = windows_.lengthIn({first_ns, at_ns});
        return static_cast<std::size_t>(until_ns * static_cast<DurationNs>(kQuarters) / all_ns);
    }

    const RankTrace& rank_;
    const HostNames& names_;
    std::vector<DeviceEvent>& events_;
    RecordedWindows windows_;
    std::vector<Start> starts_;                     // as events_
    std::vector<std::uint64_t> places_;             // as events_
    std::vector<DurationNs> late_ns_;               // as events_
    std::unordered_map<std::uint64_t, Seen> seen_;  // by place
};

}  // namespace

void markLateWork(const RankTrace& rank, const HostNames& names, const HostThreads& threads, DeviceWork& work) {
    if (work.events.empty() || !work.other_devices.empty() || losesRecords(threads)) {
        return;
    }
    HeldWork held(rank, names, work);
    if (held.strikesAgain()) {
        held.markHeld();
    }
    held.markLateAnswers();
}

}  // namespace rankscope
