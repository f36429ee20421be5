// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/counters/counter_series.h"
#include "core/analysis/facts.h"

namespace rankscope::test {

/// Asserts what must hold for the facts of any rank, to the nanosecond: the partition adds up to the step, gaps to the
/// idle time, the parts of a gap fill it in order, causes to the idle time, and steps follow one another.
void checkFacts(const RankFacts& facts);
void checkFacts(const MeasuredRank& rank);

/// The facts of a rank that no other rank explains, with no tables.
[[nodiscard]] RankFacts factsAlone(const MeasuredRank& rank);

/// Asserts that the ledger and the compute time of every step of every rank add up to the step.
void checkLedger(const RunFacts& facts);

/// Asserts that the exposed communication of each step of each rank adds up over the roles of its groups, and over the
/// groups, to the nanosecond.
void checkRoles(const RunFacts& facts);

/// Asserts that the gathers, scatters and other collectives of shards of each step of each rank add up to its exposed
/// communication of that role, and that the parts of ranks add up to their steps, to the nanosecond.
void checkShards(const RunFacts& facts);

/// Asserts what must hold for the critical paths of any run: no part is less than nothing, all fit into what was
/// recorded, and the path of a rank alone is all of its steps that count.
void checkPaths(const RunFacts& facts);

/// All of the above of a run, but shards: facts, ledger, roles and paths.
void checkRunFacts(const RunFacts& facts);

/// Asserts that what memory is for adds up to what is allocated, at the peak of each device of each rank, that no part
/// is less than nothing where all events are there, and that checkpoints follow one another.
void checkMemory(const RunFacts& facts);

/// The counter of this kind, or an empty one.
[[nodiscard]] CounterSeries counterOf(const std::vector<CounterSeries>& all, CounterKind kind);
/// The sum of value x time over all of a series that ends at 0.
[[nodiscard]] double integral(const CounterSeries& series);

/// The times of each rank's step of a pipeline add up to the step, its bubble to its parts, and none is negative;
/// passes stand in order.
void checkPipelines(const RunFacts& facts);

}  // namespace rankscope::test
