// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/time.h"

namespace rankscope {

/// A place in a file where something was wrong.
struct ParseIssue {
    std::uint16_t file = 0;         ///< index in RankTrace::files
    std::uint64_t byte_offset = 0;  ///< in the uncompressed text
    std::string cause;
    friend bool operator==(const ParseIssue&, const ParseIssue&) = default;
};

/// Whether lost or wrong launches or kernels are a property of the recording, and not just cut off at the edges of its
/// window or chance: more than one in 50.
[[nodiscard]] constexpr bool isSystematic(std::size_t wrong, std::size_t all) {
    return 50 * wrong > all;
}

/// What is missing or wrong in the files of one rank. Everything is counted; nothing is dropped silently.
struct Health {
    static constexpr std::size_t kParseIssuesKept = 20;

    std::uint64_t events = 0;  ///< events understood and kept: slices, instants, flows, counters, metadata
    std::uint64_t slices = 0;
    std::uint64_t skipped = 0;             ///< events that could not be read
    std::uint64_t recovered = 0;           ///< events read after their JSON was repaired
    std::vector<ParseIssue> parse_issues;  ///< the first kParseIssuesKept of the skipped and recovered ones

    std::uint64_t overlapping = 0;         ///< slices that partly overlap another of their track
    std::uint64_t negative_durations = 0;  ///< durations below zero, kept with length zero
    std::uint64_t early_kernels = 0;       ///< device work that starts before its launch call does
    std::uint64_t unlinked_launches = 0;   ///< launch calls without a device record: lost, or at a window's end
    std::uint64_t unlinked_device = 0;     ///< device work without a launch call
    /// The resolution of the file's times in ns: 1000, 500, 250, 125, 100, 10 or 1. Starts and ends are multiples of
    /// it: two instants closer than this may be equal, in any order. 250 comes from epoch microseconds written through
    /// a double. Also 1 if there are too few slices to know; of several files the coarsest.
    DurationNs time_resolution_ns = 1;
    /// The largest error between two instants: 0 if times are exact to a nanosecond, else the time resolution of host
    /// threads or streams, the coarser of the two.
    DurationNs time_slack_ns = 0;
    /// The file contains collectives of several ranks that cannot be separated, as one rank: no result for it is valid
    /// for any of them. A note says why.
    bool ranks_mixed = false;
    bool truncated = false;          ///< the compressed data or the JSON ends before it should
    std::vector<std::string> notes;  ///< anything else worth saying, in whole sentences

    /// Adds a parse issue: `file` is an index in RankTrace::files, `offset` counts bytes of the uncompressed text.
    /// Beyond the first kParseIssuesKept it is ignored; the caller counts it as skipped or recovered.
    void add(std::uint16_t file, std::uint64_t offset, std::string cause) {
        if (parse_issues.size() < kParseIssuesKept) {
            parse_issues.push_back({file, offset, std::move(cause)});
        }
    }
    friend bool operator==(const Health&, const Health&) = default;
};

}  // namespace rankscope
