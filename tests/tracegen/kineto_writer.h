// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "core/base/string_pool.h"
#include "tests/tracegen/config.h"
#include "tests/tracegen/event.h"
#include "tests/tracegen/output.h"
#include "tests/tracegen/sensors.h"
#include "tests/tracegen/vocabulary.h"

namespace rankscope::tracegen {

/// The start of the window, in nanoseconds since the Unix epoch: true time 0.
inline constexpr TimeNs kWindowEpochNs = 1'768'296'296'728'033'929;
/// What the modern dialect subtracts from all times.
inline constexpr TimeNs kBaseNs = 1'767'189'312'000'000'000;

/// What a file with this clock calls the true time, before its dialect rounds it: since the Unix epoch.
[[nodiscard]] TimeNs fileTime(const RankClock& clock, TimeNs true_ns);

/// Writes one rank's events as Kineto does, piece by piece.
class KinetoWriter {
  public:
    KinetoWriter(const Config& config, int rank, const StringPool& names, Output& output);

    void begin();
    void write(std::span<const Event> events);
    /// Counter events of the rank's device, at times before the dialect's clock.
    void writeSensors(std::span<const SensorSample> samples);
    /// `trace_name`: what the file says it is called.
    void end(std::string_view trace_name);

  private:
    void writeDevices();
    void writeDistributedInfo();  // kineto_groups.cpp
    void writeMetadata();
    void writeThread(std::string_view pid, std::string_view tid, std::string_view name);
    void writeMeta(std::string_view what, std::string_view pid, std::string_view tid, std::string_view args);
    void writeWindow();

    void writeEvent(const Event& event);
    void writeMemory(const Event& event);
    void writeFlows(const Event& event);
    /// The device's row of a synchronisation: CUDA of the modern dialect has one.
    void writeSync(const Event& call);
    void writeFlow(bool start, std::string_view kind, std::uint64_t id, const Event& at, TimeNs time);
    void beginItem();
    void flush(bool all);

    // kineto_args.cpp
    void writeArgs(const Event& event);
    void hostArgs(const Event& event);
    /// The inputs of products of matrices, all of one size.
    void productArgs(std::string_view operation);
    void runtimeArgs(const Event& event);
    void memoryArgs(const Event& event);
    void deviceArgs(const Event& event);
    void cudaLaunchShape(const Event& event);
    void arg(std::string_view key, std::int64_t value);
    void arg(std::string_view key, std::string_view text);
    void rawArg(std::string_view key, std::string_view json);

    // kineto_groups.cpp
    void collectiveArgs(const Event& event);
    /// `group` is the one that the event is about.
    void groupArgs(const Event& event, const ProcessGroup& group);

    [[nodiscard]] bool modern() const { return config_.dialect == Dialect::Modern; }
    [[nodiscard]] bool cuda() const { return config_.vendor == Vendor::Cuda; }
    [[nodiscard]] TimeNs fileTime(TimeNs true_ns) const { return tracegen::fileTime(clock_, true_ns); }
    [[nodiscard]] std::string pidOf(const Event& event) const;
    [[nodiscard]] std::string tidOf(const Event& event) const;
    [[nodiscard]] std::uint32_t streamId(Stream stream) const {
        constexpr std::uint32_t kFirst = 24;
        constexpr std::uint32_t kApart = 4;
        const auto index = static_cast<std::uint32_t>(stream);
        return index < words_.stream_ids.size()
                   ? words_.stream_ids.at(index)
                   : kFirst + kApart * (index - static_cast<std::uint32_t>(words_.stream_ids.size()));
    }
    void number(std::int64_t value) { text_ += std::to_string(value); }
    /// A length in the dialect's microseconds.
    void micros(TimeNs ns);
    /// A time of the file's clock, since the Unix epoch, as the file writes it.
    void timestamp(TimeNs file_ns);

    const Config& config_;
    const int rank_;
    const StringPool& names_;
    const Vocabulary& words_;
    const RankClock clock_;
    const int pid_;
    Output& output_;
    std::string text_;
    const ProcessGroup all_ranks_;
    std::array<bool, kStreams> streams_{};  ///< those that had work
    bool first_item_ = true;
    bool first_arg_ = true;
    TimeNs first_ns_ = std::numeric_limits<TimeNs>::max();
    TimeNs last_ns_ = 0;
    std::uint64_t records_ = 0;
};

}  // namespace rankscope::tracegen
