// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>

#include "core/analysis/facts.h"

namespace rankscope::report {

/// Where the device's time went, summed over the complete, steady-state steps of one or several ranks. Compute, exposed
/// communication, exposed copies and idle time add up to `step_ns`, to the nanosecond; hidden time is part of compute.
struct StepBudget {
    std::size_t steps = 0;  ///< steps of ranks with device work
    DurationNs step_ns = 0;
    DurationNs compute_ns = 0;
    DurationNs exposed_comm_ns = 0;
    DurationNs exposed_copy_ns = 0;
    DurationNs idle_ns = 0;
    std::optional<DurationNs> exposed_wait_ns;  ///< part of exposed_comm_ns; nothing if no step has it
    DurationNs exposed_unsplit_ns = 0;          ///< the part that cannot be divided into transfer and waiting
    DurationNs comm_ns = 0;                     ///< all communication, hidden or not
    DurationNs copy_ns = 0;
    CauseTimes idle_causes;  ///< adds up to idle_ns

    /// The part of exposed_comm_ns that is known to be transfer.
    [[nodiscard]] DurationNs exposedTransfer() const {
        return exposed_comm_ns - exposed_wait_ns.value_or(0) - exposed_unsplit_ns;
    }
    /// The part of communication, and of copies, that computation (or communication) hides.
    [[nodiscard]] DurationNs hiddenCommunication() const { return comm_ns - exposed_comm_ns; }
    [[nodiscard]] DurationNs hiddenCopies() const { return copy_ns - exposed_copy_ns; }
    /// The length of the steps if nothing overlapped.
    [[nodiscard]] DurationNs withoutOverlap() const { return compute_ns + comm_ns + copy_ns + idle_ns; }
    /// A part as a share of the steps; nothing without steps.
    [[nodiscard]] std::optional<double> share(DurationNs part_ns) const;
    /// A part, per mean step.
    [[nodiscard]] DurationNs ofStep(DurationNs part_ns) const;
    StepBudget& operator+=(const StepBudget& other);
};

/// The parts of one rank's counted steps, added up.
[[nodiscard]] StepBudget budgetOf(const RankFacts& rank);

}  // namespace rankscope::report
