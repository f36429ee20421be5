// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "core/trace/run.h"

namespace rankscope::test {

/// How parameters are gathered in a job that was made by hand.
enum class Gathering : std::uint8_t {
    Ahead,        ///< each as soon as the parameters before it are in use, as FSDP2 does by itself
    OneByOne,     ///< each when the unit before it is done: nothing is launched ahead
    AfterLimiter  ///< FSDP1, with a host that waits in its limiter for the unit before it
};

/// A job of FSDP on a machine of two streams a rank: in each step the forward gathers and computes its units one after
/// the other, the backward gathers each again, computes it twice as long and scatters its gradients. The device times
/// of all ranks are worked out together: a collective begins to transfer when the last rank has come. In microseconds.
struct ShardedJob {
    std::size_t units = 4;
    std::size_t ranks = 2;
    int steps = 4;
    double gather_us = 100;
    double scatter_us = 100;
    double compute_us = 300;  ///< of a unit in the forward
    double host_us = 40;      ///< from one unit to the next on the host
    Gathering gathering = Gathering::Ahead;
    bool reshard = true;                   ///< after the forward, so that the backward gathers again
    std::optional<std::size_t> late_rank;  ///< this one's host comes late to each forward, by
    double late_us = 600;
    bool names_units = true;  ///< FSDP2's ranges name the units

    struct Made {
        std::shared_ptr<const Run> run;
        double step_us = 0;  ///< of the last step, on all ranks
    };
    [[nodiscard]] Made make() const;
};

}  // namespace rankscope::test
