// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace rankscope::tracegen {

/// A process group, as c10d knows it.
struct ProcessGroup {
    std::string name;         ///< c10d's counter of groups
    std::string description;  ///< `group_desc`, as the framework gives it
    std::vector<int> ranks;   ///< of the whole job, ascending: a rank's place is its number in the group

    /// The place of a rank of the job; -1 where it is no member.
    [[nodiscard]] int placeOf(int rank) const {
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            if (ranks[i] == rank) {
                return static_cast<int>(i);
            }
        }
        return -1;
    }
};

}  // namespace rankscope::tracegen
