// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/memory/memory_part.h"
#include "core/trace/memory_snapshot.h"

namespace rankscope {

/// The use of memory that this stack allocated: the innermost frame that shows it decides. A frame of an optimizer or
/// of autograd's engine says more than the code that calls it; a forward inside a backward is a recomputation and
/// counts as backward. Unknown if no frame shows it.
[[nodiscard]] MemoryPart partOfStack(const MemorySnapshot& snapshot, std::uint32_t stack);

/// The frame that represents a stack for people: the innermost of the user's own code, else the innermost of Python,
/// else the innermost: "train.py(54): step". Empty for stack 0.
[[nodiscard]] std::string stackTitle(const MemorySnapshot& snapshot, std::uint32_t stack);

/// The frames of a stack for people, innermost first, up to 32,000 bytes.
[[nodiscard]] std::vector<std::string> frameTexts(const MemorySnapshot& snapshot, std::uint32_t stack);

/// One frame for people, with the whole path: "/job/train.py(54): step".
[[nodiscard]] std::string frameText(const MemorySnapshot& snapshot, std::uint32_t frame);

}  // namespace rankscope
