// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/machine/scheduler.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace rankscope::tracegen::machine {

Scheduler::Scheduler(EventQueue& queue, const HostSpec& spec) : queue_(queue), spec_(spec) {
    if (spec_.quota) {
        queue_.after(spec_.quota->period_ns, [this] { beginPeriod(); });
    }
}

Scheduler::ThreadId Scheduler::addThread() {
    threads_.emplace_back();
    return threads_.size() - 1;
}

void Scheduler::work(ThreadId thread, DurationNs cpu_ns, Action done) {
    give(thread, cpu_ns, false, std::move(done));
}

void Scheduler::spin(ThreadId thread, Action done) {
    give(thread, 0, true, std::move(done));
}

void Scheduler::give(ThreadId id, DurationNs cpu_ns, bool spinning, Action done) {
    Thread& thread = threads_.at(id);
    if (thread.done) {
        throw std::logic_error("a thread does one thing at a time");
    }
    thread.left_ns = crowded(cpu_ns, thread.state == State::Running);
    thread.spinning = spinning;
    thread.done = std::move(done);
    if (thread.state == State::Blocked) {
        thread.state = State::Waiting;
        waiting_.push_back(id);
        dispatch();
    }
    // A running thread is in complete(), which goes on with it.
}

DurationNs Scheduler::crowded(DurationNs cpu_ns, bool runs_itself) const {
    if (spec_.crowding <= 0) {
        return cpu_ns;
    }
    const int others = running() - (runs_itself ? 1 : 0);
    return std::llround(static_cast<double>(cpu_ns) * std::min(HostSpec::kMostCrowded, 1 + spec_.crowding * others));
}

void Scheduler::release(ThreadId id) {
    Thread& thread = threads_.at(id);
    thread.spinning = false;
    thread.left_ns = 0;
    if (thread.state == State::Running) {
        plan(id);
    }
}

void Scheduler::start(ThreadId id) {
    Thread& thread = threads_.at(id);
    countUse();
    thread.state = State::Running;
    thread.turn_ns = queue_.now();
    running_.push_back(id);
    most_running_ = std::max(most_running_, running());
    plan(id);
}

void Scheduler::plan(ThreadId id) {
    Thread& thread = threads_.at(id);
    thread.since_ns = queue_.now();
    const std::uint64_t generation = ++thread.generation;
    if (!thread.spinning) {
        queue_.after(thread.left_ns, [this, id, generation] {
            if (threads_.at(id).generation == generation) {
                complete(id);
            }
        });
    }
}

void Scheduler::complete(ThreadId id) {
    const Action done = std::exchange(threads_.at(id).done, nullptr);
    done();
    if (threads_.at(id).done) {
        plan(id);
    } else {
        leave(id);
        dispatch();
    }
}

void Scheduler::leave(ThreadId id) {
    countUse();
    std::erase(running_, id);
    Thread& thread = threads_.at(id);
    thread.state = State::Blocked;
    ++thread.generation;
}

void Scheduler::takeOff(ThreadId id, bool to_front) {
    Thread& thread = threads_.at(id);
    if (!thread.spinning) {
        thread.left_ns = std::max<DurationNs>(0, thread.left_ns - (queue_.now() - thread.since_ns));
    }
    leave(id);
    thread.state = State::Waiting;
    if (to_front) {
        waiting_.push_front(id);
    } else {
        waiting_.push_back(id);
    }
}

void Scheduler::dispatch() {
    while (!frozen_ && !waiting_.empty() && running() < spec_.cores) {
        const ThreadId next = waiting_.front();
        waiting_.pop_front();
        start(next);
    }
    if (!waiting_.empty() && !frozen_ && !tick_planned_) {
        tick_planned_ = true;
        queue_.at((queue_.now() / spec_.tick_ns + 1) * spec_.tick_ns, [this] { tick(); });
    }
    planQuota();
}

// As many as wait take the place of those that have run longest; who has just begun may stay until the next tick.
void Scheduler::tick() {
    tick_planned_ = false;
    std::vector<ThreadId> used_up;
    for (const ThreadId id : running_) {
        if (queue_.now() - threads_.at(id).turn_ns >= spec_.tick_ns / 2) {
            used_up.push_back(id);
        }
    }
    std::ranges::stable_sort(used_up, {}, [this](ThreadId id) { return threads_.at(id).turn_ns; });
    const std::size_t turns = std::min(used_up.size(), waiting_.size());
    for (std::size_t i = 0; i < turns; ++i) {
        takeOff(used_up[i], false);
    }
    dispatch();
}

void Scheduler::countUse() {
    const DurationNs used = (queue_.now() - counted_ns_) * running();
    counted_ns_ = queue_.now();
    used_ns_ += used;
    period_used_ns_ += used;
}

DurationNs Scheduler::used() const {
    return used_ns_ + (queue_.now() - counted_ns_) * running();
}

void Scheduler::planQuota() {
    const std::uint64_t generation = ++quota_generation_;
    if (!spec_.quota || running_.empty()) {
        return;
    }
    countUse();
    const DurationNs left = std::max<DurationNs>(0, spec_.quota->quota_ns - period_used_ns_);
    queue_.after(left / running(), [this, generation] {
        if (quota_generation_ == generation) {
            freeze();
        }
    });
}

void Scheduler::freeze() {
    ++quota_generation_;
    frozen_ = true;
    const std::vector<ThreadId> stopped = running_;
    for (const ThreadId id : stopped) {
        takeOff(id, true);
    }
}

void Scheduler::beginPeriod() {
    countUse();
    period_used_ns_ = 0;
    frozen_ = false;
    queue_.after(spec_.quota->period_ns, [this] { beginPeriod(); });
    dispatch();
}

}  // namespace rankscope::tracegen::machine
