// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/device.h"

#include <algorithm>
#include <stdexcept>

namespace rankscope::tracegen {
namespace {

// Ends older than this are asked for by nobody: the host waits for work no older than the launch queue is deep.
constexpr std::size_t kEndsKept = 4096;
// Between two pieces of work on one stream.
constexpr DurationNs kStreamGapNs = 900;

}  // namespace

std::uint64_t Device::push(Stream stream, Entry entry) {
    lane(stream).waiting.push_back(std::move(entry));
    return lane(stream).submitted++;
}

Device::Ticket Device::submit(const DeviceWork& work, TimeNs earliest_ns, LaunchRecord record) {
    Entry entry;
    entry.what = What::Work;
    entry.earliest_ns = earliest_ns;
    entry.work = work;
    entry.record = std::move(record);
    const Ticket ticket{work.stream, push(work.stream, std::move(entry))};
    launches_.push_back(ticket);
    if (launches_.size() > kEndsKept / 2) {
        launches_.pop_front();
    }
    return ticket;
}

void Device::record(Stream stream, std::uint32_t event, TimeNs now_ns) {
    Entry entry;
    entry.what = What::Record;
    entry.earliest_ns = now_ns;
    entry.mark = next_mark_++;
    mark_of_event_[event] = entry.mark;
    push(stream, std::move(entry));
}

void Device::wait(Stream stream, std::uint32_t event) {
    Entry entry;
    entry.what = What::Wait;
    entry.mark = mark_of_event_.at(event);
    push(stream, std::move(entry));
}

bool Device::advance() {
    bool any = false;
    for (bool again = true; again;) {
        again = false;
        for (Lane& lane : lanes_) {
            while (!lane.waiting.empty() && resolve(lane, lane.waiting.front())) {
                lane.waiting.pop_front();
                lane.ends.push_back(lane.free_ns);
                ++lane.resolved;
                if (lane.ends.size() > kEndsKept) {
                    lane.ends.pop_front();
                }
                again = any = true;
            }
        }
    }
    return any;
}

bool Device::resolve(Lane& lane, const Entry& entry) {
    switch (entry.what) {
        case What::Work: return resolveWork(lane, entry);
        case What::Record: mark_times_[entry.mark] = std::max(lane.free_ns, entry.earliest_ns); return true;
        case What::Wait: break;
    }
    const auto mark = mark_times_.find(entry.mark);
    if (mark == mark_times_.end()) {
        return false;
    }
    lane.free_ns = std::max(lane.free_ns, mark->second);
    mark_times_.erase(mark);
    return true;
}

bool Device::resolveWork(Lane& lane, const Entry& entry) {
    const TimeNs start = std::max(lane.free_ns + kStreamGapNs, entry.earliest_ns);
    TimeNs end = start + std::max<DurationNs>(entry.work.ns, 500);
    if (entry.work.collective.valid()) {
        board_.arrive(entry.work.collective, rank_, start, entry.work.ns);
        const auto agreed = board_.end(entry.work.collective, rank_);
        if (!agreed) {
            return false;
        }
        end = *agreed;
    }
    lane.free_ns = end;
    done_(deviceEvent(entry.work, entry.record, {start, end}), entry.record);
    return true;
}

std::optional<TimeNs> Device::completion(const Ticket& ticket) const {
    const Lane& from = lane(ticket.stream);
    if (ticket.index >= from.resolved) {
        return std::nullopt;
    }
    const std::uint64_t back = from.resolved - ticket.index;
    if (back > from.ends.size()) {
        throw std::logic_error("asked for work that is over for long");
    }
    return from.ends[from.ends.size() - back];
}

std::optional<Device::Ticket> Device::last(Stream stream) const {
    const Lane& from = lane(stream);
    return from.submitted > 0 ? std::optional(Ticket{stream, from.submitted - 1}) : std::nullopt;
}

std::optional<Device::Ticket> Device::launchedBefore(std::size_t depth) const {
    return launches_.size() >= depth ? std::optional(launches_[launches_.size() - depth]) : std::nullopt;
}

}  // namespace rankscope::tracegen
