// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/base/time.h"
#include "core/ingest/perfetto/packet.h"

// What packets of one writer refer to: names that are written once, defaults, and clocks.

namespace rankscope::perfetto {

using Texts = std::unordered_map<std::uint64_t, std::string>;
/// A text by its id; empty if there is none.
[[nodiscard]] std::string_view textAt(const Texts& texts, std::uint64_t id);

/// Names by the ids that packets refer to them with ("interned data").
struct Names {
    Texts events;
    Texts categories;
    Texts annotations;
    Texts texts;  ///< values of annotations
};

/// A clock by which packets give their times.
struct PacketClock {
    DurationNs unit_ns = 1;
    TimeNs behind_ns = 0;    ///< add this to get the time of the trace
    bool counts_on = false;  ///< each packet gives the time since the one before
    TimeNs last_ns = 0;      ///< of the one before
};

/// A sequence of packets, which one thread of the writer wrote.
struct Sequence {
    std::shared_ptr<Names> names = std::make_shared<Names>();
    std::uint64_t clock = 0;             ///< of packets that name none; 0: the trace's
    std::optional<std::uint64_t> track;  ///< of events that name none
    std::map<std::uint64_t, PacketClock> clocks;
};

/// The sequences of a trace. Packets must come in the order of the file.
class Sequences {
  public:
    /// What a packet's sequence knows after the packet is read: its names and defaults, cleared first if it says so.
    [[nodiscard]] Sequence& update(const Packet& packet);
    /// The time of a packet on the trace's clock (normally CLOCK_BOOTTIME), in ns. Nothing if it has none, if its clock
    /// is unknown, or if it does not fit. To be called once for each packet.
    [[nodiscard]] std::optional<TimeNs> timeOf(const Packet& packet, Sequence& sequence) const;
    /// Unix time of the trace's time 0, if the trace relates the two.
    [[nodiscard]] std::optional<TimeNs> base() const { return base_; }

  private:
    void setClocks(std::string_view snapshot, Sequence& sequence);

    std::unordered_map<std::uint64_t, Sequence> sequences_;
    std::map<std::uint64_t, PacketClock> clocks_;  // of all sequences
    std::optional<TimeNs> base_;
};

}  // namespace rankscope::perfetto
