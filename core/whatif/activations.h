// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/diagnosis/frame/rule.h"

namespace rankscope {

// The memory of activations, for the notes of changes that need more or less of it.

/// Bytes of activations at the memory peak of a rank's device; 0 if memory was not recorded, or if it does not show
/// which blocks are activations.
[[nodiscard]] std::int64_t activationsAtPeak(const RuleContext& context, RankPosition rank);

/// The same on the rank with most; nothing if it is 0 on all.
[[nodiscard]] std::optional<std::uint64_t> mostActivations(const RuleContext& context);

/// "At the peak, activations take 2.0 GB on the rank with most: " and `then`, a clause with its full stop; nothing as
/// for mostActivations().
[[nodiscard]] std::optional<std::string> activationNote(const RuleContext& context, const std::string& then);

}  // namespace rankscope
