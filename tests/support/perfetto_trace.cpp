// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/perfetto_trace.h"

#include <bit>

namespace rankscope::test {
namespace {

constexpr std::uint64_t kSequence = 1001;

std::string keyOf(std::uint32_t number, unsigned wire_type) {
    return varint((std::uint64_t{number} << 3U) | wire_type);
}

std::string all(const std::vector<std::string>& fields) {
    std::string bytes;
    for (const std::string& field : fields) {
        bytes += field;
    }
    return bytes;
}

}  // namespace

std::string varint(std::uint64_t value) {
    std::string bytes;
    while (value >= 0x80U) {
        bytes += static_cast<char>((value & 0x7fU) | 0x80U);
        value >>= 7U;
    }
    return bytes + static_cast<char>(value);
}

std::string numberField(std::uint32_t number, std::uint64_t value) {
    return keyOf(number, 0) + varint(value);
}

std::string fixedField(std::uint32_t number, std::uint64_t value) {
    std::string bytes = keyOf(number, 1);
    for (unsigned i = 0; i < 8; ++i) {
        bytes += static_cast<char>((value >> (8 * i)) & 0xffU);
    }
    return bytes;
}

std::string realField(std::uint32_t number, double value) {
    return fixedField(number, std::bit_cast<std::uint64_t>(value));
}

std::string bytesField(std::uint32_t number, std::string_view bytes) {
    return keyOf(number, 2) + varint(bytes.size()) + std::string(bytes);
}

std::string packetOf(std::string_view fields) {
    return bytesField(1, fields);
}

std::string argument(std::string_view name, std::int64_t value) {
    return bytesField(4, numberField(4, static_cast<std::uint64_t>(value)) + bytesField(10, name));
}

std::string argument(std::string_view name, std::string_view text) {
    return bytesField(4, bytesField(6, text) + bytesField(10, name));
}

std::string jsonArgument(std::string_view name, std::string_view json) {
    return bytesField(4, bytesField(9, json) + bytesField(10, name));
}

PerfettoTrace& PerfettoTrace::packet(std::string_view fields) {
    bytes_ += packetOf(fields);
    return *this;
}

PerfettoTrace& PerfettoTrace::process(std::uint64_t track, std::int64_t pid, std::string_view name) {
    const std::string process = numberField(1, static_cast<std::uint64_t>(pid)) + bytesField(6, name);
    return packet(numberField(8, 0) + bytesField(60, numberField(1, track) + bytesField(3, process)));
}

PerfettoTrace& PerfettoTrace::track(std::uint64_t track, std::uint64_t parent, std::string_view name,
                                    std::string_view key) {
    const std::string descriptor = numberField(1, track) + bytesField(2, name) + numberField(5, parent);
    return packet(numberField(8, 0) + bytesField(60, descriptor + (key.empty() ? "" : bytesField(16, key))));
}

PerfettoTrace& PerfettoTrace::counterTrack(std::uint64_t track, std::uint64_t parent, std::string_view name,
                                           std::string_view unit) {
    const std::string counter = unit.empty() ? "" : bytesField(6, unit);
    return packet(numberField(8, 0) + bytesField(60, numberField(1, track) + bytesField(2, name) +
                                                         numberField(5, parent) + bytesField(8, counter)));
}

PerfettoTrace& PerfettoTrace::event(TimeNs at_ns, std::string_view fields) {
    return packet(numberField(8, static_cast<std::uint64_t>(at_ns)) + numberField(10, kSequence) +
                  bytesField(11, fields));
}

PerfettoTrace& PerfettoTrace::begin(std::uint64_t track, TimeNs at_ns, std::string_view category, std::string_view name,
                                    const std::vector<std::string>& more) {
    return event(at_ns, numberField(9, 1) + numberField(11, track) + bytesField(22, category) + bytesField(23, name) +
                            all(more));
}

PerfettoTrace& PerfettoTrace::end(std::uint64_t track, TimeNs at_ns) {
    return event(at_ns, numberField(9, 2) + numberField(11, track));
}

PerfettoTrace& PerfettoTrace::slice(std::uint64_t track, TimeNs from_ns, TimeNs to_ns, std::string_view category,
                                    std::string_view name, const std::vector<std::string>& more) {
    return begin(track, from_ns, category, name, more).end(track, to_ns);
}

PerfettoTrace& PerfettoTrace::instant(std::uint64_t track, TimeNs at_ns, std::string_view name,
                                      const std::vector<std::string>& more) {
    return event(at_ns, numberField(9, 3) + numberField(11, track) + bytesField(23, name) + all(more));
}

PerfettoTrace& PerfettoTrace::counter(std::uint64_t track, TimeNs at_ns, double value) {
    return event(at_ns, numberField(9, 4) + numberField(11, track) + realField(44, value));
}

PerfettoTrace threadAndStream() {
    PerfettoTrace made;
    made.process(1, 10).track(2, 1, "thread 11 (python)").process(3, 0).track(4, 3, "stream 7", "0:7:stream 7");
    return made;
}

PerfettoTrace smallPerfettoTrace() {
    PerfettoTrace made = threadAndStream();
    made.track(5, 0, "GPU 0 Counters").counterTrack(6, 5, "Power (W)");
    made.begin(2, 100, "cpu_op", "aten::mm", {jsonArgument("Input Dims", "[[2, 3], [3, 4]]")});
    made.slice(2, 110, 120, "cuda_runtime", "cudaLaunchKernel", {fixedField(47, 5), numberField(52, 5)});
    made.end(2, 130).slice(4, 140, 190, "kernel", "gemm",
                           {argument("device", 0), argument("stream", 7), argument("correlation", 5),
                            jsonArgument("grid", "[1, 2, 3]"), fixedField(47, 5)});
    made.counter(6, 150, 312.5);
    return made;
}

}  // namespace rankscope::test
