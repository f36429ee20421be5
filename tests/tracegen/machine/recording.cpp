// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/machine/recording.h"

#include <algorithm>
#include <utility>

namespace rankscope::tracegen::machine {

void Recording::addDevice(const Event& event, const DeviceWork& work) {
    events_.push_back(event);
    spans_[event.step].end_ns = std::max(spans_[event.step].end_ns, event.end_ns);
    for (const std::uint32_t annotation : work.annotations) {
        annotations_.finished(annotation, event);
    }
}

std::vector<Event> Recording::takeWindow() {
    const TimeNs opens = hostStart(0);
    std::vector<Event> events = std::exchange(events_, {});
    const std::vector<Event> annotations = annotations_.takeEvents();
    events.insert(events.end(), annotations.begin(), annotations.end());
    std::erase_if(events, [opens](const Event& event) {
        const bool of_launches = event.kind == EventKind::Kernel || event.kind == EventKind::Memcpy;
        return event.start_ns < opens || (event.step < 0 && !of_launches);
    });
    for (Event& event : events) {
        if (event.step < 0) {
            event.external_id = 0;  // its operator was not recorded
        }
    }
    std::ranges::stable_sort(events, [](const Event& a, const Event& b) {
        return a.start_ns != b.start_ns ? a.start_ns < b.start_ns : a.end_ns > b.end_ns;
    });
    return events;
}

}  // namespace rankscope::tracegen::machine
