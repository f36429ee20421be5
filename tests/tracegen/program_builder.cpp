// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/program_builder.h"

#include <cmath>

namespace rankscope::tracegen {
namespace {

// What a slice costs the host before its first and after its last child, as the recorder itself does.
constexpr DurationNs kEnterNs = 1'500;
constexpr DurationNs kLeaveNs = 900;
constexpr std::int64_t kHostJitter = 250;  // thousandths
constexpr std::int64_t kKernelJitter = 20;

}  // namespace

ProgramBuilder::ProgramBuilder(StringPool& names, const Vocabulary& words, Dice dice, double kernel_factor,
                               bool with_stack)
    : names_(names), words_(words), dice_(dice), kernel_factor_(kernel_factor), with_stack_(with_stack) {}

ProgramBuilder::Scope::~Scope() {
    if (builder_ != nullptr) {
        builder_->work(kLeaveNs);
        builder_->program_.emplace_back(CloseSlice{});
    }
}

void ProgramBuilder::open(EventKind kind, std::string_view name, std::int64_t sequence, CollectiveCall collective) {
    program_.emplace_back(OpenSlice{kind, names_.intern(name), sequence, collective});
    work(kEnterNs);
}

ProgramBuilder::Scope ProgramBuilder::operation(std::string_view name, std::int64_t sequence,
                                                CollectiveCall collective) {
    open(EventKind::Operator, name, sequence, collective);
    return Scope(this);
}

ProgramBuilder::Scope ProgramBuilder::annotation(std::string_view name) {
    open(EventKind::UserAnnotation, name, -1, {});
    return Scope(this);
}

ProgramBuilder::Scope ProgramBuilder::python(std::string_view name) {
    if (!with_stack_) {
        return Scope(nullptr);
    }
    open(EventKind::Python, name, -1, {});
    return Scope(this);
}

void ProgramBuilder::leaf(std::string_view name, DurationNs ns) {
    program_.emplace_back(OpenSlice{EventKind::Operator, names_.intern(name), -1, {}});
    work(ns);
    program_.emplace_back(CloseSlice{});
}

void ProgramBuilder::work(DurationNs ns) {
    program_.emplace_back(HostWork{dice_.around(ns, kHostJitter)});
}

void ProgramBuilder::call(std::string_view name, DurationNs ns) {
    if (!name.empty()) {
        program_.emplace_back(RuntimeCall{names_.intern(name), dice_.around(ns, kHostJitter)});
    }
}

void ProgramBuilder::kernel(std::string_view name, DurationNs ns) {
    launchKernel(words_.launch, name, ns);
}

void ProgramBuilder::libraryKernel(std::string_view name, DurationNs ns) {
    launchKernel(words_.launch_module, name, ns);
}

void ProgramBuilder::launchKernel(std::string_view call, std::string_view name, DurationNs ns) {
    Launch launch;
    launch.call = names_.intern(call);
    launch.call_ns = dice_.between(3'600, 7'800);
    launch.latency_ns = dice_.between(6'900, 9'800);
    launch.work.name = names_.intern(name);
    launch.work.ns = std::llround(static_cast<double>(dice_.around(ns, kKernelJitter)) * kernel_factor_);
    program_.emplace_back(launch);
}

void ProgramBuilder::launchCollective(DurationNs transfer_ns, CollectiveCall collective) {
    Launch launch;
    launch.call = names_.intern(words_.launch_collective);
    launch.call_ns = dice_.between(6'500, 12'500);
    launch.latency_ns = dice_.between(9'000, 13'000);
    launch.work.stream = Stream::Communication;
    launch.work.name =
        names_.intern(collective.kind == CollectiveKind::AllReduce ? words_.all_reduce : words_.broadcast);
    launch.work.ns = transfer_ns;
    launch.work.collective = collective;
    program_.emplace_back(launch);
}

void ProgramBuilder::copy(std::string_view call, std::string_view name, DurationNs ns, std::int64_t bytes,
                          bool blocking) {
    Launch launch;
    launch.call = names_.intern(call);
    launch.call_ns = dice_.between(9'000, 14'000);
    launch.latency_ns = dice_.between(10'000, 14'000);
    launch.blocking = blocking;
    launch.work.kind = EventKind::Memcpy;
    launch.work.name = names_.intern(name);
    launch.work.ns = dice_.around(ns, kKernelJitter);
    launch.work.bytes = bytes;
    program_.emplace_back(launch);
}

void ProgramBuilder::recordEvent(Stream stream, std::uint32_t event) {
    const std::string_view name = words_.event_record;
    program_.emplace_back(
        RecordEvent{name.empty() ? StringId() : names_.intern(name), dice_.between(700, 1'600), stream, event});
}

void ProgramBuilder::waitEvent(Stream stream, std::uint32_t event) {
    program_.emplace_back(
        WaitEvent{names_.intern(words_.stream_wait_event), dice_.between(1'200, 9'000), stream, event});
}

void ProgramBuilder::synchronize(std::string_view call, DurationNs ns, std::optional<Stream> stream) {
    program_.emplace_back(Synchronize{names_.intern(call), dice_.around(ns, kHostJitter), stream});
}

}  // namespace rankscope::tracegen
