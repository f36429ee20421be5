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
/// it, 0 to 1. They add up to 1. If a rank waits for another one, the path continues there: so a share includes what
/// was waited for, on any rank.
struct BoundShares {
    double compute = 0;
    double communication = 0;  ///< exposed transfers, and a host that waits for a device that waits in one
    double input = 0;          ///< waiting for the DataLoader, blocking copies, exposed copies
    double launch = 0;   ///< the device is idle because the host is late: launches, operators, Python, syncs, allocator
    double stall = 0;    ///< the device is idle because a host thread stalls
    double rest = 0;     ///< idle with all work queued, or launched and not started
    double warm_up = 0;  ///< idle while graphs and modules are loaded for the first time
    double unknown = 0;  ///< idle before work whose launch is not in the trace: it may be any of the waits
    double unsplit = 0;  ///< exposed communication that cannot be divided: a transfer, or waiting for anything at all

    /// The share of the steps, 0 to 1, in which the device waits for a known cause: communication, input, launches or a
    /// stalled host thread. Without `rest`, `unknown` and `unsplit`.
    [[nodiscard]] double waits() const { return communication + input + launch + stall; }
};

/// The run in one word, and why.
struct Verdict {
    /// The step is compute-bound if compute exceeds all waits together by this factor: two thirds of the step, or a
    /// little more.
    static constexpr double kComputeOverWaits = 2.0;
    /// The step is bound by a wait that exceeds the next one by this factor; below that by several.
    static constexpr double kOverNext = 1.2;
    /// Idle time between queued work, and stalled host threads, are named from this share on.
    static constexpr double kLeastTold = 0.01;

    std::optional<Bound> bound;         ///< nothing if unknown
    std::string rule;                   ///< the rule that decided, with its numbers; or why it is unknown
    std::optional<BoundShares> shares;  ///< nothing if unknown
    Coverage coverage = {};             ///< the complete, steady-state steps that it is based on
};

/// Judges a run by the critical paths of its ranks (RankFacts::path), each divided by its length, so that its shares
/// add up to 1; all ranks with such a path count equally.
[[nodiscard]] Verdict judgeRun(std::span<const RankFacts> ranks);

}  // namespace rankscope
