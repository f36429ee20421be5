// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tests/tracegen/config.h"
#include "tests/tracegen/machine/simulate.h"

namespace rankscope::tracegen::machine {

/// How the ranks' files are put into one.
enum class Fusion {
    None,
    TraceFuse,   ///< `args.rank`, processes called "RANK 1 - GPU", numbers of other ranks moved up
    OffsetPids,  ///< process and correlation numbers moved up, and nothing said about it
};

/// The clocks that the hosts' files are on.
struct ClockSpec {
    DurationNs offset_ns = 3'000'000;  ///< at most, either way
    std::int64_t drift_ppb = 15'000;   ///< at most, either way
    std::int64_t wander_ppb = 800;     ///< by which the drift changes from one 50 ms to the next
    DurationNs device_ns = 700;        ///< a device's times are off against its host's by at most this
};

/// How a run is written down.
struct FileSpec {
    TimeGrid grid = TimeGrid::OfDialect;
    Fusion fusion = Fusion::None;
    ClockSpec clocks;
    /// Device records that begin so soon after the window's opening, or so shortly before its end, are lost.
    DurationNs lost_head_ns = 0;
    DurationNs lost_tail_ns = 0;
};

/// A host's clock: what it shows at a true time. Never goes back.
class WanderingClock {
  public:
    WanderingClock(const ClockSpec& spec, std::uint64_t seed, int host);
    [[nodiscard]] TimeNs at(TimeNs true_ns) const;

  private:
    DurationNs offset_ns_;
    std::vector<TimeNs> gained_ns_;  ///< by interval
};

/// What is added to the times of a rank's device beside its host's clock.
[[nodiscard]] DurationNs deviceOffset(const TrueRun& run, const ClockSpec& spec, int rank);

struct TraceFile {
    std::string name;
    std::string text;
};

/// The files of a run, as PyTorch's profiler writes them: one a rank, or one for all.
[[nodiscard]] std::vector<TraceFile> writeFiles(const TrueRun& run, const FileSpec& spec);
/// The same, a file a rank, into a folder that is there: for runs whose texts do not fit in memory together. Throws
/// std::runtime_error where a file cannot be written. `spec.fusion` is None.
void writeFiles(const TrueRun& run, const FileSpec& spec, const std::filesystem::path& folder, bool gzip);

}  // namespace rankscope::tracegen::machine
