// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"

namespace rankscope::test {

// Fields of protobuf, as bytes. In a header and a source alone, for targets that link no test framework.

[[nodiscard]] std::string varint(std::uint64_t value);
/// A field of a varint, of 64 bits, of a double, and of bytes: a text or a message.
[[nodiscard]] std::string numberField(std::uint32_t number, std::uint64_t value);
[[nodiscard]] std::string fixedField(std::uint32_t number, std::uint64_t value);
[[nodiscard]] std::string realField(std::uint32_t number, double value);
[[nodiscard]] std::string bytesField(std::uint32_t number, std::string_view bytes);
/// A packet with these fields, as a trace contains it.
[[nodiscard]] std::string packetOf(std::string_view fields);

/// An argument of an event, "debug annotation": a number, a text, and a text that is JSON.
[[nodiscard]] std::string argument(std::string_view name, std::int64_t value);
[[nodiscard]] std::string argument(std::string_view name, std::string_view text);
[[nodiscard]] std::string jsonArgument(std::string_view name, std::string_view json);

/// A trace in Perfetto's format, as PyTorch's profiler writes it: packets in the order of the calls.
class PerfettoTrace {
  public:
    /// A process, and a track of one: "thread 11", "stream 7".
    PerfettoTrace& process(std::uint64_t track, std::int64_t pid, std::string_view name = "python");
    PerfettoTrace& track(std::uint64_t track, std::uint64_t parent, std::string_view name, std::string_view key = {});
    PerfettoTrace& counterTrack(std::uint64_t track, std::uint64_t parent, std::string_view name,
                                std::string_view unit = {});
    /// The begin and the end of a slice; `more` are further fields of the event: arguments, flows.
    PerfettoTrace& begin(std::uint64_t track, TimeNs at_ns, std::string_view category, std::string_view name,
                         const std::vector<std::string>& more = {});
    PerfettoTrace& end(std::uint64_t track, TimeNs at_ns);
    /// Both, with nothing inside.
    PerfettoTrace& slice(std::uint64_t track, TimeNs from_ns, TimeNs to_ns, std::string_view category,
                         std::string_view name, const std::vector<std::string>& more = {});
    PerfettoTrace& instant(std::uint64_t track, TimeNs at_ns, std::string_view name,
                           const std::vector<std::string>& more = {});
    PerfettoTrace& counter(std::uint64_t track, TimeNs at_ns, double value);
    /// A packet with these fields.
    PerfettoTrace& packet(std::string_view fields);

    [[nodiscard]] const std::string& bytes() const { return bytes_; }

  private:
    PerfettoTrace& event(TimeNs at_ns, std::string_view fields);

    std::string bytes_;
};

/// A process with pid 10, its thread 11 (track 2), and stream 7 of GPU 0 (track 4).
[[nodiscard]] PerfettoTrace threadAndStream();
/// A small trace with a launch, its kernel and a counter of the GPU's power.
[[nodiscard]] PerfettoTrace smallPerfettoTrace();

}  // namespace rankscope::test
