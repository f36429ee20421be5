// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <cstdint>
#include <optional>

#include "core/analysis/memory/memory_part.h"
#include "core/analysis/parallelism/role.h"
#include "ui/theme/theme.h"

namespace rankscope::ui {

/// The parts of a step's time. Each has one colour, in bars, charts, tables and the legend alike.
enum class Swatch : std::uint8_t {
    Compute,        ///< kernels other than communication
    Communication,  ///< transfers, and communication as a whole if it is not divided
    Waiting,        ///< inside a collective, for a rank that arrives later: communication, faded
    Unsplit,        ///< communication that cannot be divided into the two: stronger
    Copy,           ///< copies and memsets
    Idle,           ///< nothing runs on the device
};

/// Device memory outside tensors.
enum class FreeMemory : std::uint8_t {
    Stuck,     ///< free, but next to used memory: it cannot be returned
    Cache,     ///< kept by the allocator
    Segments,  ///< kept by the allocator, in segments without used memory
    Untold,    ///< kept by the allocator, in an unknown way
    Left,      ///< not reserved by the allocator
};

/// The colour of a part of a step's time on a theme.
[[nodiscard]] QColor colourOf(Swatch swatch, const Theme& theme);
/// The colour of the communication of groups with a role; grey if the role is unknown.
[[nodiscard]] QColor colourOf(std::optional<Role> role, const Theme& theme);

/// The colour of a use of memory.
[[nodiscard]] QColor colourOf(MemoryPart part, const Theme& theme);
[[nodiscard]] QColor colourOf(FreeMemory free, const Theme& theme);

}  // namespace rankscope::ui
