// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/machine/event_queue.h"

#include <algorithm>
#include <utility>

namespace rankscope::tracegen::machine {

void EventQueue::at(TimeNs when, Action action) {
    heap_.push_back({std::max(when, now_ns_), next_order_++, std::move(action)});
    std::ranges::push_heap(heap_, later);
}

bool EventQueue::runOne() {
    if (heap_.empty()) {
        return false;
    }
    std::ranges::pop_heap(heap_, later);
    const Entry next = std::move(heap_.back());
    heap_.pop_back();
    now_ns_ = next.when;
    next.action();
    return true;
}

}  // namespace rankscope::tracegen::machine
