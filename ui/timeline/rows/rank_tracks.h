// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/trace/rank_trace.h"

namespace rankscope::ui {

/// The tracks of one rank that have slices, in their default order: all that laying out a rank needs of its trace, in
/// one place, since a trace is scattered over memory.
class RankTracks {
  public:
    /// A track, and the number of rows for its slices: Track::row_count, at least 1.
    struct Listed {
        TrackId id;
        std::uint16_t rows = 1;
    };

    RankTracks() = default;
    /// O(tracks log tracks).
    explicit RankTracks(const RankTrace& trace);

    /// By device and number: "stream 7" before "stream 20".
    [[nodiscard]] std::span<const Listed> streams() const { return std::span(all_).first(streams_); }
    /// As in the trace.
    [[nodiscard]] std::span<const Listed> threads() const { return std::span(all_).subspan(streams_, threads_); }
    /// As in the trace.
    [[nodiscard]] std::span<const Listed> others() const { return std::span(all_).subspan(streams_ + threads_); }

  private:
    std::vector<Listed> all_;  // streams, threads, others
    std::size_t streams_ = 0;
    std::size_t threads_ = 0;
};

}  // namespace rankscope::ui
