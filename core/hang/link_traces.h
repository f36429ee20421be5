// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/collectives/collectives.h"
#include "core/trace/flight_dump.h"
#include "core/trace/run.h"

/// The dumps of a job linked with the traces of the same job: a call is a collective if numbers or order prove it.
namespace rankscope::hang {

/// What became of a process group.
enum class LinkState : std::uint8_t {
    Linked,         ///< calls of the dumps are collectives of the trace
    SeveralPlaces,  ///< without numbers in the trace, the calls fit at several places of the dumps
    CallDiffers,    ///< a call with the same number has another kind, size or type; without numbers, no place fits
    OtherTime,      ///< a call with the same number was made at another time: the dumps are of another job
    NotInDumps,     ///< the dumps have none of its calls, or without numbers not all
    Unnumbered,     ///< calls of the dumps share numbers, and the trace has none
    Ambiguous,      ///< a dump has several groups of its ranks
    NoGroup,        ///< a dump has no group of its ranks
};

/// The first call that is not the collective with its number.
struct LinkConflict {
    RankPosition rank;
    CollectivePosition collective;
    std::size_t dump = 0;  ///< index among the dumps
    std::size_t call = 0;  ///< index in FlightDump::calls
};

/// A process group with collectives on ranks that have both a trace and a dump.
struct GroupLink {
    std::uint32_t group = 0;  ///< index in CollectiveFacts::groups
    LinkState state = LinkState::NoGroup;
    std::size_t ranks = 0;        ///< that have both
    std::size_t collectives = 0;  ///< of the group in the traces of these ranks
    std::size_t linked = 0;       ///< of these, found in the dumps; earlier and later ones are not in them
    bool by_sequence = false;     ///< c10d's sequence numbers say which call is which
    std::optional<LinkConflict> conflict;
};

/// A call of a dump that is a collective of the run.
struct CallLink {
    std::size_t dump = 0;  ///< index among the dumps
    std::size_t call = 0;  ///< index in FlightDump::calls
    RankPosition rank;
    CollectivePosition collective;
};

/// A run and the dumps of its job.
struct TraceLinks {
    std::vector<GroupLink> groups;  ///< by group
    std::vector<CallLink> calls;    ///< by dump and call: those of linked groups

    /// The link of a call; nullptr if it has none. O(log calls).
    [[nodiscard]] const CallLink* of(std::size_t dump, std::size_t call) const;
};

/// Links the collectives of a run with calls in dumps of the same ranks. A group of a dump is a process group if it has
/// the same ranks, the same description if both have one, and if several do, the same name. If the trace has c10d's
/// sequence numbers, they say which call is which; kind, bytes and type of all calls in both must agree, as far as they
/// are recorded, and times where both count from 1970. Else kinds, bytes and types of all collectives in order must fit
/// in the dumps at only one place, the same on all ranks. Sends and receives are not linked. O(calls), or with a bound
/// without numbers.
[[nodiscard]] TraceLinks linkTraces(const std::vector<FlightDump>& dumps, const Run& run, const CollectiveFacts& facts);

}  // namespace rankscope::hang
