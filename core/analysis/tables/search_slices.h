// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string_view>
#include <vector>

#include "core/analysis/tables/run_names.h"
#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/time.h"
#include "core/clock/run_clock.h"
#include "core/trace/run.h"

namespace rankscope {

/// A slice that a search found.
struct SearchHit {
    RankPosition rank;
    SliceRef slice;
    TimeNs start_ns = 0;  ///< on the run's clock
    friend auto operator<=>(const SearchHit&, const SearchHit&) = default;
};

struct SearchHits {
    std::vector<SearchHit> hits;  ///< sorted by start, then by rank, track and slice; only the earliest if there are
                                  ///< too many
    std::uint64_t total = 0;      ///< the number of all hits: more than hits.size() if the limit was reached
};

struct SearchOptions {
    std::size_t limit = 1'000'000;  ///< hits that are kept; all are counted
    unsigned threads = 0;           ///< 0: one per core
    /// The texts of the run, if they exist already; else they are gathered first.
    std::shared_ptr<const RunNames> names = nullptr;
    /// Called with the number of hits as soon as it is known, before their places are sorted; on the calling thread.
    /// May be empty.
    std::function<void(std::uint64_t)> counted = {};
};

/// The slices of all ranks with `text` in their name or in an arg that the model keeps: operation, data type, group and
/// communicator of a collective, kind of a sync. Case-insensitive (ASCII). An empty text has no hits. Each different
/// text of the run is examined once, then the slices by their string ids; if there are more hits than are kept, only
/// the earliest are sorted.
[[nodiscard]] Result<SearchHits> searchSlices(const Run& run, const RunClock& clock, std::string_view text,
                                              const SearchOptions& options, const std::stop_token& stop);

}  // namespace rankscope
