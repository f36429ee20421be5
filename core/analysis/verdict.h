// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/analysis/steps/coverage.h"

namespace rankscope {

struct RankFacts;

/// What a run's steps are bound by.
enum class Bound : std::uint8_t { Compute, Communication, Input, Launch, HostStall, Balanced };
[[nodiscard]] std::string_view boundName(Bound bound);  ///< as in the JSON: "compute-bound"

/// Where the time of the steady-state steps goes along the critical path (core/analysis/critical_path.h), as shares of
/// it, 0 to 1. They add up to 1. Where a rank waits for another one, the path goes on there: so a share is what all
/// that was waited for took, on whichever rank it was.
struct BoundShares {
    double compute = 0;
    double communication = 0;  ///< exposed transfers, and a host that waits for a device that waits in one
    double input = 0;          ///< waiting for the DataLoader, blocking copies, exposed copies
    double launch = 0;   ///< the device idle since the host is late: launches, operators, Python, syncs, allocator
    double stall = 0;    ///< the device idle since a host thread stalls
    double rest = 0;     ///< idle with all work queued, or launched and not started
    double warm_up = 0;  ///< idle while graphs and modules are loaded for the first time
    double unknown = 0;  ///< idle before work whose launch is not in the trace: it may be any of the waits
    double unsplit = 0;  ///< exposed communication that cannot be divided: a transfer, or waiting for anything at all

    /// The share of the steps, 0 to 1, in which the device waits for a cause that is known: for communication, for
    /// input, for launches or for a host thread that stalls. `rest`, `unknown` and `unsplit` are no part of it.
    [[nodiscard]] double waits() const { return communication + input + launch + stall; }
};

/// The run in one word, and why.
struct Verdict {
    /// Compute that exceeds all waits together this many times binds the step: two thirds of it, or a little more.
    static constexpr double kComputeOverWaits = 2.0;
    /// A wait that exceeds the next one this many times binds the step; below that several do.
    static constexpr double kOverNext = 1.2;
    /// Idle time between queued work, and host threads that stall, are named from this share on.
    static constexpr double kLeastTold = 0.01;

    std::optional<Bound> bound;         ///< nothing where it cannot be determined
    std::string rule;                   ///< the rule that decided, with its numbers; or why it cannot be determined
    std::optional<BoundShares> shares;  ///< nothing where it cannot be determined
    Coverage coverage = {};             ///< the complete, steady-state steps that it is based on
};

/// Judges a run by the critical paths of its ranks (RankFacts::path), each over its length, so that its shares are 1
/// together; all ranks with such a path count alike.
[[nodiscard]] Verdict judgeRun(std::span<const RankFacts> ranks);

}  // namespace rankscope
