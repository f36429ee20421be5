// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"

namespace rankscope {

// The one place that defines which numbers of a file are accepted. After ingest every number is within these bounds:
// nothing overflows, and no allocation has a size that a file merely claims. A number out of bounds counts as unknown,
// and is noted with the file, the value and the bound.

/// Ranks of a job: a world size, a group's size and number of members, and any rank number, which must be below it. The
/// largest known jobs have some 100,000.
inline constexpr std::int64_t kMostRanks = 1 << 20;
/// Missing ranks that are listed one by one; the others are counted.
inline constexpr std::size_t kMissingRanksListed = 4096;
/// Times, before and after the base is added, in ns from zero in both directions: until 2043 as Unix time. The sum of
/// two of them, and the difference of two such sums, fit 64 bits.
inline constexpr TimeNs kFarthestTime = TimeNs{1} << 61U;
/// The length of one event: 30 days.
inline constexpr DurationNs kLongestDuration = DurationNs{30} * 24 * 3600 * 1'000'000'000;
/// Bytes of a copy, an allocation or a memory: 1 PiB.
inline constexpr std::int64_t kMostBytes = std::int64_t{1} << 50U;
/// Elements of a message, and sequence numbers.
inline constexpr std::int64_t kMostElements = std::int64_t{1} << 50U;
/// Floating-point operations of one operator: more than a device does in a day.
inline constexpr double kMostFlops = 1e21;
/// Device indices, and multiprocessors of a device.
inline constexpr std::int64_t kMostDevices = 1 << 15;
/// Rows of a track; depths are below that.
inline constexpr std::size_t kMostRows = 65535;
/// Files of one rank, as numbered in an EventSource.
inline constexpr std::size_t kMostFilesOfARank = 65535;
/// Text of one event in bytes. Longer text without an event is not an event; this bounds the memory of a batch.
inline constexpr std::size_t kLongestEvent = std::size_t{16} << 20U;
/// Members of a tar that is read completely to find them.
inline constexpr std::size_t kMostMembers = std::size_t{1} << 20U;
/// The largest accepted size of an unpacked tar: this many times its size on disk, but at least kLeastUnpacked. Traces
/// are 10 to 100 times as large as their gzip, and gzip packs at most 1,032 bytes into one.
inline constexpr std::uint64_t kMostUnpacked = 1032;
inline constexpr std::uint64_t kLeastUnpacked = std::uint64_t{1} << 30U;
/// Bytes of a file's name in which a rank and a host are searched; a regular expression recurses once per byte.
inline constexpr std::size_t kNameLookedAt = 512;

/// Whether times are within kFarthestTime.
[[nodiscard]] constexpr bool isTime(TimeNs t) {
    return t >= -kFarthestTime && t <= kFarthestTime;
}

/// A number that was out of bounds, and how often that happened.
struct OutOfBounds {
    std::string what;   ///< its name in the file: "world_size"
    std::string value;  ///< as written in the file; of several the first
    std::int64_t bound = 0;
    std::optional<std::uint64_t> byte_offset;  ///< offset of the event
    std::uint64_t count = 1;
};

/// The numbers of one file that were out of bounds, one entry for each kind of number.
class BoundsReport {
  public:
    void add(OutOfBounds found);
    void add(const BoundsReport& other);
    [[nodiscard]] bool empty() const { return found_.empty(); }
    /// One sentence per kind, naming the file as `file`.
    [[nodiscard]] std::vector<std::string> notes(const std::string& file) const;

  private:
    std::vector<OutOfBounds> found_;
};

/// A number from `lowest` to `highest`; else nothing, and an entry in `report`.
[[nodiscard]] std::optional<std::int64_t> bounded(std::string_view what, std::int64_t value, std::int64_t lowest,
                                                  std::int64_t highest, BoundsReport& report,
                                                  std::optional<std::uint64_t> byte_offset = std::nullopt);

}  // namespace rankscope
