// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/annotation_tracker.h"

#include <algorithm>
#include <utility>

namespace rankscope::tracegen {

std::uint32_t AnnotationTracker::open(const Event& host_side) {
    State state;
    state.host_side = host_side;
    open_.emplace(next_, state);
    return next_++;
}

void AnnotationTracker::finished(std::uint32_t annotation, const Event& work) {
    State& state = open_.at(annotation);
    auto& span = state.spans[static_cast<std::size_t>(work.stream)];
    if (!span) {
        span = TimeSpan{work.start_ns, work.end_ns};
    }
    span->end_ns = std::max(span->end_ns, work.end_ns);
    ++state.finished;
    emitIfComplete(annotation);
}

void AnnotationTracker::close(std::uint32_t annotation) {
    open_.at(annotation).closed = true;
    emitIfComplete(annotation);
}

void AnnotationTracker::emitIfComplete(std::uint32_t annotation) {
    const State& state = open_.at(annotation);
    if (!state.closed || state.finished < state.launched) {
        return;
    }
    for (std::size_t stream = 0; stream < kStreams; ++stream) {
        const auto& span = state.spans[stream];
        if (!span) {
            continue;
        }
        Event event;
        event.kind = EventKind::GpuAnnotation;
        event.stream = static_cast<Stream>(stream);
        event.step = state.host_side.step;
        event.name = state.host_side.name;
        event.external_id = state.host_side.external_id;
        event.start_ns = span->start_ns - 1;
        event.end_ns = span->end_ns + 1;
        complete_.push_back(event);
    }
    open_.erase(annotation);
}

std::vector<Event> AnnotationTracker::takeEvents() {
    return std::exchange(complete_, {});
}

}  // namespace rankscope::tracegen
