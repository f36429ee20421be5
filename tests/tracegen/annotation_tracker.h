// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "tests/tracegen/event.h"

namespace rankscope::tracegen {

/// Makes the device's side of user annotations: on each stream from the first to the last piece of work that was
/// launched inside, one nanosecond wider at both ends, as Kineto writes it.
class AnnotationTracker {
  public:
    /// `host_side`: the open annotation. The number to speak of it by.
    std::uint32_t open(const Event& host_side);
    void launched(std::uint32_t annotation) { ++open_.at(annotation).launched; }
    void finished(std::uint32_t annotation, const Event& work);
    void close(std::uint32_t annotation);

    /// Those that became complete since the last call.
    [[nodiscard]] std::vector<Event> takeEvents();

  private:
    struct State {
        Event host_side;
        std::size_t launched = 0;
        std::size_t finished = 0;
        bool closed = false;
        std::array<std::optional<TimeSpan>, kStreams> spans;
    };

    void emitIfComplete(std::uint32_t annotation);

    std::unordered_map<std::uint32_t, State> open_;
    std::vector<Event> complete_;
    std::uint32_t next_ = 0;
};

}  // namespace rankscope::tracegen
