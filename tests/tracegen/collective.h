// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "tests/tracegen/event.h"

namespace rankscope::tracegen {

/// All ranks' view of the collectives: a transfer begins when the last rank has come, and the ranks end within a
/// spread of 2 to 24 us of each other, the last arriver last. A broadcast is over on a rank once that rank and rank 0
/// have been in it for the length of the transfer: the others are not waited for.
class CollectiveBoard {
  public:
    CollectiveBoard(int ranks, std::uint64_t seed) : ranks_(ranks), seed_(seed) {}

    /// Rank `rank`'s stream has reached the collective. Says nothing new when said again.
    void arrive(const CollectiveCall& call, int rank, TimeNs start_ns, DurationNs transfer_ns);
    /// When it ends on `rank`; nothing while a rank is missing.
    [[nodiscard]] std::optional<TimeNs> end(const CollectiveCall& call, int rank) const;
    /// Forgets collectives before `sequence`: all ranks are through with them.
    void forgetBefore(std::uint64_t sequence) { calls_.erase(calls_.begin(), calls_.lower_bound(sequence)); }

  private:
    struct Rendezvous {
        std::vector<std::optional<TimeNs>> starts;
        std::vector<TimeNs> ends;  ///< empty until all have come
        int arrived = 0;
    };

    void finish(Rendezvous& rendezvous, const CollectiveCall& call, DurationNs transfer_ns) const;

    int ranks_;
    std::uint64_t seed_;
    std::map<std::uint64_t, Rendezvous> calls_;
};

}  // namespace rankscope::tracegen
