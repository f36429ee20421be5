// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/hang/progress.h"

namespace rankscope::hang {

/// A call that some ranks made and that is not complete, and the ranks that it needs.
struct PendingCall {
    Place at;
    std::vector<std::size_t> waiting;        ///< dumps of the ranks that are in it
    std::vector<std::size_t> not_entered;    ///< dumps of members that did not make it
    std::vector<std::size_t> behind;         ///< dumps of members that made it, and have an older call to complete
    std::vector<std::size_t> not_completed;  ///< dumps of the few ranks on which it is not complete, as on the others
    std::vector<std::int64_t> missing;       ///< members without a dump, if they are all that it can wait for
    std::vector<std::size_t> older;          ///< dumps that are too old to know the call

    /// Whether all members made it and none has anything older to complete.
    [[nodiscard]] bool isStuck() const {
        return not_entered.empty() && behind.empty() && not_completed.empty() && missing.empty() && older.empty();
    }
};

/// Which rank waits in which calls.
struct Waits {
    std::vector<PendingCall> calls;
    std::vector<std::vector<std::size_t>> of_dump;  ///< by dump: indices of calls, in the order in which it made them
};

/// The calls that are not complete. O(such calls x ranks of their group).
[[nodiscard]] Waits waitsOf(const Progress& progress);

/// Whom everyone waits for in the end.
struct Roots {
    std::vector<std::size_t> stopped;              ///< dumps of ranks that others wait for and that wait for nobody
    std::vector<std::size_t> failed;               ///< dumps of ranks in PendingCall::not_completed
    std::vector<std::vector<std::size_t>> cycles;  ///< dumps of ranks that wait for each other
};

/// Follows the waits to their ends.
[[nodiscard]] Roots rootsOf(const Waits& waits);

/// The first collective of each group whose ranks disagree on its kind, its number of elements or its type. Elements
/// and types count where all ranks must have the same: not for all-to-all, nor for the tensors of a root. O(calls).
[[nodiscard]] std::vector<Mismatch> mismatchesOf(const Progress& progress);

}  // namespace rankscope::hang
