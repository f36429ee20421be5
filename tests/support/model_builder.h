// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/trace/rank_trace.h"
#include "core/trace/run.h"
#include "tests/support/durations.h"

namespace rankscope::test {

/// Makes a rank trace in memory, slice by slice and in any order. Times are in microseconds, as in the files, so that
/// scenarios read like them; nested slices get their parents and rows when it is built.
class ModelBuilder {
  public:
    /// A slice that was added: a handle for launches.
    struct Handle {
        std::uint32_t track = 0;
        std::uint32_t order = 0;
    };

    /// A host thread of process "100".
    std::uint32_t thread(std::string_view name, std::string_view process = "100");
    std::uint32_t stream(std::string_view lane, std::int32_t device = 0);

    Handle slice(std::uint32_t track, Category category, std::string_view name, double start_us, double length_us);
    Handle op(std::uint32_t track, std::string_view name, double start_us, double length_us) {
        return slice(track, Category::CpuOp, name, start_us, length_us);
    }
    Handle call(std::uint32_t track, std::string_view name, double start_us, double length_us) {
        return slice(track, Category::Runtime, name, start_us, length_us);
    }
    Handle python(std::uint32_t track, std::string_view name, double start_us, double length_us) {
        return slice(track, Category::PythonFunction, name, start_us, length_us);
    }
    /// ProfilerStep#number.
    Handle step(std::uint32_t track, std::int64_t number, double start_us, double length_us) {
        return slice(track, Category::UserAnnotation, "ProfilerStep#" + std::to_string(number), start_us, length_us);
    }
    /// A kernel and the cudaLaunchKernel call of `call_us` at `call_at_us` that launched it.
    Handle kernel(std::uint32_t thread, double call_at_us, double call_us, std::uint32_t stream, std::string_view name,
                  double start_us, double length_us);
    void launch(Handle host, Handle device) { launches_.push_back({host, device}); }
    /// A forward operator and the backward one that it caused.
    void flow(Handle from, Handle to) { flows_.push_back({from, to}); }
    /// What a kernel was launched with: a hash of its grid and block.
    void grid(Handle kernel, std::uint32_t hash) { grids_.push_back({kernel, hash}); }
    /// What a sensor of device 0 shows, in its usual unit: MHz, W or degrees.
    void sensor(double at_us, Sensor sensor, double value);
    void bytes(Handle copy, std::int64_t count) { bytes_.push_back({copy, count}); }
    void collective(Handle kernel, std::string_view name, std::int64_t elements);
    /// The same in a process group of `pg_config`, which group() adds.
    void collective(Handle kernel, std::string_view name, std::int64_t elements, const ProcessGroup& group);
    /// Args of a send or a receive, on a kernel or on a host operator.
    void message(Handle slice, bool sends, std::int32_t peer, std::int64_t elements, const ProcessGroup& group);
    void host(std::string_view name) { trace_.host = name; }
    /// A file that it is read from.
    void file(TraceFile file) { trace_.files.push_back(std::move(file)); }
    void group(ProcessGroup group) { trace_.groups.push_back(std::move(group)); }
    void rank(std::int32_t number, std::int32_t world_size);
    /// A `[memory]` event of device 0.
    void memory(double at_us, std::int64_t allocated, std::int64_t reserved);
    /// The same of one block: `bytes` are allocated, or freed where below zero. Totals follow from those before, from
    /// `before` on.
    void block(double at_us, std::uint64_t address, std::int64_t bytes, std::int64_t before = 0);
    void device(DeviceProperties properties) { trace_.devices.push_back(std::move(properties)); }
    [[nodiscard]] Health& health() { return trace_.health; }

    [[nodiscard]] std::shared_ptr<const RankTrace> build();

  private:
    struct Added {
        Category category = Category::Other;
        StringId name;
        TimeSpan span;
    };
    struct Pair {
        Handle host;
        Handle device;
    };
    struct Sized {
        Handle copy;
        std::int64_t count = 0;
    };
    struct Collective {
        Handle kernel;
        CollectiveArgs args;
    };
    void fillTrack(std::uint32_t track);
    [[nodiscard]] SliceRef ref(Handle handle) const;

    RankTrace trace_;
    std::vector<std::vector<Added>> added_;          // by track
    std::vector<std::vector<SliceIndex>> index_of_;  // by track and order of adding: in the sorted table
    std::vector<Pair> launches_;
    std::vector<Pair> flows_;
    std::vector<Sized> bytes_;
    std::vector<Sized> grids_;
    std::vector<Collective> collectives_;
};

/// The rank that most scenarios are about: one host thread and stream "7" of its device.
struct ThreadAndStream {
    ModelBuilder model;
    std::uint32_t thread = 0;
    std::uint32_t stream = 0;
};
[[nodiscard]] ThreadAndStream threadAndStream(std::string_view thread = "1");

/// A run of these ranks.
[[nodiscard]] std::shared_ptr<const Run> runOf(std::vector<std::shared_ptr<const RankTrace>> ranks);

}  // namespace rankscope::test
