// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>

#include "core/analysis/facts.h"

namespace rankscope::report {

/// Where the device's time went, summed over the complete, steady-state steps of one rank or of several. Compute,
/// exposed communication, exposed copies and idle time add up to `step_ns`, to the nanosecond; hidden time is part of
/// the compute.
struct StepBudget {
    std::size_t steps = 0;  ///< of ranks with device work
    DurationNs step_ns = 0;
    DurationNs compute_ns = 0;
    DurationNs exposed_comm_ns = 0;
    DurationNs exposed_copy_ns = 0;
    DurationNs idle_ns = 0;
    std::optional<DurationNs> exposed_wait_ns;  ///< of exposed_comm_ns; nothing if no step has it
    DurationNs exposed_unsplit_ns = 0;          ///< of it what cannot be divided into transfer and waiting
    DurationNs comm_ns = 0;                     ///< all of it, hidden or not
    DurationNs copy_ns = 0;
    CauseTimes idle_causes;  ///< adds up to idle_ns

    /// Of exposed_comm_ns what is known to be transfer.
    [[nodiscard]] DurationNs exposedTransfer() const {
        return exposed_comm_ns - exposed_wait_ns.value_or(0) - exposed_unsplit_ns;
    }
    /// Communication, and copies, that computation (or communication) hides.
    [[nodiscard]] DurationNs hiddenCommunication() const { return comm_ns - exposed_comm_ns; }
    [[nodiscard]] DurationNs hiddenCopies() const { return copy_ns - exposed_copy_ns; }
    /// The steps if nothing overlapped.
    [[nodiscard]] DurationNs withoutOverlap() const { return compute_ns + comm_ns + copy_ns + idle_ns; }
    /// A part as a share of the steps; nothing without steps.
    [[nodiscard]] std::optional<double> share(DurationNs part_ns) const;
    /// A part of the mean step.
    [[nodiscard]] DurationNs ofStep(DurationNs part_ns) const;
    StepBudget& operator+=(const StepBudget& other);
};

/// The parts of the steps that count of one rank, added up.
[[nodiscard]] StepBudget budgetOf(const RankFacts& rank);

}  // namespace rankscope::report
