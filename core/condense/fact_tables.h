// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/analysis/stages.h"
#include "core/digest/database.h"

namespace rankscope {

/// The number of kernels and operators of a rank in the tables of a digest: those that take longest.
inline constexpr std::size_t kNamesInDigest = 50;

/// Writes the facts of one rank alone into the tables of a digest that other tools read: steps with their parts and
/// causes, phases, calls of collectives by kind, the kernels and operators that take longest, memory, and notes on its
/// health. `rank` is the result of addRank(). This program does not read them back. Throws DigestFault.
void addFacts(const Database& digest, std::int64_t rank, const AnalysedRank& analysed);

}  // namespace rankscope
