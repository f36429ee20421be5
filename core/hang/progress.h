// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/hang/hang.h"

namespace rankscope::hang {

/// How far each rank is in each group, from all dumps. It refers to the dumps.
class Progress {
  public:
    explicit Progress(const std::vector<FlightDump>& dumps);

    /// The dumps, and the groups of all of them.
    [[nodiscard]] const std::vector<FlightDump>& dumps() const { return dumps_; }
    [[nodiscard]] const std::vector<Group>& groups() const { return groups_; }
    /// The index of the dump of a rank.
    [[nodiscard]] std::optional<std::size_t> dumpOf(std::int64_t rank) const;
    /// The index in groups() of a call's group.
    [[nodiscard]] std::size_t groupOf(std::size_t dump, const FlightCall& call) const {
        return group_of_[dump][call.group];
    }
    /// The indices of the calls of a dump that are not complete, oldest first.
    [[nodiscard]] const std::vector<std::size_t>& pending(std::size_t dump) const { return pending_[dump]; }

    /// Whether a rank with a dump made a collective of a group, and whether it is complete there.
    [[nodiscard]] bool entered(std::size_t dump, std::size_t group, std::int64_t number) const;
    [[nodiscard]] bool completed(std::size_t dump, std::size_t group, std::int64_t number) const;
    /// Whether a collective is complete on some rank, so that all its ranks made it. False for kinds that may complete
    /// on one rank before others begin, as a broadcast on its root.
    [[nodiscard]] bool completedSomewhere(std::size_t group, std::int64_t number) const;
    /// The call of a group, as the first rank made it that has it in its dump.
    [[nodiscard]] Place placeOf(std::size_t group, std::int64_t number) const;
    /// The collectives of a group, by number, with the calls of each dump: (dump, index of the call).
    using CallsOfNumber = std::map<std::int64_t, std::vector<std::pair<std::size_t, std::size_t>>>;
    [[nodiscard]] const CallsOfNumber& collectives(std::size_t group) const { return collectives_[group]; }

  private:
    /// The numbers of the last collective that a rank made in a group, and that is complete; -1: none, or unknown.
    struct Reached {
        std::int64_t entered = -1;
        std::int64_t completed = -1;
    };

    void joinGroups();
    void sortCalls();
    void takeStatus();
    void findPending();

    const std::vector<FlightDump>& dumps_;
    std::map<std::int64_t, std::size_t> dump_of_rank_;
    std::vector<Group> groups_;
    std::vector<bool> exchanges_;                          // by group: some rank sends or receives in it
    std::vector<std::vector<std::size_t>> group_of_;       // by dump and its own index of the group
    std::vector<std::vector<std::size_t>> pending_;        // by dump
    std::vector<std::map<std::size_t, Reached>> reached_;  // by dump and group
    std::vector<CallsOfNumber> collectives_;               // by group
};

}  // namespace rankscope::hang
