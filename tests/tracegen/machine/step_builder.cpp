// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/machine/step_builder.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rankscope::tracegen::machine {
namespace {

constexpr DurationNs kLaunchNs = 4'200;
constexpr DurationNs kLatencyNs = 3'800;
constexpr DurationNs kGraphLaunchNs = 11'000;
constexpr DurationNs kGraphLatencyNs = 7'000;

}  // namespace

const Vocabulary& words() {
    return vocabularyOf(Vendor::Cuda, Dialect::Modern);
}

Dice diceOf(const Config& config, Key key, int rank, int step, std::uint64_t place) {
    return Dice(config.seed, {static_cast<std::uint64_t>(key), static_cast<std::uint64_t>(rank),
                              static_cast<std::uint64_t>(step), place});
}

int turnOf(const Config& config, int step) {
    return static_cast<int>(diceOf(config, Key::Turn, -1, step).below(static_cast<std::uint64_t>(config.rankCount())));
}

StepBuilder::StepBuilder(const Config& config, int rank, int step, StringPool& names, double kernel_factor)
    : config_(config),
      rank_(rank),
      step_(step),
      names_(names),
      kernel_factor_(kernel_factor),
      dice_(diceOf(config, Key::Step, rank, step)) {}

StepBuilder::Scope StepBuilder::python(std::string_view name) {
    open(EventKind::Python, name, -1, {});
    return Scope(*this);
}

void StepBuilder::place(std::uint64_t index) {
    dice_ = diceOf(config_, Key::Place, rank_, step_, index);
}

void StepBuilder::open(EventKind kind, std::string_view name, std::int64_t sequence, const CollectiveCall& collective) {
    open_.emplace_back(name);
    program_.emplace_back(OpenSlice{kind, names_.intern(name), sequence, collective});
}

void StepBuilder::close() {
    open_.pop_back();
    program_.emplace_back(CloseSlice{});
}

void StepBuilder::emit(Instruction instruction) {
    launchCaptured();
    program_.push_back(std::move(instruction));
}

void StepBuilder::capture(bool captures) {
    launchCaptured();
    captures_ = captures;
}

void StepBuilder::launchCaptured() {
    if (!captured_.empty()) {
        program_.emplace_back(Launch{names_.intern("cudaGraphLaunch"), kGraphLaunchNs, kGraphLatencyNs, false,
                                     std::exchange(captured_, {})});
    }
}

StepBuilder::Factors StepBuilder::factorsOf(std::string_view kernel) const {
    Factors factors;
    for (const Rescaled& one : config_.model.rescaled) {
        const bool inside = one.operation.empty() || std::ranges::find(open_, one.operation) != open_.end();
        if (inside && kernel.find(one.kernel) != std::string_view::npos) {
            factors.device *= one.device;
            factors.host *= one.operation.empty() ? 1 : one.host;
        }
    }
    return factors;
}

StepBuilder::Scope StepBuilder::operation(std::string_view name, std::int64_t sequence, CollectiveCall collective) {
    open(EventKind::Operator, name, sequence, collective);
    return Scope(*this);
}

StepBuilder::Scope StepBuilder::annotation(std::string_view name) {
    open(EventKind::UserAnnotation, name, -1, {});
    return Scope(*this);
}

DurationNs StepBuilder::onHost(DurationNs ns) {
    const DurationNs with_noise = dice_.around(ns, config_.noise.host_per_mille);
    const bool fault = dice_.below(1000) < static_cast<std::uint64_t>(config_.noise.faults_per_mille);
    const DurationNs fault_ns = dice_.around(config_.noise.fault_ns, 700);
    const double factor = spec().hostSlowdownIn(step_) * factorsOf({}).host;
    return std::llround(static_cast<double>(with_noise + (fault ? fault_ns : 0)) * factor);
}

DurationNs StepBuilder::onDevice(DurationNs ns) {
    Dice of_rank = diceOf(config_, Key::Rank, rank_, 0);
    const DurationNs own =
        of_rank.around(dice_.around(ns, config_.noise.kernel_per_mille), config_.noise.rank_per_mille);
    return std::llround(static_cast<double>(own) * config_.model.device_scale * kernel_factor_);
}

void StepBuilder::work(DurationNs ns) {
    const DurationNs own_ns = onHost(ns);  // also if a graph leaves it out: chance goes on as without
    if (!captures_) {
        emit(Compute{own_ns});
    }
}

void StepBuilder::exactWork(DurationNs ns) {
    emit(Compute{std::llround(static_cast<double>(ns) * spec().hostSlowdownIn(step_))});
}

void StepBuilder::call(std::string_view name, DurationNs ns) {
    emit(RuntimeCall{names_.intern(name), onHost(ns)});
}

void StepBuilder::launch(std::string_view call, DurationNs call_ns, DurationNs latency_ns, std::vector<DeviceWork> work,
                         bool blocking) {
    const DurationNs latency = dice_.around(latency_ns, 150);
    for (DeviceWork& piece : work) {
        piece.label = label_;
    }
    const DurationNs own_ns = onHost(call_ns);
    const bool is_kernel = work.front().kind == EventKind::Kernel && !work.front().communicates();
    if (captures_ && is_kernel) {
        std::ranges::move(work, std::back_inserter(captured_));
        return;
    }
    emit(Launch{names_.intern(call), own_ns, latency, blocking, std::move(work)});
}

DeviceWork StepBuilder::kernelWork(std::string_view name, DurationNs ns) {
    DeviceWork work;
    work.name = names_.intern(name);
    work.ns = std::llround(static_cast<double>(onDevice(ns)) * factorsOf(name).device);
    return work;
}

void StepBuilder::kernel(std::string_view name, DurationNs ns, Stream stream) {
    DeviceWork work = kernelWork(name, ns);
    work.stream = stream;
    launch(words().launch, kLaunchNs, kLatencyNs, {std::move(work)}, false);
}

void StepBuilder::graph(const std::vector<Node>& nodes) {
    std::vector<DeviceWork> work;
    for (const Node& node : nodes) {
        work.push_back(kernelWork(node.name, node.ns));
        work.back().collective = node.collective;
    }
    launch("cudaGraphLaunch", kGraphLaunchNs, kGraphLatencyNs, std::move(work), false);
}

void StepBuilder::copy(std::string_view name, std::int64_t bytes, double bytes_per_ns, bool blocking) {
    DeviceWork work;
    work.kind = EventKind::Memcpy;
    work.name = names_.intern(name);
    const DurationNs usual_ns = dice_.around(1'500 + std::llround(static_cast<double>(bytes) / bytes_per_ns), 20);
    work.ns = std::llround(static_cast<double>(usual_ns) * config_.model.copy_factor);
    work.bytes = bytes;
    launch(words().copy_async, 6'000, kLatencyNs, {work}, blocking);
    if (blocking) {
        synchronize(words().copy_sync, Stream::Compute);
    }
}

void StepBuilder::collective(const CollectiveCall& call) {
    collective(call, words().all_reduce, Stream::Communication);
}

void StepBuilder::collective(const CollectiveCall& call, std::string_view name, Stream stream) {
    DeviceWork work;
    work.stream = stream;
    work.name = names_.intern(name);
    work.collective = call;
    launch(words().launch_collective, 6'500, kLatencyNs, {work}, false);
}

void StepBuilder::messages(std::vector<CollectiveCall> batch, std::string_view name, Stream stream) {
    DeviceWork work;
    work.stream = stream;
    work.name = names_.intern(name);
    work.batch = std::move(batch);
    launch(words().launch_collective, 6'500, kLatencyNs, {std::move(work)}, false);
}

void StepBuilder::recordEvent(Stream stream, std::uint32_t event) {
    emit(RecordEvent{names_.intern(words().event_record), onHost(1'100), stream, event});
}

void StepBuilder::waitEvent(Stream stream, std::uint32_t event) {
    emit(WaitEvent{names_.intern(words().stream_wait_event), onHost(900), stream, event});
}

void StepBuilder::synchronize(std::string_view call, std::optional<Stream> stream) {
    emit(Synchronize{names_.intern(call), onHost(1'500), stream, std::nullopt});
}

void StepBuilder::synchronizeEvent(std::uint32_t event) {
    emit(Synchronize{names_.intern("cudaEventSynchronize"), onHost(1'500), std::nullopt, event});
}

}  // namespace rankscope::tracegen::machine
