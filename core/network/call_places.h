// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/network/join_run.h"

// Where the calls of a trace are in a log. Private to core/network.
namespace rankscope::network {

/// A call as a log shows it, in the terms of traces.
struct LoggedShape {
    CollectiveKind kind = CollectiveKind::Unknown;
    std::optional<std::int64_t> bytes;  ///< as Collective::bytes; nothing if the type is unknown
    std::int32_t type = 0;              ///< NCCL's number
};

/// A call as a trace shows it: what is not recorded is unknown.
struct TracedCall {
    CollectivePosition collective;
    CollectiveKind kind = CollectiveKind::Unknown;  ///< Unknown: any
    std::optional<std::int64_t> bytes;
    std::uint32_t types = 0;     ///< a bit for each of NCCL's types that it may have; 0: any
    std::int64_t sequence = -1;  ///< c10d's number; -1: unknown

    /// Whether the log's call can be this one: kind, bytes and type agree, as far as they are recorded.
    [[nodiscard]] bool agrees(const LoggedShape& shape) const;
};

/// The types of NCCL that a `dtype` of PyTorch can be, as bits; 0: any.
[[nodiscard]] std::uint32_t typesOf(std::string_view dtype);
/// A call among this many ranks, in the terms of traces.
[[nodiscard]] LoggedShape loggedShape(const NcclShape& shape, std::int32_t ranks);
/// Whether NCCL logs this kind as one call: not what may consist of sends and receives. All-to-alls are, in versions
/// that have a call for them.
[[nodiscard]] bool isOneCall(CollectiveKind kind, bool has_all_to_all);

/// The calls of one rank, in order.
struct RankCalls {
    RankPosition rank;
    std::vector<TracedCall> traced;
    std::uint64_t shift = 0;            ///< the place of the first of `traced` among those of all ranks
    std::vector<std::uint32_t> logged;  ///< index in NcclLogs::shapes
    std::size_t member = 0;             ///< index in NcclLogs::members
    std::vector<std::uint32_t> orders;  ///< of each of `logged`, its index in NcclMember::order
};

/// What was found.
struct CallPlaces {
    std::vector<std::uint64_t> fitting;    ///< the first two places that fit; of the call that is first over all ranks
    std::optional<CallConflict> conflict;  ///< of the place where most agree, if none fits
    std::uint64_t agreeing = 0;            ///< calls there before it
    bool is_too_short = false;             ///< the log has fewer calls than the trace
    bool is_cut_off = false;               ///< there are too many to compare
};

/// Sets `shift` of each rank, so that collectives that several ranks have are at the same place. False if that
/// contradicts itself, or if ranks have no collective in common.
[[nodiscard]] bool alignRanks(std::vector<RankCalls>& ranks);

/// Compares calls with shapes of the log, which are by index in NcclLogs::shapes.
class PlaceFinder {
  public:
    PlaceFinder(const std::vector<RankCalls>& ranks, const std::vector<LoggedShape>& shapes)
        : ranks_(ranks), shapes_(shapes) {}

    /// Looks at all places until two fit. O(calls of the log) if they repeat with a period, else bounded.
    [[nodiscard]] CallPlaces find();
    /// Whether all calls agree if the first one is at this place.
    [[nodiscard]] bool fits(std::uint64_t place);

  private:
    /// The number of calls that agree until the first that does not, which is put into `conflict`.
    std::uint64_t compare(std::uint64_t place, std::optional<CallConflict>& conflict);

    const std::vector<RankCalls>& ranks_;
    const std::vector<LoggedShape>& shapes_;
    std::uint64_t compared_ = 0;
};

}  // namespace rankscope::network
