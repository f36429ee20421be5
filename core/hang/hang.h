// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/trace/flight_dump.h"

/// Why a job hangs, from the dumps of PyTorch's flight recorder.
namespace rankscope::hang {

/// A process group over all dumps: ranks that give it the same description and the same members.
struct Group {
    std::string name;  ///< as the first dump names it
    std::string description;
    std::vector<std::int64_t> ranks;  ///< ascending

    /// Its description, or its name if that is empty or says nothing.
    [[nodiscard]] const std::string& label() const;
};

/// A call of a group that some ranks made: a collective, or a send or receive of one rank.
struct Place {
    std::size_t group = 0;                   ///< index in Hang::groups
    std::int64_t number = 0;                 ///< of the collective in its group, or of the send or receive on its rank
    std::string kind;                        ///< "all_reduce", "send 0->3"; empty: no dump has the call
    bool is_exchange = false;                ///< a send or receive
    std::optional<std::int64_t> created_ns;  ///< since 1970: when the first rank made it
};

/// Why a rank is the one that others wait for.
enum class Why : std::uint8_t {
    NotEntered,    ///< it did not make a call that its peers made, and waits for nobody
    NotCompleted,  ///< it made a call that completed on most of its peers, and not on itself: its GPU or network failed
    Differs,       ///< its call is not that of its peers: another kind, size or type
    Deadlock,      ///< it waits for ranks that wait for it
};

/// A rank that stops others.
struct Culprit {
    std::int64_t rank = 0;
    Why why = Why::NotEntered;
    Place at;                        ///< the first call that shows it
    std::vector<Place> also;         ///< of other groups
    std::string detail;              ///< of Differs: "all_gather; its peers call all_reduce of 32 elements (Float)"
    std::optional<FlightCall> last;  ///< its last call in the dump
};

/// A rank that waits.
struct Waiting {
    std::int64_t rank = 0;
    Place in;                             ///< its oldest call that is not complete
    std::vector<std::int64_t> waits_for;  ///< ranks, ascending: those that did not make the call, or are behind
};

/// A collective in which ranks do not agree.
struct Mismatch {
    struct Variant {
        std::string call;                 ///< "all_reduce of 32 elements (Float)"
        std::vector<std::int64_t> ranks;  ///< ascending
    };
    Place at;
    std::vector<Variant> variants;  ///< the one of most ranks first
    bool is_complete = false;       ///< on all ranks: it did not stop the job
};

/// A collective that all its ranks made and that is not complete on all.
struct Unfinished {
    Place at;
    std::vector<std::int64_t> ranks;  ///< that are in it
};

/// What the dumps show. All lists are in the order of time where times are known, and of ranks.
struct Hang {
    std::vector<Group> groups;
    std::vector<std::int64_t> ranks;    ///< with a dump, ascending
    std::vector<std::int64_t> missing;  ///< in some group, without a dump
    std::vector<Culprit> culprits;      ///< empty if nothing hangs
    std::vector<Waiting> waiting;
    std::vector<Mismatch> mismatches;               ///< the first of each group
    std::vector<std::vector<std::int64_t>> cycles;  ///< ranks that wait for each other in a circle
    std::vector<Unfinished> unfinished;             ///< in flight when the dumps were written, or stuck
    /// Ranks whose dump is older than those of their peers: these completed calls that the rank had not made yet.
    std::vector<std::int64_t> older;
    std::vector<std::string> versions;       ///< of the format, each once
    std::vector<std::string> nccl_versions;  ///< each once
};

/// Compares the dumps of one job; one dump a rank. Calls match by group and number. A rank stops the others if they
/// wait for it, over any number of ranks in between, and it waits for none. O(calls x ranks of a group).
[[nodiscard]] Hang findHang(const std::vector<FlightDump>& dumps);

}  // namespace rankscope::hang
